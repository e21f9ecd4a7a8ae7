// A simulated expert in one word.
#pragma once

#include <string>

#include "ifd/data/class_names.h"
#include "ifd/experts/simulation.h"

namespace ifd {

// NAME=ARCHETYPE:DETAILS
//   variable:CLASS            the paper's Variable specialist
//   stable:CLASS              the paper's Stable specialist
//   independent:CLASS         a Variable specialist with errors of their own
//   multi:CLASS+CLASS         several specialties, each a little weaker than the one before
//   generalist:EASY/HARD      the same on all classes, as generalist:0.9/0.6
//   anti:TRUTH>ANSWER         says ANSWER on nearly every TRUTH, a Stable non-specialist elsewhere
//   flat:ACC/ACC/...          one accuracy per class, whatever the case
SimulatedExpert parse_expert(const std::string& word, const ClassNames& classes);

}  // namespace ifd
