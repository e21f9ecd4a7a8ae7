// What files are and what is odd about them, each for itself and one beside the other, before any
// work is done with them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/file_kind.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/read_limits.h"

namespace ifd {

struct FileReport {
  std::string file;
  FileKind kind = FileKind::kOther;
  std::string error = {};  // why it cannot be read; empty where it can
  std::vector<std::string> columns = {};
  std::vector<std::string> arrays = {};
  std::vector<std::string> classes = {};
  std::vector<std::string> experts = {};
  std::optional<std::size_t> rows = {};
  std::optional<std::size_t> cases = {};
  std::vector<std::string> facts = {};  // what else there is to say
  std::vector<std::string> notes = {};  // what its reader took for granted
  std::vector<std::string> odd = {};    // what may be a slip
  std::size_t shared = 0;               // cases of the predictions it was held against

  bool readable() const { return error.empty(); }
};

// A report for each file, in their order; one that cannot be read does not stop the others. Which
// classes and cases there are is said by those predictions with which a file shares most cases,
// among equals by the first; without any, by each file for itself. An expert with a capacity whom
// no other file names is odd. The format is that of all predictions, its labels that of answers
// too.
std::vector<FileReport> report_files(std::span<const std::filesystem::path> files,
                                     const ReadLimits& limits = {},
                                     const PredictionsFormat& format = {});

// Of bytes in memory, with gzip undone: held against predictions where there are some.
struct Beside {
  std::string file;
  const Predictions& predictions;
};
FileReport report_bytes(std::string bytes, const std::string& name,
                        const std::optional<Beside>& beside = {}, const ReadLimits& limits = {},
                        const PredictionsFormat& format = {});

}  // namespace ifd
