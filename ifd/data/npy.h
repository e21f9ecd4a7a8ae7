// NumPy's arrays as they lie in a file.
//
// Read: .npy versions 1 to 3; bool, integers, floats of 16, 32 and 64 bits and text, little-endian,
// in C or Fortran order. Arrays of Python objects are refused: nothing is ever unpickled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ifd {

enum class NpyKind { kBool, kSigned, kUnsigned, kFloat, kText, kBytes };

struct NpyHeader {
  NpyKind kind = NpyKind::kFloat;
  std::size_t item_bytes = 0;      // of one element; text has 4 bytes per character
  std::vector<std::size_t> shape;  // empty: a single number
  bool fortran_order = false;      // as stored

  std::size_t items() const;
};

// As NumPy shows them: "float32 (100, 3)".
std::string type_and_shape(const NpyHeader& header);
// "float32"; "text" for characters and bytes.
std::string type_name(const NpyHeader& header);

// Whether the bytes begin as an .npy file.
bool is_npy(std::string_view bytes);

// An array in C order. The conversions throw Error(kBadInput) with the place where an element
// does not go into the asked type.
class NpyArray {
 public:
  // `allowed` is how many bytes a conversion may take: one letter becomes a text of 32 bytes.
  NpyArray(NpyHeader header, std::vector<std::uint8_t> data, std::string place,
           std::uint64_t allowed = UINT64_MAX);

  const NpyHeader& header() const& { return header_; }
  NpyHeader header() const&& { return header_; }
  const std::vector<std::size_t>& shape() const& { return header_.shape; }
  std::vector<std::size_t> shape() const&& { return header_.shape; }
  std::size_t size() const { return header_.items(); }
  // "p.npz: 'labels'", for messages about what the array holds.
  const std::string& place() const& { return place_; }
  std::string place() const&& { return place_; }

  // From bool, integers and floats, rounded to the nearest.
  std::vector<float> as_floats() const;
  std::vector<double> as_doubles() const;
  // From bool and integers.
  std::vector<std::int64_t> as_integers() const;
  // From text (as UTF-8) and, in digits, from integers.
  std::vector<std::string> as_strings() const;
  // From uint8, without a copy where the array is given up.
  std::vector<std::uint8_t> as_bytes() &&;

 private:
  template <typename Number>
  std::vector<Number> as_numbers() const;
  void check_room(std::size_t bytes_each) const;

  NpyHeader header_;
  std::vector<std::uint8_t> data_;
  std::string place_;
  std::uint64_t allowed_;
};

// Fills all of what it is given with the next bytes, or throws.
using ByteReader = std::function<void(std::span<std::uint8_t>)>;

// Reads an array that takes `size` bytes in all. Error(kCorruptFile) with the place where the bytes
// are no such array.
NpyHeader read_npy_header(const ByteReader& read, std::size_t size, const std::string& place);
NpyArray read_npy(const ByteReader& read, std::size_t size, const std::string& place,
                  std::uint64_t allowed = UINT64_MAX);

// The bytes of an array, version 1.0. `descr` is NumPy's name of the type, as in "<f4".
std::string npy_bytes(std::string_view descr, const std::vector<std::size_t>& shape,
                      std::string_view data);

}  // namespace ifd
