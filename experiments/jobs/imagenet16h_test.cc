#include "experiments/jobs/imagenet16h.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "experiments/jobs/combined.h"
#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "tests/invented_people.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

std::vector<ResultRow> rows_of_jobs(const RealAnnotators& people, const Effort& effort,
                                    const std::string& size, const std::set<std::string>& methods) {
  const ScratchDirectory scratch;
  Workshop workshop(scratch / "cache", "code");
  std::vector<ResultRow> rows;
  std::size_t found = 0;
  for (const Job& job : imagenet16h_jobs(people, effort)) {
    for (const std::string& method : methods) {
      if (job.name != "imagenet16h/" + size + "/" + method + "/cohort-0") continue;
      ++found;
      for (ResultRow& row : job.run(workshop).rows) rows.push_back(std::move(row));
    }
  }
  EXPECT_EQ(found, methods.size());
  return rows;
}

Effort one_epoch(Protocol protocol) {
  Effort effort = quick_effort();
  effort.cohorts = 1;
  effort.epochs = 1;
  effort.protocol = protocol;
  return effort;
}

// A comparison of methods is one under the same classifier: whatever was trained or not, the model
// alone is equally often right for everybody, and only offsets change how often.
TEST(ImageNet16H, AllMethodsShareTheModelOfEachClassifier) {
  const RealAnnotators people = invented_people();
  const auto rows = rows_of_jobs(people, one_epoch(Protocol::kPopulation), "two",
                                 {"ifd-peak", "pop-qi", "multi-expert", "untrained"});
  std::map<std::pair<GroupName, Setting>, std::set<double>> alone;
  std::map<std::pair<GroupName, Setting>, std::set<MethodName>> methods;
  for (const ResultRow& row : rows) {
    if (row.measure != kModelAlone || row.setting.text().starts_with("low=")) continue;
    alone[{row.group, row.setting}].insert(row.value);
    methods[{row.group, row.setting}].insert(row.method);
  }
  std::size_t changed = 0;
  for (const GroupName& group : {kSeen, kId, kOod}) {
    for (const int noise : {95, 110, 125}) {
      SCOPED_TRACE(group.text() + " " + at_noise(noise).text());
      const auto of = [&](GivenClassifier given) {
        return alone.at({group, at_noise(noise, given)});
      };
      for (const GivenClassifier given :
           {GivenClassifier::kRaw, GivenClassifier::kTemperature, GivenClassifier::kBias}) {
        EXPECT_EQ(of(given).size(), 1u);
        // Six that are not trained, ifd-peak, pop-qi, and for its own experts multi-expert.
        EXPECT_EQ((methods.at({group, at_noise(noise, given)}).size()), group == kOod ? 8u : 9u);
      }
      EXPECT_EQ(of(GivenClassifier::kTemperature), of(GivenClassifier::kRaw));
      changed += of(GivenClassifier::kBias) != of(GivenClassifier::kRaw) ? 1 : 0;
      if (group != kSeen) {
        EXPECT_EQ(of(GivenClassifier::kBiasForAnswers), of(GivenClassifier::kBias));
      }
    }
  }
  EXPECT_GT(changed, 0u);
}

// A method that knows nobody but the experts of its training is measured on these, and on who takes
// their seats.
TEST(ImageNet16H, GroupsFollowTheProtocol) {
  const RealAnnotators people = invented_people();
  const auto groups = [&](Protocol protocol, const std::string& size) {
    std::set<GroupName> found;
    for (const ResultRow& row : rows_of_jobs(people, one_epoch(protocol), size, {"multi-expert"})) {
      found.insert(row.group);
    }
    return found;
  };
  EXPECT_EQ(groups(Protocol::kPaper, "two"), (std::set{kId}));
  EXPECT_EQ(groups(Protocol::kPopulation, "two"), (std::set{kSeen, kId}));
  EXPECT_EQ(groups(Protocol::kPopulation, "four"), (std::set{kSeen}));
}

// Both experiments give plug-in the same people, contexts and classifiers.
TEST(ImageNet16H, CombinedAnswersAreOnTheSamePeople) {
  const RealAnnotators people = invented_people();
  const Effort effort = one_epoch(Protocol::kPopulation);
  const ScratchDirectory scratch;
  Workshop workshop(scratch / "cache", "code");
  std::map<std::tuple<GroupName, Setting>, double> areas;
  for (const ResultRow& row : rows_of_jobs(people, effort, "two", {"untrained"})) {
    if (row.method == kPlugIn && row.measure == kAursac && row.scale == kProbability) {
      areas[{row.group, row.setting}] = row.value;
    }
  }
  std::size_t compared = 0;
  for (const ResultRow& row : combined_people_jobs(people, effort).front().run(workshop).rows) {
    if (row.method != kPlugIn || row.measure != kAursac || row.x == 80) continue;
    const auto given = row.setting == kRaw ? GivenClassifier::kRaw : GivenClassifier::kTemperature;
    EXPECT_EQ(row.value, (areas.at({row.group, at_noise(static_cast<int>(row.x), given)})));
    ++compared;
  }
  EXPECT_EQ(compared, 2u * 3 * 2);
}

}  // namespace
}  // namespace ifd::experiments
