#include "ifd/data/annotation_set.h"

#include <fmt/format.h>

#include <map>

#include "ifd/error.h"

namespace ifd {

void check_annotations(const AnnotationSet& annotations) {
  const auto check = [&](const Annotation& row, ClassId id) {
    if (index(id) < annotations.classes.size()) return;
    throw bad_input(fmt::format("participant '{}' on image '{}': '{}' is not a class; expected {}",
                                row.participant, row.image, static_cast<std::int32_t>(id),
                                annotations.classes.allowed()));
  };
  for (const Annotation& row : annotations.rows) {
    check(row, row.truth);
    if (!row.answer.is_missing() && !row.answer.is_outside()) check(row, row.answer.as_class());
  }
}

std::vector<NoiseAccuracy> accuracy_by_noise(const AnnotationSet& annotations) {
  std::map<int, NoiseAccuracy> levels;
  for (const Annotation& row : annotations.rows) {
    NoiseAccuracy& level = levels.try_emplace(row.noise, NoiseAccuracy{row.noise}).first->second;
    ++level.answers;
    level.correct += row.answer.is(row.truth) ? 1 : 0;
  }
  std::vector<NoiseAccuracy> found;
  for (const auto& [noise, level] : levels) found.push_back(level);
  return found;
}

}  // namespace ifd
