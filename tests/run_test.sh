#!/usr/bin/env bash
# The entry point ./run, as far as it needs no building: run_test.sh SOURCE.
set -euo pipefail
source=$1
fail() {
  printf 'run: %s\n' "$*" >&2
  exit 1
}

bash -n "$source/run" || fail "is not bash"

code=0
message=$("$source/run" nonsense 2>&1 >/dev/null) || code=$?
((code == 2)) || fail "an unknown command exits $code; expected 2"
[[ $message == "run: 'nonsense' is not a command"* ]] || fail "says '$message'"

for words in "" --help; do
  # shellcheck disable=SC2086
  [[ $("$source/run" $words) == "usage: ./run COMMAND"* ]] || fail "'./run $words' shows no usage"
done

# From another folder, where the release tree is built and up to date.
release="$source/build/release"
if [[ -x "$release/ifd" ]] && ninja -n -C "$release" 2>/dev/null | grep -q 'no work to do'; then
  cd /
  [[ $("$source/run" ifd --version) == "ifd "* ]] || fail "'./run ifd --version' says no version"
fi
