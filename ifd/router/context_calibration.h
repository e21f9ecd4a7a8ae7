// How a router's classifier is calibrated: on the context's cases, or as its policy says.
#pragma once

#include <optional>

#include "ifd/policy/calibration_in_use.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/router.h"
#include "ifd/router/roster_state.h"

namespace ifd {

// Whether a calibration that was fitted before will do.
enum class CalibrationFit { kUnlessFittedBefore, kAnew };

// That of RouterOptions::calibrate; nothing where there is none.
std::optional<CalibrationInUse> calibration_by_options(CalibrationFit fit,
                                                       const RouterOptions& options,
                                                       const RosterState& state);
// That of the policy; nothing where it has none.
std::optional<CalibrationInUse> own_calibration(const PolicySource& source, CalibrationFit fit,
                                                const RouterOptions& options,
                                                const RosterState& state);

// The context's cases with their truths, for a policy that learns from them, as it reads
// predictions; none where it does not or there are no predictions for them.
std::optional<Predictions> labelled_cases(const PolicySource& source,
                                          const std::optional<CalibrationInUse>& calibration,
                                          const RouterOptions& options, const RosterState& state);

}  // namespace ifd
