#include "experiments/result/cell.h"

#include <fmt/format.h>

namespace ifd::experiments {

std::string to_text(const Cell& cell) {
  std::string text;
  each_label(cell, [&](const char*, const auto& label) {
    if (!label.empty()) text += (text.empty() ? "" : " ") + label.text();
  });
  if (cell.x != 0) text += fmt::format(" x={}", cell.x);
  return text;
}

}  // namespace ifd::experiments
