// The names of the classes, in the order in which everything class-indexed is stored.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ifd/checked_place.h"
#include "ifd/ids.h"

namespace ifd {

// Answers are stored in 16 bits.
inline constexpr std::size_t kMaxClasses = 32000;

// Experts x classes: a profile takes 64 bytes for each, a watch 120. Two small files name many of
// both.
inline constexpr std::size_t kMaxStaffCells = std::size_t{1} << 25;
// Error(kBadInput) for more.
void require_staff_size(std::size_t experts, std::size_t classes);

class ClassNames {
 public:
  // At least two, none empty or longer than kMaxNameBytes, no two alike; otherwise Error(kBadInput)
  // without a place.
  explicit ClassNames(std::vector<std::string> names);

  // 0, 1, ... count-1, for data that does not name its classes.
  static ClassNames numbered(std::size_t count);

  std::size_t size() const { return names_.size(); }
  // Error(kNotFound) for a number that is none of theirs.
  const std::string& name(ClassId id) const& {
    return names_[checked_place("class", index(id), size())];
  }
  std::string name(ClassId id) const&& { return name(id); }
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() const&& { return names_; }
  std::optional<ClassId> find(std::string_view name) const;

  // What a message says was allowed: "0..6" for numbered classes, otherwise "a, b, c".
  std::string allowed() const;

  bool operator==(const ClassNames& other) const { return names_ == other.names_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, ClassId, Hash, std::equal_to<>> by_name_;
};

}  // namespace ifd
