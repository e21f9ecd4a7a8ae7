// A day, as files and options write it: 2027-06-30.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace ifd {

class CalendarDate {
 public:
  // Error(kBadInput) for what is not a day of the calendar, years 1900 to 9999.
  static CalendarDate parse(std::string_view text);

  const std::string& text() const& { return text_; }
  std::string text() const&& { return text_; }
  // Digits of fixed width compare as the days do.
  auto operator<=>(const CalendarDate&) const = default;

 private:
  explicit CalendarDate(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace ifd
