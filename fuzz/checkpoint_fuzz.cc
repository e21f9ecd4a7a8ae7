// A checkpoint of a training, told in text (described_policy.h): what is read is written and read
// back as it was, or it is refused. The bytes around it are those of a policy file
// (policy_file_fuzz.cc).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/described_policy.h"
#include "fuzz/one_way.h"
#include "ifd/error.h"
#include "train/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ifd;
  static const std::string settings = R"({"method":"ifd","seed":7,"data":{"hash":"0123"}})";
  train::Schedule schedule;
  schedule.epochs = 4;
  schedule.batch = 8;
  try {
    const PolicyFile file =
        fuzz::described_policy(std::string(reinterpret_cast<const char*>(data), size));
    if (fuzz::one_way(file.metadata_json, 4) == 0) train::changed_length(file, settings);
    const auto read = train::checkpoint_from(file, settings);
    const auto again = train::checkpoint_from(train::checkpoint_file(read, settings), settings);
    if (!(again == read)) std::abort();
    train::check_progress(read, schedule, 44);
  } catch (const Error&) {
  }
  return 0;
}
