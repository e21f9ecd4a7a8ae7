#include "command_line/read_limits_option.h"

#include <fmt/format.h>

#include <charconv>

#include "ifd/data/utf8.h"

namespace ifd {
namespace {

std::string refuse_other_factors(const std::string& text) {
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && factor >= 1 && factor <= 1e6) return {};
  return fmt::format("'{}' is not allowed; expected 1..1000000", excerpt(text));
}

}  // namespace

void add_max_expansion_option(CLI::App& command, ReadLimits& limits) {
  command
      .add_option("--max-expansion", limits.max_expansion,
                  "How many times its size a compressed file may unfold to (256 MB are always "
                  "allowed)")
      ->check(CLI::Validator(refuse_other_factors, ""))
      ->type_name("FACTOR")
      ->capture_default_str();
}

}  // namespace ifd
