#include "experiments/report/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/report/markdown_text.h"

namespace ifd::experiments {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

std::string markdown_words(const std::vector<Words>& words) {
  std::string out;
  for (const Words& part : words) {
    switch (part.kind) {
      case Words::Kind::kPlain:
        out += markdown_text(part.text);
        break;
      case Words::Kind::kStrong:
        // A blank before the closing mark would undo it.
        out +=
            part.text.ends_with(' ')
                ? fmt::format("**{}** ", markdown_text(part.text.substr(0, part.text.size() - 1)))
                : fmt::format("**{}**", markdown_text(part.text));
        break;
      case Words::Kind::kEmphasis:
        out += fmt::format("*{}*", markdown_text(part.text));
        break;
      case Words::Kind::kCode:
        out += markdown_code(part.text);
        break;
      case Words::Kind::kLink:
        out += markdown_link(part.text, part.target);
        break;
    }
  }
  return out;
}

std::string markdown_table(const Table& table, bool folded,
                           const std::vector<std::string>& left_out) {
  const std::string caption = markdown_text(table.caption);
  std::string out;
  if (folded) {
    out = fmt::format("<details><summary>{}</summary>\n\n", caption);
  } else if (!caption.empty()) {
    out = fmt::format("**{}**\n\n", caption);
  }
  std::string rule = "|";
  out += "|";
  for (const Column& column : table.columns) {
    out += fmt::format(" {} |", markdown_text(column.name));
    rule += column.numeric ? "---:|" : "---|";
  }
  out += fmt::format("\n{}\n", rule);
  for (const auto& row : table.rows) {
    if (std::ranges::find_first_of(row, left_out) != row.end()) continue;
    out += "|";
    for (const std::string& cell : row) out += fmt::format(" {} |", markdown_text(cell));
    out += "\n";
  }
  return out + (folded ? "\n</details>\n\n" : "\n");
}

}  // namespace

Document::Document(std::string title, std::string lead)
    : title_(std::move(title)), lead_(std::move(lead)) {}

void Document::section(std::string title, std::string id, Reach reach) {
  blocks_.push_back({Section{std::move(title), std::move(id)}, reach});
}
void Document::paragraph(std::string text, Reach reach) {
  paragraph(std::vector<Words>{plain(std::move(text))}, reach);
}
void Document::paragraph(std::vector<Words> words, Reach reach) {
  blocks_.push_back({std::move(words), reach});
}
void Document::list(std::vector<std::vector<Words>> items, Reach reach) {
  if (!items.empty()) blocks_.push_back({std::move(items), reach});
}
void Document::key_figures(std::vector<KeyFigure> figures) {
  if (!figures.empty()) blocks_.push_back({std::move(figures)});
}
void Document::table(Table table, Reach reach, std::vector<std::string> on_page) {
  if (!table.rows.empty()) blocks_.push_back({std::move(table), reach, {}, std::move(on_page)});
}
void Document::chart(std::string stem, LineChart chart) {
  if (!chart.series.empty()) {
    blocks_.push_back({std::move(chart), Reach::kPageOnly, std::move(stem)});
  }
}
void Document::chart(std::string stem, BarChart chart, Reach reach) {
  if (!chart.bars.empty()) blocks_.push_back({std::move(chart), reach, std::move(stem)});
}
void Document::chart(std::string stem, ScatterMap chart) {
  if (!chart.panels.empty()) {
    blocks_.push_back({std::move(chart), Reach::kPageOnly, std::move(stem)});
  }
}
void Document::code(std::string text) { blocks_.push_back({Code{std::move(text)}}); }

std::string Document::html() const {
  HtmlReport report(title_, lead_);
  for (const Block& block : blocks_) {
    if (block.reach == Reach::kSummaryOnly) continue;
    std::visit(Overloaded{[&](const Section& s) { report.section(s.title, s.id); },
                          [&](const std::vector<Words>& words) { report.paragraph(words); },
                          [&](const List& items) { report.list(items); },
                          [&](const std::vector<KeyFigure>& f) { report.key_figures(f); },
                          [&](const Table& table) {
                            block.reach == Reach::kEverywhere ? report.table(table)
                                                              : report.folded_table(table);
                          },
                          [&](const Code& code) { report.code(code.text); },
                          [&](const auto& chart) { report.chart(chart); }},
               block.content);
  }
  return report.html();
}

std::string Document::markdown() const {
  std::string out = fmt::format("# {}\n\n{}\n\n", markdown_text(title_), markdown_text(lead_));
  for (const Block& block : blocks_) {
    if (block.reach == Reach::kPageOnly) continue;
    std::visit(
        Overloaded{
            [&](const Section& s) { out += fmt::format("## {}\n\n", markdown_text(s.title)); },
            [&](const std::vector<Words>& words) { out += markdown_words(words) + "\n\n"; },
            [&](const List& items) {
              for (const auto& item : items) out += fmt::format("- {}\n", markdown_words(item));
              out += "\n";
            },
            [&](const std::vector<KeyFigure>& figures) {
              std::string line;
              for (const KeyFigure& figure : figures) {
                line += fmt::format("{}**{}** {} ({})", line.empty() ? "" : ", ",
                                    markdown_text(figure.value), markdown_text(figure.label),
                                    markdown_text(figure.note));
              }
              out += line + ".\n\n";
            },
            [&](const Table& table) {
              out += markdown_table(table, block.reach == Reach::kFolded, block.on_page);
            },
            [&](const Code& code) { out += markdown_code_block(code.text) + "\n\n"; },
            [&](const auto& chart) {
              out += fmt::format("!{}\n\n", markdown_link(chart.title, file_of(block)));
              if (!chart.note.empty()) out += markdown_text(chart.note) + "\n\n";
            }},
        block.content);
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string Document::file_of(const Block& block) {
  return (block.reach == Reach::kPageOnly ? "figures/" : "") + block.stem + ".svg";
}

std::vector<NamedFile> Document::figures() const {
  std::vector<NamedFile> files;
  for (const Block& block : blocks_) {
    if (block.stem.empty()) continue;
    const auto add = [&](std::string svg) { files.emplace_back(file_of(block), std::move(svg)); };
    if (const auto* lines = std::get_if<LineChart>(&block.content)) add(to_standalone_svg(*lines));
    if (const auto* bars = std::get_if<BarChart>(&block.content)) add(to_standalone_svg(*bars));
    if (const auto* map = std::get_if<ScatterMap>(&block.content)) add(to_standalone_svg(*map));
  }
  return files;
}

}  // namespace ifd::experiments
