#include "cli/prior_inputs.h"

#include <fmt/format.h>

#include <unordered_set>

#include "cli/command.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/policy/roster.h"
#include "ifd/profile/prior_alone.h"

namespace ifd::cli {
namespace {

constexpr std::size_t kShown = 12;

}  // namespace

void PriorInputs::add_to(CLI::App& command) {
  command
      .add_option("--prior", file,
                  "What is known beforehand, CSV expert,class,mean,strength or "
                  "expert,class,accuracy,confidence,strength")
      ->type_name("FILE");
  command.add_flag("--prior-only", only,
                   "Experts whom --prior names and who have no answers join the roster; --context "
                   "may then be left out");
  command.add_flag("--staff-prior", staff,
                   "Where --prior says nothing, believe of an expert beforehand what the answers "
                   "of the others say of somebody on this staff");
  command
      .add_option("--newcomer", newcomers,
                  "Experts who join the roster without an answer, known from --staff-prior alone")
      ->delimiter(',')
      ->type_name("NAME,...");
}

void PriorInputs::check(const std::filesystem::path& context) const {
  if (only && file.empty()) {
    throw Error(ErrorKind::kUsage, "--prior-only takes experts from a --prior; expected that too");
  }
  if (!newcomers.empty() && !staff) {
    throw Error(ErrorKind::kUsage,
                "--newcomer is for experts known from --staff-prior alone; expected that too");
  }
  if (staff && context.empty()) {
    throw Error(ErrorKind::kUsage,
                "--staff-prior learns from the answers of the staff; expected --context");
  }
  if (context.empty() && !only) {
    throw Error(ErrorKind::kUsage,
                "--context is missing; expected it, or --prior with --prior-only");
  }
}

void PriorInputs::add_newcomers(std::vector<ExpertContext>& contexts) const {
  if (newcomers.empty()) return;
  std::unordered_set<std::string> known;
  for (const ExpertContext& context : contexts) known.insert(context.expert);
  for (const std::string& name : newcomers) {
    if (name.empty() || first_invalid_utf8(name) != name.size()) {
      throw bad_input(
          fmt::format("--newcomer: '{}' is no name; expected UTF-8, not empty", excerpt(name)));
    }
    if (!known.insert(name).second) {
      throw bad_input(fmt::format(
          "--newcomer {}: has answers in the context, or is named twice; expected somebody new",
          excerpt(name)));
    }
    contexts.push_back({name, {}});
  }
}

PriorTable PriorInputs::read(const ClassNames& classes, std::span<const ExpertContext> contexts,
                             const Program& program) const {
  if (file.empty()) return {};
  PriorTable priors = PriorTable::read(file, classes, program.reading());
  if (only && contexts.empty() && priors.experts().empty()) {
    throw bad_input(
        fmt::format("{}: names no expert, and nobody has answers; expected the name of one",
                    source_name(file)));
  }
  const std::vector<std::string> without = experts_without_context(priors, contexts);
  if (!only && !without.empty()) {
    program.reading().note(
        fmt::format("{}: not in the context and left out: {}; --prior-only lets them join",
                    source_name(file), list_of_names(without)));
  }
  return priors;
}

std::string_view PriorAlone::known(std::string_view name) const {
  const auto found = experts.find(name);
  return found == experts.end() ? std::string_view() : found->second;
}

std::vector<std::string> PriorAlone::lines() const {
  std::vector<std::string> lines;
  for (const auto& [name, believed] : experts) {
    if (lines.size() == kShown) break;
    lines.push_back(fmt::format("{} is {}", excerpt(name), believed));
  }
  if (experts.size() > kShown) {
    lines.push_back(
        fmt::format("{} more experts are known from a prior alone", experts.size() - kShown));
  }
  return lines;
}

PriorAlone prior_alone_of(const Roster& roster) {
  PriorAlone alone;
  for (std::size_t j = 0; j < roster.size(); ++j) {
    std::string known = prior_alone(roster.profiles[j]);
    if (!known.empty()) alone.experts.emplace(roster.names[j], std::move(known));
  }
  return alone;
}

}  // namespace ifd::cli
