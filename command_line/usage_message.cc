#include "command_line/usage_message.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line/file_options.h"
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

// How many letters must be put in, taken out or changed to make one word of the other.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// "; the nearest is 'route'", where a name is so near that a slip explains it.
std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::size_t least = std::max<std::size_t>(2, word.size() / 4) + 1;
  std::string found;
  for (const std::string& name : names) {
    const std::size_t apart = letters_apart(word, name);
    if (apart >= least) continue;
    least = apart;
    found = name;
  }
  return found.empty() ? found : fmt::format("; the nearest is '{}'", found);
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
