#include "experiments/jobs/generated_data_set.h"

#include <fmt/format.h>

#include <cmath>

#include "experiments/result/labels.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {
namespace {

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

DataSet generated_data_set(std::uint64_t seed) {
  constexpr std::size_t kClasses = 6;
  constexpr std::size_t kSeenPerClass = 8;  // cases per class that the classifier saw
  const Key key = Key(seed).with("clouds");
  Clouds clouds{8, {}};
  for (std::size_t k = 0; k < kClasses; ++k) {
    std::vector<double> centre(clouds.width);
    for (std::size_t d = 0; d < clouds.width; ++d) {
      centre[d] = 0.8 * key.with("centre").with(k).normal(d);
    }
    clouds.centres.push_back(std::move(centre));
  }
  const auto few = draw_points(clouds, kSeenPerClass * kClasses, key.with("classifier"));
  std::vector<std::vector<double>> means(kClasses, std::vector<double>(clouds.width, 0));
  for (std::size_t i = 0; i < kSeenPerClass * kClasses; ++i) {
    for (std::size_t d = 0; d < clouds.width; ++d) {
      means[i % kClasses][d] += static_cast<double>(few[i * clouds.width + d]) / kSeenPerClass;
    }
  }
  const auto part = [&](const char* split, std::size_t count) {
    return classify(clouds, draw_points(clouds, count, key.with(split)), means, split);
  };
  return make_data_set({kGeneratedData, 3, 1e-3}, part("train", 1800), part("validation", 600),
                       part("test", 900), "means of 48 points");
}

}  // namespace ifd::experiments
