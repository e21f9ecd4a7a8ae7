#include "ifd/error.h"

namespace ifd {

OutsideMeaning outside_meaning(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kBadInput:
      return {3, 400};
    case ErrorKind::kUsage:
      return {2, 400};
    case ErrorKind::kNotFound:
      return {3, 404};
    case ErrorKind::kConflict:
      return {3, 409};
    case ErrorKind::kCorruptFile:
      return {3, 422};
    case ErrorKind::kStorage:
      return {5, 503};
    case ErrorKind::kLostPeer:
      return {1, 500};
    case ErrorKind::kCancelled:
      return {1, 499};
  }
  return {1, 500};
}

}  // namespace ifd
