#include "cli/cost_inputs.h"

#include <fmt/format.h>

#include "ifd/data/file_bytes.h"
#include "ifd/decision/costs_file.h"
#include "ifd/error.h"

namespace ifd::cli {

void CostInputs::add_to(CLI::App& command) {
  command
      .add_option(
          "--costs", costs,
          "What mistakes cost, CSV truth,label,cost (* for all that are not named; a column "
          "'cost [EUR]' names the unit): margins are expected savings, and the model "
          "answers what is expected to cost least")
      ->type_name("FILE");
  command
      .add_option("--fees", fees,
                  "What asking an expert costs per case, CSV expert,fee (* for everybody else), in "
                  "the unit of --costs")
      ->type_name("FILE");
}

void CostInputs::check() const {
  if (fees.empty() || !costs.empty()) return;
  throw Error(ErrorKind::kUsage,
              "--fees goes with --costs, which says what they are weighed against");
}

std::shared_ptr<const Costs> CostInputs::read(const ClassNames& classes, LabelKind labels,
                                              std::span<const std::string> experts,
                                              const ReadOptions& reading) const {
  if (costs.empty()) return {};
  CostTable table = read_costs(costs, classes, labels, reading);
  FeeTable of_experts = fees.empty() ? FeeTable() : read_fees(fees, experts, reading);
  try {
    return std::make_shared<const Costs>(
        put_together(classes, std::move(table), std::move(of_experts)));
  } catch (const Error& error) {
    // Each file is valid by itself, but not both together.
    throw Error(error.kind(), fmt::format("{}: {}", source_name(costs), error.what()));
  }
}

}  // namespace ifd::cli
