// ImageNet-16H as tests read it: from IFD_DATA, or from ../shared/data beside the source tree.
#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ifd/data/annotation_set.h"

namespace ifd {

inline std::optional<AnnotationSet> imagenet16h_for_tests() {
  const char* folder = std::getenv("IFD_DATA");
  std::ifstream file(std::string(folder ? folder : IFD_SOURCE_DIR "/../shared/data") +
                     "/imagenet16h/annotations.csv");
  if (!file) return std::nullopt;
  std::vector<std::vector<std::string>> lines;
  std::set<std::string> classes;
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    std::istringstream cells(line);
    auto& row = lines.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    if (lines.size() > 1) classes.insert(row.at(2));
  }
  AnnotationSet set{ClassNames({classes.begin(), classes.end()}), {}};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto& row = lines[i];
    const auto answer = set.classes.find(row.at(4));
    set.rows.push_back({row[0], row[1], *set.classes.find(row[2]), std::stoi(row[3]),
                        answer ? Answer(*answer) : Answer::outside()});
  }
  return set;
}

}  // namespace ifd
