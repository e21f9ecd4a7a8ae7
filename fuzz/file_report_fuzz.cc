// Any bytes as a file of any kind, alone and beside predictions: told, and never an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "fuzz/one_way.h"
#include "ifd/data/predictions_file.h"
#include "ifd/router/file_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::Predictions cases =
      ifd::predictions_from_bytes("case,label,a,b\nx,a,.5,.5\ny,b,.5,.5\n", "p.csv");
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const ifd::FileReport beside = ifd::report_bytes(bytes, "file", ifd::Beside{"p.csv", cases});
  if (beside.readable() && beside.kind == ifd::FileKind::kOther) std::abort();
  if (ifd::fuzz::one_way(bytes, 4) != 0) return 0;
  const ifd::FileReport alone = ifd::report_bytes(bytes, "file");
  if (alone.kind != beside.kind) std::abort();
  if (alone.readable() && alone.kind == ifd::FileKind::kOther) std::abort();
  return 0;
}
