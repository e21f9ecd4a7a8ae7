// A classifier's predictions and a staff with contexts, by chance, for tests.
#pragma once

#include <string>
#include <vector>

#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

struct GeneratedStaff {
  Predictions cases;    // with labels and two features
  Predictions context;  // the contexts' cases, likewise
  std::vector<ExpertContext> contexts;
};

inline Predictions generated_cases(const Key& key, std::size_t count, std::size_t classes,
                                   const std::string& prefix) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < classes; ++k) names.push_back("class " + std::to_string(k));
  Predictions::Parts parts{ClassNames(std::move(names)), {}, {}, {}, {}, 2};
  for (std::size_t i = 0; i < count; ++i) {
    const Key here = key.with(i);
    // Coarse numbers, so that probabilities and margins tie now and then.
    std::vector<float> weights;
    float sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      weights.push_back(static_cast<float>(1 + here.below(4, k)));
      sum += weights.back();
    }
    for (const float weight : weights) parts.probabilities.push_back(weight / sum);
    parts.cases.push_back(prefix + std::to_string(i));
    parts.labels.push_back(class_id(here.with("label").below(classes)));
    for (std::size_t f = 0; f < 2; ++f) {
      parts.features.push_back(static_cast<float>(here.with("feature").normal(f)));
    }
  }
  return Predictions(std::move(parts));
}

inline GeneratedStaff generated_staff(std::uint64_t seed, std::size_t experts, std::size_t classes,
                                      std::size_t answers, std::size_t cases = 40) {
  const Key key = Key(seed).with("generated staff");
  GeneratedStaff staff{generated_cases(key.with("cases"), cases, classes, "case "),
                       generated_cases(key.with("context"), 60, classes, "past "),
                       {}};
  for (std::size_t j = 0; j < experts; ++j) {
    ExpertContext context{"expert " + std::to_string(j), {}};
    const std::size_t first = key.with("first").with(j).below(staff.context.size());
    for (std::size_t i = 0; i < answers; ++i) {
      const std::size_t row = (first + i) % staff.context.size();
      const Key here = key.with("answer").with(j).with(row);
      const ClassId truth = staff.context.label(row);
      const Answer answer = here.uniform() < .1   ? Answer::outside()
                            : here.uniform() < .6 ? Answer(truth)
                                                  : Answer(class_id(here.below(classes, 7)));
      context.rows.push_back({staff.context.case_name(row), truth, answer});
    }
    staff.contexts.push_back(std::move(context));
  }
  return staff;
}

}  // namespace ifd
