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
#include "command_line/learning_environment.h"
#include "command_line/program_output.h"
#include "ifd/error.h"

namespace ifd::cli {
namespace {

namespace fs = std::filesystem;

// Empty where it is not installed.
fs::path place_of_program(const std::string& name) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  for (fs::path candidate :
       {self.parent_path() / name, self.parent_path() / "../libexec/ifd" / name}) {
    if (!error && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

fs::path find_program(const char* name) {
  fs::path place = place_of_program(name);
  if (!place.empty()) return place;
  throw Error(ErrorKind::kNotFound,
              fmt::format("this command needs the program {}, which is not installed; expected it "
                          "beside ifd or in ../libexec/ifd",
                          name));
}

struct LearningCommand {
  const char* name;
  const char* program;
  const char* description;
  const char* example;
};

constexpr LearningCommand kLearningCommands[] = {
    {"train", "ifd-train",
     "Train a policy on a classifier's predictions; --help lists methods and options",
     "ifd train --method ifd --predictions train.npz --validation val.npz \\\n"
     "      --context context.csv -o policy.ifd"},
    {"classifier", "ifd-train",
     "Train a classifier on images; 'classifier train --help' lists the options",
     "ifd classifier train --images bloodmnist.npz --backbone resnet-small \\\n"
     "      -o blood.safetensors"},
    {"classify", "ifd-train", "Write a classifier's predictions and features for images",
     "ifd classify --model blood.safetensors --images bloodmnist.npz \\\n"
     "      --split test -o test.npz"},
    {"reproduce", "ifd-reproduce",
     "Run the paper's experiments and write a report; --help lists them",
     "ifd reproduce --quick -o quick"},
    {"doctor", "ifd-train",
     "Look for the silent traps of LibTorch on this machine and measure what they cost",
     "ifd doctor"},
};

const LearningCommand* find_command(std::string_view name) {
  const auto* found = std::find_if(std::begin(kLearningCommands), std::end(kLearningCommands),
                                   [name](const LearningCommand& c) { return name == c.name; });
  return found == std::end(kLearningCommands) ? nullptr : found;
}

}  // namespace

bool is_learning_command(std::string_view name) { return find_command(name) != nullptr; }

int become_learning_program(std::span<char* const> arguments) {
  const std::string program = find_program(find_command(arguments.front())->program).string();
  prepare_learning_environment();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  throw Error(ErrorKind::kStorage, fmt::format("{}: {}", program, std::strerror(errno)));
}

std::vector<std::string> learning_programs() {
  std::vector<std::string> names;
  for (const LearningCommand& command : kLearningCommands) {
    if (std::find(names.begin(), names.end(), command.program) == names.end()) {
      names.emplace_back(command.program);
    }
  }
  return names;
}

std::optional<CommandDescription> describe_learning_program(const std::string& name) {
  const fs::path place = place_of_program(name);
  if (place.empty()) return {};
  prepare_learning_environment();
  const std::optional<std::string> text = program_output(place, "--describe");
  if (!text) return {};
  try {
    return command_from_json(*text, place.string());
  } catch (const Error&) {
    return {};  // of another version
  }
}

void add_learning_commands(CLI::App& app) {
  for (const LearningCommand& command : kLearningCommands) {
    app.add_subcommand(command.name, command.description)
        ->footer(std::string("Example:\n  ") + command.example);
  }
}

}  // namespace ifd::cli
