// Who answers each case, with the names that belong to it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ifd/checked_place.h"
#include "ifd/error.h"
#include "ifd/routing/budget.h"

namespace ifd {

// Whether the cases, in their order, look like those that the threshold was calibrated on.
struct StreamWatch {
  std::optional<std::size_t> alarm_after;  // so many cases showed that they do not
  double false_alarms;                     // the probability of an alarm if they all do, at most
};

// One route for each case, in order. Keeps the experts' names as they were when it was made.
class Routes {
 public:
  Routes(std::vector<Route> routes, std::vector<ClassId> predictions,
         std::shared_ptr<const std::vector<std::string>> experts, std::optional<double> threshold,
         std::optional<double> least_margin, std::optional<CalibratedThreshold> calibrated,
         std::optional<StreamWatch> watch = {})
      : routes_(std::move(routes)),
        predictions_(std::move(predictions)),
        experts_(std::move(experts)),
        threshold_(threshold),
        least_margin_(least_margin),
        calibrated_(calibrated),
        watch_(watch) {}

  std::size_t size() const { return routes_.size(); }
  // Error(kNotFound) for a row that is not there.
  const Route& operator[](std::size_t row) const& {
    return routes_[checked_place("row", row, size())];
  }
  Route operator[](std::size_t row) const&& { return (*this)[row]; }
  auto begin() const { return routes_.begin(); }
  auto end() const { return routes_.end(); }

  // What the model answers on the case, whoever takes it in the end.
  ClassId prediction(std::size_t row) const {
    return predictions_[checked_place("row", row, size())];
  }
  const std::vector<std::string>& experts() const& { return *experts_; }
  std::vector<std::string> experts() const&& { return *experts_; }
  // By value, so that it outlives the routes. Error(kNotFound) for kNobody, and for a route of
  // others.
  std::string expert_name(const Route& route) const {
    if (route.decision() == Decision::kModel) {
      throw Error(ErrorKind::kNotFound, "the model answers this case; no expert has it");
    }
    if (index(route.expert) >= experts_->size()) {
      throw Error(ErrorKind::kNotFound,
                  "the route is not one of these; no expert here has its number");
    }
    return (*experts_)[index(route.expert)];
  }
  // Cases with at least this margin were deferred; none where a budget and capacities decide.
  std::optional<double> threshold() const { return threshold_; }
  // Of a budget: cases with a smaller margin stayed with the model although it had room for them.
  // None where it was to be filled.
  std::optional<double> least_margin() const { return least_margin_; }
  // Of a CalibratedBudget: what to expect of the stream.
  const std::optional<CalibratedThreshold>& calibrated() const& { return calibrated_; }
  std::optional<CalibratedThreshold> calibrated() const&& { return calibrated_; }
  // Of a CalibratedBudget without capacities.
  const std::optional<StreamWatch>& watch() const& { return watch_; }
  std::optional<StreamWatch> watch() const&& { return watch_; }

 private:
  std::vector<Route> routes_;
  std::vector<ClassId> predictions_;
  std::shared_ptr<const std::vector<std::string>> experts_;
  std::optional<double> threshold_;
  std::optional<double> least_margin_;
  std::optional<CalibratedThreshold> calibrated_;
  std::optional<StreamWatch> watch_;
};

}  // namespace ifd
