#include "fuzz/described_policy.h"

#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

namespace ifd::fuzz {
namespace {

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
bool add_tensor(std::istringstream line, std::size_t& room, PolicyFile& file) {
  Tensor tensor;
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

}  // namespace

PolicyFile described_policy(const std::string& text, std::size_t most_values) {
  std::istringstream lines(text);
  PolicyFile file;
  std::getline(lines, file.method);
  std::getline(lines, file.metadata_json);
  for (std::string line; std::getline(lines, line);) {
    if (!add_tensor(std::istringstream(line), most_values, file)) break;
  }
  return file;
}

}  // namespace ifd::fuzz
