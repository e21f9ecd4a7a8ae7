// A text with tables and figures that becomes a page, a Markdown file and figures of their own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ifd/report/html_report.h"

namespace ifd::experiments {

// Where a file goes, beside the others of the report, and its bytes.
using NamedFile = std::pair<std::string, std::string>;

class Document {
 public:
  // What is kFolded can be opened, on the page and in the Markdown file; kPageOnly is folded, too,
  // and left out of the Markdown file, which is a summary; kSummaryOnly stands in that alone.
  enum class Reach { kEverywhere, kFolded, kPageOnly, kSummaryOnly };

  Document(std::string title, std::string lead);

  void section(std::string title, std::string id, Reach reach = Reach::kEverywhere);
  void paragraph(std::string text, Reach reach = Reach::kEverywhere);
  void paragraph(std::vector<Words> words, Reach reach = Reach::kEverywhere);
  void list(std::vector<std::vector<Words>> items, Reach reach = Reach::kEverywhere);
  void key_figures(std::vector<KeyFigure> figures);
  // Rows with a cell that is one of `on_page` are left out of the Markdown file.
  void table(Table table, Reach reach = Reach::kEverywhere, std::vector<std::string> on_page = {});
  // A chart without anything to draw is left out. `stem` names its file: figures/stem.svg, or
  // stem.svg beside the Markdown file where that shows it.
  void chart(std::string stem, LineChart chart);
  void chart(std::string stem, BarChart chart, Reach reach = Reach::kPageOnly);
  void chart(std::string stem, ScatterMap chart);
  void code(std::string text);

  std::string html() const;
  // GitHub's Markdown; of the charts those that are to be seen everywhere.
  std::string markdown() const;
  std::vector<NamedFile> figures() const;

 private:
  struct Section {
    std::string title, id;
  };
  struct Code {
    std::string text;
  };
  using List = std::vector<std::vector<Words>>;
  using Content = std::variant<Section, std::vector<Words>, List, std::vector<KeyFigure>, Table,
                               LineChart, BarChart, ScatterMap, Code>;
  struct Block {
    Content content;
    Reach reach = Reach::kEverywhere;
    std::string stem = {};                  // of a chart
    std::vector<std::string> on_page = {};  // rows of a table
  };

  // Of a chart, beside the other files of the report.
  static std::string file_of(const Block& block);

  std::string title_, lead_;
  std::vector<Block> blocks_;
};

}  // namespace ifd::experiments
