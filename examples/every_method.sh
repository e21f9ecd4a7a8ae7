#!/usr/bin/env bash
# From images to one table: a classifier, then every method of 'ifd train' with its defaults.
#
#   examples/every_method.sh IMAGES.npz OUTPUT ARCHETYPE CLASS CLASS...
#   examples/every_method.sh bloodmnist.npz blood variable basophil eosinophil erythroblast granulocyte \
#       lymphocyte monocyte neutrophil platelet
#
# The experts are simulated (ARCHETYPE is variable or stable), each with one class as specialty. Methods
# learn from experts of the first half of the classes. They are then tested with these ("seen"), with
# other experts of the same classes ("ID") and with experts of the other half ("OOD"). What is in OUTPUT
# already is not made again.
set -euo pipefail
refuse() {
  echo "every_method: $1" >&2
  exit 2
}
(($# >= 5)) || refuse "$# arguments; expected IMAGES.npz OUTPUT variable|stable CLASS CLASS..."
[[ -f $1 ]] || refuse "$1: no such file; expected images in MedMNIST layout"
[[ $3 =~ ^(variable|stable)$ ]] || refuse "archetype '$3'; expected variable or stable"
images=$(realpath "$1") output=$2 archetype=$3
classes=("${@:4}")
half=$((${#classes[@]} / 2))
mkdir -p "$output"
cd "$output"

# made FILE: whether it is there, and not what an interrupted training had so far.
made() { [[ -f $1 && ! -f $1.checkpoint ]]; }
# resume FILE: the option that goes on where an interrupted training left off.
resume() { [[ ! -f $1.checkpoint ]] || echo --resume; }

# shellcheck disable=SC2046 # no word where there is nothing to resume
made classifier.safetensors ||
  ifd classifier train --images "$images" --class-names "${classes[@]}" -o classifier.safetensors \
    $(resume classifier.safetensors)
for split in train val test; do
  [[ -f $split.npz ]] || ifd classify --model classifier.safetensors --images "$images" --split $split -o $split.npz
done

# simulate ROSTER SEED SPLIT CLASSES...: one expert a class, named after roster and class.
simulate() {
  local roster=$1 seed=$2 split=$3 class experts=()
  for class in "${@:4}"; do experts+=(--expert "$roster-$class=$archetype:$class"); done
  ifd experts simulate --quiet --seed "$seed" --training train.npz --predictions "$split.npz" --split "$split" \
    "${experts[@]}" -o "$archetype/$roster/$split" >/dev/null
}
for split in train val test; do simulate seen 1 $split "${classes[@]:0:half}"; done
simulate ID 2 test "${classes[@]:0:half}"
simulate OOD 3 test "${classes[@]:half}"

# All get the same files; early stopping is on the experts' true answers on the validation cases.
train() {
  local name=$1 files=(--predictions train.npz --validation val.npz --context "$archetype/seen/train/context.csv"
    --validation-answers "$archetype/seen/val/answers.csv")
  case $name in
    ifd) set -- ;;
    ifd-paper) set -- --paper ;;
    *) set -- --method "$name" --answers "$archetype/seen/train/answers.csv" ;;
  esac
  made "$archetype/$name.ifd" && return
  # Through a pipe, where no progress lines are drawn over those of the training beside it; after
  # Ctrl-C it passes the last lines on.
  # shellcheck disable=SC2046
  ifd train --threads 1 "$@" "${files[@]}" -o "$archetype/$name.ifd" $(resume "$archetype/$name.ifd") 2>&1 |
    (trap "" INT && cat >&2)
}
export -f made resume train
export archetype
methods=(pop-qc pop-qc-perm pop-qi pop-qi-perm ifd ifd-paper multi-expert)
printf '%s\n' "${methods[@]}" | xargs -P "$(nproc)" -I{} bash -euo pipefail -c 'train {}'

# Multi-Expert knows the seen experts by name and no others.
policies=plug-in,ceiling,$(printf "$archetype/%s.ifd," "${methods[@]:0:6}")
for roster in seen ID OOD; do
  folder=$archetype/$roster/test
  also=
  [[ $roster != seen ]] || also=$archetype/multi-expert.ifd
  ifd evaluate --quiet --csv --bootstrap 0 --policy "$policies$also" --predictions test.npz \
    --context "$folder/context.csv" --context-predictions "$folder/context_predictions.npz" \
    --answers "$folder/answers.csv" --accuracies "$folder/accuracies.npz" >"$archetype/$roster.csv"
done

# The best of each column is bold; the ceiling knows the experts' true accuracies and does not compete.
{
  for method in "${methods[@]}"; do
    echo "policy,$archetype/$method.ifd,$(ifd policy show "$archetype/$method.ifd" |
      awk '{ is[$1] = $2 } END { print is["annotations"] "," is["validation.best_epoch"] " of " is["validation.epochs"] }')"
  done
  for roster in seen ID OOD; do sed "1d; s/^/$roster,/" "$archetype/$roster.csv"; done
} | awk -F, -v order="plug-in ifd ifd-paper pop-qi pop-qc pop-qi-perm pop-qc-perm multi-expert ceiling" '
  { name = $2; sub(/.*\//, "", name); sub(/\.ifd$/, "", name) }
  $1 == "policy" { answers[name] = $3; epochs[name] = $4; next }
  { model = $4
    for (m = 0; m < 2; m++) {
      column = 2 * (($1 == "ID") + 2 * ($1 == "OOD")) + m
      value[name, column] = m ? $8 : $5
      if (name != "ceiling" && value[name, column] > best[column]) best[column] = value[name, column]
    } }
  END {
    printf "The classifier alone: %.3f\n\n", model
    print "| method | seen AURSAC | AURDAC | ID AURSAC | AURDAC | OOD AURSAC | AURDAC | answers used | best epoch |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= split(order, names, " "); i++) {
      line = "| " names[i]
      for (column = 0; column < 6; column++) {
        v = value[names[i], column]
        text = v == "" ? "" : sprintf("%.3f", v)
        if (names[i] != "ceiling" && text == sprintf("%.3f", best[column])) text = "**" text "**"
        line = line " | " text
      }
      print line " | " answers[names[i]] " | " epochs[names[i]] " |"
    }
  }' | tee "$archetype/table.md"
