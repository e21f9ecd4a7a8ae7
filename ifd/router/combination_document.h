// What came of the answers, as a table and as lines of JSON; a row per case.
#pragma once

#include <span>
#include <string>

#include "ifd/data/csv_text.h"
#include "ifd/data/predictions.h"
#include "ifd/router/combination.h"

namespace ifd {

// settled, second reader, escalate
const char* word_for(Advice advice);

// case,label,probability,prediction,answers,advice,reader,worth and, where there are costs, cost:
// what the label is expected to cost. `answers` is "ann: cat; bob: dog",
// to be read by people; programs read the JSON.
std::string combination_csv(const Predictions& cases, const Combination& combination, CsvText text);
// The same names, with answers as a list of expert and answer.
std::string combination_jsonl(const Predictions& cases, const Combination& combination);

// "3 of 40 labels are other than the model's; 2 cases want a second reader, 1 is to be escalated"
std::string summary_of(const Combination& combination);
// How several answers on one case were weighed; empty where no case has several.
std::string weighing_of(const Combination& combination);

}  // namespace ifd
