#include "ifd/data/unmatched_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"

namespace ifd {
namespace {

constexpr std::size_t kLookedAt = 100;

std::string without_zeros(std::string_view name) {
  if (name.find_first_not_of("0123456789") != std::string_view::npos) return std::string(name);
  const std::size_t digit = name.find_first_not_of('0');
  return std::string(digit == std::string_view::npos ? "0" : name.substr(digit));
}

std::string without_fraction(std::string_view name) {
  return std::string(name.substr(0, name.size() - (name.ends_with(".0") ? 2 : 0)));
}

std::string without_blanks_inside(std::string_view name) {
  std::string rest;
  for (const char c : name) {
    if (c != ' ' && c != '\t') rest += c;
  }
  return rest;
}

std::string without_folder(std::string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? name : name.substr(slash + 1));
}

// ".png", ".nii.gz": what begins with a letter.
std::string without_ending(std::string_view name) {
  for (int endings = 0; endings < 2; ++endings) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) break;
    const char first = lower_case(name.substr(dot + 1, 1))[0];
    if (name.size() - dot > 6 || first < 'a' || first > 'z') break;
    name = name.substr(0, dot);
  }
  return std::string(name);
}

std::string file_stem(std::string_view name) { return without_ending(without_folder(name)); }

struct Cause {
  std::string_view what;
  std::string (*fold)(std::string_view name);
};

// The simplest first: the first that makes two names alike is the one that is told.
constexpr std::array kCauses{
    Cause{"leading zeros", without_zeros},
    Cause{"letter case", lower_case},
    Cause{"a fraction .0", without_fraction},
    Cause{"blanks inside", without_blanks_inside},
    Cause{"a file's ending", without_ending},
    Cause{"a folder in front", without_folder},
    Cause{"a folder and a file's ending", file_stem},
};

// `here` are a few names, `there` gives any number of them.
template <typename Name>
std::optional<std::string> likely_cause(std::span<const std::string> here, std::size_t count,
                                        const Name& there) {
  for (const Cause& cause : kCauses) {
    std::unordered_map<std::string, const std::string*> folded;
    for (const std::string& name : here) folded.emplace(cause.fold(name), &name);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = there(i);
      const auto found = folded.find(cause.fold(name));
      if (found == folded.end()) continue;
      return fmt::format("'{}' and '{}' differ by {}", excerpt(*found->second), excerpt(name),
                         cause.what);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> unmatched_cases_cause(std::span<const std::string> unmatched,
                                                 const Predictions& predictions) {
  return likely_cause(unmatched.first(std::min(unmatched.size(), kLookedAt)), predictions.size(),
                      [&](std::size_t row) { return predictions.case_name(row); });
}

std::string unmatched_cases_hint(std::span<const std::string> unmatched,
                                 const Predictions& predictions) {
  if (const auto cause = unmatched_cases_cause(unmatched, predictions)) return *cause;
  return fmt::format("such as '{}' here and '{}' in the predictions", excerpt(unmatched[0]),
                     excerpt(predictions.case_name(0)));
}

std::string unmatched_case_hint(const std::string& lacking, std::span<const std::string> cases) {
  const auto cause = likely_cause({&lacking, 1}, cases.size(),
                                  [&](std::size_t i) -> const std::string& { return cases[i]; });
  if (cause) return *cause;
  if (cases.empty()) return "there are no cases";
  return fmt::format("there are cases such as '{}'", excerpt(cases[0]));
}

}  // namespace ifd
