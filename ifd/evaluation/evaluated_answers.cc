#include "ifd/evaluation/evaluated_answers.h"

#include <fmt/format.h>

namespace ifd {

AnswersFormat blanks_are_missing(AnswersFormat format) {
  if (!format.blanks) format.blanks = BlankAnswers::kSkip;
  return format;
}

std::string wrong_by_blanks(const AnswersFile& answers) {
  constexpr double kMany = .05;
  const auto cells = static_cast<double>(answers.table.cases() * answers.table.experts());
  const double share = static_cast<double>(answers.outside) / cells;
  if (share < kMany) return {};
  return fmt::format(
      "{:.1f} % of the answers are blank or none of the classes, and count as wrong: where a blank "
      "means that nobody was asked, give --missing off-duty.",
      100 * share);
}

}  // namespace ifd
