// A table for people: columns that line up, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace ifd::cli {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> columns) : rows_{std::move(columns)} {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Cells that read as numbers (also "0.81 [0.79, 0.83]") are set to the right.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ifd::cli
