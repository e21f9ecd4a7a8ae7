#include "train/losses.h"

namespace ifd::train {

// Sums run over the experts of a case first: a sum over a whole large table would be split among
// threads, and its rounding with it.

torch::Tensor deferral_loss(const torch::Tensor& class_logits, const torch::Tensor& deferral_logits,
                            const torch::Tensor& labels, const torch::Tensor& weights,
                            const torch::Tensor& counted) {
  // log Z of an expert's softmax needs the classes' log-sum-exp once, however many experts.
  const auto log_z = torch::logaddexp(class_logits.logsumexp(1, true), deferral_logits);
  const auto at_label = class_logits.gather(1, labels.unsqueeze(1));
  const auto of_pairs = (1 + weights) * log_z - at_label - weights * deferral_logits;
  if (!counted.defined()) return of_pairs.mean(1).mean();
  const auto experts = counted.sum(1).clamp_min(1);
  return (of_pairs.masked_fill(counted.logical_not(), 0).sum(1) / experts).mean();
}

torch::Tensor multi_expert_loss(const torch::Tensor& logits, const torch::Tensor& labels,
                                const torch::Tensor& correct) {
  const auto classes = logits.size(1) - correct.size(1);
  const auto log_p = logits.log_softmax(1);
  const auto experts = log_p.slice(1, classes);
  return -(log_p.gather(1, labels.unsqueeze(1)).squeeze(1) + (correct * experts).sum(1)).mean();
}

torch::Tensor one_vs_all_loss(const torch::Tensor& logits, const torch::Tensor& labels,
                              const torch::Tensor& correct) {
  const auto classes = logits.size(1) - correct.size(1);
  const auto truth = torch::one_hot(labels, classes).to(logits.dtype());
  const auto target = torch::cat({truth, correct}, 1);
  return torch::binary_cross_entropy_with_logits(logits, target, {}, {}, at::Reduction::None)
      .sum(1)
      .mean();
}

}  // namespace ifd::train
