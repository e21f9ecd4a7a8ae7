// Who answered what on which image: the raw answers of many people, before anyone is an expert.
#pragma once

#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/class_names.h"
#include "ifd/ids.h"

namespace ifd {

struct Annotation {
  std::string participant;
  std::string image;
  ClassId truth;
  int noise;  // level of the image's distortion; 80, 95, 110 or 125 in ImageNet-16H
  Answer answer;
};

struct AnnotationSet {
  ClassNames classes;
  std::vector<Annotation> rows;
};

// Throws Error where a truth or an answer is not a class of the set.
void check_annotations(const AnnotationSet& annotations);

// How often people are right at one level of noise; an answer outside the classes is wrong.
struct NoiseAccuracy {
  int noise;
  std::size_t answers = 0;
  std::size_t correct = 0;

  double accuracy() const { return static_cast<double>(correct) / static_cast<double>(answers); }
};

// One for each level that has answers, the least noise first.
std::vector<NoiseAccuracy> accuracy_by_noise(const AnnotationSet& annotations);

}  // namespace ifd
