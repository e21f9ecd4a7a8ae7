// Selective Annotation Sampling: specialised experts made of real answers.
//
// Every answer of a synthesised expert is the answer some person gave to that very image; no error
// is invented. The price is the constraint effect: where everybody was right (or wrong) the expert
// is too, whatever the target says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/annotation_set.h"
#include "ifd/data/answer_table.h"
#include "ifd/ids.h"

namespace ifd {

// A specialist answers right with probability `high` on the specialties and `low` elsewhere, as
// far as the pools allow.
struct SpecialistProfile {
  std::string name;
  std::vector<ClassId> specialties;
  double high = 0.99;
  double low = 0.40;
};

// What came out over a set of images, beside its target.
struct RealisedSampling {
  double target = 0;
  std::size_t images = 0;  // with at least one annotation
  std::size_t correct = 0;
  // Constrained draws: the wanted pool was empty.
  std::size_t forced_correct = 0;    // wanted wrong, everybody was right
  std::size_t forced_incorrect = 0;  // wanted right, everybody was wrong

  // None without images.
  std::optional<double> accuracy() const;
};

struct SampledExpert {
  std::string name;
  RealisedSampling specialty;
  RealisedSampling elsewhere;
};

// The experts' answers at one noise level; rows are the images, in the given order.
struct SampledAnswers {
  int noise;
  AnswerTable answers;
  std::vector<SampledExpert> experts;
  // Images that nobody in the pool annotated at this level: all answers there are missing.
  std::size_t images_without_annotation = 0;
};

// For each noise level one table over `images`. An answer outside the classes is an incorrect
// annotation like any other. Draws are keyed by (seed, purpose, noise, image, expert) and people by
// name: the order of annotations, images, levels or experts changes nothing. Targets outside
// [0, 1], two experts of one name, and an image with two truths are Errors.
std::vector<SampledAnswers> sample_annotations(const AnnotationSet& pool,
                                               std::span<const std::string> images,
                                               std::span<const int> noise_levels,
                                               std::span<const SpecialistProfile> experts,
                                               std::uint64_t seed);

}  // namespace ifd
