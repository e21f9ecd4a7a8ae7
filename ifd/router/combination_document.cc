#include "ifd/router/combination_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ifd/data/csv.h"
#include "ifd/data/json_text.h"

namespace ifd {
namespace {

std::string answer_text(Answer answer, const ClassNames& classes) {
  return answer.is_outside() ? "(outside)" : classes.name(answer.as_class());
}

std::string reader_of(const Combination& combination, const CombinedCase& here) {
  return here.second.reader ? (*combination.experts)[index(*here.second.reader)] : std::string();
}

}  // namespace

const char* word_for(Advice advice) {
  switch (advice) {
    case Advice::kSecondReader:
      return "second reader";
    case Advice::kEscalate:
      return "escalate";
    case Advice::kSettled:
      break;
  }
  return "settled";
}

std::string combination_csv(const Predictions& cases, const Combination& combination,
                            CsvText text) {
  std::string out = "case,label,probability,prediction,answers,advice,reader,worth";
  out += combination.cost_unit ? ",cost\n" : "\n";
  for (std::size_t i = 0; i < combination.cases.size(); ++i) {
    const CombinedCase& here = combination.cases[i];
    std::string answers;
    for (const auto& [expert, answer] : here.given) {
      answers +=
          fmt::format("{}{}: {}", answers.empty() ? "" : "; ",
                      (*combination.experts)[index(expert)], answer_text(answer, cases.classes()));
    }
    out += fmt::format("{},{},{},{},{},{},{},{}", csv_field(cases.case_name(i), text),
                       csv_field(cases.classes().name(here.label), text), here.probability,
                       csv_field(cases.classes().name(here.prediction), text),
                       csv_field(answers, text), word_for(here.second.advice),
                       csv_field(reader_of(combination, here), text),
                       here.second.reader ? fmt::format("{}", here.second.worth) : "");
    out += here.cost ? fmt::format(",{}\n", *here.cost) : "\n";
  }
  return out;
}

std::string combination_jsonl(const Predictions& cases, const Combination& combination) {
  std::string out;
  for (std::size_t i = 0; i < combination.cases.size(); ++i) {
    const CombinedCase& here = combination.cases[i];
    nlohmann::ordered_json row = {{"case", cases.case_name(i)},
                                  {"label", cases.classes().name(here.label)},
                                  {"probability", here.probability},
                                  {"prediction", cases.classes().name(here.prediction)},
                                  {"answers", nlohmann::ordered_json::array()},
                                  {"advice", word_for(here.second.advice)},
                                  {"reader", nullptr},
                                  {"worth", nullptr}};
    for (const auto& [expert, answer] : here.given) {
      row["answers"].push_back({{"expert", (*combination.experts)[index(expert)]},
                                {"answer", answer_text(answer, cases.classes())}});
    }
    if (here.second.reader) {
      row["reader"] = reader_of(combination, here);
      row["worth"] = here.second.worth;
    }
    if (here.cost) row["cost"] = *here.cost;
    out += json_text(row);
    out += '\n';
  }
  return out;
}

std::string summary_of(const Combination& combination) {
  const auto count = [&](auto which) {
    return std::count_if(combination.cases.begin(), combination.cases.end(), which);
  };
  return fmt::format(
      "{} of {} cases have answers; {} labels are other than the model's; {} cases want a second "
      "reader, {} are to be escalated",
      count([](const CombinedCase& c) { return !c.given.empty(); }), combination.cases.size(),
      count([](const CombinedCase& c) { return c.label != c.prediction; }),
      count([](const CombinedCase& c) { return c.second.advice == Advice::kSecondReader; }),
      count([](const CombinedCase& c) { return c.second.advice == Advice::kEscalate; }));
}

std::string weighing_of(const Combination& combination) {
  const auto several = std::count_if(combination.cases.begin(), combination.cases.end(),
                                     [](const CombinedCase& c) { return c.given.size() > 1; });
  if (several == 0) return {};
  if (combination.shared.cases == 0) {
    return fmt::format(
        "note: {} cases have several answers, which count as independent: the context has no case "
        "that two experts answered, so whether they err together is not known",
        several);
  }
  return fmt::format(
      "{} cases have several answers; on the {} context cases that experts share their errors "
      "correlate by {:.2f}, so that two answers count as {:.2f}",
      several, combination.shared.cases, combination.shared.correlation,
      2 * weight_of_answers(2, combination.shared.correlation));
}

}  // namespace ifd
