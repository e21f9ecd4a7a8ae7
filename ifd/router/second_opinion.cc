#include "ifd/router/second_opinion.h"

#include <fmt/format.h>

#include <algorithm>

#include "ifd/decision/expected_saving.h"
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

void check_second_answers(const ExpectedCosts* costs) {
  if (costs == nullptr || costs->costs().even_mistake()) return;
  const std::size_t classes = costs->costs().classes().size();
  if (classes <= kMostClassesOfSecondAnswers) return;
  throw bad_input(
      fmt::format("advice before the answers, under costs of {} classes; expected at most {}",
                  classes, kMostClassesOfSecondAnswers));
}

namespace {

// Of these readers the one whose answer is worth most by `worth_of(reader)`, if that is enough.
template <typename WorthOf>
SecondOpinion best_reader(std::span<const Reader> readers, double enough, WorthOf worth_of) {
  SecondOpinion found{Advice::kEscalate};
  for (const Reader& reader : readers) {
    const double worth = worth_of(reader);
    if (worth > found.worth) {
      found.worth = worth;
      found.reader = reader.expert;
    }
  }
  if (found.reader && found.worth >= enough) {
    found.advice = Advice::kSecondReader;
  } else {
    found.reader.reset();
  }
  return found;
}

SecondOpinion opinion_by_chances(std::span<const double> belief, std::span<const double> asked,
                                 std::span<const Reader> readers, const AdviceOptions& options) {
  double probability = *std::max_element(belief.begin(), belief.end());
  if (!asked.empty()) probability += value_of_information(belief, asked);
  if (probability >= options.sure) return {};
  return best_reader(readers, options.worth, [&](const Reader& reader) {
    return asked.empty() ? value_of_information(belief, reader.means)
                         : value_of_second_answer(belief, asked, reader.means);
  });
}

SecondOpinion opinion_by_costs(std::span<const double> belief, std::span<const double> asked,
                               std::span<const Reader> readers, const AdviceOptions& options,
                               const ExpectedCosts& costs) {
  SavingScratch scratch;
  const auto of_labels = costs.of_labels(belief, scratch.costs);
  double cost = *std::min_element(of_labels.begin(), of_labels.end()) * costs.unit();
  if (!asked.empty()) cost -= expected_saving(costs, belief, asked, scratch);
  const double largest = costs.costs().largest_cost();
  if (cost <= (1 - options.sure) * largest) return {};
  return best_reader(readers, options.worth * largest, [&](const Reader& reader) {
    const double saved = asked.empty()
                             ? expected_saving(costs, belief, reader.means, scratch)
                             : saving_of_second_answer(costs, belief, asked, reader.means, scratch);
    return saved - reader.fee;
  });
}

}  // namespace

SecondOpinion second_opinion(std::span<const double> belief, std::span<const double> asked,
                             std::span<const Reader> readers, const AdviceOptions& options,
                             const ExpectedCosts* costs) {
  if (costs == nullptr) return opinion_by_chances(belief, asked, readers, options);
  if (const auto even = costs->costs().even_cost()) {
    SecondOpinion found = opinion_by_chances(belief, asked, readers, options);
    found.worth *= *even;
    return found;
  }
  return opinion_by_costs(belief, asked, readers, options, *costs);
}

}  // namespace ifd
