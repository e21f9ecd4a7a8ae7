// Central differences against autograd: one helper for every loss and every net.
#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <functional>
#include <vector>

namespace ifd::train {

// Checks d value / d x for every number of every tensor in `inputs`: double, leaves, gradients
// wanted. `value` is a scalar of them. At most `most` numbers of a tensor are checked, evenly
// spaced.
inline void expect_gradients(const std::function<torch::Tensor()>& value,
                             const std::vector<torch::Tensor>& inputs, std::int64_t most = 20) {
  for (const auto& input : inputs) input.mutable_grad() = torch::Tensor();
  value().backward();
  const torch::NoGradGuard guard;
  for (std::size_t which = 0; which < inputs.size(); ++which) {
    const auto& input = inputs[which];
    ASSERT_EQ(input.scalar_type(), torch::kFloat64);
    ASSERT_TRUE(input.is_contiguous()) << "input " << which << " has its numbers in another order";
    ASSERT_TRUE(input.grad().defined()) << "input " << which << " has no gradient";
    const auto gradient = input.grad().contiguous();
    double* x = input.data_ptr<double>();
    const std::int64_t step = std::max<std::int64_t>(1, input.numel() / most);
    for (std::int64_t i = 0; i < input.numel(); i += step) {
      const double at = x[i];
      const double h = 1e-6 * std::max(1.0, std::abs(at));
      x[i] = at + h;
      const double above = value().item<double>();
      x[i] = at - h;
      const double below = value().item<double>();
      x[i] = at;
      const double expected = (above - below) / (2 * h);
      EXPECT_NEAR(gradient.data_ptr<double>()[i], expected, 1e-6 + 1e-5 * std::abs(expected))
          << "input " << which << ", number " << i;
    }
  }
}

}  // namespace ifd::train
