#include "ifd/profile/answer_needs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ifd {

AnswerNeeds answer_needs(std::span<const ExpertProfile> profiles,
                         std::span<const double> class_shares, std::uint64_t enough,
                         std::size_t most) {
  std::vector<AnswerNeed> all;
  for (std::size_t j = 0; j < profiles.size(); ++j) {
    const std::size_t classes = profiles[j].classes();
    for (std::size_t k = 0; k < classes; ++k) {
      const BetaPosterior& known = profiles[j].at(class_id(k));
      if (known.answers() >= enough) continue;
      const double share =
          class_shares.empty() ? 1.0 / static_cast<double>(classes) : class_shares[k];
      all.push_back({j, class_id(k), known.answers(), share * std::sqrt(known.variance())});
    }
  }
  const std::size_t cells = all.size();
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, cells));
  std::partial_sort(all.begin(), end, all.end(), [](const AnswerNeed& a, const AnswerNeed& b) {
    return std::tuple(-a.uncertainty, a.answers, a.expert, a.class_id) <
           std::tuple(-b.uncertainty, b.answers, b.expert, b.class_id);
  });
  all.erase(end, all.end());
  return {enough, cells, std::move(all)};
}

}  // namespace ifd
