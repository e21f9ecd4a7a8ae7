// The label that a model's probabilities and experts' answers make together.
//
//   P(y | x, m_1..m_J)  ~  rho_y * prod_j l_j(m_j | y)^w,
//   l_j(m | y) = mu_jy if m = y, otherwise (1 - mu_jy) / (K - 1)
//
// and, where mistakes have costs, the label that is expected to cost least under this posterior,
// argmin_k sum_y P(y | x, m_1..m_J) C[y][k].
//
// Here mu are the posterior means of the expert's profile: who errs names each other class alike. A
// whole confusion matrix in place of l was worse with 15 answers per class. Answers count as
// independent given the class. Where experts err together, w < 1 makes up for it (shared_errors.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/decision/expected_costs.h"
#include "ifd/ids.h"
#include "ifd/profile/expert_profile.h"

namespace ifd {

// An answer that came back, and what is known of who gave it. The profile must outlive this.
struct GivenAnswer {
  const ExpertProfile* profile;
  Answer answer;
};

struct CombinedAnswer {
  ClassId label;  // the lowest index among `tied`, because a file holds one label
  // The classes that nothing tells apart: equal in expected cost where there are costs, in the
  // product, in rho, and in mean and variance of everybody who answered. Increasing; mostly one.
  std::vector<ClassId> tied;
  std::vector<double> posterior;    // of each class; sums to 1
  std::optional<double> cost = {};  // what the label is expected to cost, where there are costs

  double probability() const { return posterior[index(label)]; }
};

// Answers that are missing or outside the classes say nothing: without any other the label is the
// model's. Neither the order of the answers nor renaming the classes changes a bit of the
// posterior. Where no class is possible under the profiles (two experts without fault contradict
// each other), the model's probabilities stand. `weight` is the exponent w, in (0, 1]. Without
// `costs`, and where every mistake costs the same, the label is the most probable one.
CombinedAnswer combine(std::span<const float> probabilities, std::span<const GivenAnswer> answers,
                       double weight = 1, const ExpectedCosts* costs = nullptr);

}  // namespace ifd
