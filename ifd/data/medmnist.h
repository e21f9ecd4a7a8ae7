// The layout of MedMNIST's .npz files: `train_images` (N x H x W or N x H x W x 3, uint8),
// `train_labels` (N or N x 1), and the same for `val_` and `test_`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/read_limits.h"
#include "ifd/ids.h"

namespace ifd {

enum class Split { kTrain, kValidation, kTest };

// What the file calls it: "train", "val" or "test".
std::string_view split_name(Split split);

struct ImageSplit {
  std::size_t count = 0;
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;          // 1 or 3
  std::vector<std::uint8_t> pixels;  // count x height x width x channels
  std::vector<ClassId> labels;       // count
};

// One label per case: files with several (ChestMNIST) are Error(kBadInput), as are volumes.
ImageSplit read_medmnist(const std::filesystem::path& path, Split split,
                         const ReadLimits& limits = {});
ImageSplit medmnist_from_bytes(std::string bytes, const std::string& name, Split split,
                               const ReadLimits& limits = {});

struct MedmnistSummary {
  struct SplitSummary {
    Split split = Split::kTrain;
    std::size_t count = 0;
    std::size_t height = 0;
    std::size_t width = 0;
    std::size_t channels = 0;
    std::vector<std::size_t> class_counts;  // as many as there are classes
  };
  std::size_t classes = 0;           // the largest label of any split, and one
  std::vector<SplitSummary> splits;  // those that are there, at least one
};

// Reads the labels, but of the images only what shape they have.
MedmnistSummary summarize_medmnist(const std::filesystem::path& path,
                                   const ReadLimits& limits = {});
MedmnistSummary medmnist_summary_from_bytes(std::string bytes, const std::string& name,
                                            const ReadLimits& limits = {});

}  // namespace ifd
