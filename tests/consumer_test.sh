#!/usr/bin/env bash
# The installed copy, as somebody else's project meets it: consumer_test.sh CMAKE SOURCE BUILD
# COMPILER BUILD_TYPE CXX_FLAGS LINKER_FLAGS. Needs no network.
set -euo pipefail
cmake=$1 source=$2 build=$3 compiler=$4 build_type=$5 cxx_flags=$6 linker_flags=$7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf 'consumer: %s\n' "$*" >&2
  exit 1
}

"$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.log" ||
  fail "cmake --install: $(tail -n 5 "$work/install.log")"
"$cmake" -G Ninja -S "$source/tests/consumer" -B "$work/build" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE="$build_type" -DCMAKE_CXX_FLAGS="$cxx_flags" \
  -DCMAKE_EXE_LINKER_FLAGS="$linker_flags" >"$work/build.log" 2>&1 &&
  "$cmake" --build "$work/build" >>"$work/build.log" 2>&1 ||
  fail "the consumer does not build: $(tail -n 30 "$work/build.log")"

# Two right of two on cats, one of two on dogs: Beta(3, 1) and Beta(2, 2), means .75 and .5. One
# more right answer on dogs makes these Beta(3, 2), mean .6, and the margins .75 * .75 + .25 * .6 -
# .75 = -.0375 and .5 * .75 + .5 * .6 - .5 = .175. Without it they would be -.0625 and .125.
cd "$work"
printf 'case,cat,dog\na,.75,.25\nb,.5,.5\n' >predictions.csv
printf 'expert,case,answer,truth\nann,x1,cat,cat\nann,x2,cat,cat\nann,x3,dog,dog\nann,x4,cat,dog\n' >context.csv
expected=$'a model -0.0375\nb ann 0.1750'
got=$(build/consumer)
[[ $got == "$expected" ]] || fail "the consumer printed '$got'; expected '$expected'"

# The README shows this very program.
program=$(sed 1d "$source/tests/consumer/consumer.cc")
shown=$(sed -n '/^#include <ifd\/router.h>/,/^```/{/^```/d;p}' "$source/README.md")
[[ $shown == "$program" ]] ||
  fail "README.md does not show the consumer: $(diff <(printf '%s\n' "$shown") <(printf '%s\n' "$program"))"

headers=$(find "$work/prefix/include/ifd" -name '*.h' | wc -l)
((headers > 0)) || fail "no headers are installed"
if grep -rlE '#include *[<"](torch|ATen|c10)/' "$work/prefix/include/ifd"; then
  fail "these installed headers include torch; expected none"
fi
# From the installed copy alone: what a header includes of ifd must be installed too.
while IFS= read -r header; do
  [[ -f "$work/prefix/include/$header" ]] || fail "'$header' is included but not installed"
done < <(grep -rhoE '#include "[^"]+"' "$work/prefix/include/ifd" | sed 's/.*"\(.*\)"/\1/' | sort -u)

if [[ -x "$work/prefix/bin/ifd" ]]; then
  "$work/prefix/bin/ifd" --version >/dev/null || fail "the installed ifd does not start"
  if ldd "$work/prefix/bin/ifd" | grep -E '^[[:space:]]*lib(torch|c10)'; then fail "ifd links libtorch"; fi
fi
