#include "train/multi_expert_head.h"

#include "train/losses.h"

namespace ifd::train {

torch::Tensor head_loss(Surrogate surrogate, const torch::Tensor& logits,
                        const torch::Tensor& labels, const torch::Tensor& correct) {
  return surrogate == Surrogate::kSoftmax ? multi_expert_loss(logits, labels, correct)
                                          : one_vs_all_loss(logits, labels, correct);
}

std::vector<double> head_margins(Surrogate surrogate, const torch::Tensor& logits,
                                 std::int64_t classes) {
  const auto exact = logits.to(torch::kFloat64);
  const auto chances = surrogate == Surrogate::kSoftmax ? exact.softmax(1) : exact.sigmoid();
  const auto top = std::get<0>(chances.slice(1, 0, classes).max(1, true));
  const auto margins = (chances.slice(1, classes) - top).contiguous();
  return {margins.data_ptr<double>(), margins.data_ptr<double>() + margins.numel()};
}

}  // namespace ifd::train
