// How much memory a piece of work needs at its worst.
#pragma once

#include <functional>
#include <optional>

namespace ifd::benchmark {

// Bytes by which the resident memory of the process rose above where it was, at its highest while
// `work` ran. Nothing where the kernel does not let a process reset its peak.
std::optional<double> peak_growth(const std::function<void()>& work);

}  // namespace ifd::benchmark
