#include "ifd/data/case_expert_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Predictions& cases() {
  static const Predictions kCases(Predictions::Parts{
      ClassNames({"cat", "dog"}), {"a", "b"}, {.75F, .25F, .5F, .5F}, {}, {}, 0});
  return kCases;
}

const std::vector<std::string> kExperts = {"ann", "bob"};

std::filesystem::path put(const ScratchDirectory& folder, std::vector<double> values,
                          std::vector<std::size_t> shape, std::vector<std::string> case_names,
                          std::vector<std::string> experts, const char* name = "margins") {
  NpzWriter npz;
  npz.add(name, shape, std::span<const double>(values));
  npz.add("cases", case_names);
  npz.add("experts", experts);
  return folder.put("m.npz", std::move(npz).bytes());
}

// Rows and columns go by their names, and those that nobody asks for are passed over.
TEST(CaseExpertArray, IsOrderedByNames) {
  const ScratchDirectory folder;
  const auto path =
      put(folder, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3}, {"b", "c", "a"}, {"bob", "cleo", "ann"});
  EXPECT_THAT(read_margins(path, cases(), kExperts), ElementsAre(9, 7, 3, 1));
  const auto deep = put(folder, {.1, .2, .3, .4, .5, .6, .7, .8}, {2, 2, 2}, {"b", "a"},
                        {"bob", "ann"}, "accuracies");
  EXPECT_THAT(read_accuracies(deep, cases(), kExperts),
              ElementsAre(.7F, .8F, .5F, .6F, .3F, .4F, .1F, .2F));
}

TEST(CaseExpertArray, RefusesWhatIsMissingOrCannotBe) {
  const ScratchDirectory folder;
  const auto refused = [&](const std::filesystem::path& path) {
    return refusal([&] { read_margins(path, cases(), kExperts); });
  };
  EXPECT_THAT(refused(put(folder, {1, 2}, {1, 2}, {"a"}, {"ann", "bob"})),
              HasSubstr("m.npz: case 'b' is not there; expected every case to be scored"));
  EXPECT_THAT(refused(put(folder, {1, 2}, {2, 1}, {"a", "b"}, {"ann"})),
              HasSubstr("m.npz: expert 'bob' is not there; expected all of the roster"));
  EXPECT_THAT(refused(put(folder, {1, 2, 3, 4}, {4, 1}, {"a", "b"}, {"ann", "bob"})),
              HasSubstr("'margins' has another shape; expected 2 x 2"));
  EXPECT_THAT(refused(put(folder, {1, 2, 3, 4}, {2, 2}, {"a", "a"}, {"ann", "bob"})),
              HasSubstr("case 'a' is there twice"));
  EXPECT_THAT(refused(put(folder, {1, 2, 3, 4}, {2, 2}, {"a", "b"}, {"ann", "ann"})),
              HasSubstr("expert 'ann' is there twice"));
  EXPECT_THAT(refused(put(folder, {1, 2, std::numeric_limits<double>::infinity(), 4}, {2, 2},
                          {"a", "b"}, {"ann", "bob"})),
              HasSubstr("inf is not a margin, for case 'b' and expert 'ann'"));
  EXPECT_THAT(refusal([&] {
                read_accuracies(put(folder, {.5, .5, .5, 2, .5, .5, .5, .5}, {2, 2, 2}, {"a", "b"},
                                    {"ann", "bob"}, "accuracies"),
                                cases(), kExperts);
              }),
              HasSubstr("2 is not an accuracy; expected 0..1"));
}

}  // namespace
}  // namespace ifd
