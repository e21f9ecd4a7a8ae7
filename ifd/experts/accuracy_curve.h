// How an expert's accuracy rises with the prototypicality of a case.
#pragma once

namespace ifd {

// A(x | E) = sigmoid(alpha * p(x) + beta), with p = 1 the easiest case and p = 0 the hardest.
struct AccuracyCurve {
  double alpha;
  double beta;

  double at(double prototypicality) const;
  // The same accuracy on easy and hard cases; such a curve needs no prototypicality.
  bool is_flat() const { return alpha == 0; }

  // beta = logit(acc_hard), alpha = logit(acc_easy) - beta. Targets outside (0, 1) are an Error.
  static AccuracyCurve from_targets(double acc_easy, double acc_hard);
  static AccuracyCurve flat(double accuracy) { return from_targets(accuracy, accuracy); }

  bool operator==(const AccuracyCurve&) const = default;
};

}  // namespace ifd
