// Which of several ways an input is read in, and what is done with it of all that could be: drawn
// by its bytes, always the same for the same input. One way per input keeps a target fast; a change
// of any byte comes by the others.
#ifndef IFD_FUZZ_ONE_WAY_H_
#define IFD_FUZZ_ONE_WAY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace ifd::fuzz {

// Draws that follow from the bytes: SplitMix64, seeded by their hash.
class Draws {
 public:
  explicit Draws(std::string_view bytes) : state_(std::hash<std::string_view>{}(bytes)) {}

  // Below `ways`, anew with each call.
  std::size_t below(std::size_t ways) {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::size_t>((mixed ^ (mixed >> 31)) % ways);
  }
  bool once_in(std::size_t times) { return below(times) == 0; }

 private:
  std::uint64_t state_;
};

inline std::size_t one_way(std::string_view bytes, std::size_t ways) {
  return Draws(bytes).below(ways);
}

}  // namespace ifd::fuzz

#endif  // IFD_FUZZ_ONE_WAY_H_
