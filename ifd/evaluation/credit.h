// What an answer is worth: a share of a right answer, in fixed point.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace ifd {

// Units in a right answer: 720720 * 2^10, which every t <= 16 divides, so that labels that share an
// answer share it exactly. Totals are integers and do not depend on the order of the cases. At
// 2^32 cases a total has 62 bits; that of whole answers is still exact as a double, because its
// odd part n * 45045 fits.
inline constexpr std::uint32_t kWholeCredit = 738017280;

// 0 for a wrong answer, kWholeCredit for a right one, between them where labels share the answer
// or where an answer costs something (1 - loss / largest loss).
class Credit {
 public:
  constexpr Credit() = default;
  constexpr std::uint32_t units() const { return units_; }
  friend constexpr auto operator<=>(Credit, Credit) = default;

 private:
  friend constexpr Credit credit_if(bool right);
  friend constexpr Credit shared_credit(std::size_t labels);
  friend Credit credit_of(double share);
  explicit constexpr Credit(std::uint32_t units) : units_(units) {}
  std::uint32_t units_ = 0;
};

constexpr Credit credit_if(bool right) { return Credit(right ? kWholeCredit : 0); }
inline constexpr Credit kRightAnswer = credit_if(true);
inline constexpr Credit kWrongAnswer = credit_if(false);

// Where one of `labels` labels is right and nothing tells them apart; at least one. Rounded to
// whole units where there are more than 16.
constexpr Credit shared_credit(std::size_t labels) {
  return Credit(static_cast<std::uint32_t>((kWholeCredit + labels / 2) / labels));
}

// The nearest credit to a share of a right answer. Error(kBadInput) outside [0, 1].
Credit credit_of(double share);

constexpr double share(Credit credit) { return static_cast<double>(credit.units()) / kWholeCredit; }

// The exact sum of credits.
class CreditTotal {
 public:
  constexpr void add(Credit credit, std::uint64_t times = 1) { units_ += times * credit.units(); }
  // A whole number of right answers comes out as exactly that number.
  constexpr double right_answers() const { return static_cast<double>(units_) / kWholeCredit; }

  friend constexpr CreditTotal operator+(CreditTotal a, CreditTotal b) {
    return CreditTotal(a.units_ + b.units_);
  }
  // `b` must be part of `a`.
  friend constexpr CreditTotal operator-(CreditTotal a, CreditTotal b) {
    return CreditTotal(a.units_ - b.units_);
  }
  constexpr CreditTotal() = default;

 private:
  explicit constexpr CreditTotal(std::uint64_t units) : units_(units) {}
  std::uint64_t units_ = 0;
};

}  // namespace ifd
