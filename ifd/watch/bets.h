// Money put on alternatives to a null hypothesis, from every possible beginning on: an e-process.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace ifd {

// Where a stream stood before an answer.
struct StreamMark {
  std::uint64_t answers = 0;  // of the expert, of any class
  std::uint64_t judged = 0;   // of those that the bets are about
  std::uint64_t right = 0;    // among them
};

// A stream of answers is bet on in several ways w, such as "right less often than before". The
// money begins with 1, shared equally among the ways. Of each way's share a part is put to work at
// every step t = 1, 2, ..., called a start, so that a change is found that begins later than the
// stream; a part h of it may be put to work before the first step already:
//
//   M_t = r_t + mean over ways w of sum over starts s <= t of (r_{s-1} - r_s) f_w(s) ... f_w(t)
//
// with r_t = (1 - h) ln 2 / ln(2 + t), what is not yet at work after step t. Where each
// payoff f_w(t) has a mean of at most 1 given what came before, M_t reaches 1/a with probability a
// at most, ever (Ville). r_t falls so slowly that a beginning at answer t costs about ln t nats.
//
// All in logarithms: evidence neither overflows nor, after a long quiet time, is lost.
class Bets {
 public:
  // `before`: h, the share that is put to work before the first step.
  explicit Bets(std::size_t ways, double before = 0);

  // What the bets of before the first step came to; once, and before it. One per way.
  void settle_before(std::span<const double> log_payoffs);
  // One payoff per way. `mark` is where the stream stood before this answer.
  void step(std::span<const double> log_payoffs, const StreamMark& mark) noexcept;

  // ln M_t.
  double log_capital() const noexcept;
  // The way that has earned most, and since when it has, on balance, been earning.
  std::size_t best_way() const noexcept;
  const StreamMark& since(std::size_t way) const { return ways_[way].since; }
  bool earned_before(std::size_t way) const { return ways_[way].earned_before; }

 private:
  struct Way {
    double log_at_work = -std::numeric_limits<double>::infinity();
    double log_run = 0;  // earned since `since`
    StreamMark since;
    bool earned_before = false;  // the run goes back to before the first step
  };

  double log_idle(std::uint64_t steps) const noexcept;

  std::vector<Way> ways_;
  double share_idle_;
  std::uint64_t steps_ = 0;
};

}  // namespace ifd
