// How a plan of sample sizes is printed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ifd/profile/sample_size_simulation.h"

namespace ifd::cli {

std::string sample_size_text(const SampleSizePlan& plan, double delta);

// `question` is what was asked for, and stands first.
std::string sample_size_json(const SampleSizePlan& plan, double delta,
                             const nlohmann::ordered_json& question);

}  // namespace ifd::cli
