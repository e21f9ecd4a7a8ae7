#include "experiments/jobs/data_sets.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/data/accuracy.h"
#include "ifd/fnv_hash.h"
#include "ifd/random/keyed_random.h"

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

// Points around `centres`, and probabilities from the distances to `means`.
struct Clouds {
  std::size_t width;
  std::vector<std::vector<double>> centres;
};

std::vector<float> draw_points(const Clouds& clouds, std::size_t count, const Key& key) {
  std::vector<float> points;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < clouds.width; ++d) {
      points.push_back(
          static_cast<float>(clouds.centres[i % clouds.centres.size()][d] + key.with(i).normal(d)));
    }
  }
  return points;
}

Predictions classify(const Clouds& clouds, std::vector<float> points,
                     const std::vector<std::vector<double>>& means, const std::string& split) {
  const std::size_t classes = clouds.centres.size();
  const std::size_t count = points.size() / clouds.width;
  std::vector<double> logits;
  Predictions::Parts parts{ClassNames::numbered(classes), {}, {}, {}, {}, clouds.width};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < classes; ++k) {
      double squares = 0;
      for (std::size_t d = 0; d < clouds.width; ++d) {
        squares += std::pow(static_cast<double>(points[i * clouds.width + d]) - means[k][d], 2);
      }
      logits.push_back(-squares / 2);
    }
    parts.labels.push_back(class_id(i % classes));
    parts.cases.push_back(fmt::format("{}-{}", split, i));
  }
  parts.probabilities = Predictions::from_logits(logits, classes);
  parts.features = std::move(points);
  return Predictions(std::move(parts));
}

}  // namespace

Study make_study(const StudySettings& settings, Predictions training, Predictions validation,
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

Study generated_study(std::uint64_t seed) {
  constexpr std::size_t kClasses = 6;
  constexpr std::size_t kSeen = 8;  // cases a class that the classifier saw
  const Key key = Key(seed).with("clouds");
  Clouds clouds{8, {}};
  for (std::size_t k = 0; k < kClasses; ++k) {
    std::vector<double> centre(clouds.width);
    for (std::size_t d = 0; d < clouds.width; ++d) {
      centre[d] = 0.8 * key.with("centre").with(k).normal(d);
    }
    clouds.centres.push_back(std::move(centre));
  }
  const auto few = draw_points(clouds, kSeen * kClasses, key.with("classifier"));
  std::vector<std::vector<double>> means(kClasses, std::vector<double>(clouds.width, 0));
  for (std::size_t i = 0; i < kSeen * kClasses; ++i) {
    for (std::size_t d = 0; d < clouds.width; ++d) {
      means[i % kClasses][d] += static_cast<double>(few[i * clouds.width + d]) / kSeen;
    }
  }
  const auto part = [&](const char* split, std::size_t count) {
    return classify(clouds, draw_points(clouds, count, key.with(split)), means, split);
  };
  return make_study({"generated", 3, 1e-3}, part("train", 1800), part("validation", 600),
                    part("test", 900), "means of 48 points");
}

}  // namespace ifd::experiments
