// People and pictures of ImageNet-16H that nobody saw, for tests.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "experiments/jobs/annotators.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {

// Of each class so many images, each answered by six people at every noise level. The model is
// right less often the noisier it is, and too sure; a class it favours makes offsets worth fitting.
inline RealAnnotators invented_people(std::size_t per_class = 24) {
  const ClassNames& classes = imagenet16h_classes();
  const std::size_t k = classes.size();
  RealAnnotators people{{classes, {}}};
  for (std::size_t level = 0; level < std::size(kNoiseLevels); ++level) {
    Predictions::Parts parts{classes, {}, {}, {}, {}};
    std::vector<double> logits;
    for (std::size_t i = 0; i < k * per_class; ++i) {
      const std::string image = fmt::format("image-{}", i);
      const Key key = Key(3).with(image).with(level);
      const ClassId truth = class_id(i % k);
      for (std::size_t c = 0; c < k; ++c) {
        logits.push_back(3 * key.normal(c) +
                         (c == index(truth) ? 6.0 - 1.5 * static_cast<double>(level) : 0) +
                         (c == 0 ? 2 : 0));
      }
      parts.cases.push_back(image);
      parts.labels.push_back(truth);
      for (std::size_t person = 0; person < 6; ++person) {
        const Key answer = Key(4).with(image).with(level).with(person);
        const ClassId said = answer.uniform(0) < .8 - .1 * static_cast<double>(level)
                                 ? truth
                                 : class_id(answer.below(k, 1));
        people.annotations.rows.push_back(
            {fmt::format("person-{}", person), image, truth, kNoiseLevels[level], Answer(said)});
      }
    }
    parts.probabilities = Predictions::from_logits(logits, k);
    people.predictions.push_back(with_log_features(Predictions(std::move(parts))));
    people.accuracy_by_noise.push_back(.8 - .1 * static_cast<double>(level));
  }
  people.kept = 6;
  people.hash = "invented";
  return people;
}

}  // namespace ifd::experiments
