#!/usr/bin/env bash
# What changes hands when a missed melanoma costs fifty times a needless biopsy.
#
#   examples/melanoma.sh ham10000_28.npz OUTPUT [EPOCHS]
#
# A small classifier of the seven lesions of HAM10000, four simulated dermatologists, and costs: fifty
# needless biopsies for a melanoma taken for anything else, twenty for the other cancer (bcc) and the
# one before it (akiec), one for every other mistake, a quarter for asking somebody. What is in OUTPUT
# already is not made again.
set -euo pipefail
(($# == 2 || $# == 3)) || {
  echo "melanoma: $# arguments; expected IMAGES.npz OUTPUT [EPOCHS]" >&2
  exit 2
}
images=$(realpath "$1")
mkdir -p "$2"
cd "$2"

[[ -f classifier.safetensors ]] ||
  ifd classifier train --images "$images" --class-names akiec bcc bkl df mel nv vasc --epochs "${3:-15}" \
    -o classifier.safetensors
for split in train val test; do
  [[ -f $split.npz ]] || ifd classify --model classifier.safetensors --images "$images" --split $split -o $split.npz
done
[[ -d experts ]] ||
  ifd experts simulate --quiet --training val.npz --predictions test.npz --context-per-class 10 -o experts \
    --expert mona=stable:mel --expert nils=stable:nv --expert bea=stable:bcc --expert gus=generalist:0.85/0.7 >log.txt

printf '%s\n' 'truth,label,cost [biopsies]' '*,*,1' 'mel,*,50' 'bcc,*,20' 'akiec,*,20' >costs.csv
printf '%s\n' 'expert,fee [biopsies]' '*,0.25' >fees.csv

files=(--predictions test.npz --context experts/context.csv)
ifd evaluate "${files[@]}" --answers experts/answers.csv --costs costs.csv --fees fees.csv \
  --curve curve.csv --report report.html | tee evaluation.txt

# Who answers, and what the model says: with every mistake as bad as any other, and by the costs.
ifd route --quiet "${files[@]}" --threshold 0 -o even.csv
ifd route --quiet "${files[@]}" --threshold 0 --costs costs.csv --fees fees.csv -o by_costs.csv
paste -d, even.csv by_costs.csv | awk -F, 'NR > 1 {
  asked += $2 != $7 || $3 != $8
  said += $4 != $9
} END {
  printf "\nOf %d cases %d change hands, and on %d the model says something else.\n", NR - 1, asked, said
}'
