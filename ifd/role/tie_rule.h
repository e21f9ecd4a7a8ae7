// How a role chooses among classes that tie for it.
#pragma once

namespace ifd {

// kByReadings: among equals a role prefers the class whose other readings are better: k_top
// maximises (rho, mu, -sigma^2), k_best maximises (mu, -sigma^2, rho). Classes still tied read the
// same numbers, so the state is exactly invariant to renaming classes.
// kLowestIndex: the textbook argmax. It lets a class name decide, which breaks the invariance about
// as often as ties occur; kept for comparison.
enum class TieRule { kByReadings, kLowestIndex };

}  // namespace ifd
