#include "ifd/data/label_kind.h"

#include <fmt/format.h>

#include <charconv>

namespace ifd {
namespace {

std::optional<std::size_t> whole_number(std::string_view text) {
  if (text.ends_with(".0")) text.remove_suffix(2);
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || stop != end || error != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<ClassId> find_class(const ClassNames& classes, std::string_view text,
                                  LabelKind kind) {
  if (kind == LabelKind::kNames) return classes.find(text);
  const auto number = whole_number(text);
  if (!number || *number >= classes.size()) return std::nullopt;
  return class_id(*number);
}

std::string expected_class(const ClassNames& classes, std::string_view text, LabelKind kind) {
  const auto number = whole_number(text);
  if (kind == LabelKind::kNumbers) {
    return fmt::format("expected a class number, 0..{}{}", classes.size() - 1,
                       number == classes.size() ? "; counted from 1? subtract 1" : "");
  }
  // K itself would be the last of numbers that count from 1.
  const bool class_number = number && *number <= classes.size();
  return fmt::format("expected {}{}", classes.allowed(),
                     !class_number               ? ""
                     : *number == classes.size() ? "; class numbers from 1? subtract 1 and give "
                                                   "--labels numbers"
                                                 : "; class numbers? --labels numbers");
}

}  // namespace ifd
