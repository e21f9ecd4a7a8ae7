// A report as one HTML file that needs nothing else: no network, no fonts, no script library.
//
// Reads in light and dark, on paper, on a phone and without colour; every chart has its numbers
// in a table below it. The same calls give the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ifd/report/bar_chart.h"
#include "ifd/report/line_chart.h"
#include "ifd/report/scatter_map.h"

namespace ifd {

// A stretch of a paragraph. Texts are escaped when written: there is no way to pass markup.
struct Words {
  enum class Kind { kPlain, kStrong, kEmphasis, kCode, kLink };
  std::string text;
  Kind kind = Kind::kPlain;
  std::string target = {};  // of a link: "#section-id", "https://..." or "http://..."
};
Words plain(std::string text);
Words strong(std::string text);
Words emphasis(std::string text);
Words inline_code(std::string text);
Words link(std::string text, std::string target);

struct Column {
  enum class Best { kNone, kHighest, kLowest };
  std::string name;
  bool numeric = false;  // right-aligned, sorted by the number a cell begins with
  std::string note = {};
  Best best = Best::kNone;  // marks the best cells of a numeric column, if two rows can compete
};

struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> unranked_rows = {};  // references, which are never marked as the best
};

// A number worth a large type: "0.874", "AURSAC", "plug-in: 0.861".
struct KeyFigure {
  std::string value, label, note;
};

class HtmlReport {
 public:
  HtmlReport(std::string title, std::string lead);

  // `id` is what links point to; made from the title if empty, and numbered if already taken.
  void section(std::string_view title, std::string_view id = {});
  void paragraph(std::string_view text);
  void paragraph(const std::vector<Words>& words);
  void list(const std::vector<std::vector<Words>>& items);
  void key_figures(const std::vector<KeyFigure>& figures);
  // Rows as long as the columns, otherwise Error(kBadInput). Readers sort by a click on a header.
  void table(const Table& table);
  // Behind its caption, for numbers that few look up; left out on paper.
  void folded_table(const Table& table);
  void chart(const LineChart& chart);
  void chart(const BarChart& chart);
  void chart(const ScatterMap& map);
  void code(std::string_view text);

  std::string html() const;

 private:
  struct Section {
    std::string id, title;
  };
  void add_table(const Table& table);

  std::string title_;
  std::string lead_;
  std::vector<Section> sections_;
  std::string body_;
};

}  // namespace ifd
