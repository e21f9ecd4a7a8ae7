#!/usr/bin/env bash
# Four simulated colleagues: ann's eye fails on the inner ring, bob stays as he was, cy begins to
# guess, and dee's file comes from a place that calls the middle ring outer and the outer one middle.
# Writes context.csv and new.csv, watches, and draws watch.svg.
#
#   examples/somebody_changed.sh [FOLDER]
set -euo pipefail
folder=${1:-$(mktemp -d)}
ifd=${IFD:-ifd}
mkdir -p "$folder"
cd "$folder"

"$ifd" data rings -q --cases 2000 --split train -o train.npz
"$ifd" data rings -q --cases 150 --split march -o march.npz
"$ifd" data rings -q --cases 250 --split april -o april.npz
simulate() {  # MONTH EXPERT...
  local month=$1 words=()
  shift
  for expert; do words+=(--expert "$expert"); done
  "$ifd" experts simulate -q --training train.npz --predictions "$month.npz" --split "$month" \
    "${words[@]}" --context-per-class 60 -o "$month" > /dev/null
}
simulate march ann=flat:.95/.9/.9 bob=flat:.9/.85/.9 cy=flat:.9/.9/.9 dee=flat:.9/.95/.95
simulate april ann=flat:.5/.9/.9 bob=flat:.9/.85/.9 cy=flat:.333/.333/.333 dee=flat:.9/.95/.95
exchanged() {  # dee's answers as the other place writes them
  awk -F, -v OFS=, '$1 == "dee" { if ($3 == "middle") $3 = "outer"; else if ($3 == "outer") $3 = "middle" } { print }'
}
cp march/context.csv context.csv
{ cat march/answers.csv; tail -n +2 april/answers.csv | exchanged; } > new.csv

"$ifd" watch --context context.csv --answers new.csv --chart watch.svg
