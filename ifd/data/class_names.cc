#include "ifd/data/class_names.h"

#include <fmt/format.h>

#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {

void require_staff_size(std::size_t experts, std::size_t classes) {
  if (experts <= kMaxStaffCells / classes) return;
  throw bad_input(fmt::format("{} experts or more and {} classes; expected at most {} in product",
                              experts, classes, kMaxStaffCells));
}

ClassNames::ClassNames(std::vector<std::string> names) : names_(std::move(names)) {
  if (names_.size() < 2 || names_.size() > kMaxClasses) {
    throw bad_input(fmt::format("{} class(es); expected 2..32000", names_.size()));
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].empty()) {
      throw bad_input(fmt::format("class {} has an empty name; expected a name", i));
    }
    if (is_too_long(names_[i])) throw name_too_long(names_[i]);
    if (!by_name_.emplace(names_[i], class_id(i)).second) {
      throw bad_input(
          fmt::format("two classes are named '{}'; expected distinct names", excerpt(names_[i])));
    }
  }
}

ClassNames ClassNames::numbered(std::size_t count) {
  std::vector<std::string> names(count);
  for (std::size_t i = 0; i < count; ++i) names[i] = std::to_string(i);
  return ClassNames(std::move(names));
}

std::optional<ClassId> ClassNames::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

std::string ClassNames::allowed() const {
  bool numbered = true;
  for (std::size_t i = 0; i < names_.size(); ++i) numbered &= names_[i] == std::to_string(i);
  if (numbered) return fmt::format("0..{}", names_.size() - 1);
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < names_.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : ", ") + excerpt(names_[i]);
  }
  if (names_.size() > kShown) text += fmt::format(", ... ({} in all)", names_.size());
  return text;
}

}  // namespace ifd
