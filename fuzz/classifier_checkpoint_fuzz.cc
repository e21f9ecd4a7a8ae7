// A classifier's checkpoint, or what is kept of a fold, told in text: what is read is written and
// read back as it was, or it is refused. The bytes around it are those of a safetensors file
// (safetensors_fuzz.cc); here the checksum is always right.
//
// A line each: the format, the settings, the epochs; then the tensors (described_policy.h).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "fuzz/described_policy.h"
#include "fuzz/one_way.h"
#include "ifd/data/safetensors.h"
#include "ifd/data/text_encoding.h"
#include "ifd/error.h"
#include "train/classifier_progress.h"
#include "train/fold_file.h"

namespace {

using namespace ifd;

const std::string kSettings = R"({"epochs":4,"seed":7})";
constexpr std::size_t kEpochs = 4, kCases = 3, kClasses = 2;

SafetensorsFile described_file(const std::string& text) {
  std::istringstream lines(utf8_text(text, "text"));  // a writer takes nothing else
  SafetensorsWriter writer;
  for (const char* key : {"format", "settings", "epochs"}) {
    std::string line;
    std::getline(lines, line);
    writer.set_metadata(key, line);
  }
  const std::string tensors((std::istreambuf_iterator<char>(lines)), {});
  std::set<std::string> names = {"__metadata__"};
  for (const auto& tensor : fuzz::described_policy("\n\n" + tensors, 64).tensors) {
    if (!names.insert(tensor.name).second) continue;
    writer.add(tensor.name, tensor.shape, std::span<const float>(tensor.values));
  }
  writer.add_checksum();
  return SafetensorsFile::from_bytes(std::move(writer).bytes(), "x");
}

bool same(const train::ClassifierEpoch& a, const train::ClassifierEpoch& b) {
  return a.epoch == b.epoch && a.loss == b.loss && a.accuracy == b.accuracy &&
         a.log_loss == b.log_loss && a.best == b.best;
}

void read_checkpoint(const SafetensorsFile& file) {
  const auto read = train::classifier_progress(file, kSettings, kEpochs);
  SafetensorsWriter writer;
  train::add_progress(writer, read, kSettings);
  writer.add_checksum();
  const auto again = train::classifier_progress(
      SafetensorsFile::from_bytes(std::move(writer).bytes(), "again"), kSettings, kEpochs);
  if (read.epochs().empty() || read.epochs().size() >= kEpochs) std::abort();
  if (again.epochs().size() != read.epochs().size()) std::abort();
  for (std::size_t i = 0; i < read.epochs().size(); ++i) {
    if (!same(again.epochs()[i], read.epochs()[i])) std::abort();
    if (read.epochs()[i].accuracy > read.best().accuracy) std::abort();
  }
}

void read_fold(const SafetensorsFile& file) {
  const auto read = train::fold_probabilities(file, kSettings, kCases, kClasses);
  if (read.size() != kCases * kClasses) std::abort();
  const auto again = train::fold_probabilities(
      SafetensorsFile::from_bytes(train::fold_file(kSettings, kCases, read).bytes(), "again"),
      kSettings, kCases, kClasses);
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!(again[i] == read[i] || (again[i] != again[i] && read[i] != read[i]))) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const SafetensorsFile file = described_file(text);
    // As what it says that it is, and now and then as the other.
    const bool fold = text.starts_with("ifd-out-of-fold") != (fuzz::one_way(text, 16) == 0);
    (fold ? read_fold : read_checkpoint)(file);
  } catch (const Error&) {
  }
  return 0;
}
