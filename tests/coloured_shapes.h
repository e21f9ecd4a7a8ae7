// Small images whose class a small net learns in seconds: the bright channel tells it.
#pragma once

#include <cstdint>
#include <string>

#include "ifd/data/medmnist.h"
#include "ifd/data/npz.h"
#include "ifd/random/keyed_random.h"

namespace ifd::train {

// `count` images of side x side pixels, three channels, class i mod 3: a bright square somewhere in
// the channel of the class, on noise.
inline ImageSplit coloured_shapes(std::size_t count, std::size_t side, std::string_view split) {
  ImageSplit made{count, side, side, 3, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const Key key = Key(7).with("shapes").with(split).with(i);
    const std::size_t label = i % 3;
    const std::size_t top = key.below(side - 3, 0), left = key.below(side - 3, 1);
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t x = 0; x < side; ++x) {
        const bool inside = y >= top && y < top + 4 && x >= left && x < left + 4;
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t noise = key.with("noise").below(100, (y * side + x) * 3 + c);
          made.pixels.push_back(
              static_cast<std::uint8_t>(noise + (inside && c == label ? 150 : 0)));
        }
      }
    }
    made.labels.push_back(class_id(label));
  }
  return made;
}

// The three splits as a file in MedMNIST layout.
inline std::string coloured_shapes_npz(std::size_t count, std::size_t side) {
  NpzWriter writer;
  for (const char* split : {"train", "val", "test"}) {
    const ImageSplit made = coloured_shapes(count, side, split);
    std::vector<std::uint8_t> labels;
    for (const ClassId label : made.labels) {
      labels.push_back(static_cast<std::uint8_t>(index(label)));
    }
    writer.add(std::string(split) + "_images", {count, side, side, 3},
               std::span<const std::uint8_t>(made.pixels));
    writer.add(std::string(split) + "_labels", {count, 1}, std::span<const std::uint8_t>(labels));
  }
  return std::move(writer).bytes();
}

}  // namespace ifd::train
