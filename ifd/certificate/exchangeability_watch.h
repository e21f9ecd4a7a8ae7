// Do the cases of a stream still look like those that a threshold was calibrated on?
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ifd {

// A sequential test that the calibration's margins and the stream's are exchangeable. However long
// the stream, the probability of ever giving an alarm while they are is at most `false_alarms`.
//
// Each margin has its rank among all before it, as a conformal p-value with a random number to
// break ties; these are independent and uniform under exchangeability (Vovk 2005). Two players bet
// against that, one that margins have moved up or down, one that they have moved apart or together
// (the simple jumper of Vovk et al. 2021), and their mean wealth is a martingale that begins at 1:
// it ever reaches 1/false_alarms with at most that probability (Ville 1939).
//
// A calibration set alone as the yardstick would not do: its own sampling error would give an alarm
// in the end on every long stream. Not thread-safe.
class ExchangeabilityWatch {
 public:
  // Error(kBadInput) for a rate outside (0, 1) or margins that are not numbers.
  ExchangeabilityWatch(std::span<const double> calibration_margins, double false_alarms);

  // The next case's margin, with a number drawn uniformly from [0, 1) for it and nothing else.
  // Returns whether the alarm has been given, by this case or one before; nothing changes after.
  bool add(double margin, double tie_break);

  // The wealth so far, and after how many cases of the stream the alarm was given.
  double evidence() const;
  std::optional<std::size_t> alarm() const { return alarm_; }
  std::size_t cases() const { return cases_; }
  double false_alarms() const { return false_alarms_; }

 private:
  // Bets on numbers uniform on [0, 1] being small, large or neither, and changes its mind now and
  // then.
  class Jumper {
   public:
    void bet(double uniform);
    double wealth() const { return on_small_ + on_neither_ + on_large_; }

   private:
    double on_small_ = 1. / 3;
    double on_neither_ = 1. / 3;
    double on_large_ = 1. / 3;
  };

  double conformal_p_value(double margin, double tie_break) const;
  void insert(double margin);

  double false_alarms_;
  // Both sorted; the new ones join the others when they are many, so that a case costs little.
  std::vector<double> margins_;
  std::vector<double> new_margins_;
  Jumper place_;
  Jumper spread_;
  std::size_t cases_ = 0;
  std::optional<std::size_t> alarm_;
};

}  // namespace ifd
