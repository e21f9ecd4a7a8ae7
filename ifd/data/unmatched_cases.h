// Cases that two files should share and do not: what they look like, and why that may be.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ifd/data/predictions.h"

namespace ifd {

// The likely cause, with an example of both sides: "'007' here and '7' in the predictions differ by
// leading zeros". Where no cause is seen, only examples: "such as 'x1' here and 'a' in the
// predictions". `unmatched` are cases of a file that the predictions lack, of which a few are
// looked at; not empty. Linear in the number of predictions.
std::string unmatched_cases_hint(std::span<const std::string> unmatched,
                                 const Predictions& predictions);
// The likely cause alone, where one is seen.
std::optional<std::string> unmatched_cases_cause(std::span<const std::string> unmatched,
                                                 const Predictions& predictions);
// The other way round: the predictions' case `lacking` is not among those of a file.
std::string unmatched_case_hint(const std::string& lacking, std::span<const std::string> cases);

}  // namespace ifd
