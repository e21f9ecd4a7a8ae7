#!/usr/bin/env bash
# No program or library of ours, as built and as installed, looks for libraries in the current folder
# or anywhere relative to it: search_path_test.sh CMAKE BUILD CXX.
set -euo pipefail
cmake=$1 build=$2 cxx=$3
fail() {
  printf 'search path: %s\n' "$*" >&2
  exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# search_path FILE: the elements of RPATH and RUNPATH, one per line, each behind a '<'.
search_path() {
  readelf -dW "$1" | sed -n 's/.*(R\(UN\)\?PATH).*\[\(.*\)\]$/\2/p' | sed 's/:/\n</g; s/^/</'
}
# $ORIGIN is the folder of the program, wherever it is called from.
elements_in_order() {
  local element
  while read -r element; do
    [[ $element == "</"* || $element == '<$ORIGIN'* || $element == '<${ORIGIN}'* ]] ||
      fail "$1 has the element '${element#<}'; expected absolute folders only"
  done < <(search_path "$1")
}
is_ours() { [[ $(head -c 4 "$1" | tr -d '\0') == $'\x7fELF' ]] && readelf -dW "$1" 2>/dev/null | grep -q NEEDED; }

# The check itself sees an empty element, in front, in the middle and behind, and a relative one.
printf 'int main() {}\n' >"$scratch/main.cc"
for path in /usr/lib: :/usr/lib /usr/lib::/lib lib .; do
  "$cxx" -o "$scratch/planted" "$scratch/main.cc" -Wl,-rpath,"$path"
  ! (elements_in_order "$scratch/planted") 2>/dev/null || fail "the path '$path' is not noticed"
done

"$cmake" --install "$build" --prefix "$scratch/installed" >"$scratch/log" 2>&1 ||
  fail "cannot be installed: $(tail -n 3 "$scratch/log")"
count=0
while IFS= read -r -d '' file; do
  is_ours "$file" || continue
  elements_in_order "$file"
  ((++count))
done < <(find "$build" "$scratch/installed" -name CMakeFiles -prune -o -type f \( -perm -u+x -o -name '*.so*' \) -print0)
((count >= 2)) || fail "only $count programs found in $build"

# A library that somebody put into the folder where the program is called is not loaded.
printf '#include <unistd.h>\n__attribute__((constructor)) void run() { _exit(99); }\n' >"$scratch/evil.cc"
"$cxx" -shared -fPIC -o "$scratch/evil.so" "$scratch/evil.cc"
tried=0
for program in "$build"/{ifd,ifd-train,ifd-reproduce} "$scratch"/installed/{bin/ifd,libexec/ifd/ifd-train,libexec/ifd/ifd-reproduce}; do
  [[ -x $program ]] || continue
  folder="$scratch/planted_for"
  rm -rf "$folder"
  mkdir "$folder"
  for library in $(readelf -dW "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'); do
    [[ $library == ld-linux* ]] || cp "$scratch/evil.so" "$folder/$library"
  done
  code=0
  (cd "$folder" && "$program" --help >/dev/null 2>&1) || code=$?
  ((code == 0)) || fail "$program --help exits $code among planted libraries; expected 0"
  ((++tried))
done
((tried >= 2)) || fail "only $tried programs tried"
printf 'search path: %s files, %s programs among planted libraries\n' "$count" "$tried"
