#include "cli/short_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cli/text_table.h"
#include "command_line/text_width.h"
#include "ifd/data/visible_text.h"

namespace ifd::cli {

ShortNames::ShortNames(std::span<const std::string> names, std::size_t columns) {
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, std::size_t> cut_alike;  // so many already, beside the first
  for (const std::string& name : names) {
    full_.push_back(visible_text(name));
    std::string own = cut_in_middle(full_.back(), columns);
    for (std::size_t& i = cut_alike[own]; !taken.insert(own).second;) {
      const std::string end = fmt::format("#{}", ++i + 1);
      own = cut_in_middle(full_.back(), columns - std::min(columns - 1, end.size())) + end;
    }
    short_.push_back(std::move(own));
  }
}

std::string ShortNames::legend(std::size_t count) const {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(count, size()); ++i) {
    if (short_[i] != full_[i]) parts.push_back(fmt::format("'{}' is '{}'", short_[i], full_[i]));
  }
  if (parts.empty()) return {};
  return wrapped(fmt::format("In full: {}.", fmt::join(parts, ", "))) + "\n";
}

}  // namespace ifd::cli
