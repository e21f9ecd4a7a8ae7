#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/learning_environment.h"
#include "ifd/error.h"

namespace ifd::cli {
namespace {

namespace fs = std::filesystem;

fs::path find_trainer() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& candidate :
       {self.parent_path() / "ifd-train", self.parent_path() / "../libexec/ifd/ifd-train"}) {
    if (!error && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  throw Error(
      ErrorKind::kNotFound,
      "this command needs the program ifd-train, which is not installed; expected it beside "
      "ifd or in ../libexec/ifd");
}

struct LearningCommand {
  const char* name;
  const char* description;
  const char* example;
};

constexpr LearningCommand kLearningCommands[] = {
    {"train", "Train a policy on a classifier's predictions; --help lists methods and options",
     "ifd train --method ifd --predictions train.npz --validation val.npz \\\n"
     "      --context context.csv -o policy.ifd"},
    {"doctor", "Look for the silent traps of LibTorch on this machine and measure what they cost",
     "ifd doctor"},
};

}  // namespace

bool is_learning_command(std::string_view name) {
  return std::any_of(std::begin(kLearningCommands), std::end(kLearningCommands),
                     [name](const LearningCommand& command) { return name == command.name; });
}

int become_trainer(std::span<char* const> arguments) {
  const std::string program = find_trainer().string();
  prepare_learning_environment();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  throw Error(ErrorKind::kStorage, fmt::format("{}: {}", program, std::strerror(errno)));
}

void add_learning_commands(CLI::App& app) {
  for (const LearningCommand& command : kLearningCommands) {
    app.add_subcommand(command.name, command.description)
        ->footer(std::string("Example:\n  ") + command.example);
  }
}

}  // namespace ifd::cli
