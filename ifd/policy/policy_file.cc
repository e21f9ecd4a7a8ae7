#include "ifd/policy/policy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "ifd/data/binary_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/json_text.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/fnv_hash.h"

namespace ifd {
namespace {

constexpr BinaryFormat kFormat{"IFDPOLI1", kPolicyFileVersion, "policy file"};
constexpr std::uint32_t kFloat32 = 1;
constexpr std::size_t kAlignment = 64;

constexpr std::size_t kMaxMethod = 64;
constexpr std::size_t kMaxMetadata = JsonLimits{}.bytes;
constexpr std::size_t kMaxTensors = 4096;
constexpr std::size_t kMaxName = 256;
constexpr std::size_t kMaxRank = 8;

Tensor read_tensor(BinaryReader& reader) {
  Tensor tensor;
  tensor.name = reader.text(kMaxName, "bytes of a tensor's name");
  if (tensor.name.empty()) reader.refuse("a tensor has no name");
  if (const auto type = reader.number<std::uint32_t>(); type != kFloat32) {
    reader.refuse(
        fmt::format("tensor '{}' has type {}; expected {}, float", tensor.name, type, kFloat32));
  }
  const std::size_t rank = reader.count(kMaxRank, "dimensions of a tensor");
  std::size_t values = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto extent = reader.number<std::uint64_t>();
    // Divided, not multiplied: nothing overflows and nothing is allocated that cannot be filled.
    if (extent == 0 || extent > reader.left() / sizeof(float) / values) {
      reader.refuse(fmt::format("tensor '{}' does not fit the file", tensor.name));
    }
    tensor.shape.push_back(extent);
    values *= extent;
  }
  reader.align(kAlignment);
  if (values > reader.left() / sizeof(float)) {
    reader.refuse(fmt::format("tensor '{}' does not fit the file", tensor.name));
  }
  tensor.values.reserve(values);
  for (std::size_t i = 0; i < values; ++i) {
    tensor.values.push_back(std::bit_cast<float>(reader.number<std::uint32_t>()));
  }
  return tensor;
}

void check_writable(const PolicyFile& file) {
  const auto refuse = [&](const std::string& what) {
    throw bad_input(fmt::format("{}: {}", file.source, what));
  };
  if (file.method.empty() || file.method.size() > kMaxMethod) {
    refuse(fmt::format("the method's name has {} bytes; expected 1..{}", file.method.size(),
                       kMaxMethod));
  }
  if (!file.metadata().is_object()) refuse("the metadata is not a JSON object");
  if (file.tensors.size() > kMaxTensors) {
    refuse(fmt::format("{} tensors; expected at most {}", file.tensors.size(), kMaxTensors));
  }
  if (first_invalid_utf8(file.method) < file.method.size()) {
    refuse(
        fmt::format("the method's name '{}' is not UTF-8; expected UTF-8", excerpt(file.method)));
  }
  std::set<std::string_view> names;
  for (const Tensor& tensor : file.tensors) {
    std::size_t values = 1;
    for (const std::size_t extent : tensor.shape) values *= extent;
    if (tensor.name.empty() || tensor.name.size() > kMaxName || !names.insert(tensor.name).second ||
        first_invalid_utf8(tensor.name) < tensor.name.size() || tensor.shape.size() > kMaxRank ||
        values == 0 || values != tensor.values.size()) {
      refuse(fmt::format(
          "tensor '{}' cannot be written; expected a name of its own and as many values as its "
          "shape says",
          excerpt(tensor.name)));
    }
  }
}

}  // namespace

std::uint64_t PolicyFile::architecture_hash() const {
  FnvHash hash;
  hash.add(method);
  for (const Tensor& tensor : tensors) {
    hash.add(tensor.name);
    hash.add(std::uint64_t{tensor.shape.size()});
    for (const std::size_t extent : tensor.shape) hash.add(std::uint64_t{extent});
  }
  return hash.value();
}

std::string PolicyFile::content_hash() const {
  FnvHash hash;
  hash.add(architecture_hash());
  hash.add(metadata_json);
  for (const Tensor& tensor : tensors) {
    for (const float value : tensor.values) {
      hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(value)});
    }
  }
  return hash.hex();
}

JsonValue PolicyFile::metadata() const {
  return JsonValue::parse(metadata_json, source + ": metadata");
}

const Tensor* PolicyFile::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

const Tensor& PolicyFile::at(std::string_view name) const {
  if (const Tensor* found = find(name)) return *found;
  throw bad_input(
      fmt::format("{}: there is no tensor '{}', which method '{}' needs", source, name, method));
}

std::string PolicyFile::to_bytes() const {
  check_writable(*this);
  BinaryWriter out;
  out.raw(kFormat.magic);
  out.number(kFormat.version);
  out.number(architecture_hash());
  out.text(method);
  out.text(metadata_json);
  out.number(static_cast<std::uint32_t>(tensors.size()));
  for (const Tensor& tensor : tensors) {
    out.text(tensor.name);
    out.number(kFloat32);
    out.number(static_cast<std::uint32_t>(tensor.shape.size()));
    for (const std::size_t extent : tensor.shape) out.number(std::uint64_t{extent});
    out.align(kAlignment);
    for (const float value : tensor.values) out.number(std::bit_cast<std::uint32_t>(value));
  }
  return std::move(out).with_checksum();
}

void PolicyFile::write(const std::filesystem::path& path) const {
  write_file_atomically(path, to_bytes());
}

PolicyFile PolicyFile::from_bytes(std::string_view bytes, const std::string& source) {
  BinaryReader reader(checked_body(bytes, kFormat, source), source);
  reader.raw(kFormat.magic.size() + sizeof(kFormat.version));
  const auto written_hash = reader.number<std::uint64_t>();
  PolicyFile file;
  file.source = source;
  file.method = reader.text(kMaxMethod, "bytes of a method's name");
  if (file.method.empty()) reader.refuse("the method has no name");
  file.metadata_json = reader.text(kMaxMetadata, "bytes of metadata");
  if (!file.metadata().is_object()) reader.refuse("the metadata is not a JSON object");
  const std::size_t tensors = reader.count(kMaxTensors, "tensors");
  std::set<std::string> names;
  for (std::size_t i = 0; i < tensors; ++i) {
    file.tensors.push_back(read_tensor(reader));
    if (!names.insert(file.tensors.back().name).second) {
      reader.refuse(fmt::format("tensor '{}' is there twice", file.tensors.back().name));
    }
  }
  reader.finish();
  if (written_hash != file.architecture_hash()) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: made for another architecture: hash {:016x}; expected {:016x}, "
                            "that of its method and tensors",
                            source, written_hash, file.architecture_hash()));
  }
  return file;
}

PolicyFile PolicyFile::read(const std::filesystem::path& path, const ReadLimits& limits) {
  return from_bytes(read_file(path, limits), source_name(path));
}

}  // namespace ifd
