// What an expert's answer is expected to save, before it is known, where mistakes have costs and
// the answer is combined with the model.
//
//   sum_m ( sum_y b_y l(m|y) C[y][t] - min_k sum_y b_y l(m|y) C[y][k] )
//
// with b the belief (the model's probabilities, or what answers so far have made of them), l as in
// combined_answer.h, and t the label that stands, the cheapest under b. Sums to the expected cost
// of t less that of the labels after each answer; every term is at least 0, so nothing cancels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ifd/decision/expected_costs.h"

namespace ifd {

// One object per thread, for one case and expert after another.
struct SavingScratch {
  ExpectedCosts::Scratch costs = {};
  std::vector<double> belief = {};
  std::vector<double> missed = {};         // b_y (1 - mu_y) / (K - 1)
  std::vector<double> if_missed = {};      // of each label: its cost where the expert errs
  std::vector<double> least = {};          // of each answer: the cost of the cheapest label
  std::vector<std::size_t> standing = {};  // the labels that are cheapest under the belief
};

// In the unit of the costs, the fee not taken off. Never negative, and exactly 0 where no answer
// makes another label cheaper; proportional to the belief, which need not sum to 1 but not to more.
// Renaming the classes changes no bit. O(K^2); where every mistake costs the same O(K), and so many
// times the value of information.
double expected_saving(const ExpectedCosts& costs, std::span<const float> belief,
                       std::span<const double> means, SavingScratch& scratch);
double expected_saving(const ExpectedCosts& costs, std::span<const double> belief,
                       std::span<const double> means, SavingScratch& scratch);

// The chance that the label that is cheapest after the answer is right.
double chance_of_right_label(const ExpectedCosts& costs, std::span<const float> belief,
                             std::span<const double> means, SavingScratch& scratch);

// What a second answer saves on average beside that of the first. O(K^3).
double saving_of_second_answer(const ExpectedCosts& costs, std::span<const double> belief,
                               std::span<const double> first, std::span<const double> second,
                               SavingScratch& scratch);

}  // namespace ifd
