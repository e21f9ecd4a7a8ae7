#!/usr/bin/env bash
# Four simulated colleagues who are known, eve with three answers, and zoe, who started yesterday.
# Writes context.csv and today.npz, says what the staff lets one think of somebody new, how many
# answers are enough, and routes with both of them.
#
#   examples/somebody_new.sh [FOLDER]
set -euo pipefail
folder=${1:-$(mktemp -d)}
ifd=${IFD:-ifd}
mkdir -p "$folder"
cd "$folder"

"$ifd" data rings -q --cases 900 --split train -o train.npz
"$ifd" data rings -q --cases 1200 --split today -o today.npz
"$ifd" experts simulate -q --training train.npz --predictions today.npz --split today \
  --expert ann=flat:.9/.8/.85 --expert bob=flat:.85/.75/.95 --expert cy=flat:.8/.9/.85 \
  --expert dee=flat:.95/.85/.8 --expert eve=flat:.75/.8/.9 --context-per-class 12 -o staff > /dev/null
awk -F, '$1 != "eve" || answers++ < 3' staff/context.csv > context.csv

"$ifd" plan staff-prior --context context.csv --predictions today.npz
"$ifd" plan onboarding --context context.csv --predictions today.npz --expert zoe --next 6 \
  --chart onboarding.svg
"$ifd" route --predictions today.npz --context context.csv --staff-prior --newcomer zoe --budget 0.3 \
  -o routes.csv
