// Included first by `./run lint` where LibTorch is compiled: std::vector as it was before C++20.
// There its members are constexpr, so clang instantiates them as soon as they are defaulted, also
// of types that LibTorch 1.13 completes only later, and reads the rest of its headers with holes.
// One error about vector<bool> stays, and harms nothing.
#include <string>
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#include <vector>
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
