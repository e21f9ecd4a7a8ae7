// --prior, --prior-only, --staff-prior and --newcomer, of every command that makes profiles.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/data/expert_context.h"
#include "ifd/policy/roster.h"
#include "ifd/profile/prior_table.h"

namespace ifd::cli {

struct Program;

struct PriorInputs {
  std::filesystem::path file;
  bool only = false;   // those whom the file names without a context join the roster
  bool staff = false;  // where no prior is stated, the answers of the others make one
  std::vector<std::string> newcomers = {};  // who join without an answer, by the staff's prior

  void add_to(CLI::App& command);
  PriorOnly joining() const { return only ? PriorOnly::kJoins : PriorOnly::kLeftOut; }
  UnstatedPriors unstated() const {
    return staff ? UnstatedPriors::kStaff : UnstatedPriors::kUniform;
  }
  // Whether somebody may be on the roster without an answer.
  bool may_join_unseen() const { return only || !newcomers.empty(); }
  // Error(kUsage) for --prior-only without --prior, for --newcomer or --staff-prior without what
  // they need, and for no --context where somebody must have one.
  void check(const std::filesystem::path& context) const;
  // The newcomers, behind those with a context. Error(kBadInput) for who has one.
  void add_newcomers(std::vector<ExpertContext>& contexts) const;
  // The file, and a note on those whom it names and who are left out. No table without a file.
  PriorTable read(const ClassNames& classes, std::span<const ExpertContext> contexts,
                  const Program& program) const;
};

// What is believed of those on the roster whom nobody has seen an answer of.
struct PriorAlone {
  // By name: "known from the prior alone: strength 10, mean 0.8".
  std::map<std::string, std::string, std::less<>> experts = {};

  // Empty for somebody with answers.
  std::string_view known(std::string_view name) const;
  // "zoe is known from the prior alone: ...": of many the first few, and how many more.
  std::vector<std::string> lines() const;
};

PriorAlone prior_alone_of(const Roster& roster);

}  // namespace ifd::cli
