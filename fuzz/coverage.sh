#!/usr/bin/env bash
# How many lines of the reading code the fuzz targets reach: coverage.sh ROOT.
#
# Runs every target of the build fuzz-coverage once over its seeds and over what ./run fuzz has found
# before. Prints a line for each file of readers.txt; exits 4 where one has fewer than 95 % of its
# lines reached, and lists the lines that are not. Lines count as in the coverage of clang.
set -euo pipefail
root=$1
build=$root/build/fuzz-coverage
least=95
rm -rf "$build/profiles"
mkdir -p "$build/profiles"

run_target() {
  local name corpora=()
  name=$(basename "$1")
  for folder in "$root/fuzz/corpus/$name" "$root/build/fuzz/corpus/$name"; do
    [[ ! -d $folder ]] || corpora+=("$folder")
  done
  if ! LLVM_PROFILE_FILE="$build/profiles/$name.profraw" "$1" -runs=0 -timeout=60 -rss_limit_mb=2048 \
    "${corpora[@]}" >"$build/$name.log" 2>&1; then
    printf 'fuzz: %s fails on its corpus; the end of %s:\n' "$name" "$build/$name.log" >&2
    tail -n 20 "$build/$name.log" >&2
    return 1
  fi
}
export root build
export -f run_target
targets=("$build"/fuzz/*_fuzz)
printf '%s\0' "${targets[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c 'run_target {}'

objects=()
for target in "${targets[@]:1}"; do objects+=(-object "$target"); done
llvm-profdata-14 merge -sparse -o "$build/merged.profdata" "$build"/profiles/*.profraw
# It warns of LLVMFuzzerTestOneInput, which every target has as another function.
llvm-cov-14 export -format=lcov -instr-profile="$build/merged.profdata" "${targets[0]}" "${objects[@]}" \
  >"$build/coverage.lcov" 2>"$build/coverage.log"

# A line belongs to the function that begins last before it; lambdas carry the name of theirs.
awk -v root="$root/" -v least="$least" '
  FNR == NR {
    if ($0 ~ /^[^ #]+\.(cc|h)/) {
      file = $1
      left_out[file] = ""
      $1 = ""
      if (match($0, /: /)) left_out[file] = substr($0, 2, RSTART - 2)
      order[++files] = file
    }
    next
  }
  /^SF:/ {
    file = substr($0, 4)
    if (index(file, root) == 1) file = substr(file, 1 + length(root))
    sub(/^.*\/\.\.\//, "", file)  # ccache may make paths relative to the folder of the build
    split("", begins)
    hidden = last = 0
    listed = file in left_out
  }
  !listed { next }
  /^FN:/ {
    split(substr($0, 4), part, ",")
    if (!(part[1] in begins)) begins[part[1]] = 0
    if (left_out[file] != "" && part[2] ~ left_out[file]) begins[part[1]] = 1
  }
  /^DA:/ {
    split(substr($0, 4), part, ",")
    for (line = last + 1; line <= part[1]; ++line) if (line in begins) hidden = begins[line]
    last = part[1]
    if (hidden) next
    ++counted[file]
    if (part[2] > 0) ++reached[file]
    else missed[file] = missed[file] " " part[1]
  }
  END {
    for (i = 1; i <= files; ++i) {
      file = order[i]
      share = counted[file] == 0 ? 0 : 100 * reached[file] / counted[file]
      all += counted[file]; all_reached += reached[file]
      printf "%6.1f %%  %4d of %4d  %s%s\n", share, reached[file], counted[file], file,
        missed[file] == "" ? "" : "  not reached:" missed[file]
      if (share < least) low = low " " file
    }
    printf "%6.1f %%  %4d of %4d  all of the reading code\n", 100 * all_reached / all, all_reached, all
    if (low != "") { print "fuzz: under " least " %:" low > "/dev/stderr"; exit 4 }
  }' "$root/fuzz/readers.txt" "$build/coverage.lcov"
