// A plan for a new expert as it is told: a JSON document, and the sentences under the table.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "ifd/data/answers_format.h"
#include "ifd/data/predictions.h"
#include "ifd/evaluation/onboarding.h"
#include "ifd/report/line_chart.h"

namespace ifd {

struct OnboardingQuestion {
  std::string expert;  // empty: somebody without an answer
  TruthKind truth = TruthKind::kGiven;
  NextCases by = NextCases::kBalanced;
  OnboardingOptions options;
};

// `next` are rows of `cases` to be labelled next.
std::string onboarding_json(const OnboardingPlan& plan, const OnboardingStaff& staff,
                            const Predictions& cases, const OnboardingQuestion& question,
                            std::span<const std::size_t> next);

// How many answers are enough, of which classes.
std::string onboarding_answer(const OnboardingPlan& plan, const OnboardingStaff& staff,
                              const Predictions& cases, const OnboardingQuestion& question);
// Whether it pays to choose the cases.
std::string onboarding_finding(const OnboardingPlan& plan);

// The regret by the number of answers, a line per way to choose.
LineChart onboarding_chart(const OnboardingPlan& plan, const OnboardingQuestion& question);

// What a case counts as: its label, or the model's class where it has none.
const std::string& onboarding_class(const Predictions& cases, std::size_t row);

}  // namespace ifd
