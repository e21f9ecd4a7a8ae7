// What holds of the claims, and what does not.
#pragma once

#include <vector>

#include "experiments/claims/claims.h"
#include "experiments/report/document.h"

namespace ifd::experiments {

void write_claims(Document& document, const std::vector<Claim>& claims);
// Claims that do not hold everywhere, a paragraph each: the paper's, then ours.
void write_contradictions(Document& document, const std::vector<Claim>& claims);

}  // namespace ifd::experiments
