// Any bytes as a published list of sleep stages, and as nights made of several.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/one_way.h"
#include "ifd/data/dodh.h"
#include "ifd/error.h"

namespace {

// Lists are separated by ';': the first is a scorer's, the others are networks'.
ifd::ScoredRecording recording_of(std::string_view bytes) {
  ifd::ScoredRecording recording{"night", {}, {}};
  for (;;) {
    const std::size_t end = bytes.find(';');
    ifd::Hypnogram list = ifd::hypnogram_from_bytes(bytes.substr(0, end), "night.json");
    (recording.scorers.empty() ? recording.scorers : recording.networks).push_back(std::move(list));
    if (end == std::string_view::npos) return recording;
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace

// What is read has an answer of the scorer for every case, and no more cases than either saw.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const ifd::ScoredRecording recording = recording_of(bytes);
    if (ifd::fuzz::one_way(bytes, 4) != 0) return 0;
    const ifd::ScoredSleep sleep = ifd::scored_sleep({"ann"}, {recording});
    if (sleep.answers.cases() != sleep.predictions.size()) __builtin_trap();
    if (sleep.predictions.size() > recording.scorers.front().size()) __builtin_trap();
    if (sleep.predictions.size() > recording.networks.front().size()) __builtin_trap();
  } catch (const ifd::Error&) {
  }
  return 0;
}
