// --costs and --fees, of every command that decides on cases.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "ifd/data/label_kind.h"
#include "ifd/data/read_options.h"
#include "ifd/decision/costs.h"

namespace ifd::cli {

struct CostInputs {
  std::filesystem::path costs;
  std::filesystem::path fees;

  void add_to(CLI::App& command);
  // Error(kUsage) for fees without costs.
  void check() const;
  // Null where neither file was given. `experts` are those on the roster.
  std::shared_ptr<const Costs> read(const ClassNames& classes, LabelKind labels,
                                    std::span<const std::string> experts,
                                    const ReadOptions& reading) const;
};

}  // namespace ifd::cli
