#include "ifd/policy/policy_document.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"

namespace ifd {

using nlohmann::ordered_json;

std::size_t parameter_count(const PolicyFile& policy) {
  std::size_t count = 0;
  for (const Tensor& tensor : policy.tensors) count += tensor.values.size();
  return count;
}

std::string policy_json(const PolicyFile& policy) {
  ordered_json tensors = ordered_json::array();
  for (const Tensor& tensor : policy.tensors) {
    tensors.push_back({{"name", tensor.name}, {"shape", tensor.shape}});
  }
  return json_text(
             ordered_json{{"schema", "ifd policy 1"},
                          {"method", policy.method},
                          {"architecture_hash", fmt::format("{:016x}", policy.architecture_hash())},
                          {"parameters", parameter_count(policy)},
                          {"metadata", policy.metadata().to_json()},
                          {"tensors", tensors}},
             2) +
         "\n";
}

}  // namespace ifd
