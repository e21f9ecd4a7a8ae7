// The studies whose bands come with the program, held against these bands: nothing is computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "experiments/claims/expectations.h"
#include "experiments/claims/named_cells.h"
#include "ifd/data/file_bytes.h"
#include "ifd/report/html_text.h"
#include "tests/written_results.h"

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

// Both were written by one run.
TEST(StoredStudy, IsThatOfTheResultsPage) {
  const std::string page = read_file(kRoot / "docs/results.md");
  const Summary means(
      rows_from_csv(read_file(kRoot / "experiments/expectations/full.csv"), "full"));
  std::size_t found = 0;
  for (const DataName& data : table1_data(means)) {
    for (const MethodName& method : {kIfdPeak, kIfdResidual, kPlugIn, kPopQi, kPopQc}) {
      const auto mean = means.mean(area(data, kVariable, kId, method));
      ASSERT_TRUE(mean) << data.text() << ", " << method.text();
      EXPECT_THAT(page, HasSubstr("| " + method.text() + " | " + fixed(mean->value, 3) + " ± "));
      ++found;
    }
  }
  EXPECT_EQ(found, 10U);
}

TEST(StoredStudy, ReadmeQuotesTheResultsPage) {
  const std::string readme = on_one_line(read_file(kRoot / "README.md"));
  const std::string page = on_one_line(read_file(kRoot / "docs/results.md"));
  for (const std::string claim :
       {"+0.009 (+0.006 to +0.013), ahead in 10 of 10 cohorts",
        "from 240 answers per expert on, "
        "plug-in is within .005 of what it reaches with the largest context"}) {
    EXPECT_THAT(readme, HasSubstr(claim));
    EXPECT_THAT(page, HasSubstr(claim));
  }
  std::smatch counts;
  ASSERT_TRUE(std::regex_search(page, counts,
                                std::regex("of (\\d+) claims measured, (\\d+) are shown everywhere "
                                           "and (\\d+) contradicted somewhere")));
  EXPECT_THAT(readme, HasSubstr("Of " + counts[1].str() + " claims measured, " + counts[2].str() +
                                " are shown everywhere and " + counts[3].str() +
                                " contradicted somewhere"));
}

}  // namespace
}  // namespace ifd::experiments
