#include "benchmarks/peak_memory.h"

#include <malloc.h>

#include <fstream>
#include <string>

namespace ifd::benchmark {
namespace {

std::optional<double> status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name;) {
    double kibibytes = 0;
    if (name == field + ":" && status >> kibibytes) return kibibytes * 1024;
    std::getline(status, name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> peak_growth(const std::function<void()>& work) {
  // Pages that were freed but kept would be used again without showing up.
  ::malloc_trim(0);
  std::ofstream reset("/proc/self/clear_refs");
  if (!(reset << "5" << std::flush)) return std::nullopt;
  const auto before = status_bytes("VmRSS");
  work();
  const auto peak = status_bytes("VmHWM");
  if (!before || !peak) return std::nullopt;
  return *peak - *before;
}

}  // namespace ifd::benchmark
