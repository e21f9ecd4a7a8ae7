#include "ifd/experts/mistakes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ifd {

std::vector<Mistake> mistakes(const ExpertContext& context) {
  constexpr std::int32_t kOutside = -1;
  std::map<ClassId, std::uint64_t> answers;
  std::map<std::pair<ClassId, std::int32_t>, std::uint64_t> wrong;
  for (const ContextRow& row : context.rows) {
    ++answers[row.truth];
    if (row.answer.is(row.truth)) continue;
    const std::int32_t given =
        row.answer.is_outside() ? kOutside : static_cast<std::int32_t>(row.answer.as_class());
    ++wrong[{row.truth, given}];
  }
  std::vector<Mistake> found;
  for (const auto& [confused, count] : wrong) {
    const auto& [truth, given] = confused;
    found.push_back({truth, given == kOutside ? Answer::outside() : Answer(ClassId{given}), count,
                     answers[truth]});
  }
  std::stable_sort(found.begin(), found.end(), [](const Mistake& a, const Mistake& b) {
    return a.count != b.count ? a.count > b.count : a.of < b.of;
  });
  return found;
}

}  // namespace ifd
