// A watch that goes on another day: its classes, and all that it was fed.
//
// The file has no evidence in it, only answers: who reads it feeds them again. So a file from
// anywhere is a watch that could have been, and a watch that was kept every day equals one that was
// never interrupted, to the last bit. docs/formats.md describes the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ifd/data/class_names.h"
#include "ifd/data/read_limits.h"
#include "ifd/watch/watch.h"

namespace ifd {

inline constexpr std::uint32_t kWatchFileVersion = 1;

struct KeptWatch {
  // Error(kBadInput) for a watch of another number of classes.
  KeptWatch(ClassNames classes, Watch watch);

  ClassNames classes;
  Watch watch;

  // What this watch began with that is not so here, in words; nothing where all is the same.
  // Experts and their old answers may come in any order.
  std::optional<std::string> difference(const ClassNames& others) const;
  std::optional<std::string> difference(std::span<const OldAnswers> before) const;
  std::optional<std::string> difference(const WatchOptions& options) const;

  bool operator==(const KeptWatch&) const = default;

  // Error(kBadInput) for a name that is not UTF-8.
  std::string to_bytes() const;
  void write(const std::filesystem::path& path) const;
  // Error: kCorruptFile for bytes that are cut short, changed, or no watch; kBadInput for a newer
  // version. Allocates no more than a fixed multiple of the bytes.
  // `limits`: what is left of them where the file was compressed (read_contents).
  static KeptWatch from_bytes(std::string_view bytes, const std::string& source,
                              const ReadLimits& limits = {});
  static KeptWatch read(const std::filesystem::path& path, const ReadLimits& limits = {});
};

}  // namespace ifd
