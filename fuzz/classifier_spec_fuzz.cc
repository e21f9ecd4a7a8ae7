// The file of a classifier, told in text (described_tensors.h): what its metadata say is written
// and read back as it was, or it is refused.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/described_tensors.h"
#include "ifd/error.h"
#include "train/classifier_spec.h"

namespace {

using ifd::SafetensorsFile;
using ifd::train::ClassifierSpec;

// The spec in a file of its own, with a tensor as large as the largest there was.
SafetensorsFile written(const ClassifierSpec& spec, const SafetensorsFile& file) {
  std::size_t largest = 0;
  for (const std::string& name : file.names()) largest = std::max(largest, file.at(name).items);
  ifd::SafetensorsWriter writer;
  ifd::train::set_metadata(writer, spec);
  writer.add("weight", {largest}, std::vector<float>(largest));
  return SafetensorsFile::from_bytes(std::move(writer).bytes(), "copy.safetensors");
}

bool same(const ClassifierSpec& a, const ClassifierSpec& b) {
  return a.classes.names() == b.classes.names() && a.shape.kind == b.shape.kind &&
         a.shape.stem == b.shape.stem && a.shape.inputs == b.shape.inputs &&
         a.shape.classes == b.shape.classes && a.height == b.height && a.width == b.width &&
         a.normalisation.mean == b.normalisation.mean &&
         a.normalisation.scale == b.normalisation.scale;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto file = SafetensorsFile::from_bytes(
        ifd::fuzz::described_tensors({reinterpret_cast<const char*>(data), size}), "c.safetensors");
    const ClassifierSpec spec = ifd::train::classifier_spec(file);
    if (!same(ifd::train::classifier_spec(written(spec, file)), spec)) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
