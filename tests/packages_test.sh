#!/usr/bin/env bash
# The packages of ./run go together with Debian's numpy, scipy, scikit-learn, pandas and PyTorch:
# apt-get could install them all on an empty machine, and none in place of another. Nothing is
# installed. packages_test.sh SOURCE; exits 77 where Debian's package lists are not there.
set -euo pipefail
source=$1
mapfile -t packages < <("$source/run" packages)
packages+=(python3-numpy python3-scipy python3-sklearn python3-pandas python3-torch)

offered=$(LC_ALL=C apt-cache policy "${packages[@]}" 2>/dev/null | grep -c '^  Candidate: [^(]') || true
if ((offered < ${#packages[@]})); then
  printf 'packages: skipped, the lists of apt have %s of %s packages\n' "$offered" "${#packages[@]}"
  exit 77
fi
# An empty status file: what this machine has installed makes no difference.
if ! report=$(LC_ALL=C apt-get install --simulate -q --no-install-recommends \
  -o Dir::State::status=/dev/null "${packages[@]}" 2>&1); then
  printf 'packages: they do not go together:\n%s\n' "$report" >&2
  exit 1
fi
for package in "${packages[@]}"; do
  grep -q "^Inst $package " <<<"$report" || {
    printf 'packages: %s would not be installed beside the others\n' "$package" >&2
    exit 1
  }
done
printf 'packages: %s go together, %s with all they need\n' "${#packages[@]}" "$(grep -c '^Inst ' <<<"$report")"
