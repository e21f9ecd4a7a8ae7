#include "ifd/router/onboarding_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"
#include "ifd/data/utf8.h"

namespace ifd {
namespace {

using nlohmann::ordered_json;

std::size_t place_in(NextCases choice) {
  return static_cast<std::size_t>(std::find(kNextCases.begin(), kNextCases.end(), choice) -
                                  kNextCases.begin());
}

ordered_json regrets_json(const OnboardingPlan& plan) {
  ordered_json sizes = ordered_json::array();
  for (const OnboardingPlan::Size& size : plan.sizes) {
    ordered_json row = {{"answers", size.answers}};
    for (std::size_t c = 0; c < kNextCases.size(); ++c) {
      row[std::string(word_for(kNextCases[c]))] = {
          {"regret", size.regret[c].mean}, {"standard_error", size.regret[c].standard_error}};
    }
    sizes.push_back(std::move(row));
  }
  return sizes;
}

ordered_json wanted_json(const OnboardingPlan& plan, const OnboardingStaff& staff,
                         const ClassNames& classes, NextCases by) {
  const auto needed = plan.enough[place_in(by)];
  if (!needed) return nullptr;
  ordered_json by_class = ordered_json::object();
  const auto wanted = plan.by_class(*needed, by, staff);
  for (std::size_t k = 0; k < wanted.size(); ++k) by_class[classes.name(class_id(k))] = wanted[k];
  return by_class;
}

}  // namespace

std::string onboarding_json(const OnboardingPlan& plan, const OnboardingStaff& staff,
                            const Predictions& cases, const OnboardingQuestion& question,
                            std::span<const std::size_t> next) {
  ordered_json enough;
  for (std::size_t c = 0; c < kNextCases.size(); ++c) {
    enough[std::string(word_for(kNextCases[c]))] =
        plan.enough[c] ? ordered_json(*plan.enough[c]) : ordered_json(nullptr);
  }
  ordered_json proposed = ordered_json::array();
  for (const std::size_t row : next) {
    proposed.push_back({{"case", cases.case_name(row)}, {"class", onboarding_class(cases, row)}});
  }
  const OnboardingPlan::Gain gain = plan.largest_gain();
  const ordered_json out = {
      {"schema", "ifd onboarding 1"},
      {"expert", question.expert.empty() ? ordered_json(nullptr) : ordered_json(question.expert)},
      {"truth", word_for(question.truth)},
      {"tolerance", question.options.tolerance},
      {"cases", plan.cases},
      {"draws", question.options.draws},
      {"colleagues", staff.colleagues.size()},
      {"worth", plan.worth},
      {"sizes", regrets_json(plan)},
      {"by", std::string(word_for(question.by))},
      {"enough", enough},
      {"classes", wanted_json(plan, staff, cases.classes(), question.by)},
      {"choosing", {{"helps", gain.regret > kWorthChoosing}, {"most", gain.regret}}},
      {"next", proposed}};
  return json_text(out, 2) + "\n";
}

std::string onboarding_answer(const OnboardingPlan& plan, const OnboardingStaff& staff,
                              const Predictions& cases, const OnboardingQuestion& question) {
  const auto enough = plan.enough[place_in(question.by)];
  const double tolerance = question.options.tolerance;
  if (!enough) {
    return fmt::format("More than {} answers are needed to come within {:g} of knowing them.",
                       plan.sizes.back().answers, tolerance);
  }
  if (*enough == 0) {
    return fmt::format("No answer is needed to be within {:g} of knowing them.", tolerance);
  }
  std::string classes;
  const auto wanted = plan.by_class(*enough, question.by, staff);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    classes += fmt::format("{}{} {}", k == 0 ? "" : ", ",
                           excerpt(cases.classes().name(class_id(k))), wanted[k]);
  }
  return fmt::format("{} answers bring routing within {:g} of knowing them: {}.", *enough,
                     tolerance, classes);
}

std::string onboarding_finding(const OnboardingPlan& plan) {
  const OnboardingPlan::Gain gain = plan.largest_gain();
  if (gain.regret <= kWorthChoosing) {
    return fmt::format(
        "Choosing does not help: at no size does it gain more than {:.4f} over cases as they come.",
        gain.regret);
  }
  return fmt::format("Choosing helps: by '{}', {} answers leave {:.4f} less than as they come.",
                     word_for(gain.choice), gain.answers, gain.regret);
}

LineChart onboarding_chart(const OnboardingPlan& plan, const OnboardingQuestion& question) {
  LineChart chart;
  chart.title = "What is lost while a new expert is not known yet";
  chart.x_label = "answers";
  chart.y_label = "AURSAC short of knowing them";
  for (std::size_t c = 0; c < kNextCases.size(); ++c) {
    Series series;
    series.name = word_for(kNextCases[c]);
    for (const OnboardingPlan::Size& size : plan.sizes) {
      const OnboardingPlan::Regret& regret = size.regret[c];
      series.x.push_back(static_cast<double>(size.answers));
      series.y.push_back(regret.mean);
      series.low.push_back(regret.mean - 2 * regret.standard_error);
      series.high.push_back(regret.mean + 2 * regret.standard_error);
    }
    chart.series.push_back(std::move(series));
  }
  const double last = chart.series.front().x.back();
  const double wanted = question.options.tolerance;
  chart.series.push_back({.name = "wanted",
                          .x = {0, last},
                          .y = {wanted, wanted},
                          .low = {},
                          .high = {},
                          .emphasis = Emphasis::kQuiet});
  chart.note = "Bands: two standard errors over the simulated experts.";
  return chart;
}

const std::string& onboarding_class(const Predictions& cases, std::size_t row) {
  if (cases.has_labels()) return cases.classes().name(cases.label(row));
  const auto probabilities = cases.probabilities(row);
  const auto top = std::max_element(probabilities.begin(), probabilities.end());
  return cases.classes().name(class_id(static_cast<std::size_t>(top - probabilities.begin())));
}

}  // namespace ifd
