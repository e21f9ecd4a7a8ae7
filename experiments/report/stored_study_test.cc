// The studies whose bands come with the program, held against these bands: nothing is computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "experiments/claims/claims.h"
#include "experiments/claims/expectations.h"
#include "experiments/claims/named_cells.h"
#include "experiments/claims/wording.h"
#include "experiments/experiment_table.h"
#include "experiments/report/markdown_text.h"
#include "experiments/report/report.h"
#include "experiments/report/result_csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;

const std::filesystem::path kRoot = IFD_SOURCE_DIR;

std::string on_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

TEST(StoredStudy, LiesInItsBands) {
  const std::filesystem::path folder = kRoot / "experiments" / "expectations";
  std::size_t studies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    SCOPED_TRACE(entry.path().string());
    ++studies;
    std::filesystem::path bands = entry.path();
    bands.replace_extension(".json");
    const Expectations expected = expectations_from_json(read_file(bands), bands.string());
    const Summary means(rows_from_csv(read_file(entry.path()), entry.path().string()));
    std::set<ExperimentName> experiments;
    for (const Band& band : expected.bands) experiments.insert(band.cell.experiment);
    EXPECT_EQ(means.cells().size(), expected.bands.size());
    EXPECT_THAT(violations(means, expected, experiments), testing::IsEmpty());
  }
  EXPECT_GE(studies, 1u);
}

// Of a Markdown file: the words above it, and its cells.
struct PageTable {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;

  // The number that a row's cell begins with, in brackets or not; nothing in an empty one.
  std::optional<double> number(std::size_t row, std::size_t column) const {
    std::string text = std::regex_replace(rows[row][column], std::regex("−"), "-");
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("^[(+]?(-?[0-9]+[.][0-9]+)"))) return {};
    return std::stod(found[1].str());
  }
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const std::size_t from = cell.find_first_not_of(' ');
    const std::size_t to = cell.find_last_not_of(' ');
    cells.push_back(from == std::string::npos ? "" : cell.substr(from, to - from + 1));
  }
  return cells;
}

std::vector<PageTable> tables_of(const std::string& page) {
  std::vector<PageTable> tables;
  std::string words;
  bool inside = false;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("|")) {
      if (!line.empty()) words = line;
      inside = false;
      continue;
    }
    if (!inside) tables.push_back({words, cells_of(line), {}});
    if (inside && !line.starts_with("|--")) tables.back().rows.push_back(cells_of(line));
    inside = true;
  }
  return tables;
}

// What stands in a column of Table 1's tables, from the means.
using FromMeans = std::function<std::optional<double>(const MethodName&)>;

std::map<std::string, FromMeans> columns_of_areas(const Summary& means, const DataName& data) {
  std::map<std::string, FromMeans> columns;
  for (const auto& [name, group] : {std::pair("ID", kId), {"OOD", kOod}, {"seen", kSeen}}) {
    columns[name] = [&means, data, group = group](const MethodName& method) {
      const auto mean = means.mean(area(data, kVariable, group, method));
      return mean ? std::optional(mean->value) : std::nullopt;
    };
  }
  return columns;
}

std::map<std::string, FromMeans> columns_of_falls(const Summary& means, const DataName& data) {
  std::map<std::string, FromMeans> columns;
  for (const auto& [from, to] : {std::pair(kSeen, kId), {kId, kOod}}) {
    columns[group_title(from) + " minus " + group_title(to)] = [&means, data, from = from,
                                                                to = to](const MethodName& method) {
      const auto fall = means.difference_of_differences(
          area(data, kVariable, from, method), area(data, kVariable, to, method),
          area(data, kVariable, from, kCeiling), area(data, kVariable, to, kCeiling));
      return fall ? std::optional(fall->mean.value) : std::nullopt;
    };
  }
  return columns;
}

// Both were written by one run. Every mean that the page gives of a Variable expert in Table 1.
TEST(StoredStudy, IsThatOfTheResultsPage) {
  const std::vector<PageTable> tables = tables_of(read_file(kRoot / "docs/results.md"));
  const Summary means(
      rows_from_csv(read_file(kRoot / "experiments/expectations/full.csv"), "full"));
  for (const DataName& data : table1_data(means)) {
    const std::string title = data_title(data) + ", variable experts";
    std::size_t found = 0;
    const auto compare = [&](const std::string& caption,
                             const std::map<std::string, FromMeans>& columns) {
      for (const PageTable& table : tables) {
        if (!table.caption.starts_with("**" + caption)) continue;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
          for (std::size_t column = 1; column < table.header.size(); ++column) {
            const auto from_means = columns.find(table.header[column]);
            if (from_means == columns.end()) continue;
            SCOPED_TRACE(caption + ", " + table.rows[row][0] + ", " + table.header[column]);
            const auto expected = from_means->second(MethodName(table.rows[row][0]));
            const auto given = table.number(row, column);
            ASSERT_EQ(given.has_value(), expected.has_value());
            if (!expected) continue;
            EXPECT_NEAR(*given, *expected, .00051);
            ++found;
          }
        }
      }
    };
    compare(title + ": AURSAC**", columns_of_areas(means, data));
    compare(title + ": from seen to unseen", columns_of_falls(means, data));
    EXPECT_GE(found, 40U) << title;
  }
}

// "shown in 3", "open everywhere", ... of a text.
std::set<std::string> verdicts_in(const std::string& text) {
  static const std::regex kVerdict("(shown|contradicted|open) (everywhere|in [0-9]+)");
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), kVerdict), end; at != end; ++at) {
    found.insert(at->str());
  }
  return found;
}

// The table "before and now" has a row for each claim, in their order.
TEST(StoredStudy, VerdictsBesideAreThoseOfTheResultsPage) {
  const std::string page = on_one_line(read_file(kRoot / "docs/results.md"));
  const std::vector<PageTable> tables = tables_of(read_file(kRoot / "docs/results-beside.md"));
  const auto verdicts = std::ranges::find_if(tables, [](const PageTable& table) {
    return table.header == std::vector<std::string>{"claim", "before", "now"};
  });
  ASSERT_NE(verdicts, tables.end());
  const std::vector<Claim> claims = check_claims(Summary({}));
  ASSERT_EQ(verdicts->rows.size(), claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    SCOPED_TRACE(claims[i].id + ": " + verdicts->rows[i][0]);
    const std::string text = "**" + markdown_text(claims[i].text) + "**";
    const std::size_t at = page.find(text);
    ASSERT_NE(at, std::string::npos);
    const std::size_t from = at + text.size();
    const std::string told = page.substr(from, page.find('.', from) - from);
    EXPECT_FALSE(verdicts_in(told).empty());
    EXPECT_EQ(verdicts_in(verdicts->rows[i][2]), verdicts_in(told));
  }
}

// README claims no more than the corrected interval shows.
TEST(StoredStudy, ReadmeQuotesTheResultsPage) {
  const std::string readme = on_one_line(read_file(kRoot / "README.md"));
  const std::string page = on_one_line(read_file(kRoot / "docs/results.md"));
  std::smatch headline;
  ASSERT_TRUE(std::regex_search(
      page, headline,
      std::regex("[|] plug-in minus ifd-peak, (all unseen [^|]*) [|] ([^|]*) [|] [0-9]+ [|] "
                 "(above 0|open|below 0) [|]")));
  EXPECT_THAT(readme, HasSubstr("Over " + headline[1].str() + ","));
  EXPECT_THAT(readme, HasSubstr(headline[2].str()));
  EXPECT_EQ(readme.find("which does not decide it") != std::string::npos,
            headline[3].str() == "open");
  const std::string enough =
      "from 240 answers per expert on, plug-in is within .005 of what it reaches with the largest "
      "context";
  EXPECT_THAT(readme, HasSubstr(enough));
  EXPECT_THAT(page, HasSubstr(enough));
  std::smatch counts;
  ASSERT_TRUE(std::regex_search(page, counts,
                                std::regex("of (\\d+) claims measured, (\\d+) are shown everywhere "
                                           "and (\\d+) contradicted somewhere")));
  EXPECT_THAT(readme, HasSubstr("Of " + counts[1].str() + " claims measured, " + counts[2].str() +
                                " are shown everywhere and " + counts[3].str() +
                                " contradicted somewhere"));
}

// The summary of a whole study is one that can be read. Without intervals, which lengthen no table.
TEST(StoredStudy, ItsSummaryIsShort) {
  RunRecord run;
  run.selected = experiment_names(Runs::kAlways);
  run.results.resize(1);
  for (ResultRow& row :
       rows_from_csv(read_file(kRoot / "experiments/expectations/full.csv"), "full")) {
    if (std::ranges::count(run.selected, row.experiment) > 0) {
      run.results[0].rows.push_back(std::move(row));
    }
  }
  run.jobs.resize(1);
  for (const auto& [name, bytes] : report_files(run, experiment_sections())) {
    if (name != "results.md") continue;
    EXPECT_LT(std::ranges::count(bytes, '\n'), 460);  // a run adds what it was made from
  }
}

}  // namespace
}  // namespace ifd::experiments
