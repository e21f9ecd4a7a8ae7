// --summary FILE: what a run did, for scripts.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ifd::cli {

struct Program;

// What --summary needs of a command.
struct SummaryOption {
  std::filesystem::path path;  // empty: no summary
  const CLI::App* command = nullptr;

  void add_to(CLI::App& to);
};

// Runs the command, whose `work` adds what it found to the summary and returns the exit code, and
// writes the summary: schema, version, command, what the exit code means, inputs with their
// SHA-256, outputs, notes. It appears whole or not at all, and also where the work ends with an
// Error, which is passed on. `policies` may name policy files, which are inputs too.
int with_summary(const SummaryOption& summary, const std::vector<std::string>& policies,
                 const Program& program,
                 const std::function<int(nlohmann::ordered_json& summary)>& work);

}  // namespace ifd::cli
