#include "ifd/certificate/calendar_date.h"

#include <fmt/format.h>

#include <chrono>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

bool is_calendar_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](std::size_t first, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(first, digits)) {
      if (c < '0' || c > '9') return -1;
      value = 10 * value + (c - '0');
    }
    return value;
  };
  const int year = number(0, 4);
  const int month = number(5, 2);
  const int day = number(8, 2);
  if (year < 1900 || month < 1 || day < 1) return false;
  return std::chrono::year_month_day(std::chrono::year(year),
                                     std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

}  // namespace

CalendarDate CalendarDate::parse(std::string_view text) {
  if (!is_calendar_day(text)) {
    throw bad_input(fmt::format("'{}' is not a day; expected one as in 2027-06-30", excerpt(text)));
  }
  return CalendarDate(std::string(text));
}

}  // namespace ifd
