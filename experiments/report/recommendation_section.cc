#include "experiments/report/recommendation_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/wording.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Item = std::vector<Words>;

// "+0.012 (+0.003 to +0.021), ahead in 9 of 10 cohorts"
std::string in_cohorts(const std::optional<PairedDifference>& difference) {
  std::string text = difference_text(difference);
  if (!difference || !difference->mean.interval) return text;
  return text.insert(text.find("), ") + 3, "ahead in ") + " cohorts";
}

Item policy_item(const Recommendation& r) {
  Item item = {strong("Policy: "), inline_code(r.policy.text()),
               plain(", " + method_meaning(r.policy) + ".")};
  if (const auto& ahead = r.of(r.policy).against_plug_in) {
    item.push_back(plain(" Against plug-in: " + in_cohorts(ahead) + "."));
  }
  if (r.against_peak) {
    item.push_back(plain(" Against the paper's policy: " + in_cohorts(r.against_peak) +
                         "; the interval is for this comparison by itself, the first screen has "
                         "the one that holds beside the others."));
  }
  return item;
}

Item training_item(const Recommendation& r) {
  const std::string training = training_of(r.policy);
  return {strong("State and objective: "),
          plain(training.empty()
                    ? "none, since nothing is trained. Another policy is recommended where "
                      "it is ahead by more than .001 with its interval above 0, and behind "
                      "by more than .001 neither with simulated experts nor with people."
                    : training + ".")};
}

std::string classifier_of(const CalibrationGain& gain) {
  return fitted(gain.given, gain.on).text();
}

// "at home none", or which.
std::string advice_text(const CalibrationAdvice& advice, const std::string& where) {
  std::string text = where + ' ';
  if (!advice.for_deferral && !advice.for_accuracy) text += "none";
  if (advice.for_deferral) text += classifier_of(advice.gains[*advice.for_deferral]);
  if (advice.for_accuracy && advice.for_accuracy != advice.for_deferral) {
    text += fmt::format("{}{} for what the model's own answers gain",
                        advice.for_deferral ? ", or " : "no deferral's gain, but ",
                        classifier_of(advice.gains[*advice.for_accuracy]));
  }
  return text;
}

constexpr const char* kAtHome = "at home";
constexpr const char* kUnderShift = "under a shift of the input";

Item calibration_item(const Recommendation& r) {
  std::string text;
  if (!r.at_home.gains.empty()) text += advice_text(r.at_home, kAtHome);
  if (!r.under_shift.gains.empty()) {
    text += (text.empty() ? "" : "; ") + advice_text(r.under_shift, kUnderShift);
  }
  return {strong("Calibrating the classifier: "), plain(text + ".")};
}

Table calibration_table(const Recommendation& r) {
  Table table{"Calibrating the classifier: what AURSAC of plug-in gains",
              {{"where"},
               {"calibration"},
               {"in all", true, "95 % interval, cohorts ahead"},
               {"the model's own answers", true},
               {"deferral", true, "95 % interval, cohorts ahead"}},
              {}};
  const auto add = [&](const CalibrationAdvice& advice, const char* where) {
    for (const CalibrationGain& gain : advice.gains) {
      const bool own = gain.given != GivenClassifier::kTemperature && gain.of_answers;
      table.rows.push_back({where, classifier_of(gain), difference_text(gain.whole),
                            own ? signed_number(gain.of_answers->mean.value) : "",
                            difference_text(gain.of_deferral)});
    }
  };
  add(r.at_home, kAtHome);
  add(r.under_shift, kUnderShift);
  return table;
}

Item scale_item(const Recommendation& r) {
  return {strong("Margin scale: "), inline_code(r.scale.text()),
          plain(r.probability_minus_logit
                    ? "; probability minus logit " + in_cohorts(r.probability_minus_logit) + "."
                    : ".")};
}

Table standings_table(const Recommendation& r) {
  Table table{"Mean AURSAC over data sets and experts",
              {{"policy"},
               {"simulated, ID", true, "", Column::Best::kHighest},
               {"simulated, OOD", true, "", Column::Best::kHighest},
               {"people, ID", true, "", Column::Best::kHighest},
               {"people, OOD", true, "", Column::Best::kHighest},
               {"minus plug-in", true, "95 % interval, cohorts ahead"}},
              {}};
  const auto number = [](const std::optional<double>& v) { return v ? fixed(*v, 3) : "–"; };
  for (const Standing& s : r.standings) {
    table.rows.push_back({s.method.text(), number(s.simulated_id), number(s.simulated_ood),
                          number(s.people_id), number(s.people_ood),
                          difference_text(s.against_plug_in)});
  }
  return table;
}

}  // namespace

void write_recommendation(Document& document, const Recommendation& r) {
  document.section("What to start with", "recommendation");
  const bool id_people = std::ranges::any_of(
      r.standings, [](const Standing& standing) { return standing.people_id.has_value(); });
  if (r.policy.empty()) {
    document.paragraph("This run measured neither Table 1 nor ImageNet-16H: nothing to recommend.");
    if (!r.at_home.gains.empty()) document.list({calibration_item(r)});
    document.table(calibration_table(r));
    return;
  }
  std::vector<Item> items = {policy_item(r), training_item(r)};
  if (!r.best_trained.empty()) {
    items.push_back({strong("If you train one: "), inline_code(r.best_trained.text()),
                     plain(" (" + training_of(r.best_trained) + "). Against plug-in: " +
                           in_cohorts(r.of(r.best_trained).against_plug_in) + ".")});
  }
  if (!r.at_home.gains.empty() || !r.under_shift.gains.empty()) {
    items.push_back(calibration_item(r));
  }
  items.push_back(scale_item(r));
  if (r.enough_answers) {
    items.push_back(
        {strong("Answers: "),
         plain(fmt::format("from {:.0f} answers per expert on, {} is within .005 of what it "
                           "reaches with the largest context: by the means, on {} alone, whose "
                           "AURSAC with so many minus that with the largest is {}.",
                           *r.enough_answers, r.enough_answers_of, data_title(r.enough_answers_on),
                           difference_text(r.enough_minus_most)))});
  }
  document.list(std::move(items));
  if (!id_people) {
    document.paragraph(
        "Of people only the OOD ones count where the ID people are those of the training, or were "
        "not measured.");
  }
  document.table(standings_table(r));
  document.table(calibration_table(r));
}

}  // namespace ifd::experiments
