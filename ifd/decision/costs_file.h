// Costs and fees in files: CSV truth,label,cost and CSV expert,fee.
//
// In costs, `*` stands for every truth or every label; the row that says more counts: truth and
// label, then truth, then label, then `*,*`. A right answer costs nothing and needs no row. The
// column may name the unit, as in `cost [EUR]` and `fee [EUR]`.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "ifd/data/label_kind.h"
#include "ifd/data/read_options.h"
#include "ifd/decision/costs.h"

namespace ifd {

// A file before the two are put together.
struct CostTable {
  std::vector<double> costs;  // K x K
  std::string unit;
};
struct FeeTable {
  Fees fees;
  std::string unit;
};

// Error(kBadInput) for a class that does not exist, a pair that is there twice or not at all, a
// cost that is negative, too large or not a number, and one of a right answer that is not 0.
CostTable read_costs(const std::filesystem::path& path, const ClassNames& classes,
                     LabelKind labels = LabelKind::kNames, const ReadOptions& options = {});
CostTable costs_from_bytes(std::string bytes, const std::string& name, const ClassNames& classes,
                           LabelKind labels = LabelKind::kNames, const ReadOptions& options = {});

// Error(kBadInput) for a fee that is negative, too large or not a number, an expert who is there
// twice, or one who is neither among `experts` nor `*`.
FeeTable read_fees(const std::filesystem::path& path, std::span<const std::string> experts,
                   const ReadOptions& options = {});
FeeTable fees_from_bytes(std::string bytes, const std::string& name,
                         std::span<const std::string> experts, const ReadOptions& options = {});

// Error(kConflict) where both name a unit and not the same one.
Costs put_together(const ClassNames& classes, CostTable costs, FeeTable fees = {});

}  // namespace ifd
