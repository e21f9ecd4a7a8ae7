#include "train/method_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ifd/error.h"

namespace ifd::train {
namespace {

std::string text_of(const SettingValue& value) {
  return std::visit([](const auto& it) { return fmt::format("{}", it); }, value);
}

template <typename Value>
const Value& typed(const SettingValue& value, std::string_view name) {
  if (const Value* found = std::get_if<Value>(&value)) return *found;
  throw Error(ErrorKind::kUsage,
              fmt::format("setting '{}' is {}; it was read as another type", name, text_of(value)));
}

}  // namespace

bool Setting::allows(const SettingValue& value) const {
  if (value.index() != standard.index()) return false;
  if (const auto* word = std::get_if<std::string>(&value)) {
    return std::find(words.begin(), words.end(), *word) != words.end();
  }
  if (const auto* count = std::get_if<std::size_t>(&value)) return *count >= 1;
  const double number = std::get<double>(value);
  return number >= range.least && number < range.below;
}

std::string Setting::allowed() const {
  if (std::holds_alternative<std::string>(standard)) {
    return fmt::format("one of {}", fmt::join(words, ", "));
  }
  if (std::holds_alternative<std::size_t>(standard)) return "1 or more";
  return range.meaning;
}

MethodSettings::MethodSettings(std::span<const Setting> declared,
                               std::span<const std::pair<std::string, SettingValue>> values) {
  for (const Setting& setting : declared) entries_.push_back({setting, setting.standard});
  for (const auto& [name, value] : values) set(name, value);
}

const MethodSettings::Entry& MethodSettings::at(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.setting.name == name) return entry;
  }
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.setting.name);
  throw Error(ErrorKind::kUsage, fmt::format("'{}' is not a setting of the method; expected one "
                                             "of {}",
                                             name, fmt::join(names, ", ")));
}

void MethodSettings::set(std::string_view name, SettingValue value) {
  const Entry& entry = at(name);
  if (!entry.setting.allows(value)) {
    throw Error(ErrorKind::kUsage, fmt::format("setting '{}' is {}; expected {}", name,
                                               text_of(value), entry.setting.allowed()));
  }
  entries_[static_cast<std::size_t>(&entry - entries_.data())].value = std::move(value);
}

const std::string& MethodSettings::word(std::string_view name) const {
  return typed<std::string>(at(name).value, name);
}

std::size_t MethodSettings::count(std::string_view name) const {
  return typed<std::size_t>(at(name).value, name);
}

double MethodSettings::number(std::string_view name) const {
  return typed<double>(at(name).value, name);
}

nlohmann::ordered_json MethodSettings::to_json() const {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const Entry& entry : entries_) {
    std::visit([&](const auto& it) { object[entry.setting.name] = it; }, entry.value);
  }
  return object;
}

}  // namespace ifd::train
