#include "ifd/evaluation/operating_point.h"

#include <cassert>

#include "ifd/error.h"

namespace ifd {
namespace {

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

OperatingPoint operating_point(std::span<const Route> routes, std::span<const CaseOutcome> outcomes,
                               std::size_t experts) {
  assert(routes.size() == outcomes.size());
  if (routes.empty()) throw bad_input("operating point: there are no cases; expected at least one");
  std::vector<std::size_t> taken(experts, 0);
  std::size_t deferred = 0;
  std::size_t expert_right = 0;
  std::size_t model_right = 0;
  for (std::size_t row = 0; row < routes.size(); ++row) {
    if (routes[row].decision() == Decision::kModel) {
      model_right += outcomes[row].model_right ? 1 : 0;
      continue;
    }
    assert(index(routes[row].expert) < experts);
    ++taken[index(routes[row].expert)];
    ++deferred;
    expert_right += outcomes[row].expert_right ? 1 : 0;
  }

  const std::size_t cases = routes.size();
  const std::size_t kept = cases - deferred;
  OperatingPoint point{cases,
                       deferred,
                       share(deferred, cases),
                       share(kept, cases),
                       share(expert_right + model_right, cases),
                       std::nullopt,
                       std::nullopt,
                       {}};
  if (deferred > 0) point.expert_accuracy = share(expert_right, deferred);
  if (kept > 0) point.model_accuracy = share(model_right, kept);
  for (const std::size_t count : taken) point.load.push_back(share(count, cases));
  return point;
}

OperatingPoint operating_point(const MarginTable& table, std::span<const CaseOutcome> outcomes,
                               double threshold, std::size_t experts) {
  return operating_point(route_by_threshold(table, threshold), outcomes, experts);
}

}  // namespace ifd
