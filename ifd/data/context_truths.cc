#include "ifd/data/context_truths.h"

#include <fmt/format.h>

#include <cassert>
#include <vector>

#include "ifd/data/case_votes.h"
#include "ifd/data/dawid_skene.h"

namespace ifd {
namespace {

// The places of the answers, those on one case beside each other: the places on case c are
// order[first[c]] .. order[first[c + 1] - 1].
struct ByCase {
  std::vector<std::size_t> first;
  std::vector<std::size_t> order;

  ByCase(std::span<const ContextAnswer> answers, std::size_t cases)
      : first(cases + 1, 0), order(answers.size()) {
    for (const ContextAnswer& answer : answers) ++first[answer.case_number + 1];
    for (std::size_t c = 0; c < cases; ++c) first[c + 1] += first[c];
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < answers.size(); ++i) order[next[answers[i].case_number]++] = i;
  }
};

}  // namespace

ComputedTruths compute_truths(std::span<ContextAnswer> answers, std::size_t cases,
                              std::size_t classes, TruthKind kind) {
  assert(is_computed(kind));
  const bool others = kind != TruthKind::kMajority;
  const ByCase by_case(answers, cases);
  CaseVotes votes(classes);
  std::vector<Answer> here;
  ComputedTruths found;
  DawidSkeneFit likeliest;
  if (kind == TruthKind::kDawidSkene) {
    likeliest = fit_dawid_skene(answers, cases, classes);
    found.iterations = likeliest.iterations;
    found.settled = likeliest.settled;
  }
  for (std::size_t c = 0; c < cases; ++c) {
    const auto places =
        std::span(by_case.order).subspan(by_case.first[c], by_case.first[c + 1] - by_case.first[c]);
    here.clear();
    for (const std::size_t place : places) here.push_back(answers[place].answer);
    votes.count(here);
    bool any = false;
    for (const std::size_t place : places) {
      ContextAnswer& one = answers[place];
      const std::size_t said = others ? votes.votes_without(one.answer) : votes.votes();
      one.truth = kind == TruthKind::kMajority ? votes.majority()
                  : kind == TruthKind::kOthers ? votes.majority_without(one.answer)
                  : said > 0                   ? likeliest.truths[place]
                                               : std::nullopt;
      any = any || one.truth;
      ++(one.truth ? found.answers : said > 0 ? found.ties : found.alone);
    }
    found.cases += any ? 1 : 0;
  }
  return found;
}

std::string ComputedTruths::summary(TruthKind kind) const {
  const bool others = kind != TruthKind::kMajority;
  std::string text = fmt::format(
      "truths computed (--truth {}), {}: {} answers on {} cases have one", word_for(kind),
      kind == TruthKind::kDawidSkene
          ? "the likeliest by what the others answered, each as reliable as all answers make them, "
            "if experts err independently of each other"
      : others ? "what most of the others answered"
               : "what most of the experts answered",
      answers, cases);
  if (ties > 0) text += fmt::format("; {} skipped for a tie", ties);
  if (alone > 0) {
    text += fmt::format("; {} skipped because nobody{} answered", alone, others ? " else" : "");
  }
  if (kind == TruthKind::kDawidSkene) {
    text += settled ? fmt::format("; settled after {} iterations", iterations)
                    : fmt::format(
                          "; stopped after {} iterations before it settled, so other truths "
                          "may be likelier",
                          iterations);
  }
  return text;
}

}  // namespace ifd
