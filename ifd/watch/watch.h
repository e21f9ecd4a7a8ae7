// Has somebody changed? Tests that run along with the answers of a staff, as long as they come.
//
// What is promised: a watch ever finds anything that is not so with probability `false_alarms` at
// most, over all experts, classes and tests together, at any length and however often one looks.
// Each test is an e-process (expert_watch.h) with a share w of the false alarms a; the shares add
// up to 1, and something is found when the capital of its test reaches 1 / (a w).
//
// The cases must be alike, class by class: who is sent the hard cases of a class has not become
// worse, and looks so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/checked_place.h"
#include "ifd/data/answer_count.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/ids.h"
#include "ifd/watch/finding.h"

namespace ifd {

class ExpertWatch;

struct WatchOptions {
  double false_alarms = .05;  // more than 0, less than 1
  std::uint64_t seed = 0;     // of the draws behind the p-values
  bool operator==(const WatchOptions&) const = default;
};

// How an expert stands, found out or not.
struct WatchedExpert {
  std::string name;
  RightAnswers before = {};  // in the old answers
  RightAnswers after = {};   // in the new ones
  double p = 1;              // of all tests the least; see Finding
};

// What an expert answered before, in any order.
struct OldAnswers {
  std::string expert;
  std::vector<AnswerCount> counts;
};
std::vector<OldAnswers> old_answers(std::span<const ExpertContext> contexts);

// Of the false alarms, what each of so many experts has who are there from the beginning.
double share_of_each(std::size_t experts);

// All that it knows is a function of the options, of the old answers and of the new ones in their
// order, all of which it keeps: a watch that is fed them again is the same to the last bit
// (kept_watch.h).
//
// Not thread-safe. Takes per expert and class 1 KB, as much for two classes that were confused, and
// 40 bytes and the case's name for every new answer.
class Watch {
 public:
  // `before`: an entry per expert. `others` are watched from their first
  // answer on, and so is who turns up later: for those a tenth of the false alarms is put aside,
  // half of it for the first, a sixth for the next, 1 / (k (k + 1)) for the k-th.
  // Error: kUsage for false alarms outside (0, 1), kBadInput for a class that does not exist.
  Watch(std::size_t classes, std::span<const OldAnswers> before,
        std::span<const std::string> others = {}, WatchOptions options = {});

  ~Watch();
  Watch(const Watch&);
  Watch(Watch&&) noexcept;
  Watch& operator=(const Watch&);
  Watch& operator=(Watch&&) noexcept;

  // New answers of an expert come in the order of time. Returns how much this one reveals, which
  // stands at the end of findings(expert). Error(kBadInput), and nothing is changed, for an answer
  // that is missing or a class that does not exist. The case's name is kept, and nothing is done
  // with it.
  std::size_t observe(std::string_view expert, ContextRow given);

  // By expert, in the order in which they joined, and in the order of finding.
  std::vector<Finding> findings() const;
  // Empty for somebody who is not watched.
  std::vector<Finding> findings(std::string_view expert) const;
  std::vector<WatchedExpert> experts() const;
  // Of one, by the place in names().
  WatchedExpert standing(std::size_t expert) const;
  // Of memory, before there are answers.
  static std::size_t bytes_per_expert(std::size_t classes);
  const WatchOptions& options() const& { return options_; }
  WatchOptions options() const&& { return options_; }
  std::size_t classes() const { return classes_; }

  // What it was fed, by reference while the watch lives. Experts by their places in names(), of
  // whom the first `founders` were there from the beginning.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() const&& { return names_; }
  std::size_t founders() const { return names_.size() - newcomers_; }
  std::vector<AnswerCount> old_answers(std::size_t expert) const;
  const std::vector<ContextRow>& new_answers(std::size_t expert) const& {
    return fed_[checked_place("expert", expert, fed_.size())];
  }
  std::vector<ContextRow> new_answers(std::size_t expert) const&& { return new_answers(expert); }

  // Whether both were fed the same.
  bool operator==(const Watch& other) const;

 private:
  void check(ClassId truth, Answer answer) const;
  void join(const std::string& name, double share);
  // Its place; joins where it has none.
  std::size_t at(std::string_view name);

  std::size_t classes_;
  WatchOptions options_;
  std::vector<std::string> names_;
  std::vector<ExpertWatch> experts_;
  std::vector<std::vector<ContextRow>> fed_;  // the new answers of each
  std::map<std::string, std::size_t, std::less<>> place_of_;
  std::size_t newcomers_ = 0;
};

}  // namespace ifd
