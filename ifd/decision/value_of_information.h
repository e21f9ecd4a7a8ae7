// What an expert's answer is expected to add, before it is known.
#pragma once

#include <span>
#include <vector>

namespace ifd {

// sum_m max_y b_y l(m|y) - max_y b_y: by how much the chance of a right label grows if the expert
// with these means answers and is combined with the belief b (the model's probabilities, or what
// answers so far have made of them). Never negative, and exactly 0 where no answer could change the
// label; proportional to the belief, which need not sum to 1 but not to more. Renaming the classes
// changes no bit. O(K).
//
// Against the label that stands, every answer m gains max_y b_y l(m|y) - b_t l(m|t) >= 0, so that
// nothing cancels; these gains are added on a grid on which sums are exact in any order.
double value_of_information(std::span<const float> belief, std::span<const double> means);
double value_of_information(std::span<const double> belief, std::span<const double> means);

// What a second answer adds on average to that of the first: the sum over the first's answers of
// the value of the second's, each weighted by its chance. O(K^2).
double value_of_second_answer(std::span<const double> belief, std::span<const double> first,
                              std::span<const double> second);

}  // namespace ifd
