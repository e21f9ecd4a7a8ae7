// The trained identity-free rule: a network that reads a state and says how much an expert is
// worth.
#pragma once

#include <optional>
#include <vector>

#include "ifd/network/mlp.h"
#include "ifd/rejector/margin_scale.h"
#include "ifd/rejector/role_rejector.h"

namespace ifd {

// The network was trained on (number - shift) / scale, number by number.
struct Standardisation {
  std::vector<float> shift;
  std::vector<float> scale;  // positive
};

struct TrainedRejectorParts {
  StateSet state_set = StateSet::kPaper;
  Head head = Head::kPlain;
  std::vector<Mlp::Layer> layers;
  std::optional<Standardisation> standardisation;
};

// Takes g_k = log rho_k for the model's logits, so that logsumexp(g) = 0. Then
//   plain:    g_perp = r(z)
//   residual: g_perp = log sum_y rho_y mu_y + r(z), which is the plug-in rule where r = 0.
// The margin is g_perp - log rho_top on the scale kLogit, and p_perp - max p of the (K+1)-softmax,
// (e^g_perp - rho_top) / (1 + e^g_perp), on the scale kProbability.
class TrainedRejector final : public RoleRejector {
 public:
  // Error(kBadInput) if the parts do not make a network over the state's numbers.
  TrainedRejector(TrainedRejectorParts parts, MarginScale scale,
                  Precision precision = Precision::kFloat);

  const Mlp& network() const { return network_; }

  StateSet state_set() const override { return state_set_; }
  Head head() const override { return head_; }
  // Error(kBadInput) where the network's output is not finite.
  void evaluate(std::span<const RoleState> states, std::span<double> values,
                RejectorScratch& scratch) const override;
  void evaluate(std::span<const ExtendedRoleState> states, std::span<double> values,
                RejectorScratch& scratch) const override;
  double margin(double value, double model_at_top, double log_expected_accuracy) const override;

 private:
  template <class State>
  void evaluate_all(std::span<const State> states, std::span<double> values,
                    RejectorScratch& scratch) const;

  StateSet state_set_;
  Head head_;
  MarginScale scale_;
  Mlp network_;
};

}  // namespace ifd
