#include "experiments/jobs/rings_data_set.h"

#include <fmt/format.h>

#include "experiments/jobs/untrained_classifier.h"
#include "experiments/result/labels.h"
#include "ifd/data/rings.h"

namespace ifd::experiments {

using train::BackboneClassifier;
using train::BackboneKind;
using train::ClassifierTraining;

RingsDataSet rings_data_set(std::uint64_t seed) {
  const auto points = [&](const char* split, std::size_t cases) {
    const Rings rings = make_rings({.cases = cases, .seed = seed, .split = split});
    Predictions::Parts parts{ClassNames::numbered(kRingClasses), {}, {}, rings.labels, {}, 2};
    for (std::size_t i = 0; i < rings.x.size(); ++i) {
      parts.cases.push_back(fmt::format("{}-{}", split, rings.cases[i]));
      parts.features.insert(parts.features.end(), {rings.x[i], rings.y[i]});
      parts.probabilities.insert(parts.probabilities.end(), kRingClasses, 1.0F / kRingClasses);
    }
    return Predictions(std::move(parts));
  };
  const Predictions training = points("train", 1000);
  const Predictions validation = points("validation", 500);
  const Predictions test = points("test", 1000);
  ClassifierTraining how = train::default_training(BackboneKind::kMlp);
  how.seed = seed;
  BackboneClassifier classifier =
      untrained_classifier(BackboneKind::kMlp, train::Stem::kSmall, train::inputs_of(training),
                           training.classes(), seed);
  train::train_classifier(classifier, train::inputs_of(training), train::inputs_of(validation), how,
                          {});
  const auto classified = [&](const Predictions& cases) {
    return train::classify(classifier, train::inputs_of(cases), cases.classes());
  };
  RingsDataSet made{
      make_data_set({kRingsData, 1, 1e-3}, classified(training), classified(validation),
                    classified(test), "a network of two hidden layers"),
      {}};
  for (std::size_t i = 0; i < test.size(); ++i) {
    made.test_points.push_back({test.features(i)[0], test.features(i)[1]});
  }
  return made;
}

}  // namespace ifd::experiments
