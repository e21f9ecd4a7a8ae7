#include "benchmarks/generated_data.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "ifd/random/keyed_random.h"

namespace ifd::benchmark {

Predictions generated_predictions(std::size_t cases, std::size_t classes) {
  Predictions::Parts parts{ClassNames::numbered(classes), {}, {}, {}, {}, 0};
  parts.cases.reserve(cases);
  parts.labels.reserve(cases);
  parts.probabilities.reserve(cases * classes);
  std::vector<double> weights(classes);
  for (std::size_t row = 0; row < cases; ++row) {
    const Key key = Key(7).with(row);
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      // A high power makes one class stand out.
      const double u = key.uniform(k);
      sum += weights[k] = 1e-6 + u * u * u * u * u * u;
    }
    parts.cases.push_back(fmt::format("case-{:07}", row));
    parts.labels.push_back(class_id(key.below(classes, classes)));
    for (const double weight : weights) {
      parts.probabilities.push_back(static_cast<float>(weight / sum));
    }
  }
  return Predictions(std::move(parts));
}

Roster generated_roster(std::size_t experts, std::size_t classes) {
  Roster roster;
  for (std::size_t j = 0; j < experts; ++j) {
    const Key key = Key(11).with(j);
    ExpertProfile profile(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      const ClassId truth = class_id(k);
      const double skill = 0.3 + 0.7 * key.uniform(k);
      for (std::size_t i = 0; i < 20; ++i) {
        const bool right = key.with(k).uniform(i) < skill;
        profile.observe({.truth = truth, .answer = right ? truth : class_id((k + 1) % classes)});
      }
    }
    roster.names.push_back(fmt::format("expert-{:03}", j));
    roster.profiles.push_back(std::move(profile));
  }
  return roster;
}

Roster specialist_roster(std::size_t experts, std::size_t classes) {
  Roster roster;
  for (std::size_t j = 0; j < experts; ++j) {
    const Key key = Key(41).with(j);
    ExpertProfile profile(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      const ClassId truth = class_id(k);
      for (std::size_t i = 0; i < 15; ++i) {
        // Accuracy falls linearly from the easiest case to the hardest.
        const Key answer = key.with(k).with(i);
        const double hardness = answer.uniform(0);
        const double skill = k == j % classes ? .99 - .49 * hardness : .8 - .6 * hardness;
        const bool right = answer.uniform(1) < skill;
        profile.observe({.truth = truth, .answer = right ? truth : class_id((k + 1) % classes)});
      }
    }
    roster.names.push_back(fmt::format("expert-{:05}", j));
    roster.profiles.push_back(std::move(profile));
  }
  return roster;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "ifd-bench-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), name);
  }
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ifd::benchmark
