// Table 1 as LaTeX (booktabs), ours with the published numbers below.
#pragma once

#include <string>

#include "experiments/claims/summary.h"

namespace ifd::experiments {

// Empty where neither table1 nor imagenet16h was measured. The best policy of a row is bold.
std::string table1_latex(const Summary& summary);

}  // namespace ifd::experiments
