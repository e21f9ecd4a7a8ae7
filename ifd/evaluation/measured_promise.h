// What profiles promised of the experts of a policy, beside what its replay says they kept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ifd/data/predictions.h"
#include "ifd/evaluation/promise.h"
#include "ifd/profile/expert_profile.h"

namespace ifd {

class AskingGain;
struct Replay;

// `cases` are as the policy reads them, with labels; `profiles` has one for each expert, `groups`
// is empty or has one number for each case. Nothing where no case is deferred. With `combined`,
// what asking gains where answers are combined, the promise is that the combined label is right, on
// every case where that gain is positive.
std::optional<Promise> measured_promise(const Replay& replayed, const Predictions& cases,
                                        std::span<const ExpertProfile> profiles,
                                        std::span<const std::uint32_t> groups = {},
                                        const AskingGain* combined = nullptr);

}  // namespace ifd
