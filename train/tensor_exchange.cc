#include "train/tensor_exchange.h"

#include <cmath>

#include "ifd/role/finite_log.h"

namespace ifd::train {

torch::Tensor tensor_of(std::span<const float> values, at::IntArrayRef shape) {
  auto made = torch::empty(shape, torch::kFloat32);
  TORCH_INTERNAL_ASSERT(made.numel() == static_cast<std::int64_t>(values.size()));
  std::copy(values.begin(), values.end(), made.data_ptr<float>());
  return made;
}

torch::Tensor labels_of(const Predictions& predictions) {
  auto made = torch::empty({static_cast<std::int64_t>(predictions.size())}, torch::kInt64);
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    made.data_ptr<std::int64_t>()[i] = static_cast<std::int64_t>(index(predictions.label(i)));
  }
  return made;
}

torch::Tensor correct_of(const Predictions& cases, const AnswerTable& answers) {
  std::vector<float> correct;
  correct.reserve(cases.size() * answers.experts());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      correct.push_back(answers.at(case_id(i), expert_id(j)).is(cases.label(i)) ? 1.0F : 0.0F);
    }
  }
  return tensor_of(correct, {static_cast<std::int64_t>(cases.size()),
                             static_cast<std::int64_t>(answers.experts())});
}

torch::Tensor class_logits_of(const Predictions& predictions) {
  const auto probabilities = predictions.all_probabilities();
  std::vector<float> logits(probabilities.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    logits[i] = static_cast<float>(finite_log(probabilities[i]));
  }
  return tensor_of(logits, {static_cast<std::int64_t>(predictions.size()),
                            static_cast<std::int64_t>(predictions.classes().size())});
}

std::vector<Tensor> parameters_of(const torch::nn::Module& module, const std::string& prefix) {
  std::vector<Tensor> made;
  for (const auto& item : module.named_parameters()) {
    const auto values = item.value().detach().to(torch::kFloat32).contiguous();
    Tensor tensor{prefix + item.key(), {}, {}};
    for (const auto extent : values.sizes()) {
      tensor.shape.push_back(static_cast<std::size_t>(extent));
    }
    tensor.values.assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
    made.push_back(std::move(tensor));
  }
  return made;
}

std::vector<double> probability_margins(const torch::Tensor& class_logits,
                                        const torch::Tensor& deferral_logits) {
  const auto g = class_logits.to(torch::kFloat64);
  const auto perp = deferral_logits.to(torch::kFloat64);
  const auto log_z = torch::logaddexp(g.logsumexp(1, true), perp);
  const auto top = std::get<0>(g.max(1, true));
  const auto margins = ((perp - log_z).exp() - (top - log_z).exp()).contiguous();
  return {margins.data_ptr<double>(), margins.data_ptr<double>() + margins.numel()};
}

}  // namespace ifd::train
