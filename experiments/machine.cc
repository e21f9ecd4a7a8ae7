#include "experiments/machine.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

namespace ifd::experiments {

std::string hardware() {
  std::string model = "unknown";
  std::ifstream cpu("/proc/cpuinfo");
  for (std::string line; std::getline(cpu, line);) {
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  }
  std::ifstream memory("/proc/meminfo");
  std::string label;
  double kib = 0;
  memory >> label >> kib;
  return fmt::format("{} processors ({}), {:.0f} GiB of memory",
                     std::thread::hardware_concurrency(), model, kib / 1024 / 1024);
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[11];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

}  // namespace ifd::experiments
