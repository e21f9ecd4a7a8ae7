// What training leaves behind and deciding starts from: a method's name, what is known of its
// making, and its numbers. docs/policy-file.md describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/read_limits.h"

namespace ifd {

class JsonValue;

inline constexpr std::uint32_t kPolicyFileVersion = 1;

struct Tensor {
  std::string name;
  std::vector<std::size_t> shape;  // empty: a single number
  std::vector<float> values;       // the last index runs fastest

  bool operator==(const Tensor&) const = default;
};

// The container knows no method: whoever makes a policy from it checks that the tensors are there
// and fit.
struct PolicyFile {
  std::string method;                // as in "ifd"
  std::string metadata_json = "{}";  // an object
  std::vector<Tensor> tensors;       // names are distinct
  std::string source = "policy";     // where it was read from, for messages; not in the file

  // FNV-1a over the method and the tensors' names and shapes.
  std::uint64_t architecture_hash() const;
  // FNV-1a over everything but the source, 16 hexadecimal digits.
  std::string content_hash() const;
  // The object that `metadata_json` says, within the limits of ifd/data/json_text.h.
  JsonValue metadata() const;
  const Tensor* find(std::string_view name) const;
  // Error(kBadInput) where there is none.
  const Tensor& at(std::string_view name) const;

  // Error(kBadInput) for what a file cannot hold.
  std::string to_bytes() const;
  void write(const std::filesystem::path& path) const;

  // Error: kCorruptFile for bytes that are cut short, changed, or no policy; kBadInput for a newer
  // version. Allocates no more than the bytes can fill.
  static PolicyFile from_bytes(std::string_view bytes, const std::string& source);
  static PolicyFile read(const std::filesystem::path& path, const ReadLimits& limits = {});
};

}  // namespace ifd
