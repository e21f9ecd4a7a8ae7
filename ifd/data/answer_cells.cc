#include "ifd/data/answer_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"

namespace ifd {
bool is_blank(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords = {"na", "n/a", "nan", "none", "null", "-", "?"};
  constexpr std::size_t kLongest = 4;
  text = trimmed(text);
  if (text.empty()) return true;
  if (text.size() > kLongest) return false;
  return std::find(kWords.begin(), kWords.end(), lower_case(text)) != kWords.end();
}

Answer AnswerCells::read(std::string_view cell) {
  if (const auto id = find_class(classes_, cell, labels_)) return *id;
  if (is_blank(cell)) return Answer::missing();
  ++outside_[cell];
  return Answer::outside();
}

std::string AnswerCells::outside() const {
  constexpr std::size_t kShown = 5;
  if (outside_.empty()) return {};
  std::vector<std::pair<std::string_view, std::size_t>> all(outside_.begin(), outside_.end());
  const auto shown = all.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, all.size()));
  std::partial_sort(all.begin(), shown, all.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::vector<std::string> words;
  for (auto one = all.begin(); one != shown; ++one) {
    words.push_back(fmt::format("'{}' ({}{})", excerpt(one->first), one->second,
                                spelling_hint(classes_, one->first)));
  }
  std::string list = fmt::format("{}", fmt::join(words, ", "));
  if (all.size() > kShown) list += fmt::format(" and {} more", all.size() - kShown);
  const bool numbers =
      labels_ == LabelKind::kNames && std::all_of(all.begin(), all.end(), [&](const auto& one) {
        return find_class(classes_, one.first, LabelKind::kNumbers).has_value();
      });
  return list + (numbers ? "; class numbers? --labels numbers" : "");
}

}  // namespace ifd
