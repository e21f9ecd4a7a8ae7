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

# What follows runs a copy of ./run in a tree without sources. Stand-ins for the tools note how they
# were called; those for building fail if two of them run at once.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/tools" "$tree/examples" "$tree/fuzz" "$tree/tests" "$tree/debian"
cp "$source/run" "$tree/run"
export tree

# stand_in PATHS...: makes scripts of what comes in.
stand_in() {
  local body
  body=$(cat)
  for path in "$@"; do
    printf '#!/usr/bin/env bash\n%s\n' "$body" >"$path"
    chmod +x "$path"
  done
}
stand_in "$tree"/tools/{ctest,git,clang-format-14,clang-tidy-16,sleep} "$tree/examples/every_method.sh" \
  "$tree/fuzz/coverage.sh" "$tree/tests/debian_packages_test.sh" "$tree/tools/ccache" "$tree/tools/python3" </dev/null
echo 'ifd (1.2.3) unstable; urgency=medium' >"$tree/debian/changelog"
export IFD_PYTHON_PROGRAM="$tree/tools/python3"
stand_in "$tree/tools/dpkg-buildpackage" <<'SH'
pwd >>"$tree/package_calls"
touch ../ifd_1.2.3_any.deb
SH
stand_in "$tree/tools/sudo" <<<'"$@"'
stand_in "$tree/tools/apt-get" <<<'exit 1' # nothing is ever installed for real
stand_in "$tree/tools/dpkg-query" <<'SH'
[[ ! -e $tree/installed ]] || printf '%s installed;' "${@:3}"
SH
stand_in "$tree/tools/program" <<'SH'
flock --nonblock "$tree/build/.lock" echo "nobody builds" || echo "somebody builds"
SH
stand_in "$tree/tools/cmake" <<'SH'
echo "$*" >>"$tree/cmake_calls"
mkdir "$tree/busy" || exit 1
if [[ $1 == --preset ]]; then
  mkdir -p "$tree/build/$2"/{benchmarks,fuzz,tests,python/ifd}
  touch "$tree/build/$2"/{build.ninja,compile_commands.json}
else
  programs=(ifd benchmarks/ifd_bench benchmarks/ifd_learning_bench benchmarks/ifd_python_bench fuzz/any_fuzz tests/ifd_faults)
  ! grep -q IFD_TRAIN=ON "$tree/cmake_calls" || programs+=(ifd-reproduce)
  ! grep -q IFD_PYTHON=ON "$tree/cmake_calls" || programs+=(python/ifd/_core.any.so)
  for program in "${programs[@]}"; do cp "$tree/tools/program" "$2/$program"; done
fi
/usr/bin/sleep 0.05
rmdir "$tree/busy"
SH

run() { PATH="$tree/tools:$PATH" "$tree/run" "$@"; }
start_afresh() {
  rm -rf "$tree/build" "$tree/cmake_calls"
  touch "$tree/installed"
}

# While somebody builds in the tree every command that installs or builds waits, says so in one line
# and goes on later, one after the other.
start_afresh
mkdir "$tree/build"
exec {lock}>"$tree/build/.lock"
flock "$lock"
commands=(demo "ifd route" "ifd train" build "build debug" test "test asan" bench methods "fuzz 1"
  "fuzz --coverage" faults lint format python package "test packages")
processes=()
for i in "${!commands[@]}"; do
  # shellcheck disable=SC2086
  run ${commands[i]} {lock}>&- >/dev/null 2>"$tree/says$i" &
  processes+=($!)
done
for i in "${!commands[@]}"; do
  for ((attempt = 0; attempt < 600; ++attempt)); do
    ! grep -q "^waiting for another ./run" "$tree/says$i" || break
    sleep 0.1
  done
  [[ $(cat "$tree/says$i") == "waiting for another ./run, which installs or builds in $tree" ]] ||
    fail "'./run ${commands[i]}' does not wait for another that builds; says '$(cat "$tree/says$i")'"
done
[[ ! -e "$tree/cmake_calls" ]] || fail "builds while another does"
exec {lock}>&-
for i in "${!commands[@]}"; do
  wait "${processes[i]}" ||
    fail "'./run ${commands[i]}' beside others exits $?; says '$(cat "$tree/says$i" "$tree"/build/*.log)'"
done

# A program that runs holds nobody up.
for command in ifd demo; do
  [[ $(run "$command") == "nobody builds" ]] || fail "'./run $command' holds the lock"
done

# What is built depends on the command, not on what was built before.
calls_of() {
  rm -f "$tree/cmake_calls"
  # shellcheck disable=SC2086
  run $1 >/dev/null 2>&1 || fail "'./run $1' exits $?"
  cat "$tree/cmake_calls"
}
for before in demo "ifd train" build test; do
  start_afresh
  calls_of "$before" >/dev/null
  cp -r "$tree/build" "$tree/after $before"
done
for command in build "build debug" test bench "fuzz 1" "fuzz --coverage" faults; do
  start_afresh
  fresh=$(calls_of "$command")
  for before in demo "ifd train" build test; do
    start_afresh
    cp -r "$tree/after $before" "$tree/build"
    [[ $(calls_of "$command") == "$fresh" ]] || fail "'./run $command' is another after '$before'"
  done
done
start_afresh
[[ $(calls_of build) == "--preset release -DIFD_TESTS=ON -DIFD_BENCHMARKS=ON -DIFD_TRAIN=ON"* ]] ||
  fail "'./run build' leaves something out"
# Nobody needs the tests to train, on a new machine or after the demo.
start_afresh
[[ $(calls_of "ifd train") == *"-DIFD_TESTS=OFF"*"-DIFD_TRAIN=ON"* ]] || fail "'./run ifd train' builds no training"
start_afresh
calls_of demo >/dev/null
[[ $(calls_of "ifd train") == "--preset release -DIFD_TRAIN=ON"* ]] || fail "'./run ifd train' builds no training"

# The Python package is built where it is asked for or tested, and nothing else with it: the demo does
# not wait for it.
start_afresh
[[ $(calls_of demo) != *IFD_PYTHON=ON* ]] || fail "'./run demo' builds the Python package"
[[ $(calls_of python) == "--preset release -DIFD_PYTHON=ON"* ]] || fail "'./run python' after the demo builds no package"
[[ $(calls_of python) == --build* ]] || fail "'./run python' configures a second time"
start_afresh
[[ $(calls_of python) == "--preset release -DIFD_TESTS=OFF"*"-DIFD_TRAIN=OFF -DIFD_PYTHON=ON"* ]] ||
  fail "'./run python' builds more than it needs"
[[ $(calls_of test) == *"-DIFD_PYTHON=ON"* ]] || fail "'./run test' leaves the Python package out"

# It becomes Python: its arguments, its exit code, the package before what PYTHONPATH had, no lock.
stand_in "$tree/tools/python3" <<'SH'
printf '%s|' "$PYTHONPATH" "$@"
flock --nonblock "$tree/build/.lock" echo "nobody builds" || echo "somebody builds"
exit 3
SH
code=0
says=$(PYTHONPATH=/elsewhere run python -c 'import ifd' 'two words') || code=$?
[[ $code == 3 && $says == "$tree/build/release/python:/elsewhere|-c|import ifd|two words|nobody builds" ]] ||
  fail "'./run python' exits $code, says '$says'"
code=0
says=$(IFD_PYTHON_PROGRAM=/nowhere/python3 run python 2>&1) || code=$?
[[ $code == 1 && $says == "run: Debian's python3 is not there as /nowhere/python3"* ]] ||
  fail "without Python './run python' exits $code, says '$says'"

# Packages are built in a copy, and listed.
start_afresh
rm -f "$tree/package_calls"
[[ $(run package 2>/dev/null) == "./ifd_1.2.3_any.deb" ]] || fail "'./run package' lists no package"
[[ $(cat "$tree/package_calls") == "$tree/build/package/ifd-1.2.3" ]] || fail "'./run package' builds in the tree itself"

# Fuzz targets get seconds and inputs, of which a long run spends three quarters on short inputs; the
# table tells what they did, this time and so far.
start_afresh
cp "$tree/tools/program" "$tree/tools/program.before"
stand_in "$tree/tools/program" <<'SH'
echo "$*" >>"$tree/fuzz_calls"
echo "Done 30 runs in 2 second(s)"
SH
run fuzz 7 30 >/dev/null 2>&1
[[ $(run fuzz 7 30 2>/dev/null | tail -n 1) =~ ^any_fuzz\ +30\ +15\ +60$ ]] || fail "'./run fuzz 7 30' tells no inputs"
[[ $(tail -n 1 "$tree/fuzz_calls") == *"-max_total_time=7 -runs=30 "* ]] || fail "'./run fuzz 7 30' gives a target other limits"
mkdir -p "$tree/fuzz/corpus/any_fuzz"
printf '%200s' '' >"$tree/fuzz/corpus/any_fuzz/seed"
rm "$tree/fuzz_calls"
[[ $(run fuzz 80 100 2>/dev/null | tail -n 1) =~ ^any_fuzz\ +60\ +15\ +120$ ]] || fail "a long './run fuzz' tells other inputs"
[[ $(grep -o 'max_.* -runs=[0-9]*' "$tree/fuzz_calls") == "max_len=400 -max_total_time=60 -runs=75
max_total_time=78 -runs=70" ]] || fail "a long './run fuzz' gives a target other limits: $(cat "$tree/fuzz_calls")"
mv "$tree/tools/program.before" "$tree/tools/program"
rm -r "$tree/fuzz/corpus"

# apt-get waits for the locks of others, which ./run says once for each of its two calls.
stand_in "$tree/tools/apt-get" <<'SH'
echo "$*" >>"$tree/apt_calls"
case "$(grep -c . "$tree/apt_calls")" in
  1 | 2) lock=/var/lib/apt/lists/lock ;;
  4 | 5) lock=/var/lib/dpkg/lock-frontend ;;
  *) exit 0 ;;
esac
echo "E: Could not get lock $lock. It is held by process 7 (apt)" >&2
exit 100
SH
start_afresh
rm "$tree/installed"
run ifd >/dev/null 2>"$tree/says" || fail "gives up on apt's lock: $(cat "$tree/says")"
diff - "$tree/says" <<TEXT || fail "says something else while apt-get waits"
installing: $(run packages | head -n 13 | paste -sd ' ')
waiting for another program: apt-get could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt)
waiting for another program: apt-get could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt)
building (release); the log is $tree/build/release.log
TEXT

# Any other failure of apt-get ends it at once, with apt-get's own words.
stand_in "$tree/tools/apt-get" <<'SH'
echo "E: Unable to locate package" >&2
exit 100
SH
start_afresh
rm "$tree/installed"
code=0
message=$(run ifd 2>&1) || code=$?
[[ $code == 1 && $message == *"E: Unable to locate package" ]] || fail "a failing apt-get: $code, '$message'"

# So does a failing build, whether it cannot be configured or not compiled.
for step in --preset --build; do
  stand_in "$tree/tools/cmake" <<<"[[ \$1 != $step ]] || { echo 'no compiler' >&2; exit 1; }"
  start_afresh
  code=0
  message=$(run build 2>&1) || code=$?
  [[ $code == 1 && $message == *"the release build failed"*"no compiler" ]] || fail "a failing cmake $step: $code, '$message'"
done

# From another folder, where the release tree is built, up to date and not being built.
release="$source/build/release"
if [[ -x "$release/ifd" ]] && ninja -n -C "$release" 2>/dev/null | grep -q 'no work to do' &&
  { [[ ! -e "$source/build/.lock" ]] || flock --nonblock "$source/build/.lock" true; }; then
  cd /
  [[ $("$source/run" ifd --version) == "ifd "* ]] || fail "'./run ifd --version' says no version"
fi
