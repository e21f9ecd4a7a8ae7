// The studies whose bands come with the program, held against these bands: nothing is computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/claims/expectations.h"
#include "experiments/report/result_csv.h"
#include "ifd/data/file_bytes.h"

namespace ifd::experiments {
namespace {

TEST(StoredStudy, LiesInItsBands) {
  const std::filesystem::path folder =
      std::filesystem::path(IFD_SOURCE_DIR) / "experiments" / "expectations";
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

}  // namespace
}  // namespace ifd::experiments
