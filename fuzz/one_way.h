// Which of several ways an input is read in: a way drawn by its bytes, always the same for the same
// input. One way per input keeps a target fast; a change of any byte comes by the others.
#ifndef IFD_FUZZ_ONE_WAY_H_
#define IFD_FUZZ_ONE_WAY_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ifd::fuzz {

// Below `ways`. (FNV-1a, whose high bits are the well mixed ones.)
inline std::size_t one_way(std::string_view bytes, std::size_t ways) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return static_cast<std::size_t>((hash >> 32) % ways);
}

}  // namespace ifd::fuzz

#endif  // IFD_FUZZ_ONE_WAY_H_
