#include "command_line/usage_message.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line/file_options.h"
#include "ifd/data/near_names.h"
#include "ifd/data/utf8.h"

namespace ifd {
namespace {

constexpr const char* kWholeNumber = "a whole number, 0 or more";

std::string refuse_sign(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return {};
  return fmt::format("'{}' is not allowed; expected {}", excerpt(text), kWholeNumber);
}

const auto kEvery = [](const CLI::App*) { return true; };

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(kEvery)) names.push_back(command->get_name());
  return names;
}

// "; the nearest is 'route'", where a name is so near that a slip explains it.
std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string> found = near_names(word, names, 1);
  return found.empty() ? std::string() : fmt::format("; the nearest is '{}'", found.front());
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string expected_value(const CLI::App& command, const std::string& option_name) {
  const CLI::Option* option = command.get_option_no_throw(option_name);
  const std::string type = option == nullptr ? "" : option->get_type_name();
  if (const std::size_t set = type.find(":{"); set != std::string::npos) {
    std::string members = type.substr(set + 2, type.size() - set - 3);
    for (std::size_t at = members.find(','); at != std::string::npos;
         at = members.find(',', at + 2)) {
      members.replace(at, 1, ", ");
    }
    return "one of " + members;
  }
  if (type.starts_with("NUMBER,")) return "numbers with commas between them";
  if (type.starts_with("LOW,")) return "two numbers, as in 0,0.5";
  if (type == "FLOAT") return "a number";
  if (type == "UINT" || type == "INT") return kWholeNumber;
  if (type == kFileRead || type == kFileWritten) return "a file";
  return "a value";
}

std::string what_is_wrong(const CLI::App& app, const CLI::App& command,
                          const CLI::ParseError& error) {
  std::string text = error.what();
  const bool required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const std::vector<std::string> extras = app.remaining(true);
  if (required && !command.get_subcommands(kEvery).empty()) {
    const std::vector<std::string> names = command_names(command);
    const std::string all = fmt::format("expected {}", fmt::join(names, ", "));
    if (extras.empty()) return "a command is missing; " + all;
    return fmt::format("'{}' is not a command{}; {}", excerpt(extras.front()),
                       nearest(extras.front(), names), all);
  }
  // A misspelt option is what is wrong, also where the option that was meant is missing.
  for (const std::string& word : extras) {
    if (!word.starts_with("-") || word == "-") continue;
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("'{}' is not an option{}", excerpt(name),
                       nearest(name, option_names(command)));
  }
  if (required) return text.substr(0, text.find(' ')) + " is missing";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extras.empty()) {
    return fmt::format("'{}' is one word too many", excerpt(extras.front()));
  }
  constexpr std::string_view kNotConverted = "Could not convert: ";
  const std::size_t equals = text.find(" = ");
  if (text.starts_with(kNotConverted) && equals != std::string::npos) {
    const std::string name = text.substr(kNotConverted.size(), equals - kNotConverted.size());
    return fmt::format("{}: '{}' is not allowed; expected {}", name,
                       excerpt(std::string_view(text).substr(equals + 3)),
                       expected_value(command, name));
  }
  const std::size_t colon = text.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && colon != std::string::npos) {
    const std::string name = text.substr(0, colon);
    if (text.find("missing") == std::string::npos) {
      return name + ": is there too often; expected it once";
    }
    return fmt::format("{}: the value is missing; expected {}", name,
                       expected_value(command, name));
  }
  // Of a value outside a set the parser says "x not in {a,b}", or only "x".
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr && colon != std::string::npos &&
      text.find("; expected ") == std::string::npos) {
    const std::string name = text.substr(0, colon);
    const std::size_t end = std::min(text.find(" not in {"), text.size());
    return fmt::format("{}: '{}' is not allowed; expected {}", name,
                       excerpt(std::string_view(text).substr(colon + 2, end - colon - 2)),
                       expected_value(command, name));
  }
  return text;
}

}  // namespace

void refuse_signs_of_counts(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    refuse_signs_of_counts(*command);
  }
  for (CLI::Option* option : app.get_options()) {
    if (option->get_type_name() == "UINT") option->check(CLI::Validator(refuse_sign, ""));
  }
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  std::string path = "ifd";
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
  }
  return fmt::format("{}; see '{} --help'", what_is_wrong(app, *command, error), path);
}

}  // namespace ifd
