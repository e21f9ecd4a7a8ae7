// The command line of `ifd reproduce`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/terminal.h"
#include "experiments/jobs/effort.h"
#include "experiments/result/cell.h"
#include "ifd/data/read_limits.h"

namespace ifd::experiments {

struct Options {
  std::filesystem::path data;  // empty: $IFD_DATA, else ~/.local/share/ifd
  std::filesystem::path output = "reproduction";
  std::vector<ExperimentName> only;  // empty: all but those that must be named
  std::size_t cohorts = 0;           // 0, here and below: as many as usual
  std::size_t epochs = 0;
  std::size_t patience = 0;
  unsigned jobs = 0;
  std::uint64_t seed = 0;
  Protocol protocol = Protocol::kPopulation;
  std::optional<PopContext> pop_context;  // otherwise the protocol's
  bool quick = false;
  bool list = false;
  Terminal terminal;
  ReadLimits limits;  // of the data sets
  // Expectations to compare with; an empty path: the stored ones.
  std::optional<std::filesystem::path> check;
  std::filesystem::path propose;     // where to write expectations around this run; empty: nowhere
  std::vector<std::string> command;  // its words, as they were given

  // The experiments that were asked for, in the order of the report where none was named.
  std::vector<ExperimentName> selected() const;
  Effort effort() const;
  // Of the study of this form as it comes; empty where none come with the program.
  std::string_view expectations() const;
};

// Nothing where only help was asked for, which is printed. Error(kUsage) for what it does not know.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace ifd::experiments
