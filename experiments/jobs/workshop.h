// What jobs share: data sets with their classifiers' predictions, and trained policies, all kept
// on disk under what they were made from.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "experiments/jobs/data_set.h"
#include "ifd/policy/policy_file.h"

namespace ifd::experiments {

// What is said of a file of the cache that is made again, in one line; `why` names the file.
std::string damage_note(const std::exception& why);

// Thread-safe.
class Workshop {
 public:
  using Note = std::function<void(const std::string&)>;
  // `folder` holds the caches; it is made where it is missing. `note` hears of files there that are
  // damaged and made again; never from two threads at once.
  Workshop(std::filesystem::path folder, std::string code_version, Note note = {});

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& code_version() const { return code_version_; }

  void add(DataSet data_set);
  const DataSet& data_set(const DataName& name) const { return data_sets_.at(name); }
  bool has(const DataName& name) const { return data_sets_.contains(name); }

  // The policy made from `settings`: from the cache, or trained now and kept. Two jobs that ask for
  // the same policy at the same time train it once.
  PolicyFile policy(const std::string& settings, const std::function<PolicyFile()>& train);

  void note_damaged(const std::exception& why) const;

 private:
  std::filesystem::path folder_;
  std::string code_version_;
  std::map<DataName, DataSet> data_sets_;
  Note note_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<std::mutex>> being_made_;
};

// A short name for a text: 16 hexadecimal digits.
std::string hash_of(const std::string& text);

}  // namespace ifd::experiments
