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
  // A table that is kFolded can be opened on the page and stands in the Markdown file; kPageOnly is
  // folded, too, and left out of the Markdown file, which is a summary.
  enum class Reach { kEverywhere, kFolded, kPageOnly };

  Document(std::string title, std::string lead);

  void section(std::string title, std::string id, Reach reach = Reach::kEverywhere);
  void paragraph(std::string text, Reach reach = Reach::kEverywhere);
  void paragraph(std::vector<Words> words, Reach reach = Reach::kEverywhere);
  void list(std::vector<std::vector<Words>> items, Reach reach = Reach::kEverywhere);
  void key_figures(std::vector<KeyFigure> figures);
  void table(Table table, Reach reach = Reach::kEverywhere);
  // A chart without anything to draw is left out. `stem` names its file: figures/stem.svg.
  void chart(std::string stem, LineChart chart);
  void chart(std::string stem, BarChart chart);
  void chart(std::string stem, ScatterMap chart);
  void code(std::string text);

  std::string html() const;
  // Without figures: GitHub's Markdown.
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
    std::string stem = {};  // of a chart
  };

  std::string title_, lead_;
  std::vector<Block> blocks_;
};

}  // namespace ifd::experiments
