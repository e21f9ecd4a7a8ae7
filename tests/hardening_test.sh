#!/usr/bin/env bash
# Every program of a release build is hardened as cmake/hardening.cmake says: hardening_test.sh BUILD
# CXX.
set -euo pipefail
build=$1 cxx=$2
fail() {
  printf 'hardening: %s\n' "$*" >&2
  exit 1
}

# lacks FILE: what of it the program lacks, one per line.
lacks() {
  local header dynamic segments symbols
  header=$(readelf -hW "$1") dynamic=$(readelf -dW "$1") segments=$(readelf -lW "$1")
  symbols=$(readelf --dyn-syms -W "$1")
  grep -q 'Type: *DYN' <<<"$header" && grep -q 'FLAGS_1.*PIE' <<<"$dynamic" || echo "any address (PIE)"
  grep -q 'GNU_RELRO' <<<"$segments" || echo "read-only tables (relro)"
  grep -Eq '\(BIND_NOW\)|FLAGS_1.*NOW' <<<"$dynamic" || echo "immediate binding"
  grep -Eq 'GNU_STACK.* RW ' <<<"$segments" || echo "a stack without code"
  grep -q '__stack_chk_fail' <<<"$symbols" || echo "checks of the stack"
  grep -Eq ' __[a-z]+_chk@' <<<"$(grep -v __stack_chk <<<"$symbols")" || echo "checks of the C library's calls"
}

# The check itself sees a program without any of it.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'int main() {}\n' >"$scratch/main.cc"
"$cxx" -no-pie -fno-stack-protector -Wl,-z,norelro,-z,lazy,-z,execstack -o "$scratch/soft" "$scratch/main.cc" 2>/dev/null
(($(lacks "$scratch/soft" | wc -l) == 6)) || fail "a program without hardening lacks only: $(lacks "$scratch/soft")"

count=0
for program in "$build"/{ifd,ifd-train,ifd-reproduce}; do
  [[ -x $program ]] || continue
  missing=$(lacks "$program")
  [[ -z $missing ]] || fail "$program lacks: $missing"
  ((++count))
done
((count >= 1)) || fail "no program in $build"
# A program bears the mark of jumps that land where they may only if all its libraries do, the C
# library's start-up code too; our own objects bear it.
if [[ $(uname -m) == x86_64 ]]; then
  notes=$(readelf -nW "$build/libifd_core.a" 2>/dev/null)
  objects=$(grep -c '^File: ' <<<"$notes")
  marked=$(grep -c 'IBT, SHSTK' <<<"$notes")
  ((marked == objects && objects > 10)) || fail "$marked of $objects objects bear the mark of CET"
fi
printf 'hardening: %s programs\n' "$count"
