// One case told: what the model believes, what is known of those who could take it, who takes it,
// and what would have to be different for somebody else to.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ifd/decision/cost_unit.h"
#include "ifd/profile/beta_posterior.h"
#include "ifd/router.h"

namespace ifd {

struct StoryOptions {
  // Classes that matter are the model's most probable, until so much of its belief is covered, but
  // no more than so many.
  double covered_belief = .95;
  std::size_t most_classes = 3;
  // Experts who are told of: those with the largest margins.
  std::size_t most_candidates = 5;
  // How many further answers of an expert to one class are tried.
  std::size_t most_answers = 50;
};

// Who takes a case under a threshold: an expert, or the model where `expert` is empty. `margin` is
// the expert's or, where the model keeps the case, the largest there was.
struct Taker {
  std::optional<std::string> expert = {};
  double margin = kNeverDefer;
  bool operator==(const Taker&) const = default;
};

// What the next answers of an expert would change.
struct AnswerFlip {
  enum class Answers { kRight, kWrong };
  std::string expert;
  ClassId truth;    // of the cases they answer
  Answers answers;  // all of them right, or all wrong
  // After so many answers, and no fewer, somebody else takes the case. None: nobody does within
  // most_answers.
  std::optional<std::size_t> count = {};
  Taker then = {};  // where there is a count
};

struct CaseStory {
  struct Belief {
    ClassId class_id;
    double probability;  // as the policy reads it, calibrated where it is
  };
  struct Candidate {
    std::string name;
    bool on_duty;
    double margin;
    // Sum over classes of the model's belief times the expert's mean accuracy. By the profile,
    // whatever the policy makes of it.
    double expected_accuracy;
    std::vector<BetaPosterior> known;          // on the classes that matter
    std::optional<double> expected_cost = {};  // of asking, fee included, where there are costs
    double fee = 0;
  };

  std::string case_name;
  std::vector<Belief> beliefs;       // of every class, most probable first
  std::size_t matter = 1;            // so many of the first classes matter
  ClassId prediction = class_id(0);  // the model's answer
  // What it is expected to cost, and in which unit, where there are costs.
  std::optional<double> prediction_cost = {};
  std::optional<CostUnit> unit = {};
  std::vector<Candidate> candidates;  // on duty, largest margin first
  std::size_t on_duty = 0;            // experts on duty in all
  std::size_t as_good = 0;            // on duty and not told of, with the margin of the last who is
  // Off duty, with a margin above all on duty: the largest.
  std::optional<Candidate> better_off_duty = {};
  Taker taker = {};
  double threshold = 0;  // the case goes to an expert with at least this margin

  // What would flip it, beside a threshold on the other side of the largest margin.
  //
  // How many cases have a margin at least as large, this one included: a budget without another
  // limit includes it as soon as it allows so many. 0 where nobody may take it.
  std::size_t as_urgent = 0;
  // Who would take it if the expert with the largest margin were not there. None: nobody is.
  std::optional<Taker> without_best = {};
  // Who would take it if better_off_duty were on duty. None: nobody off duty is better.
  std::optional<Taker> with_better_on_duty = {};
  // Each found by asking a router that has counted those answers, at the same threshold. Empty
  // where nobody is on duty, and for policies that encode the cases that were answered, since
  // nobody knows those to come.
  std::vector<AnswerFlip> answers = {};
};

// `routes` are the router's, for all cases and without capacities: Error(kBadInput) without a
// threshold, or where they are of other cases.
CaseStory tell_case(const Router& router, const Predictions& cases, const Routes& routes,
                    std::size_t row, const StoryOptions& options = {});

}  // namespace ifd
