// A table for people: columns that line up, numbers to the right. Cells are shown as visible_text.h
// does it, so a row is one line whatever a name holds.
#pragma once

#include <string>
#include <vector>

namespace ifd::cli {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> columns) { add(std::move(columns)); }
  void add(std::vector<std::string> cells);
  // Cells that read as numbers (also "0.81 [0.79, 0.83]") are set to the right.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ifd::cli
