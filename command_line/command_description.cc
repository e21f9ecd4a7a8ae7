#include "command_line/command_description.h"

#include <map>
#include <nlohmann/json.hpp>

#include "command_line/file_options.h"
#include "ifd/data/json_text.h"

namespace ifd {
namespace {

using nlohmann::ordered_json;

const std::map<std::string, ValueKind>& kind_names() {
  static const std::map<std::string, ValueKind> names = {
      {"text", ValueKind::kText}, {"file", ValueKind::kFile}, {"folder", ValueKind::kFolder}};
  return names;
}

std::string word_for(ValueKind kind) {
  for (const auto& [word, value] : kind_names()) {
    if (value == kind) return word;
  }
  return {};
}

ValueKind kind_of(const std::string& type) {
  if (type == kFolder) return ValueKind::kFolder;
  const bool file = type == kFileRead || type == kFileWritten || type == "NAME=FILE" ||
                    type == "[FILE]" || type == "FILE...";
  return file ? ValueKind::kFile : ValueKind::kText;
}

// A check for members shows them behind the type, as in TEXT:{csv,jsonl}.
std::vector<std::string> members_of(const std::string& type) {
  const std::size_t open = type.find(":{");
  if (open == std::string::npos) return {};
  const std::size_t close = type.find('}', open);
  return CLI::detail::split(type.substr(open + 2, close - open - 2), ',');
}

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription made;
  for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
  made.description = option.get_description();
  if (option.get_type_size() == 0) return made;
  const std::string type = option.get_type_name();
  const bool by_place = made.names.empty();
  made.value = by_place ? option.get_name(true) : type.substr(0, type.find(':'));
  made.kind = kind_of(made.value);
  made.is_list = option.get_delimiter() == ',';
  made.words = members_of(type);
  made.standard = option.get_default_str();
  return made;
}

ordered_json json_of(const OptionDescription& option) {
  return {{"names", option.names},
          {"value", option.value},
          {"kind", word_for(option.kind)},
          {"list", option.is_list},
          {"words", option.words},
          {"default", option.standard},
          {"description", option.description}};
}

ordered_json json_of(const CommandDescription& command) {
  ordered_json options = ordered_json::array(), commands = ordered_json::array();
  for (const OptionDescription& option : command.options) options.push_back(json_of(option));
  for (const CommandDescription& below : command.commands) commands.push_back(json_of(below));
  return {{"name", command.name},
          {"description", command.description},
          {"footer", command.footer},
          {"options", options},
          {"commands", commands}};
}

OptionDescription option_of(const JsonValue& json) {
  const auto kind = kind_names().find(json.at("kind").text());
  if (kind == kind_names().end()) json.at("kind").refuse("is no kind of value");
  return {json.at("names").texts(),     json.at("value").text(),  kind->second,
          json.at("list").boolean(),    json.at("words").texts(), json.at("default").text(),
          json.at("description").text()};
}

CommandDescription command_of(const JsonValue& json) {
  CommandDescription made{
      json.at("name").text(), json.at("description").text(), json.at("footer").text(), {}, {}};
  for (const JsonValue& option : json.at("options").items()) {
    made.options.push_back(option_of(option));
  }
  for (const JsonValue& below : json.at("commands").items()) {
    made.commands.push_back(command_of(below));
  }
  return made;
}

}  // namespace

CommandDescription describe(const CLI::App& app) {
  CommandDescription made{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) made.options.push_back(describe_option(*option));
  }
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    made.commands.push_back(describe(*below));
  }
  return made;
}

std::string to_json(const CommandDescription& command) {
  return json_text(json_of(command)) + "\n";
}

CommandDescription command_from_json(std::string_view text, const std::string& place) {
  return command_of(JsonValue::parse(text, place));
}

}  // namespace ifd
