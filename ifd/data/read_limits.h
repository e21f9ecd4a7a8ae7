// How far a compressed file may unfold, and how much is read of what has no end. A megabyte of
// deflated zeros is a gigabyte in memory; a file from a stranger is not trusted to say how large it
// gets.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "ifd/error.h"

namespace ifd {

struct ReadLimits {
  double max_expansion = 100;                               // times the size of the file
  std::uint64_t always_allowed = std::uint64_t{256} << 20;  // bytes, however small the file

  // What has no size of its own (a pipe, a device, standard input) counts as a compressed file of
  // so many bytes: 4 GB may come of it.
  std::uint64_t stream_counts_as = 40'000'000;

  // What a file of `compressed` bytes may become: the larger of the first two.
  std::uint64_t allowed(std::uint64_t compressed) const;
  // How much is read of what has no size of its own.
  std::uint64_t of_stream() const { return allowed(stream_counts_as); }
  // For what is compressed again within a file that has unfolded from `compressed` bytes to
  // `unfolded`: the two expansions together stay within the limits of the file.
  ReadLimits within(std::uint64_t compressed, std::uint64_t unfolded) const;
};

// What an entry of a map or set takes beside itself: links, its hash, and what the heap keeps.
inline constexpr std::uint64_t kNodeBytes = 32;

// The memory that may be taken for what a file holds: as much as the file may unfold to. Two bytes
// of a table can be a hundred in memory, and what has unfolded already must not grow so once more.
class ReadRoom {
 public:
  ReadRoom(std::string source, std::uint64_t most)
      : source_(std::move(source)), most_(most), left_(most) {}

  // Error(kCorruptFile) where there is not so much left.
  void take(std::uint64_t bytes) {
    if (bytes > left_) refuse(bytes);
    left_ -= bytes;
  }
  void take(std::uint64_t count, std::uint64_t bytes_each) {
    if (count > left_ / bytes_each) refuse(count, bytes_each);
    left_ -= count * bytes_each;
  }

 private:
  [[noreturn]] void refuse(std::uint64_t count, std::uint64_t bytes_each = 1) const;

  std::string source_;
  std::uint64_t most_;
  std::uint64_t left_;
};

// The refusal of a file of `compressed` bytes; `becomes` tells what it would be, as in "unfolds to
// more than 268435456 bytes".
Error expands_too_far(const std::string& place, std::uint64_t compressed,
                      const std::string& becomes, const ReadLimits& limits);

// The refusal of what goes on beyond `most` bytes and has no size of its own.
Error streams_too_far(const std::string& place, std::uint64_t most);

}  // namespace ifd
