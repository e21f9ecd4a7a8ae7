// How a training went, as one HTML file.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ifd/policy/policy_calibration.h"
#include "train/trained_policy.h"

namespace ifd::train {

struct LearningReport {
  std::string method;
  std::string policy;  // its file
  std::size_t training_cases = 0;
  std::size_t validation_cases = 0;
  std::size_t experts = 0;
  bool validated_by_answers = false;  // otherwise by what the contexts promise
  double validation_ece = 0;          // of the classifier as it came
  std::optional<PolicyCalibration> calibration = {};
  std::vector<std::pair<std::string, std::string>> settings = {};
  std::vector<std::pair<std::string, std::string>> data_hashes = {};
  std::string command = {};
};

// The same arguments give the same bytes.
std::string learning_html(const LearningReport& report, const LearntPolicy& learnt);

}  // namespace ifd::train
