// How surprising few losses are, were the risk above its limit: p-values of H: E[loss] > limit.
//
// Each holds for any number of independent units: P(p <= u) <= u whenever H is true.
#pragma once

#include <cstddef>

namespace ifd {

// P(Bin(units, limit) <= losses), exact for losses of 0 and 1. `limit` in (0, 1), losses <= units;
// without units 1.
double binomial_p_value(std::size_t losses, std::size_t units, double limit);

// For losses anywhere in [0, 1], from their mean (Bates et al. 2021, "Distribution-free,
// risk-controlling prediction sets"): the smaller of Hoeffding's exp(-n h(mean, limit)) with
// h(a, b) = a log(a/b) + (1-a) log((1-a)/(1-b)), and Bentkus' e P(Bin(n, limit) <= ceil(n mean)).
double hoeffding_bentkus_p_value(double mean_loss, std::size_t units, double limit);

}  // namespace ifd
