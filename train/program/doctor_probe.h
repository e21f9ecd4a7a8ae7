// Small pieces of work, each measured in a process of its own: its environment can be changed, and
// it may die.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "train/program/doctor.h"

namespace ifd::train {

std::vector<std::string> probe_names();

// A probe that takes longer counts as one that does not end.
inline constexpr unsigned kLongestProbeSeconds = 60;

// Does the work in this process: a line of JSON on stdout that tells the libraries, then the
// seconds. 0 threads: as many as LibTorch starts with. Returns the exit code.
int be_probe(const std::string& probe, int threads);

using EnvironmentChanges = std::map<std::string, std::string>;  // empty takes the variable away

// Starts this program as the probe in an environment with the changes, and waits for it.
ProbeRun run_probe(const std::string& probe, int threads, const EnvironmentChanges& changes);

}  // namespace ifd::train
