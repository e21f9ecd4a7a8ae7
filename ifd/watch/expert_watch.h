// The tests that run along with the answers of one expert; watch.h says what they promise.
//
// Drift, per class and over all classes. The null hypothesis: answers of before and new ones are
// exchangeable within each true class. How good the expert was is not assumed to be known. A new
// answer on class y, the N-th of them with those of before, W of the N being wrong, has the
// conformal p-value
//
//   p = u W / N              where it is wrong
//   p = (W + u (N - W)) / N  where it is right
//
// with u drawn by key. Under the null these are independent and uniform (Vovk, Gammerman and
// Shafer, Algorithmic Learning in a Random World, on conformal prediction by class), so that every
// f(p) >= 0 with mean 1 is a fair bet: f(p) = c'/c below c and (1 - c')/(1 - c) above, for an error
// rate c that becomes c'. The p-values of all classes together are the test over all classes.
//
// No better than a coin. The null: the expert tells any two classes apart by at least kCoinMargin
// (or, where classes come in random order, does so on average), where telling y and z apart is
// (P(y|y) - P(y|z) + P(z|z) - P(z|y)) / 2: 0 for answers that do not depend on the truth.
// Neighbouring new answers on different classes are paired, and x = (hits - answers that would hit
// on the other case) / 2 has that mean; bets pay 1 + l (kCoinMargin - x).
//
// Exchanged names. The null for classes y and z: at least one of them is called by its own name no
// less often than by the other's. Bets pay 2q for an answer z on y and 2 (1 - q) for an answer y,
// and the same with y and z exchanged; the evidence is the smaller of the two. Half of the money
// is on the answers of before, so that an exchange that is old already is found as well.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ifd/data/answer_count.h"
#include "ifd/data/answer_table.h"
#include "ifd/ids.h"
#include "ifd/random/keyed_random.h"
#include "ifd/watch/bets.h"
#include "ifd/watch/finding.h"

namespace ifd {

// Who tells two classes apart by less is as good as a coin.
inline constexpr double kCoinMargin = .2;

class ExpertWatch {
 public:
  // `false_alarms`: this expert's part of those of the whole watch; `share` is that part's share.
  // `draws`: the key of u.
  ExpertWatch(std::size_t classes, double false_alarms, double share, const Key& draws);

  // Answers of before, in any order; then `begin`, once.
  void count_before(const AnswerCount& answers);
  void begin();

  // The next new answer; a class of the watch, and not missing. Returns how much it reveals.
  // Done whole or, where memory ends, not at all.
  std::size_t observe(ClassId truth, Answer answer);

  // What stands for the classes before there are answers.
  static std::size_t bytes_of_classes(std::size_t classes) { return classes * sizeof(Tally); }
  // In the order of finding; `expert` is empty.
  const std::vector<Finding>& findings() const { return findings_; }
  // What count_before() was told, one entry per kind, by class.
  std::vector<AnswerCount> old_answers() const;
  const RightAnswers& before() const { return before_; }
  const RightAnswers& after() const { return after_; }
  // The least p of all tests.
  double p() const;

 private:
  // Evidence as it grows. Found: at some time the capital was 1 / (false alarms * share).
  struct Evidence {
    double log_share = 0;
    double log_most = 0;
    std::optional<std::size_t> finding = {};  // its place, once it is one
    double p() const { return std::min(1.0, std::exp(-log_most - log_share)); }
  };
  struct Test {
    Evidence evidence;
    Bets bets;
  };
  struct Tally {
    RightAnswers before, after;
    std::map<ClassId, std::uint64_t> called;  // before: other names for it
    std::vector<ClassId> exchanges;           // classes with which an exchange is tested
  };
  // Bets that the first class is called as the second, and the other way round.
  struct Exchange {
    Evidence evidence;
    Bets first, second;
  };
  using Pair = std::pair<ClassId, ClassId>;  // the lower number first

  // A new answer, and where the streams stood before it.
  struct Step {
    ClassId truth;
    Answer answer;
    StreamMark overall, on_class;
    bool right() const { return answer.is(truth); }
  };

  Step count(ClassId truth, Answer answer);
  void test_class(ClassId truth);
  void test_exchange(ClassId one, ClassId other);
  void step_drift(const Step& step);
  void step_coin(const Step& step);
  void step_exchanges(const Step& step);
  // Notes the evidence; adds what `tell` returns when it is enough for the first time.
  template <class Tell>
  void look(Evidence& evidence, double log_capital, Tell tell);
  void look_at(Pair pair, Exchange& exchange);
  Finding drift_found(const Bets& bets, const RightAnswers& before,
                      const RightAnswers& after) const;

  double false_alarms_;
  double share_;
  Key draws_;
  std::vector<Tally> tallies_;
  RightAnswers before_, after_;
  Test drift_;
  Test coin_;
  std::map<ClassId, Test> class_drift_;
  std::map<Pair, Exchange> exchanges_;
  std::optional<Step> unpaired_;  // the answer before, where the coin's pair lacks another class
  std::vector<Finding> findings_;
};

}  // namespace ifd
