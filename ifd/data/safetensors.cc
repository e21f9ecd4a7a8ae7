#include "ifd/data/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ifd/data/binary_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/half_float.h"
#include "ifd/data/json_text.h"
#include "ifd/data/little_endian.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxRank = 16;
constexpr std::string_view kMetadata = "__metadata__";

struct TypeRow {
  SafetensorsType type;
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<TypeRow, 7> kTypes = {{{SafetensorsType::kF64, "F64", 8},
                                            {SafetensorsType::kF32, "F32", 4},
                                            {SafetensorsType::kF16, "F16", 2},
                                            {SafetensorsType::kBF16, "BF16", 2},
                                            {SafetensorsType::kI64, "I64", 8},
                                            {SafetensorsType::kI32, "I32", 4},
                                            {SafetensorsType::kU8, "U8", 1}}};

const TypeRow& row_of(SafetensorsType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(),
                       [type](const TypeRow& row) { return row.type == type; });
}

// Nothing nests deeper than the shape within a tensor within the header.
constexpr JsonLimits kHeaderLimits{.depth = 3, .bytes = kMaxSafetensorsHeader};

[[noreturn]] void refuse_file(const std::string& file, const std::string& what) {
  throw Error(ErrorKind::kCorruptFile, fmt::format("{}: {}", file, what));
}

struct SummedTensor {
  std::string_view name;
  SafetensorsType type;
  const std::vector<std::size_t>* shape;
  std::string_view data;
};

// The same for a file and for its writer, in whatever order tensors lie. `tensors` come by name.
template <class Metadata>
std::string content_checksum(const Metadata& metadata, const std::vector<SummedTensor>& tensors) {
  BinaryWriter described;
  described.number(static_cast<std::uint64_t>(metadata.size() -
                                              metadata.count(std::string(kSafetensorsChecksum))));
  for (const auto& [key, value] : metadata) {
    if (key == kSafetensorsChecksum) continue;
    described.text(key);
    described.text(value);
  }
  for (const SummedTensor& tensor : tensors) {
    described.text(tensor.name);
    described.text(safetensors_type_name(tensor.type));
    described.number(static_cast<std::uint64_t>(tensor.shape->size()));
    for (const std::size_t extent : *tensor.shape) {
      described.number(static_cast<std::uint64_t>(extent));
    }
  }
  std::uint32_t sum = checksum(std::move(described).bytes());
  for (const SummedTensor& tensor : tensors) sum = checksum(tensor.data, sum);
  return fmt::format("{:08x}", sum);
}

}  // namespace

bool is_safetensors(std::string_view bytes) {
  if (bytes.size() < kLengthBytes + 2 || bytes[kLengthBytes] != '{') return false;
  const std::uint64_t header = u64(bytes, 0);
  return header >= 2 && header <= bytes.size() - kLengthBytes;
}

std::string_view safetensors_type_name(SafetensorsType type) { return row_of(type).name; }
std::size_t safetensors_type_bytes(SafetensorsType type) { return row_of(type).bytes; }

SafetensorsFile SafetensorsFile::from_bytes(std::string bytes, std::string name) {
  SafetensorsFile file(std::move(bytes), std::move(name));
  file.read_header();
  return file;
}

SafetensorsFile SafetensorsFile::read(const std::filesystem::path& path, const ReadLimits& limits) {
  return from_bytes(read_file(path, limits), source_name(path));
}

namespace {

// One tensor of the header; `refuse` does not return.
template <class Place, class Refuse>
void read_place(const JsonValue& value, std::size_t data_size, const Refuse& refuse, Place& place) {
  if (!value.is_object()) refuse("expected dtype, shape and data_offsets");
  const auto dtype = value.find("dtype");
  const auto shape = value.find("shape");
  const auto data_offsets = value.find("data_offsets");
  if (!dtype || !dtype->is_text() || !shape || !shape->is_list() || !data_offsets ||
      !data_offsets->is_list()) {
    refuse("expected dtype, shape and data_offsets");
  }
  const std::string& type_name = dtype->text();
  const auto type = std::find_if(kTypes.begin(), kTypes.end(),
                                 [&](const TypeRow& row) { return row.name == type_name; });
  if (type == kTypes.end()) {
    refuse(
        fmt::format("type '{}'; expected F64, F32, F16, BF16, I64, I32 or U8", excerpt(type_name)));
  }
  place.type = type->type;
  place.items = 1;
  const std::vector<JsonValue> extents = shape->items();
  if (extents.size() > kMaxRank) {
    refuse(fmt::format("{} dimensions; expected at most {}", extents.size(), kMaxRank));
  }
  for (const JsonValue& extent : extents) {
    if (!extent.is_count()) refuse("an extent is not a whole number of 0 or more");
    place.shape.push_back(extent.count());
  }
  if (std::find(place.shape.begin(), place.shape.end(), 0U) != place.shape.end()) {
    place.items = 0;
  } else {
    for (const std::size_t extent : place.shape) {
      // Divided, not multiplied: nothing overflows.
      if (extent > data_size / type->bytes / place.items) {
        refuse(fmt::format("shape ({}) does not fit the file", fmt::join(place.shape, ", ")));
      }
      place.items *= extent;
    }
  }
  const std::vector<JsonValue> offsets = data_offsets->items();
  if (offsets.size() != 2 || !offsets[0].is_count() || !offsets[1].is_count()) {
    refuse("data_offsets are not two whole numbers of 0 or more");
  }
  place.begin = offsets[0].count();
  place.end = offsets[1].count();
  if (place.begin > place.end || place.end > data_size) {
    refuse(
        fmt::format("bytes {}..{}; expected them within 0..{}", place.begin, place.end, data_size));
  }
  if (place.end - place.begin != place.items * type->bytes) {
    refuse(fmt::format("{} bytes; expected {} for shape ({}) of {}", place.end - place.begin,
                       place.items * type->bytes, fmt::join(place.shape, ", "), type_name));
  }
}

// The tensors cover the data one behind the other.
template <class Entries>
void check_cover(const Entries& entries, std::size_t data_size, const std::string& file) {
  std::vector<const typename Entries::value_type*> by_place;
  for (const auto& entry : entries) by_place.push_back(&entry);
  std::sort(by_place.begin(), by_place.end(), [](const auto* a, const auto* b) {
    return std::pair(a->second.begin, a->second.end) < std::pair(b->second.begin, b->second.end);
  });
  std::size_t reached = 0;
  for (const auto* entry : by_place) {
    if (entry->second.begin != reached) {
      refuse_file(file,
                  fmt::format("'{}': begins at byte {} of the data; expected {}, without holes "
                              "or overlaps",
                              excerpt(entry->first), entry->second.begin, reached));
    }
    reached = entry->second.end;
  }
  if (reached != data_size) {
    refuse_file(file, fmt::format("{} bytes of data; expected {}", data_size, reached));
  }
}

}  // namespace

void SafetensorsFile::read_header() {
  const std::size_t size = bytes_.size();
  if (size < kLengthBytes) {
    refuse_file(name_, fmt::format("{} bytes; expected a safetensors file", size));
  }
  const auto length = number_at<std::uint64_t>(bytes_, 0);
  if (length > kMaxSafetensorsHeader || length > size - kLengthBytes) {
    refuse_file(name_,
                fmt::format("a header of {} bytes; expected at most {} (is it a safetensors file?)",
                            length, std::min(kMaxSafetensorsHeader, size - kLengthBytes)));
  }
  data_begin_ = kLengthBytes + length;
  const std::size_t data_size = size - data_begin_;
  const JsonValue header = JsonValue::parse(std::string_view(bytes_).substr(kLengthBytes, length),
                                            name_ + ": the header", kHeaderLimits);
  if (!header.is_object()) refuse_file(name_, "the header is not a JSON object");
  for (const auto& item : header.members()) {
    const std::string& name = item.first;
    const JsonValue& value = item.second;
    const auto refuse = [&](const std::string& what) {
      refuse_file(name_, fmt::format("'{}': {}", excerpt(name), what));
    };
    if (name == kMetadata) {
      if (!value.is_object()) refuse("not a JSON object");
      for (const auto& [key, text] : value.members()) {
        if (!text.is_text()) refuse(fmt::format("'{}' is not text", excerpt(key)));
        metadata_.emplace(key, text.text());
      }
      continue;
    }
    Place place{};
    read_place(value, data_size, refuse, place);
    entries_.emplace(name, std::move(place));
  }
  check_cover(entries_, data_size, name_);
}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& entry : entries_) names.push_back(entry.first);
  return names;
}

SafetensorsFile::Entry SafetensorsFile::at(std::string_view tensor) const {
  const auto found = entries_.find(tensor);
  if (found == entries_.end()) {
    throw Error(ErrorKind::kNotFound, fmt::format("{}: no tensor '{}'", name_, tensor));
  }
  const Place& place = found->second;
  return {place.type, place.shape, place.items,
          std::string_view(bytes_).substr(data_begin_ + place.begin, place.end - place.begin)};
}

std::vector<float> SafetensorsFile::floats(std::string_view tensor) const {
  const Entry entry = at(tensor);
  std::vector<float> values(entry.items);
  const auto read = [&](const auto& convert) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = convert(i);
  };
  switch (entry.type) {
    case SafetensorsType::kF64:
      read([&](std::size_t i) {
        return static_cast<float>(
            std::bit_cast<double>(number_at<std::uint64_t>(entry.data, 8 * i)));
      });
      break;
    case SafetensorsType::kF32:
      read([&](std::size_t i) {
        return std::bit_cast<float>(number_at<std::uint32_t>(entry.data, 4 * i));
      });
      break;
    case SafetensorsType::kF16:
      read([&](std::size_t i) {
        return half_to_float(number_at<std::uint16_t>(entry.data, 2 * i));
      });
      break;
    case SafetensorsType::kBF16:
      read([&](std::size_t i) {
        return std::bit_cast<float>(
            static_cast<std::uint32_t>(number_at<std::uint16_t>(entry.data, 2 * i)) << 16U);
      });
      break;
    default:
      throw bad_input(fmt::format("{}: '{}' holds {}; expected floats", name_, tensor,
                                  safetensors_type_name(entry.type)));
  }
  return values;
}

std::vector<std::int64_t> SafetensorsFile::integers(std::string_view tensor) const {
  const Entry entry = at(tensor);
  std::vector<std::int64_t> values(entry.items);
  for (std::size_t i = 0; i < values.size(); ++i) {
    switch (entry.type) {
      case SafetensorsType::kI64:
        values[i] = static_cast<std::int64_t>(number_at<std::uint64_t>(entry.data, 8 * i));
        break;
      case SafetensorsType::kI32:
        values[i] = static_cast<std::int32_t>(number_at<std::uint32_t>(entry.data, 4 * i));
        break;
      case SafetensorsType::kU8:
        values[i] = static_cast<unsigned char>(entry.data[i]);
        break;
      default:
        throw bad_input(fmt::format("{}: '{}' holds {}; expected integers", name_, tensor,
                                    safetensors_type_name(entry.type)));
    }
  }
  return values;
}

void SafetensorsFile::require_checksum() const {
  const auto found = metadata_.find(kSafetensorsChecksum);
  if (found == metadata_.end()) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: has no checksum; expected a file that this version wrote", name_));
  }
  std::vector<SummedTensor> tensors;
  for (const auto& [name, place] : entries_) {
    tensors.push_back({name, place.type, &place.shape, at(name).data});
  }
  if (found->second == content_checksum(metadata_, tensors)) return;
  throw Error(
      ErrorKind::kCorruptFile,
      fmt::format("{}: the file is damaged or was changed; its checksum does not match", name_));
}

void SafetensorsWriter::set_metadata(std::string_view key, std::string_view value) {
  metadata_.insert_or_assign(std::string(key), std::string(value));
}

void SafetensorsWriter::add(std::string_view name, const std::vector<std::size_t>& shape,
                            std::span<const float> values) {
  assert(name != kMetadata);
  const std::size_t begin = data_.size();
  for (const float value : values) append_number(data_, std::bit_cast<std::uint32_t>(value));
  added_.push_back({std::string(name), SafetensorsType::kF32, shape, begin, data_.size()});
}

void SafetensorsWriter::add(std::string_view name, const std::vector<std::size_t>& shape,
                            std::span<const std::int64_t> values) {
  assert(name != kMetadata);
  const std::size_t begin = data_.size();
  for (const std::int64_t value : values) {
    append_number(data_, static_cast<std::uint64_t>(value));
  }
  added_.push_back({std::string(name), SafetensorsType::kI64, shape, begin, data_.size()});
}

void SafetensorsWriter::add_checksum() {
  std::vector<SummedTensor> tensors;
  for (const Added& tensor : added_) {
    tensors.push_back({tensor.name, tensor.type, &tensor.shape,
                       std::string_view(data_).substr(tensor.begin, tensor.end - tensor.begin)});
  }
  std::sort(tensors.begin(), tensors.end(),
            [](const SummedTensor& a, const SummedTensor& b) { return a.name < b.name; });
  set_metadata(kSafetensorsChecksum, content_checksum(metadata_, tensors));
}

std::string SafetensorsWriter::header() const {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata_.empty()) header[std::string(kMetadata)] = metadata_;
  for (const Added& tensor : added_) {
    header[tensor.name] = {{"dtype", safetensors_type_name(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {tensor.begin, tensor.end}}};
  }
  std::string text = header.dump();
  // Spaces, so that the data begins where eight-byte numbers like to.
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  std::string out;
  append_number(out, static_cast<std::uint64_t>(text.size()));
  return out + text;
}

std::string SafetensorsWriter::bytes() && { return header() + data_; }

void SafetensorsWriter::write(const std::filesystem::path& path) && {
  AtomicFile file(path);
  file.write(header());
  file.write(data_);
  file.commit();
}

}  // namespace ifd
