// What somebody may have meant who wrote a name that is not there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ifd {

// How many letters must be put in, taken out or changed to make one word of the other.
std::size_t letters_apart(std::string_view a, std::string_view b);

// The names so near to the word that a slip explains it, nearest first and of those alike the
// earlier, at most so many.
std::vector<std::string> near_names(std::string_view word, std::span<const std::string> names,
                                    std::size_t most);

}  // namespace ifd
