#include "ifd/evaluation/operating_point.h"

#include <fmt/format.h>

#include "ifd/error.h"

namespace ifd {
namespace {

double share_of(double part, std::size_t whole) { return part / static_cast<double>(whole); }

double share_of(std::size_t part, std::size_t whole) {
  return share_of(static_cast<double>(part), whole);
}

double share_of(CreditTotal total, std::size_t cases) {
  return share_of(total.right_answers(), cases);
}

}  // namespace

OperatingPoint operating_point(std::span<const Route> routes, std::span<const CaseOutcome> outcomes,
                               std::size_t experts) {
  if (routes.size() != outcomes.size()) {
    throw bad_input(
        fmt::format("operating point: {} routes and {} outcomes; expected one of each "
                    "for every case",
                    routes.size(), outcomes.size()));
  }
  if (routes.empty()) throw bad_input("operating point: there are no cases; expected at least one");
  std::vector<std::size_t> taken(experts, 0);
  std::size_t deferred = 0;
  CreditTotal experts_total;
  CreditTotal model_total;
  for (std::size_t row = 0; row < routes.size(); ++row) {
    if (routes[row].decision() == Decision::kModel) {
      model_total.add(outcomes[row].model);
      continue;
    }
    if (index(routes[row].expert) >= experts) {
      throw bad_input(
          fmt::format("operating point: case {} goes to expert {}; expected one of {}, "
                      "from 0",
                      row, index(routes[row].expert), experts));
    }
    ++taken[index(routes[row].expert)];
    ++deferred;
    experts_total.add(outcomes[row].expert);
  }

  const std::size_t cases = routes.size();
  const std::size_t kept = cases - deferred;
  OperatingPoint point{cases,
                       deferred,
                       share_of(deferred, cases),
                       share_of(kept, cases),
                       share_of(experts_total + model_total, cases),
                       std::nullopt,
                       std::nullopt,
                       {}};
  if (deferred > 0) point.expert_accuracy = share_of(experts_total, deferred);
  if (kept > 0) point.model_accuracy = share_of(model_total, kept);
  for (const std::size_t count : taken) point.load.push_back(share_of(count, cases));
  return point;
}

OperatingPoint operating_point(const MarginTable& table, std::span<const CaseOutcome> outcomes,
                               double threshold, std::size_t experts) {
  return operating_point(route_by_threshold(table, threshold), outcomes, experts);
}

}  // namespace ifd
