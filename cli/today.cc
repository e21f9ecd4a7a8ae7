#include "cli/today.h"

#include <fmt/format.h>

#include <chrono>

namespace ifd::cli {

CalendarDate today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return CalendarDate::parse(fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                                         static_cast<unsigned>(day.month()),
                                         static_cast<unsigned>(day.day())));
}

}  // namespace ifd::cli
