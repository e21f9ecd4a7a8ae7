#include "ifd/data/label_kind.h"

#include <fmt/format.h>

#include <charconv>

#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"

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
  if (!number) return classes.find(text);
  if (*number >= classes.size()) return std::nullopt;
  return class_id(*number);
}

std::string spelling_hint(const ClassNames& classes, std::string_view text) {
  if (whole_number(text)) return "";
  const std::string near = near_equal_name(text, classes.names());
  if (near.empty() || near == text) return "";
  return fmt::format("; is it '{}'? it must be written so", excerpt(near));
}

std::string expected_class(const ClassNames& classes, std::string_view text, LabelKind kind) {
  const auto number = whole_number(text);
  const bool from_one = number == classes.size();  // the last of numbers that count from 1
  const std::string_view subtract = from_one ? "; counted from 1? subtract 1" : "";
  if (kind == LabelKind::kNumbers) {
    return fmt::format("expected a class number, 0..{}{}{}", classes.size() - 1, subtract,
                       spelling_hint(classes, text));
  }
  const bool are_numbers = classes.name(class_id(0)) == "0";
  if (are_numbers || !number || *number > classes.size()) {
    return fmt::format("expected {}{}{}", classes.allowed(), subtract,
                       spelling_hint(classes, text));
  }
  return fmt::format(
      "expected {}; class numbers{}", classes.allowed(),
      from_one ? " from 1? subtract 1 and give --labels numbers" : "? --labels numbers");
}

}  // namespace ifd
