#include "experiments/jobs/data_set.h"

#include <fmt/format.h>

#include "ifd/data/accuracy.h"
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

}  // namespace

const DataSet& DataSet::of_cohort(std::size_t cohort) const {
  const std::size_t turn = cohort % (by_other_classifiers.size() + 1);
  return turn == 0 ? *this : by_other_classifiers[turn - 1];
}

DataSet make_data_set(const DataSetSettings& settings, Predictions training, Predictions validation,
                      Predictions test, std::string classifier) {
  FnvHash hash;
  for (const Predictions* part : {&training, &validation, &test}) add(hash, *part);
  hash.add(std::uint64_t{settings.id_specialties});
  FeatureSpace space = FeatureSpace::fit(training);
  classifier += fmt::format(", right on {:.1f} % of the test cases", 100 * accuracy(test));
  return {settings.name,          std::move(training), std::move(validation),
          std::move(test),        std::move(space),    settings.id_specialties,
          settings.learning_rate, hash.hex(),          std::move(classifier)};
}

}  // namespace ifd::experiments
