// What came of a simulation of experts, as JSON.
#pragma once

#include <string>

#include "ifd/data/class_names.h"
#include "ifd/experts/simulation.h"

namespace ifd {

std::string simulation_json(const SimulationReport& report, const ClassNames& classes);

}  // namespace ifd
