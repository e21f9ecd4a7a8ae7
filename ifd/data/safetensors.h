// Tensors by name in one file, as other tools write them: the safetensors format.
//
// Eight bytes, little-endian: the length of the header. The header, JSON: for every tensor its
// `dtype`, `shape` and `data_offsets` (begin and end, counted from the end of the header), and
// maybe
// `__metadata__`, a map from text to text. Then the data, little-endian, without holes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/read_limits.h"

namespace ifd {

enum class SafetensorsType { kF64, kF32, kF16, kBF16, kI64, kI32, kU8 };

std::string_view safetensors_type_name(SafetensorsType type);
std::size_t safetensors_type_bytes(SafetensorsType type);

// No file may have a longer header: it is the only part that is unfolded in memory.
inline constexpr std::size_t kMaxSafetensorsHeader = std::size_t{16} << 20;

// Whether the bytes begin as such a file.
bool is_safetensors(std::string_view bytes);

// The metadata under which our own files, and nobody else's, have a checksum of their contents: of
// all other metadata, and of the tensors with their types and shapes.
inline constexpr std::string_view kSafetensorsChecksum = "checksum";

// A file in memory. Bytes that are not a safetensors file are Error(kCorruptFile).
class SafetensorsFile {
 public:
  struct Entry {
    SafetensorsType type = SafetensorsType::kF32;
    std::vector<std::size_t> shape;  // empty: a single number
    std::size_t items = 1;
    std::string_view data;  // items of the type, little-endian; not aligned
  };

  static SafetensorsFile read(const std::filesystem::path& path, const ReadLimits& limits = {});
  static SafetensorsFile from_bytes(std::string bytes, std::string name);

  const std::string& name() const { return name_; }
  const std::map<std::string, std::string, std::less<>>& metadata() const { return metadata_; }
  std::vector<std::string> names() const;  // sorted
  bool contains(std::string_view tensor) const { return entries_.find(tensor) != entries_.end(); }
  // Valid as long as the file. kNotFound where there is no such tensor.
  Entry at(std::string_view tensor) const;

  // Error(kCorruptFile) unless the file has the checksum of what it holds.
  void require_checksum() const;

  // From the four float types, rounded to the nearest; kBadInput where it is another.
  std::vector<float> floats(std::string_view tensor) const;
  // From I64, I32 and U8, alike.
  std::vector<std::int64_t> integers(std::string_view tensor) const;

 private:
  struct Place {
    SafetensorsType type;
    std::vector<std::size_t> shape;
    std::size_t items;
    std::size_t begin;
    std::size_t end;
  };

  SafetensorsFile(std::string bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}
  void read_header();

  std::string bytes_;
  std::string name_;
  std::size_t data_begin_ = 0;
  std::map<std::string, std::string, std::less<>> metadata_;
  std::map<std::string, Place, std::less<>> entries_;
};

// Builds a file in memory. Equal tensors and metadata give equal bytes.
class SafetensorsWriter {
 public:
  // Text is UTF-8. Names and keys are distinct, and no name is `__metadata__`.
  void set_metadata(std::string_view key, std::string_view value);
  // The shape's product is the number of values.
  void add(std::string_view name, const std::vector<std::size_t>& shape,
           std::span<const float> values);
  void add(std::string_view name, const std::vector<std::size_t>& shape,
           std::span<const std::int64_t> values);

  // To be called last: of all that was set and added.
  void add_checksum();

  // The file; the writer is done with.
  std::string bytes() &&;
  // Whole or not at all; the writer is done with.
  void write(const std::filesystem::path& path) &&;

 private:
  struct Added {
    std::string name;
    SafetensorsType type;
    std::vector<std::size_t> shape;
    std::size_t begin;
    std::size_t end;
  };
  std::string header() const;

  std::map<std::string, std::string> metadata_;
  std::vector<Added> added_;
  std::string data_;
};

}  // namespace ifd
