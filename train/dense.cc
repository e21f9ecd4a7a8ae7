#include "train/dense.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <mutex>
#include <set>

namespace ifd::train {
namespace {

constexpr std::int64_t kBlock = 256;

// Calls `work` with the ends of every block of 0..n, by as many threads as there are.
template <typename Work>
void in_blocks(std::int64_t n, const Work& work) {
  at::parallel_for(0, (n + kBlock - 1) / kBlock, 1, [&](std::int64_t first, std::int64_t last) {
    const torch::NoGradGuard guard;
    for (std::int64_t block = first; block < last; ++block) {
      work(block * kBlock, std::min(n, (block + 1) * kBlock));
    }
  });
}

class Dense final : public torch::autograd::Function<Dense> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weight, const torch::Tensor& bias) {
    context->save_for_backward({x, weight});
    context->saved_data["input"] = x.requires_grad();
    const auto y = torch::empty({x.size(0), weight.size(0)}, x.options());
    in_blocks(x.size(0), [&](std::int64_t first, std::int64_t last) {
      auto rows = y.slice(0, first, last);
      at::addmm_out(rows, bias, x.slice(0, first, last), weight.t());
    });
    return y;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1];
    const auto gradient = gradients[0].contiguous();
    torch::Tensor of_x;
    if (context->saved_data["input"].toBool()) {
      of_x = torch::empty_like(x);
      in_blocks(x.size(0), [&](std::int64_t first, std::int64_t last) {
        auto rows = of_x.slice(0, first, last);
        at::mm_out(rows, gradient.slice(0, first, last), weight);
      });
    }
    const auto of_weight = torch::empty_like(weight);
    in_blocks(weight.size(0), [&](std::int64_t first, std::int64_t last) {
      auto rows = of_weight.slice(0, first, last);
      at::mm_out(rows, gradient.slice(1, first, last).t(), x);
    });
    return {of_x, of_weight, gradient.sum(0)};
  }
};

}  // namespace

torch::Tensor dense(const torch::Tensor& x, const torch::Tensor& weight,
                    const torch::Tensor& bias) {
  // With no view in between, the next layer may overwrite the output without a copy.
  if (x.dim() == 2) return Dense::apply(x.contiguous(), weight, bias);
  auto shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return Dense::apply(x.reshape({-1, x.size(-1)}).contiguous(), weight, bias).view(shape);
}

int dense_threads() {
  std::set<int> seen;
  std::mutex guard;
  in_blocks(64 * kBlock, [&](std::int64_t, std::int64_t) {
    const std::lock_guard lock(guard);
    seen.insert(at::get_thread_num());
  });
  return static_cast<int>(seen.size());
}

}  // namespace ifd::train
