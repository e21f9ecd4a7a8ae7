#include "ifd/data/medmnist.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "ifd/data/class_names.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/npz.h"
#include "ifd/error.h"

namespace ifd {
namespace {

std::string array_name(Split split, std::string_view what) {
  return fmt::format("{}_{}", split_name(split), what);
}

// The split's sizes as its images have them; no pixels yet.
ImageSplit shape_of(const NpzFile& npz, Split split) {
  const std::string array = array_name(split, "images");
  const NpyHeader header = npz.header(array);
  const auto& shape = header.shape;
  const bool grey = shape.size() == 3;
  const bool colour = shape.size() == 4 && (shape[3] == 1 || shape[3] == 3);
  const bool bytes = header.kind == NpyKind::kUnsigned && header.item_bytes == 1;
  if (!bytes || !(grey || colour) || header.items() == 0) {
    throw bad_input(
        fmt::format("{}: '{}': shape ({}) of {}; expected uint8 images, N x H x W or N x H x W x 3",
                    npz.name(), array, fmt::join(shape, ", "), bytes ? "uint8" : "another type"));
  }
  return {shape[0], shape[1], shape[2], grey ? 1 : shape[3], {}, {}};
}

std::vector<ClassId> labels_of(const NpzFile& npz, Split split, std::size_t count) {
  const std::string name = array_name(split, "labels");
  const std::string place = fmt::format("{}: '{}'", npz.name(), name);
  const NpyHeader header = npz.header(name);
  const auto& shape = header.shape;
  if (shape.size() == 2 && shape[1] > 1) {
    throw bad_input(
        fmt::format("{}: {} labels per case; expected one (a multi-label file?)", place, shape[1]));
  }
  if (shape.empty() || shape.size() > 2 || shape[0] != count || header.items() != count) {
    throw bad_input(
        fmt::format("{}: shape ({}); expected ({}, 1)", place, fmt::join(shape, ", "), count));
  }
  std::vector<ClassId> labels;
  labels.reserve(count);
  for (const std::int64_t label : npz.at(name).as_integers()) {
    if (label < 0 || static_cast<std::size_t>(label) >= kMaxClasses) {
      throw bad_input(fmt::format("{}: row {}: '{}' is not a class; expected 0..{}", place,
                                  labels.size(), label, kMaxClasses - 1));
    }
    labels.push_back(class_id(static_cast<std::size_t>(label)));
  }
  return labels;
}

}  // namespace

std::string_view split_name(Split split) {
  switch (split) {
    case Split::kTrain:
      return "train";
    case Split::kValidation:
      return "val";
    case Split::kTest:
      break;
  }
  return "test";
}

ImageSplit medmnist_from_bytes(std::string bytes, const std::string& name, Split split,
                               const ReadLimits& limits) {
  const NpzFile npz = NpzFile::from_bytes(std::move(bytes), name, limits);
  ImageSplit images = shape_of(npz, split);
  images.labels = labels_of(npz, split, images.count);
  images.pixels = npz.at(array_name(split, "images")).as_bytes();
  return images;
}

ImageSplit read_medmnist(const std::filesystem::path& path, Split split, const ReadLimits& limits) {
  FileContents contents = read_contents(path, limits);
  return medmnist_from_bytes(std::move(contents.bytes), source_name(path), split, contents.limits);
}

MedmnistSummary medmnist_summary_from_bytes(std::string bytes, const std::string& name,
                                            const ReadLimits& limits) {
  const NpzFile npz = NpzFile::from_bytes(std::move(bytes), name, limits);
  MedmnistSummary summary;
  for (const Split split : {Split::kTrain, Split::kValidation, Split::kTest}) {
    if (!npz.contains(array_name(split, "images"))) continue;
    const ImageSplit shape = shape_of(npz, split);
    MedmnistSummary::SplitSummary& part = summary.splits.emplace_back();
    part = {split, shape.count, shape.height, shape.width, shape.channels, {}};
    for (const ClassId label : labels_of(npz, split, shape.count)) {
      if (index(label) >= part.class_counts.size()) part.class_counts.resize(index(label) + 1);
      ++part.class_counts[index(label)];
    }
    summary.classes = std::max(summary.classes, part.class_counts.size());
  }
  if (summary.splits.empty()) {
    throw bad_input(name + ": neither train_images, val_images nor test_images; expected one");
  }
  for (auto& part : summary.splits) part.class_counts.resize(summary.classes);
  return summary;
}

MedmnistSummary summarize_medmnist(const std::filesystem::path& path, const ReadLimits& limits) {
  FileContents contents = read_contents(path, limits);
  return medmnist_summary_from_bytes(std::move(contents.bytes), source_name(path), contents.limits);
}

}  // namespace ifd
