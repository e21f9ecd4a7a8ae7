#include "experiments/jobs/data_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "ifd/data/accuracy.h"
#include "ifd/error.h"
#include "ifd/fnv_hash.h"

namespace ifd::experiments {
namespace {

void add(FnvHash& hash, const Predictions& cases) {
  for (const std::string& name : cases.classes().names()) hash.add(std::string_view(name));
  for (const std::string& name : cases.case_names()) hash.add(std::string_view(name));
  const auto bytes = [&hash](const auto& values) {
    hash.add(std::string_view(reinterpret_cast<const char*>(values.data()),
                              values.size() * sizeof(values[0])));
  };
  bytes(cases.all_probabilities());
  bytes(cases.labels());
  bytes(cases.all_features());
}

std::string fingerprint_of(const Predictions& training, const Predictions& validation,
                           const Predictions& test, std::size_t id_specialties) {
  FnvHash hash;
  for (const Predictions* part : {&training, &validation, &test}) add(hash, *part);
  hash.add(std::uint64_t{id_specialties});
  return hash.hex();
}

}  // namespace

const DataSet& DataSet::of_cohort(std::size_t cohort) const {
  const std::size_t turn = cohort % (by_other_classifiers.size() + 1);
  return turn == 0 ? *this : by_other_classifiers[turn - 1];
}

DataSet make_data_set(const DataSetSettings& settings, Predictions training, Predictions validation,
                      Predictions test, std::string classifier) {
  std::string hash = fingerprint_of(training, validation, test, settings.id_specialties);
  FeatureSpace space = FeatureSpace::fit(training);
  classifier += fmt::format(", right on {:.1f} % of the test cases", 100 * accuracy(test));
  return {settings.name,          std::move(training), std::move(validation),
          std::move(test),        std::move(space),    settings.id_specialties,
          settings.learning_rate, std::move(hash),     std::move(classifier)};
}

DataSet with_training_probabilities(const DataSet& data_set, const Predictions& training) {
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  if (!same(training.case_names(), data_set.training.case_names()) ||
      !same(training.labels(), data_set.training.labels())) {
    throw bad_input(fmt::format(
        "{}: predictions of other cases or labels; expected those of the training cases, in their "
        "order",
        data_set.name));
  }
  const auto probabilities = training.all_probabilities();
  DataSet made = data_set;
  made.training =
      data_set.training.with_probabilities({probabilities.begin(), probabilities.end()});
  made.hash = fingerprint_of(made.training, made.validation, made.test, made.id_specialties);
  made.by_other_classifiers.clear();
  made.out_of_fold.reset();
  return made;
}

}  // namespace ifd::experiments
