// What a program can be told, as data: its commands with their options. Manual page and completions
// are written from it, also for programs that are only asked for it ('--describe' prints it).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ifd {

// What a value names.
enum class ValueKind { kText, kFile, kFolder };

struct OptionDescription {
  std::vector<std::string> names;  // "-o", "--output"; none of what is known by its place alone
  std::string value;               // what stands for the value, as "FILE"; empty: a flag
  ValueKind kind = ValueKind::kText;
  bool is_list = false;            // values with commas between them
  std::vector<std::string> words;  // values that are possible, where they are few
  std::string standard;            // what it is where it is not given
  std::string description;

  bool is_flag() const { return value.empty(); }
  bool operator==(const OptionDescription&) const = default;
};

struct CommandDescription {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> commands;

  bool operator==(const CommandDescription&) const = default;
};

// Files and folders are known by the name of an option's type: FILE, OUTPUT, NAME=FILE, [FILE];
// DIR. Options of the group "", which --help does not show, are left out.
CommandDescription describe(const CLI::App& app);

std::string to_json(const CommandDescription& command);
// Error as JsonValue's, for what to_json does not write. `place` begins the message.
CommandDescription command_from_json(std::string_view text, const std::string& place);

}  // namespace ifd
