#include "cli/text_table.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "command_line/terminal.h"
#include "command_line/text_width.h"
#include "ifd/data/visible_text.h"

namespace ifd::cli {
namespace {

bool is_numeric(std::string_view cell) {
  return cell.find_first_not_of("0123456789.,+-e%[]()– ") == std::string_view::npos;
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) {
    cell = visible_text(cell);
    if (cell.size() > kCellColumns) cell = cut_in_middle(cell, kCellColumns);
  }
  rows_.push_back(std::move(cells));
}

std::size_t text_width() {
  constexpr std::size_t kWithoutTerminal = 100;
  return terminal_width(STDOUT_FILENO, kWithoutTerminal);
}

std::string wrapped(std::string_view words, std::size_t line_width) {
  return wrapped_at(visible_text(words), line_width);
}

std::string TextTable::text_of(const std::vector<std::size_t>& columns,
                               const std::vector<Layout>& layout) const {
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (const std::size_t c : columns) {
      const std::string padding(layout[c].width - columns_of(rows_[r][c]), ' ');
      if (c != columns.front()) line += "  ";
      line += layout[c].numeric ? padding + rows_[r][c] : rows_[r][c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (r == 0 ? bold(line, STDOUT_FILENO) : line) + "\n";
  }
  return out;
}

std::vector<TextTable::Layout> TextTable::layout() const {
  std::vector<Layout> layout(rows_.front().size(), {0, rows_.size() > 1});
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < layout.size(); ++c) {
      layout[c].width = std::max(layout[c].width, columns_of(rows_[r][c]));
      // The first column has names, also where these look like numbers.
      if (c == 0 || (r > 0 && !is_numeric(rows_[r][c]))) layout[c].numeric = false;
    }
  }
  return layout;
}

std::size_t TextTable::width() const {
  std::size_t width = 0;
  for (const Layout& column : layout()) width += 2 + column.width;
  return width - 2;
}

std::string TextTable::text(std::size_t line_width) const {
  const std::vector<Layout> layout = this->layout();
  std::string out;
  std::vector<std::size_t> columns = {0};
  std::size_t used = layout[0].width;
  for (const std::vector<std::size_t>& group : groups(layout, line_width)) {
    const std::size_t width = width_of(group, layout);
    if (columns.size() > 1 && used + width > line_width) {
      out += text_of(columns, layout) + "\n";
      columns = {0};
      used = layout[0].width;
    }
    columns.insert(columns.end(), group.begin(), group.end());
    used += width;
  }
  return out + text_of(columns, layout);
}

std::size_t TextTable::width_of(const std::vector<std::size_t>& group,
                                const std::vector<Layout>& layout) {
  std::size_t width = 0;
  for (const std::size_t c : group) width += 2 + layout[c].width;
  return width;
}

std::vector<std::vector<std::size_t>> TextTable::groups(const std::vector<Layout>& layout,
                                                        std::size_t line_width) const {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t c = 1; c < layout.size(); ++c) {
    const bool beside =
        std::find(beside_previous_.begin(), beside_previous_.end(), c) != beside_previous_.end();
    const std::size_t together = layout[0].width + 2 + layout[c].width +
                                 (groups.empty() ? 0 : width_of(groups.back(), layout));
    if (beside && !groups.empty() && together <= line_width) {
      groups.back().push_back(c);
    } else {
      groups.push_back({c});
    }
  }
  return groups;
}

}  // namespace ifd::cli
