// Names for tables: a long one is cut in the middle, so that it does not push the columns off the
// line, and a legend says what it stands for.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ifd::cli {

class ShortNames {
 public:
  // Each of at most so many columns, as visible_text.h shows it. Different names stay different: of
  // those that would be cut alike the second ends in #2, and so on, whatever room there is.
  ShortNames(std::span<const std::string> names, std::size_t columns);

  const std::string& operator[](std::size_t i) const { return short_[i]; }
  std::size_t size() const { return short_.size(); }

  // "In full: 'runs/a…cy.ifd' is 'runs/april/policy.ifd'." in lines that fit, with a line end; of
  // the first `count` names. Empty where none of them was cut.
  std::string legend(std::size_t count) const;
  std::string legend() const { return legend(size()); }

 private:
  std::vector<std::string> short_;
  std::vector<std::string> full_;
};

}  // namespace ifd::cli
