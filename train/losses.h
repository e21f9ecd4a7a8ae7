// The surrogates that deferral is learnt with, from logits through log-sum-exp. All are means over
// the batch.
#pragma once

#include <torch/types.h>

namespace ifd::train {

// mean over cases and experts of  -log p_y - w log p_perp  over the (K+1)-softmax of each expert.
//
// With w = L_y 1{k_best = y} this is Eq. ea-lce; with w = 1{m = y} it is the softmax surrogate of
// L2D and L2D-Pop.
//   class_logits B x K, deferral_logits B x J (g_perp), labels B (int64), weights B x J.
//
// `counted` B x J (bool): the pairs that count, where not all do. The mean over cases of the mean
// over the experts who count there; a case where nobody does adds nothing to the sum.
torch::Tensor deferral_loss(const torch::Tensor& class_logits, const torch::Tensor& deferral_logits,
                            const torch::Tensor& labels, const torch::Tensor& weights,
                            const torch::Tensor& counted = {});

// mean over cases of  -log p_y - sum_j 1{m_j = y} log p_{K+j}  over one softmax of K + J logits.
//   logits B x (K+J), labels B, correct B x J (1{m_j = y}).
torch::Tensor multi_expert_loss(const torch::Tensor& logits, const torch::Tensor& labels,
                                const torch::Tensor& correct);

// The same logits one against all the others: with phi(f) = log(1 + exp(-f)),
//   phi(g_y) + sum_{k != y} phi(-g_k) + sum_j phi(g_{K+j}) where m_j = y, phi(-g_{K+j}) where not.
torch::Tensor one_vs_all_loss(const torch::Tensor& logits, const torch::Tensor& labels,
                              const torch::Tensor& correct);

}  // namespace ifd::train
