// Priors by expert and class, from a file.
//
// CSV with `expert`, `class` and either `mean`, `strength` or `accuracy`, `confidence`, `strength`
// (the expert's own word). `*` stands for every expert or every class; the row that says more
// counts: expert and class, then expert, then class, then `*,*`. What no row names is uniform.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/data/read_options.h"
#include "ifd/profile/beta_posterior.h"

namespace ifd {

// Whether somebody who is known from a prior alone, without a single answer, joins a roster.
enum class PriorOnly { kLeftOut, kJoins };

// What is believed beforehand where no prior is stated.
enum class UnstatedPriors {
  kUniform,  // nothing
  kStaff,    // what the answers of the others say: see staff_prior.h
};

class PriorTable {
 public:
  static PriorTable read(const std::filesystem::path& path, const ClassNames& classes,
                         const ReadOptions& options = {});
  static PriorTable from_bytes(std::string bytes, const std::string& name,
                               const ClassNames& classes, const ReadOptions& options = {});

  // What a row says, if one does.
  std::optional<BetaPrior> stated(const std::string& expert, std::size_t class_index) const;
  // One prior per class; uniform where none is stated.
  std::vector<BetaPrior> of(const std::string& expert, std::size_t classes) const;
  // Those the file names, in the order of their first row.
  const std::vector<std::string>& experts() const& { return experts_; }
  std::vector<std::string> experts() const&& { return experts_; }

 private:
  static constexpr std::size_t kEveryClass = static_cast<std::size_t>(-1);
  // Key: expert ("*" for all) and class number (kEveryClass for all).
  std::map<std::pair<std::string, std::size_t>, BetaPrior> priors_;
  std::vector<std::string> experts_;
};

}  // namespace ifd
