#include "ifd/decision/shared_errors.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ifd {
namespace {

struct Errors {
  double wrong = 0, all = 0;
  double share() const { return wrong / all; }
};

// What the experts' errors on one case add up to.
struct CaseErrors {
  double sum = 0, squares = 0;
  std::size_t answers = 0;
};

}  // namespace

SharedErrors shared_errors(std::span<const ExpertContext> contexts) {
  std::unordered_map<std::string_view, CaseErrors> of_case;
  for (const ExpertContext& context : contexts) {
    std::unordered_map<std::size_t, Errors> of_class;
    for (const ContextRow& row : context.rows) {
      Errors& errors = of_class[index(row.truth)];
      errors.all += 1;
      errors.wrong += row.answer.is(row.truth) ? 0 : 1;
    }
    for (const ContextRow& row : context.rows) {
      if (row.case_name.empty()) continue;
      const double error =
          (row.answer.is(row.truth) ? 0 : 1) - of_class.at(index(row.truth)).share();
      CaseErrors& here = of_case[row.case_name];
      here.sum += error;
      here.squares += error * error;
      ++here.answers;
    }
  }
  // Over the pairs of a case: the sum of products, and the mean of the squares.
  SharedErrors found;
  std::vector<std::pair<double, double>> terms;
  for (const auto& [name, errors] : of_case) {
    if (errors.answers < 2) continue;
    ++found.cases;
    terms.emplace_back((errors.sum * errors.sum - errors.squares) / 2,
                       errors.squares * static_cast<double>(errors.answers - 1) / 2);
  }
  std::sort(terms.begin(), terms.end());  // not in the order of a hash table
  double products = 0, squares = 0;
  for (const auto& [product, square] : terms) {
    products += product;
    squares += square;
  }
  if (squares > 0) found.correlation = std::clamp(products / squares, 0.0, 1.0);
  return found;
}

double weight_of_answers(std::size_t answers, double correlation) {
  if (answers < 2) return 1;
  return 1 / (1 + static_cast<double>(answers - 1) * correlation);
}

}  // namespace ifd
