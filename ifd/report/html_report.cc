#include "ifd/report/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "ifd/error.h"
#include "ifd/report/html_text.h"
#include "ifd/report/report_page.h"

namespace ifd {
namespace {

std::string words_html(const std::vector<Words>& words) {
  std::string html;
  for (const Words& part : words) {
    const std::string text = escape_html(part.text);
    switch (part.kind) {
      case Words::Kind::kPlain:
        html += text;
        break;
      case Words::Kind::kStrong:
        html += fmt::format("<strong>{}</strong>", text);
        break;
      case Words::Kind::kEmphasis:
        html += fmt::format("<em>{}</em>", text);
        break;
      case Words::Kind::kCode:
        html += fmt::format("<code>{}</code>", text);
        break;
      case Words::Kind::kLink: {
        const std::string_view target = part.target;
        if (!target.starts_with("#") && !target.starts_with("https://") &&
            !target.starts_with("http://")) {
          throw bad_input(fmt::format("report: link target '{}'; expected #id, https:// or http://",
                                      part.target));
        }
        html += fmt::format("<a href=\"{}\">{}</a>", escape_html(target), text);
        break;
      }
    }
  }
  return html;
}

// Letters and digits of the title in lower case, joined by hyphens.
std::string slug(std::string_view title) {
  std::string id;
  for (const char c : title) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      id += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (id.ends_with('-')) id.pop_back();
  return id.empty() ? "section" : id;
}

bool is_ranked(const Table& table, std::size_t row) {
  return std::find(table.unranked_rows.begin(), table.unranked_rows.end(), row) ==
         table.unranked_rows.end();
}

// The best number of a column, NaN if it marks none. The only one of its kind is not the best.
double best_of(const Table& table, std::size_t column) {
  double best = std::numeric_limits<double>::quiet_NaN();
  std::size_t ranked = 0;
  const Column::Best wanted = table.columns[column].best;
  if (wanted == Column::Best::kNone || !table.columns[column].numeric) return best;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const double value = leading_number(table.rows[r][column]);
    if (std::isnan(value) || !is_ranked(table, r)) continue;
    ++ranked;
    const bool better = wanted == Column::Best::kHighest ? value > best : value < best;
    if (std::isnan(best) || better) best = value;
  }
  return ranked > 1 ? best : std::numeric_limits<double>::quiet_NaN();
}

// A number and its range in brackets, "0.81 (0.79–0.83)": the range is set apart, so that a narrow
// screen can put it on a line of its own.
std::string number_cell(std::string_view text, bool is_best) {
  const std::size_t bracket = text.find(" (");
  const bool has_range = bracket != text.npos && bracket > 0 && text.ends_with(')');
  const std::string number = escape_html(has_range ? text.substr(0, bracket) : text);
  std::string html = is_best ? fmt::format("<strong title=\"best\">{}</strong>", number) : number;
  if (has_range) {
    html += fmt::format(" <span class=\"range\">{}</span>", escape_html(text.substr(bracket + 1)));
  }
  return fmt::format("<td class=\"number\">{}</td>", html);
}

std::string figure_start(std::string_view kind, std::string_view title) {
  return fmt::format("<figure class=\"chart {}\">\n<figcaption>{}</figcaption>\n", kind,
                     escape_html(title));
}

std::string figure_end(std::string_view note) {
  if (note.empty()) return "</figure>\n";
  return fmt::format("<p class=\"note\">{}</p>\n</figure>\n", escape_html(note));
}

// A region that scrolls by itself must be reachable by keyboard, hence the tab stop.
std::string scroll_box_start(std::string_view label) {
  return fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n",
                     escape_html(label));
}

std::string numbers_start(std::string_view title) {
  return "<details class=\"numbers\"><summary>The numbers</summary>\n" +
         scroll_box_start(fmt::format("Numbers of the chart {}", title)) + "<table>\n";
}

void require_full_rows(const Table& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].size() == table.columns.size()) continue;
    throw bad_input(fmt::format("table '{}', row {}: {} cells; expected {}", table.caption, i + 1,
                                table.rows[i].size(), table.columns.size()));
  }
}

constexpr std::string_view kNumbersEnd = "</tbody></table></div></details>\n";

}  // namespace

Words plain(std::string text) { return {std::move(text)}; }
Words strong(std::string text) { return {std::move(text), Words::Kind::kStrong}; }
Words emphasis(std::string text) { return {std::move(text), Words::Kind::kEmphasis}; }
Words inline_code(std::string text) { return {std::move(text), Words::Kind::kCode}; }
Words link(std::string text, std::string target) {
  return {std::move(text), Words::Kind::kLink, std::move(target)};
}

HtmlReport::HtmlReport(std::string title, std::string lead)
    : title_(std::move(title)), lead_(std::move(lead)) {}

void HtmlReport::section(std::string_view title, std::string_view id) {
  const std::string wanted = slug(id.empty() ? title : id);
  const auto taken = [this](const std::string& name) {
    return std::any_of(sections_.begin(), sections_.end(),
                       [&](const Section& section) { return section.id == name; });
  };
  std::string free = wanted;
  for (int i = 2; taken(free); ++i) free = fmt::format("{}-{}", wanted, i);
  sections_.push_back({free, std::string(title)});
  body_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", free, escape_html(title));
}

void HtmlReport::paragraph(std::string_view text) { paragraph({plain(std::string(text))}); }

void HtmlReport::paragraph(const std::vector<Words>& words) {
  body_ += fmt::format("<p>{}</p>\n", words_html(words));
}

void HtmlReport::list(const std::vector<std::vector<Words>>& items) {
  body_ += "<ul>\n";
  for (const std::vector<Words>& item : items) {
    body_ += fmt::format("<li>{}</li>\n", words_html(item));
  }
  body_ += "</ul>\n";
}

void HtmlReport::key_figures(const std::vector<KeyFigure>& figures) {
  body_ += "<dl class=\"key-figures\">\n";
  for (const KeyFigure& figure : figures) {
    body_ +=
        fmt::format("<div><dt>{}</dt><dd class=\"value\">{}</dd><dd class=\"note\">{}</dd></div>\n",
                    escape_html(figure.label), escape_html(figure.value), escape_html(figure.note));
  }
  body_ += "</dl>\n";
}

void HtmlReport::table(const Table& table) {
  require_full_rows(table);
  body_ += "<figure class=\"table\">\n";
  if (!table.caption.empty()) {
    body_ += fmt::format("<figcaption>{}</figcaption>\n", escape_html(table.caption));
  }
  add_table(table);
  body_ += "</figure>\n";
}

void HtmlReport::folded_table(const Table& table) {
  require_full_rows(table);
  body_ += fmt::format("<details class=\"folded\"><summary>{}</summary>\n",
                       escape_html(table.caption.empty() ? "Table" : table.caption));
  add_table(table);
  body_ += "</details>\n";
}

void HtmlReport::add_table(const Table& table) {
  body_ += scroll_box_start(table.caption.empty() ? "Table" : table.caption);
  constexpr std::size_t kMany = 6;  // more columns than this are set smaller and closer
  body_ += fmt::format("<table class=\"sortable{}\">\n<thead><tr>",
                       table.columns.size() > kMany ? " wide" : "");
  std::vector<double> best;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    best.push_back(best_of(table, i));
    body_ += fmt::format(
        "<th scope=\"col\"{}><span class=\"head\">{}</span>{}</th>",
        column.numeric ? " class=\"number\"" : "", escape_html(column.name),
        column.note.empty() ? "" : fmt::format("<small>{}</small>", escape_html(column.note)));
  }
  body_ += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<std::string>& row = table.rows[r];
    body_ += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].numeric) {
        body_ += number_cell(row[i], is_ranked(table, r) && leading_number(row[i]) == best[i]);
      } else {
        const std::string text = escape_html(row[i]);
        body_ += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", text)
                        : fmt::format("<td>{}</td>", text);
      }
    }
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void HtmlReport::chart(const LineChart& chart) {
  body_ += figure_start("lines", chart.title);
  body_ += fmt::format(
      "<div class=\"plot\" tabindex=\"0\" role=\"group\" aria-label=\"{}: values along the axis "
      "with "
      "the arrow keys\">\n{}{}<div class=\"tip\" role=\"status\" hidden=\"\"></div></div>\n",
      escape_html(chart.title), to_svg(chart, Layout::kWide), to_svg(chart, Layout::kNarrow));
  body_ += numbers_start(chart.title);
  body_ += fmt::format("<thead><tr><th scope=\"col\" class=\"number\">{}</th>",
                       escape_html(chart.x_label));
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    body_ += fmt::format(
        "<th scope=\"col\" class=\"number\"><svg class=\"ifd-chart swatch\" viewBox=\"0 0 {0} 12\" "
        "width=\"{0}\" height=\"12\" aria-hidden=\"true\">{1}</svg> {2}</th>",
        coordinate(kKeyWidth), line_key(i, series.emphasis, 0, 6, series.form),
        escape_html(series.name));
  }
  body_ += "</tr></thead>\n<tbody>\n";
  for (const ChartReadings::Row& row : readings(chart).rows) {
    body_ += fmt::format("<tr data-x=\"{:.4f}\"><th scope=\"row\" class=\"number\">{}</th>",
                         row.fraction, row.x);
    for (const ChartReadings::Cell& cell : row.cells) {
      body_ += fmt::format("<td class=\"number\"{}>{}</td>",
                           cell.fraction ? fmt::format(" data-y=\"{:.4f}\"", *cell.fraction) : "",
                           escape_html(cell.text));
    }
    body_ += "</tr>\n";
  }
  body_ += kNumbersEnd;
  body_ += figure_end(chart.note);
}

void HtmlReport::chart(const BarChart& chart) {
  body_ += figure_start("bars", chart.title);
  body_ += fmt::format("<div class=\"plot\">\n{}{}</div>\n", to_svg(chart, Layout::kWide),
                       to_svg(chart, Layout::kNarrow));
  body_ += numbers_start(chart.title);
  body_ += fmt::format(
      "<thead><tr><th scope=\"col\">Name</th><th scope=\"col\" "
      "class=\"number\">{}</th></tr></thead>\n"
      "<tbody>\n",
      escape_html(chart.value_label));
  const std::vector<std::string> values = value_texts(chart);
  for (std::size_t i = 0; i < values.size(); ++i) {
    body_ += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td></tr>\n",
                         escape_html(chart.bars[i].name), escape_html(values[i]));
  }
  body_ += kNumbersEnd;
  body_ += figure_end(chart.note);
}

void HtmlReport::chart(const ScatterMap& map) {
  body_ += figure_start("map", map.title);
  body_ += fmt::format("<div class=\"plot\">\n{}{}</div>\n", to_svg(map, Layout::kWide),
                       to_svg(map, Layout::kNarrow));
  const std::string highlighted =
      map.highlighted_label.empty() ? "highlighted" : map.highlighted_label;
  body_ += numbers_start(map.title);
  body_ += fmt::format(
      "<thead><tr><th scope=\"col\">Panel</th><th scope=\"col\">Group</th>"
      "<th scope=\"col\" class=\"number\">Points</th><th scope=\"col\" class=\"number\">{}</th>"
      "</tr></thead>\n<tbody>\n",
      escape_html(highlighted));
  for (const MapPanel& panel : map.panels) {
    for (std::size_t group = 0; group < map.groups.size(); ++group) {
      std::size_t points = 0;
      std::size_t lit = 0;
      for (const MapPoint& point : panel.points) {
        if (point.group != group) continue;
        ++points;
        if (point.state == MapPoint::State::kHighlighted) ++lit;
      }
      body_ += fmt::format(
          "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"number\">{}</td>"
          "<td class=\"number\">{}</td></tr>\n",
          escape_html(panel.title), escape_html(map.groups[group]), points, lit);
    }
  }
  body_ += kNumbersEnd;
  body_ += figure_end(map.note);
}

void HtmlReport::code(std::string_view text) {
  body_ += fmt::format("<pre tabindex=\"0\"><code>{}</code></pre>\n", escape_html(text));
}

std::string HtmlReport::html() const {
  std::string contents;
  if (sections_.size() > 2) {
    contents = "<nav aria-label=\"Contents\"><ul>\n";
    for (const Section& section : sections_) {
      contents +=
          fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, escape_html(section.title));
    }
    contents += "</ul></nav>\n";
  }
  // The policy lets the page run what is written in it and load nothing at all.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>\n{1}{2}{3}</style>\n</head>\n<body>\n<main>\n<header>\n"
      "<button type=\"button\" id=\"theme\" hidden=\"\">Dark</button>\n"
      "<h1>{0}</h1>\n<p class=\"lead\">{4}</p>\n{5}</header>\n{6}</main>\n"
      "<script>\n{7}</script>\n</body>\n</html>\n",
      escape_html(title_), theme_css(), chart_css(), page_css(), escape_html(lead_), contents,
      body_, page_script());
}

}  // namespace ifd
