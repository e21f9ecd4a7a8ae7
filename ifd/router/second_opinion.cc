#include "ifd/router/second_opinion.h"

#include <fmt/format.h>

#include <algorithm>

#include "ifd/decision/value_of_information.h"
#include "ifd/error.h"

namespace ifd {

void check(const AdviceOptions& options) {
  if (!(options.sure > 0 && options.sure <= 1)) {
    throw bad_input(
        fmt::format("sure: {} is no probability of a label; expected a number above 0, at most 1",
                    options.sure));
  }
  if (!(options.worth >= 0 && options.worth <= 1)) {
    throw bad_input(
        fmt::format("worth: {} is no gain in probability; expected 0..1", options.worth));
  }
}

SecondOpinion second_opinion(std::span<const double> belief, std::span<const double> asked,
                             std::span<const Reader> readers, const AdviceOptions& options) {
  double probability = *std::max_element(belief.begin(), belief.end());
  if (!asked.empty()) probability += value_of_information(belief, asked);
  if (probability >= options.sure) return {};
  SecondOpinion found{Advice::kEscalate};
  for (const Reader& reader : readers) {
    const double worth = asked.empty() ? value_of_information(belief, reader.means)
                                       : value_of_second_answer(belief, asked, reader.means);
    if (worth > found.worth) {
      found.worth = worth;
      found.reader = reader.expert;
    }
  }
  if (found.reader && found.worth >= options.worth) {
    found.advice = Advice::kSecondReader;
  } else {
    found.reader.reset();
  }
  return found;
}

}  // namespace ifd
