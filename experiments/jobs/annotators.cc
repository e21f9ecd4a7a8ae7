#include "experiments/jobs/annotators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ifd/data/file_bytes.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/error.h"
#include "ifd/experts/fingerprint.h"
#include "ifd/fnv_hash.h"
#include "ifd/role/finite_log.h"

namespace ifd::experiments {

Predictions with_log_features(const Predictions& predictions) {
  Predictions::Parts parts = predictions.parts();
  parts.features.clear();
  parts.feature_width = predictions.classes().size();
  for (const float p : predictions.all_probabilities()) {
    parts.features.push_back(static_cast<float>(finite_log(std::max(p, 1e-12F))));
  }
  return Predictions(std::move(parts));
}

RealAnnotators read_annotators(const std::filesystem::path& folder, Portion portion,
                               const ReadLimits& limits) {
  const auto annotations = folder / "annotations.csv";
  const auto predictions = folder / "predictions_resnet152.csv";
  const AnnotationSet everybody = read_imagenet16h_annotations(annotations, limits);
  SkillFilter filter = drop_low_skill(everybody, Key(0).with("clusters"));
  RealAnnotators people{std::move(filter.kept)};
  people.correlation = average_pairwise_correlation(fingerprints(everybody));
  people.kept = filter.kept_participants.size();
  people.dropped = filter.dropped_participants.size();
  for (const int noise : kNoiseLevels) {
    std::size_t right = 0;
    std::size_t all = 0;
    for (const Annotation& answer : everybody.rows) {
      if (answer.noise != noise) continue;
      right += answer.answer.is(answer.truth) ? 1 : 0;
      ++all;
    }
    people.accuracy_by_noise.push_back(static_cast<double>(right) / static_cast<double>(all));
    Predictions level = read_imagenet16h_predictions(predictions, "resnet152", noise, limits);
    if (portion == Portion::kPart && people.predictions.empty()) {
      // Half of each class, whatever the order of the file.
      std::vector<std::size_t> rows;
      std::vector<std::size_t> met(level.classes().size(), 0);
      for (std::size_t i = 0; i < level.size(); ++i) {
        if (met[index(level.label(i))]++ % 2 == 0) rows.push_back(i);
      }
      level = level.subset(rows);
    }
    people.predictions.push_back(with_log_features(level));
  }
  // The images of the first level, in its order, at every level.
  for (Predictions& level : people.predictions) {
    std::map<std::string, std::size_t> row_of;
    for (std::size_t i = 0; i < level.size(); ++i) row_of[level.case_name(i)] = i;
    std::vector<std::size_t> rows;
    for (const std::string& name : people.predictions.front().case_names()) {
      const auto found = row_of.find(name);
      if (found == row_of.end()) {
        throw bad_input(
            fmt::format("{}: image '{}' is missing at one noise level; expected it at "
                        "every level",
                        predictions.string(), name));
      }
      rows.push_back(found->second);
    }
    level = level.subset(rows);
  }
  FnvHash hash;
  hash.add(read_file(annotations, limits));
  hash.add(read_file(predictions, limits));
  hash.add(std::uint64_t{people.predictions.front().size()});
  people.hash = hash.hex();
  return people;
}

}  // namespace ifd::experiments
