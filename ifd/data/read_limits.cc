#include "ifd/data/read_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace ifd {

std::uint64_t ReadLimits::allowed(std::uint64_t compressed) const {
  // Beyond 2^62 a double no longer goes into 64 bits with certainty, and no file matters.
  const double expanded = std::min(max_expansion * static_cast<double>(compressed), 0x1p62);
  return std::max(always_allowed, static_cast<std::uint64_t>(expanded));
}

ReadLimits ReadLimits::within(std::uint64_t compressed, std::uint64_t unfolded) const {
  if (unfolded == 0) return *this;
  return {max_expansion * static_cast<double>(compressed) / static_cast<double>(unfolded),
          always_allowed, stream_counts_as};
}

void ReadRoom::refuse(std::uint64_t count, std::uint64_t bytes_each) const {
  const double bytes = static_cast<double>(count) * static_cast<double>(bytes_each) +
                       static_cast<double>(most_ - left_);
  throw Error(ErrorKind::kCorruptFile,
              fmt::format("{}: takes {:.0f} bytes or more in memory; expected at most {}; "
                          "--max-expansion allows more",
                          source_, bytes, most_));
}

Error expands_too_far(const std::string& place, std::uint64_t compressed,
                      const std::string& becomes, const ReadLimits& limits) {
  return {ErrorKind::kCorruptFile,
          fmt::format("{}: {} bytes {}; expected at most {}; --max-expansion allows more", place,
                      compressed, becomes, limits.allowed(compressed))};
}

Error streams_too_far(const std::string& place, std::uint64_t most) {
  return {ErrorKind::kCorruptFile,
          fmt::format("{}: has no size of its own and goes on; expected at most {} bytes; "
                      "--max-expansion allows more",
                      place, most)};
}

}  // namespace ifd
