// A table for people: columns that line up, numbers to the right. Cells are shown as visible_text.h
// does it, so a row is one line whatever a name holds, and a long one is cut in the middle.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ifd::cli {

// Characters in a line of text for people: of the terminal that stdout is, otherwise 100.
std::size_t text_width();

// In lines of at most so many characters, broken at blanks; a longer word stands alone. Shown as
// visible_text.h does it.
std::string wrapped(std::string_view words, std::size_t line_width = text_width());

// Columns that a name takes in a table at the most.
inline constexpr std::size_t kNameColumns = 24;

// Columns that any cell takes at the most: all rows are as wide as the widest.
inline constexpr std::size_t kCellColumns = 200;

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> columns) { add(std::move(columns)); }
  void add(std::vector<std::string> cells);
  // The column stands beside the one before it, wherever there is room for both.
  void keep_beside_previous(std::size_t column) { beside_previous_.push_back(column); }
  // Cells that read as numbers (also "0.81 [0.79, 0.83]" and "0.81 (7)") are set to the right.
  // Columns for which a line has no room go below, in a table of their own that begins with the
  // first column again.
  std::string text(std::size_t line_width = text_width()) const;
  // The characters that all columns take beside each other.
  std::size_t width() const;

 private:
  struct Layout {
    std::size_t width;
    bool numeric;
  };
  std::vector<Layout> layout() const;
  std::string text_of(const std::vector<std::size_t>& columns,
                      const std::vector<Layout>& layout) const;

  // With the blanks in front of each.
  static std::size_t width_of(const std::vector<std::size_t>& group,
                              const std::vector<Layout>& layout);
  // The columns behind the first, those together that stand beside each other.
  std::vector<std::vector<std::size_t>> groups(const std::vector<Layout>& layout,
                                               std::size_t line_width) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> beside_previous_;
};

}  // namespace ifd::cli
