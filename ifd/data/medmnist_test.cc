#include "ifd/data/medmnist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "ifd/data/npz.h"
#include "tests/real_data.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;
using Bytes = std::span<const std::uint8_t>;

std::string archive(const std::vector<std::size_t>& image_shape,
                    const std::vector<std::size_t>& label_shape,
                    const std::vector<std::uint8_t>& labels) {
  const std::size_t pixels =
      std::accumulate(image_shape.begin(), image_shape.end(), std::size_t{1}, std::multiplies<>());
  std::vector<std::uint8_t> images(pixels);
  std::iota(images.begin(), images.end(), std::uint8_t{0});
  NpzWriter writer(NpzPacking::kDeflated);
  writer.add("val_images", image_shape, Bytes(images));
  writer.add("val_labels", label_shape, Bytes(labels));
  return std::move(writer).bytes();
}

ImageSplit validation(const std::string& bytes) {
  return medmnist_from_bytes(bytes, "x.npz", Split::kValidation);
}

TEST(Medmnist, ReadsGreyAndColour) {
  const ImageSplit grey = validation(archive({2, 2, 3}, {2, 1}, {4, 0}));
  EXPECT_EQ(grey.count, 2u);
  EXPECT_EQ(grey.height, 2u);
  EXPECT_EQ(grey.width, 3u);
  EXPECT_EQ(grey.channels, 1u);
  EXPECT_THAT(grey.pixels, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_THAT(grey.labels, ElementsAre(ClassId{4}, ClassId{0}));
  const ImageSplit colour = validation(archive({2, 1, 2, 3}, {2}, {1, 2}));
  EXPECT_EQ(colour.channels, 3u);
  EXPECT_EQ(colour.pixels.size(), 12u);
}

TEST(Medmnist, SummaryCountsClasses) {
  const MedmnistSummary summary =
      medmnist_summary_from_bytes(archive({3, 2, 2, 3}, {3, 1}, {2, 0, 2}), "x.npz");
  EXPECT_EQ(summary.classes, 3u);
  ASSERT_EQ(summary.splits.size(), 1u);
  EXPECT_EQ(summary.splits[0].split, Split::kValidation);
  EXPECT_EQ(summary.splits[0].count, 3u);
  EXPECT_EQ(summary.splits[0].channels, 3u);
  EXPECT_THAT(summary.splits[0].class_counts, ElementsAre(1, 0, 2));
}

TEST(Medmnist, SaysWhatIsWrong) {
  const auto message = [](const std::string& bytes) { return refusal([&] { validation(bytes); }); };
  EXPECT_EQ(message(archive({2, 2, 2}, {2, 14}, std::vector<std::uint8_t>(28))),
            "x.npz: 'val_labels': 14 labels per case; expected one (a multi-label file?)");
  EXPECT_EQ(message(archive({2, 2, 2}, {3, 1}, {0, 1, 2})),
            "x.npz: 'val_labels': shape (3, 1); expected (2, 1)");
  EXPECT_EQ(
      message(archive({2, 4, 4, 4}, {2, 1}, {0, 1})),
      "x.npz: 'val_images': shape (2, 4, 4, 4) of uint8; expected uint8 images, N x H x W or N "
      "x H x W x 3");
  EXPECT_EQ(
      message(archive({0, 4, 4}, {0, 1}, {})),
      "x.npz: 'val_images': shape (0, 4, 4) of uint8; expected uint8 images, N x H x W or N x "
      "H x W x 3");
  EXPECT_EQ(refusal([] {
              medmnist_from_bytes(archive({2, 2, 2}, {2, 1}, {0, 1}), "x.npz", Split::kTest);
            }),
            "x.npz: no array 'test_images'; found val_images, val_labels");
  NpzWriter other;
  other.add("a", {1}, Bytes(std::vector<std::uint8_t>{1}));
  const std::string bytes = std::move(other).bytes();
  EXPECT_EQ(refusal([&] { medmnist_summary_from_bytes(bytes, "x.npz"); }),
            "x.npz: neither train_images, val_images nor test_images; expected one");
}

struct RealFile {
  const char* name;
  std::size_t classes;
  std::vector<std::size_t> counts;
};

// The sizes that the data's description gives.
TEST(Medmnist, ReadsTheRealFiles) {
  for (const RealFile& real : {RealFile{"bloodcells_28.npz", 8, {11953, 1707, 3415}},
                               RealFile{"ham10000_28.npz", 7, {7000, 1000, 2013}}}) {
    const auto path = real_data(real.name);
    if (!path) GTEST_SKIP() << real.name << " is not in IFD_DATA or ../shared/data";
    const MedmnistSummary summary = summarize_medmnist(*path);
    EXPECT_EQ(summary.classes, real.classes);
    ASSERT_EQ(summary.splits.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& part = summary.splits[i];
      EXPECT_EQ(part.count, real.counts[i]);
      EXPECT_EQ(std::accumulate(part.class_counts.begin(), part.class_counts.end(), 0u),
                real.counts[i]);
      EXPECT_EQ(*std::min_element(part.class_counts.begin(), part.class_counts.end()) > 0, true);
      const ImageSplit images = read_medmnist(*path, part.split);
      EXPECT_EQ(images.pixels.size(), real.counts[i] * 28 * 28 * 3);
      EXPECT_EQ(images.labels.size(), real.counts[i]);
    }
  }
}

}  // namespace
}  // namespace ifd
