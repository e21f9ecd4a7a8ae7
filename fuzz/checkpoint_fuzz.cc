// Any text as the metadata of a checkpoint of a training: what is read is written and read back as
// it was, or it is refused. The bytes around it are those of a policy file (policy_file_fuzz.cc).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ifd/error.h"
#include "train/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string settings = R"({"method":"ifd","seed":7,"data":{"hash":"0123"}})";
  ifd::PolicyFile file;
  file.method = size % 64 == 0 ? "ifd" : ifd::train::kCheckpointMethod;
  file.metadata_json.assign(reinterpret_cast<const char*>(data), size);
  file.tensors = {{"now/weight", {2}, {.5F, .25F}}};
  try {
    const auto read = ifd::train::checkpoint_from(file, settings);
    const auto again =
        ifd::train::checkpoint_from(ifd::train::checkpoint_file(read, settings), settings);
    if (!(again == read)) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
