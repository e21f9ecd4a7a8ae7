// Data of a given size for the benchmarks, the same in every run.
#pragma once

#include <cstddef>
#include <filesystem>

#include "ifd/data/predictions.h"
#include "ifd/policy/roster.h"

namespace ifd::benchmark {

// Rows of a classifier that is mostly sure: positive probabilities, all different, with labels.
Predictions generated_predictions(std::size_t cases, std::size_t classes);

// Experts with 20 answers per class, more or less skilled by class.
Roster generated_roster(std::size_t experts, std::size_t classes);

// Specialists with 15 answers per class, as the paper's Variable ones: on the specialty right with
// .5 to .99, elsewhere with .2 to .8.
Roster specialist_roster(std::size_t experts, std::size_t classes);

// A directory that is gone when this is.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace ifd::benchmark
