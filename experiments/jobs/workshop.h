// What jobs share: data sets with their classifiers' predictions, and trained policies, all kept
// on disk under what they were made from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/experts/prototypicality.h"
#include "ifd/policy/policy_file.h"

namespace ifd::experiments {

// A data set as the experiments see it: a classifier's predictions with features.
struct Study {
  std::string name;  // "blood"
  Predictions training;
  Predictions validation;
  Predictions test;
  FeatureSpace space;          // of the training features
  std::size_t id_specialties;  // of a cohort; the other classes are out of distribution
  double learning_rate;        // of the rejectors
  std::string hash;            // of everything above
  std::string classifier;      // in words: "resnet-small, 96.8 % on the test cases"
};

// Thread-safe.
class Workshop {
 public:
  // `folder` holds the caches; it is made where it is missing.
  Workshop(std::filesystem::path folder, std::string code_version);

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& code_version() const { return code_version_; }

  void add(Study study);
  const Study& study(const std::string& name) const;
  bool has(const std::string& name) const { return studies_.contains(name); }

  // The policy made from `settings`: from the cache, or trained now and kept. Two jobs that ask for
  // the same policy at the same time train it once.
  PolicyFile policy(const std::string& settings, const std::function<PolicyFile()>& train);

 private:
  std::filesystem::path folder_;
  std::string code_version_;
  std::map<std::string, Study> studies_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<std::mutex>> being_made_;
};

// A short name for a text: 16 hexadecimal digits.
std::string hash_of(const std::string& text);

}  // namespace ifd::experiments
