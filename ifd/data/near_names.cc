#include "ifd/data/near_names.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ifd {

std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> near_names(std::string_view word, std::span<const std::string> names,
                                    std::size_t most) {
  const std::size_t slip = std::max<std::size_t>(2, word.size() / 4);
  std::vector<std::pair<std::size_t, std::size_t>> near;  // letters apart, place
  for (std::size_t i = 0; i < names.size(); ++i) {
    // Lengths that differ by more are further apart; long names are not compared for nothing.
    const std::size_t shorter = std::min(word.size(), names[i].size());
    if (std::max(word.size(), names[i].size()) - shorter > slip) continue;
    const std::size_t apart = letters_apart(word, names[i]);
    if (apart <= slip) near.emplace_back(apart, i);
  }
  const std::size_t count = std::min(most, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
  std::vector<std::string> found;
  for (std::size_t i = 0; i < count; ++i) found.push_back(names[near[i].second]);
  return found;
}

}  // namespace ifd
