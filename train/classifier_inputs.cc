#include "train/classifier_inputs.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ifd/error.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

// What happens to one image: turned over, flipped, then moved by (down, right) pixels.
struct Move {
  bool transpose = false;
  bool flip_rows = false;
  bool flip_columns = false;
  std::int64_t down = 0;
  std::int64_t right = 0;
};

Move draw_move(const Augmentation& augmentation, const Key& key, std::int64_t height,
               std::int64_t width) {
  Move move;
  const std::uint64_t bits = key.with("symmetry").bits();
  if (augmentation.symmetry != Symmetry::kNone) move.flip_columns = (bits & 1U) != 0;
  if (augmentation.symmetry == Symmetry::kDihedral) {
    move.flip_rows = (bits & 2U) != 0;
    move.transpose = (bits & 4U) != 0 && height == width;
  }
  const auto shift = [&](std::int64_t extent, std::uint64_t draw) -> std::int64_t {
    const std::size_t most = std::min(augmentation.shift, static_cast<std::size_t>(extent) - 1);
    return static_cast<std::int64_t>(key.with("shift").below(2 * most + 1, draw)) -
           static_cast<std::int64_t>(most);
  };
  move.down = shift(height, 0);
  move.right = shift(width, 1);
  return move;
}

// Mirrored at the border; the border row itself is not repeated.
std::int64_t mirrored(std::int64_t i, std::int64_t extent) {
  if (i < 0) return -i;
  return i < extent ? i : 2 * extent - 2 - i;
}

template <typename MoveOf>
torch::Tensor image_batch(const ClassifierInputs& inputs, const Normalisation& normalisation,
                          const torch::Tensor& rows, const MoveOf& move_of) {
  const std::int64_t height = inputs.values.size(1);
  const std::int64_t width = inputs.values.size(2);
  const std::int64_t channels = inputs.values.size(3);
  std::vector<std::array<float, 256>> value_of(static_cast<std::size_t>(channels));
  for (std::size_t c = 0; c < value_of.size(); ++c) {
    for (std::size_t p = 0; p < 256; ++p) {
      value_of[c][p] =
          (static_cast<float>(p) / 255 - normalisation.mean[c]) / normalisation.scale[c];
    }
  }
  const auto batch = torch::empty({rows.numel(), height, width, channels}, torch::kFloat32);
  const auto* pixels = inputs.values.data_ptr<std::uint8_t>();
  const auto* row = rows.data_ptr<std::int64_t>();
  float* made = batch.data_ptr<float>();
  const std::int64_t size = height * width * channels;
  at::parallel_for(0, rows.numel(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Move move = move_of(static_cast<std::size_t>(row[i]));
      const std::uint8_t* image = pixels + row[i] * size;
      float* out = made + i * size;
      for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
          std::int64_t from_y = mirrored(y + move.down, height);
          std::int64_t from_x = mirrored(x + move.right, width);
          if (move.flip_rows) from_y = height - 1 - from_y;
          if (move.flip_columns) from_x = width - 1 - from_x;
          if (move.transpose) std::swap(from_y, from_x);
          const std::uint8_t* pixel = image + (from_y * width + from_x) * channels;
          for (std::int64_t c = 0; c < channels; ++c) {
            *out++ = value_of[static_cast<std::size_t>(c)][pixel[c]];
          }
        }
      }
    }
  });
  return batch.permute({0, 3, 1, 2});
}

torch::Tensor vector_batch(const ClassifierInputs& inputs, const Normalisation& normalisation,
                           const torch::Tensor& rows) {
  const std::int64_t width = inputs.channels();
  return (inputs.values.index_select(0, rows) - tensor_of(normalisation.mean, {width})) /
         tensor_of(normalisation.scale, {width});
}

}  // namespace

ClassifierInputs inputs_of(const ImageSplit& images, Split split) {
  const auto n = static_cast<std::int64_t>(images.count);
  ClassifierInputs inputs{torch::empty({n, static_cast<std::int64_t>(images.height),
                                        static_cast<std::int64_t>(images.width),
                                        static_cast<std::int64_t>(images.channels)},
                                       torch::kUInt8),
                          torch::empty({n}, torch::kInt64),
                          {}};
  std::copy(images.pixels.begin(), images.pixels.end(), inputs.values.data_ptr<std::uint8_t>());
  for (std::size_t i = 0; i < images.count; ++i) {
    inputs.labels.data_ptr<std::int64_t>()[i] = static_cast<std::int64_t>(index(images.labels[i]));
    inputs.cases.push_back(fmt::format("{}-{}", split_name(split), i));
  }
  return inputs;
}

ClassifierInputs inputs_of(const Predictions& predictions) {
  return {tensor_of(predictions.all_features(),
                    {static_cast<std::int64_t>(predictions.size()),
                     static_cast<std::int64_t>(predictions.feature_width())}),
          predictions.has_labels() ? labels_of(predictions) : torch::Tensor(),
          predictions.case_names()};
}

ClassifierInputs subset_of(const ClassifierInputs& inputs, std::span<const std::int64_t> rows) {
  const auto chosen =
      torch::tensor(at::ArrayRef<std::int64_t>(rows.data(), rows.size()), torch::kInt64);
  ClassifierInputs some{
      inputs.values.index_select(0, chosen), inputs.labels.index_select(0, chosen), {}};
  for (const std::int64_t row : rows) {
    some.cases.push_back(inputs.cases[static_cast<std::size_t>(row)]);
  }
  return some;
}

Normalisation normalisation_of(const ClassifierInputs& inputs) {
  Normalisation made;
  const std::int64_t channels = inputs.channels();
  for (std::int64_t c = 0; c < channels; ++c) {
    auto values = inputs.values.select(inputs.values.dim() - 1, c).to(torch::kFloat64);
    if (inputs.are_images()) values = values / 255;
    const double scale = values.std(/*unbiased=*/false).item<double>();
    made.mean.push_back(static_cast<float>(values.mean().item<double>()));
    made.scale.push_back(scale > 0 ? static_cast<float>(scale) : 1.F);
  }
  return made;
}

torch::Tensor batch_of(const ClassifierInputs& inputs, const Normalisation& normalisation,
                       const torch::Tensor& rows) {
  if (!inputs.are_images()) return vector_batch(inputs, normalisation, rows);
  return image_batch(inputs, normalisation, rows, [](std::size_t) { return Move(); });
}

torch::Tensor augmented_batch_of(const ClassifierInputs& inputs, const Normalisation& normalisation,
                                 const torch::Tensor& rows, const Augmentation& augmentation,
                                 const Key& key) {
  if (!inputs.are_images()) return vector_batch(inputs, normalisation, rows);
  const std::int64_t height = inputs.values.size(1);
  const std::int64_t width = inputs.values.size(2);
  return image_batch(inputs, normalisation, rows, [&](std::size_t row) {
    return draw_move(augmentation, key.with(inputs.cases[row]), height, width);
  });
}

}  // namespace ifd::train
