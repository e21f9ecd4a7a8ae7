// What is shown of the claims, a line each, and what is not.
#pragma once

#include <vector>

#include "experiments/claims/claims.h"
#include "experiments/report/document.h"

namespace ifd::experiments {

void write_claims(Document& document, const std::vector<Claim>& claims);

}  // namespace ifd::experiments
