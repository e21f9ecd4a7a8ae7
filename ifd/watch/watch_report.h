// A watch over two tables: old answers, and the new ones of each expert in the order of time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/data/expert_context.h"
#include "ifd/watch/watch.h"

namespace ifd {

struct WatchReport {
  struct Expert {
    WatchedExpert standing;
    std::vector<Finding> findings;
    std::vector<std::string> new_cases;  // of the new answers, in their order
    // Where nothing is found among new answers, for the first kMostFalls experts: what would have
    // been (visible_fall.h).
    bool tried_falls = false;
    std::optional<double> visible_fall;
  };
  std::vector<Expert> experts;  // of the old answers, then those of the new ones alone
  WatchOptions options;

  std::size_t found() const;
};

inline constexpr std::size_t kMostFalls = 50;

// Of a watch as it stands.
WatchReport report_of(const Watch& watch);

// Observes all of them, each with its case's name. Error(kConflict), and nothing is observed, where
// an expert has answered that case before: the same answers twice would look like many.
void observe_answers(Watch& watch, std::span<const ExpertContext> after);

// Both in one: a watch that begins with those of both tables.
WatchReport watch_answers(const ClassNames& classes, std::span<const ExpertContext> before,
                          std::span<const ExpertContext> after, const WatchOptions& options);

// {"kind", "class", "other", "since", "found_at", "before", "after", "p"}; null for no class.
nlohmann::ordered_json finding_json(const Finding& finding, const ClassNames& classes);
// What `ifd watch --json` prints, with a line end.
std::string watch_json(const WatchReport& report, const ClassNames& classes);

}  // namespace ifd
