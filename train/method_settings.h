// What a method's training can be told, by name: words, counts and numbers.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ifd::train {

// A word out of a few, a count (1 or more), or a number.
using SettingValue = std::variant<std::string, std::size_t, double>;

// What a number means and where it may lie.
struct NumberRange {
  double least = 0;
  double below = 1e6;
  std::string meaning = {};  // as in "a number of standard deviations, 0 or more"
};

// A setting as a method declares it. Methods that declare the same name declare the same setting.
struct Setting {
  std::string name;         // as in files: "lcb_width"; on a command line --lcb-width
  std::string description;  // in a few words
  SettingValue standard;    // the value where nothing else is said; its type is the setting's
  std::vector<std::string> words = {};  // the words that are allowed
  NumberRange range = {};               // of a number

  // Whether a value has the setting's type and is allowed.
  bool allows(const SettingValue& value) const;
  // What is allowed, in words: "1 or more".
  std::string allowed() const;
};

// A setting whose words stand for the values of a type.
template <typename Value>
Setting word_setting(std::string name, const std::map<std::string, Value>& words,
                     std::string standard, std::string description) {
  Setting setting{std::move(name), std::move(description), std::move(standard)};
  for (const auto& item : words) setting.words.push_back(item.first);
  return setting;
}

// The values of a method's settings: each has one, and it is allowed.
class MethodSettings {
 public:
  // All as declared, but for `values`.
  explicit MethodSettings(std::span<const Setting> declared,
                          std::span<const std::pair<std::string, SettingValue>> values = {});

  // Error(kUsage) for a name that is not declared or a value that is not allowed.
  void set(std::string_view name, SettingValue value);

  // The value of a declared setting of that type; anything else is a mistake of the caller's
  // program, Error(kUsage).
  const std::string& word(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  double number(std::string_view name) const;

  // An object with all of them, in the order of declaration.
  nlohmann::ordered_json to_json() const;

 private:
  struct Entry {
    Setting setting;
    SettingValue value;
  };
  const Entry& at(std::string_view name) const;

  std::vector<Entry> entries_;
};

}  // namespace ifd::train
