// Experts of whom nobody has seen an answer: what is believed of them, in words.
#pragma once

#include <string>

#include "ifd/profile/expert_profile.h"

namespace ifd {

// "known from the prior alone: strength 10, mean 0.8", or the ranges over the classes, "strength 2
// to 10, mean 0.5 to 0.8"; empty for an expert with an answer.
std::string prior_alone(const ExpertProfile& profile);

}  // namespace ifd
