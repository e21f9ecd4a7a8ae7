// NumPy's archives: an .npz is a zip archive of .npy arrays. Our own reader and writer over zlib.
//
// Read: zip with stored and deflated entries, ZIP64, data descriptors. Sizes are checked against
// each other, against what deflate can do and against the limits before memory is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/npy.h"
#include "ifd/data/read_limits.h"

namespace ifd {

// An archive whose arrays are decoded when asked for, each time anew.
class NpzFile {
 public:
  // Error(kCorruptFile) where the arrays, all of them together, would be larger than the limits
  // allow for the archive's size.
  static NpzFile read(const std::filesystem::path& path, const ReadLimits& limits = {});
  static NpzFile from_bytes(std::string bytes, std::string name, const ReadLimits& limits = {});

  const std::string& name() const& { return name_; }
  std::string name() const&& { return name_; }
  std::vector<std::string> names() const;  // sorted, without ".npy"
  bool contains(std::string_view array) const { return entries_.find(array) != entries_.end(); }

  // The arrays with type and shape, for messages: "x: float32 (100, 3), y: int64 (100)".
  std::string listing() const;

  // kNotFound where there is no such array.
  NpyArray at(std::string_view array) const;
  // What the array is, without decoding its data; its checksum is not verified.
  NpyHeader header(std::string_view array) const;

 private:
  struct Entry {
    std::size_t data_offset = 0;
    std::size_t packed_size = 0;
    std::size_t size = 0;
    std::uint32_t checksum = 0;
    bool deflated = false;
  };
  class Stream;

  NpzFile(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}
  void read_directory(const ReadLimits& limits);
  const Entry& entry(std::string_view array) const;
  std::string place(std::string_view array) const;

  std::string bytes_;
  std::string name_;
  std::uint64_t allowed_ = 0;  // bytes of one array in memory
  std::map<std::string, Entry, std::less<>> entries_;
};

bool is_zip(std::string_view bytes);

// The names of an archive's members, arrays or not, at most 1000; none where it is damaged.
std::vector<std::string> zip_member_names(std::string_view bytes);

enum class NpzPacking { kStored, kDeflated };

// Builds an archive in memory. Equal arrays give equal bytes: no clock, no host.
class NpzWriter {
 public:
  explicit NpzWriter(NpzPacking packing = NpzPacking::kStored) : packing_(packing) {}

  // The shape's product is the number of values.
  void add(std::string_view name, const std::vector<std::size_t>& shape,
           std::span<const float> values);
  void add(std::string_view name, const std::vector<std::size_t>& shape,
           std::span<const double> values);
  void add(std::string_view name, const std::vector<std::size_t>& shape,
           std::span<const std::int64_t> values);
  void add(std::string_view name, const std::vector<std::size_t>& shape,
           std::span<const std::uint8_t> values);
  // Text of one dimension. NumPy cannot tell trailing NULs from padding, nor can we.
  void add(std::string_view name, std::span<const std::string> values);

  // The archive; the writer is done with.
  std::string bytes() &&;

 private:
  void add_entry(std::string_view name, std::string_view descr,
                 const std::vector<std::size_t>& shape, std::string_view data);

  NpzPacking packing_;
  std::string bytes_;
  std::string directory_;
  std::uint64_t entries_ = 0;
};

}  // namespace ifd
