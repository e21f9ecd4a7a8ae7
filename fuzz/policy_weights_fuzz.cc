// A policy file told in text, so that a fuzzer changes the method, the metadata and the shapes of
// the weights instead of the bytes around them: the method's name, a line of metadata, and a line
// for each tensor with its name, extents and maybe values after a "=", which are repeated:
//
//     multi-expert
//     {"classes": ["x", "y"], "experts": ["ann", "bob"]}
//     feature_mean 2 = 0.5
//     head.weight 4 2
//
// The policy decides or is refused; it is written and read back as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#include "fuzz/policy_use.h"
#include "ifd/error.h"

namespace {

constexpr std::size_t kMostValues = 1 << 14;  // of all tensors

// Small numbers of both signs where none are given.
std::vector<float> values_of(std::istringstream& line, std::size_t count) {
  std::vector<float> given;
  for (std::string number; line >> number;) given.push_back(std::strtof(number.c_str(), nullptr));
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] =
        given.empty() ? static_cast<float>(i * 7 % 13) / 16 - .375F : given[i % given.size()];
  }
  return values;
}

// Whether the tensor fits beside those that are there.
bool add_tensor(std::istringstream line, std::size_t& room, ifd::PolicyFile& file) {
  ifd::Tensor tensor;
  line >> tensor.name;
  std::size_t count = 1;
  for (std::string word; line >> word && word != "=";) {
    const std::size_t extent = std::strtoull(word.c_str(), nullptr, 10);
    if (extent > room || (count *= extent) > room) return false;
    tensor.shape.push_back(extent);
  }
  room -= count;
  tensor.values = values_of(line, count);
  file.tensors.push_back(std::move(tensor));
  return true;
}

ifd::PolicyFile described(const std::string& text) {
  std::istringstream lines(text);
  ifd::PolicyFile file;
  std::getline(lines, file.method);
  std::getline(lines, file.metadata_json);
  std::size_t room = kMostValues;
  for (std::string line; std::getline(lines, line);) {
    if (!add_tensor(std::istringstream(line), room, file)) break;
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ifd::PolicyFile file = described(std::string(reinterpret_cast<const char*>(data), size));
    const std::string bytes = file.to_bytes();
    const auto read = ifd::PolicyFile::from_bytes(bytes, "fuzz");
    if (read.to_bytes() != bytes || read.method != file.method) std::abort();
    ifd::fuzz::use_policy(read);
  } catch (const ifd::Error&) {
  }
  return 0;
}
