#include "command_line/threads_limit.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "ifd/data/utf8.h"

namespace ifd {
namespace {

// What is no number is the parser's to refuse.
std::string refuse_too_many_threads(const std::string& text) {
  std::uint64_t threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
  if (error == std::errc() && threads <= kMostThreads) return {};
  return fmt::format("'{}' is not allowed; expected 0..{}", excerpt(text), kMostThreads);
}

}  // namespace

CLI::Option* limit_threads(CLI::Option* option) {
  return option->check(CLI::Validator(refuse_too_many_threads, ""));
}

}  // namespace ifd
