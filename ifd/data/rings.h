// The toy of the paper: three concentric rings in the plane, with a known P(Y | x).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/ids.h"

namespace ifd {

inline constexpr std::size_t kRingClasses = 3;

// The paper gives the sizes of the two noises and not their forms. Here case i has class i mod 3;
// its radius is class + 1 + base_noise * (2u - 1) with u uniform, its angle is uniform, and both
// coordinates then get N(0, gaussian_sigma^2).
struct RingsOptions {
  std::size_t cases = 1000;
  double base_noise = 0.7;
  double gaussian_sigma = 0.5;
  std::uint64_t seed = 0;
  std::string split = "train";
};

struct Rings {
  std::vector<float> x, y;
  std::vector<ClassId> labels;     // 0 inner, 1 middle, 2 outer
  std::vector<std::string> cases;  // "0", "1", ...
};

// Draws are keyed by seed, split and case name: case 7 of "train" and case 7 of "test" differ.
Rings make_rings(const RingsOptions& options);

// The true P(Y | x) for equal class priors: per class the Rice density integrated over the radius.
// Needs gaussian_sigma > 0. Meaningful at any distance from the rings: the densities are compared
// by their logarithms.
std::array<double, kRingClasses> ring_posterior(double x, double y, const RingsOptions& options);

// The rings as cases of a classifier that knows the true P(Y | x): classes inner, middle, outer,
// labels, the coordinates as features. Case 7 of split "test" is named "test-7", as it is not case
// 7 of another split.
Predictions ring_predictions(const RingsOptions& options);

}  // namespace ifd
