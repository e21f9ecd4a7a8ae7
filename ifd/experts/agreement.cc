#include "ifd/experts/agreement.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "ifd/data/case_votes.h"

namespace ifd {
namespace {

struct CaseAnswer {
  std::size_t case_number;
  std::size_t answer;  // a class
};

// Every expert's answers in the order of the cases, whose names have become numbers.
std::vector<std::vector<CaseAnswer>> numbered(std::span<const ExpertContext> contexts) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  std::vector<std::vector<CaseAnswer>> answers(contexts.size());
  for (std::size_t j = 0; j < contexts.size(); ++j) {
    const auto add = [&](std::string_view case_name, const Answer& answer) {
      if (answer.is_outside() || answer.is_missing()) return;
      const std::size_t number = numbers.try_emplace(case_name, numbers.size()).first->second;
      answers[j].push_back({number, index(answer.as_class())});
    };
    for (const ContextRow& row : contexts[j].rows) add(row.case_name, row.answer);
    for (const UnjudgedAnswer& answer : contexts[j].unjudged) add(answer.case_name, answer.answer);
    std::sort(answers[j].begin(), answers[j].end(), [](const CaseAnswer& a, const CaseAnswer& b) {
      return a.case_number < b.case_number;
    });
  }
  return answers;
}

// Counts two raters; used again for the next two at the cost of what was counted.
class RaterCounts {
 public:
  explicit RaterCounts(std::size_t classes) : first_(classes), second_(classes) {}

  void add(std::size_t first, std::size_t second) {
    ++counts_.shared;
    counts_.agreed += first == second ? 1 : 0;
    ++first_[first];
    ++second_[second];
    touched_.push_back(first);
    touched_.push_back(second);
  }

  // What was counted since the last call.
  RaterAgreement take() {
    double by_chance = 0;  // n^2 p_e
    for (const std::size_t k : touched_) {
      by_chance += static_cast<double>(first_[k]) * static_cast<double>(second_[k]);
      first_[k] = second_[k] = 0;
    }
    touched_.clear();
    RaterAgreement made = counts_;
    counts_ = {};
    const auto n = static_cast<double>(made.shared);
    if (by_chance < n * n) {
      made.kappa = (n * static_cast<double>(made.agreed) - by_chance) / (n * n - by_chance);
    }
    return made;
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<std::uint64_t> second_;
  std::vector<std::size_t> touched_;
  RaterAgreement counts_;
};

RaterAgreement compare(std::span<const CaseAnswer> first, std::span<const CaseAnswer> second,
                       RaterCounts& counts) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.size() && j < second.size()) {
    if (first[i].case_number == second[j].case_number) {
      counts.add(first[i++].answer, second[j++].answer);
    } else {
      ++(first[i].case_number < second[j].case_number ? i : j);
    }
  }
  return counts.take();
}

// For every answer, the class that most of the others gave on its case; none where they tie.
std::vector<std::vector<std::optional<std::size_t>>> majorities_of_others(
    const std::vector<std::vector<CaseAnswer>>& answers, std::size_t classes) {
  struct Place {
    std::size_t expert;
    std::size_t position;
  };
  std::vector<std::vector<std::optional<std::size_t>>> majorities(answers.size());
  std::vector<std::vector<Place>> by_case;
  for (std::size_t j = 0; j < answers.size(); ++j) {
    majorities[j].resize(answers[j].size());
    for (std::size_t i = 0; i < answers[j].size(); ++i) {
      const std::size_t number = answers[j][i].case_number;
      if (number >= by_case.size()) by_case.resize(number + 1);
      by_case[number].push_back({j, i});
    }
  }
  CaseVotes votes(classes);
  std::vector<Answer> given;
  for (const std::vector<Place>& places : by_case) {
    given.clear();
    for (const Place& place : places) {
      given.emplace_back(class_id(answers[place.expert][place.position].answer));
    }
    votes.count(given);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto majority = votes.majority_without(given[i]);
      if (majority) majorities[places[i].expert][places[i].position] = index(*majority);
    }
  }
  return majorities;
}

// Keeps what shares enough cases, weakest first, and tells of the rest.
template <class Compared>
void finish(std::vector<Compared>& all, Agreement& found) {
  double sum = 0;
  std::size_t with_kappa = 0;
  for (const Compared& one : all) {
    found.most_shared = std::max(found.most_shared, one.counts.shared);
    if (one.counts.shared < found.least_shared) {
      ++found.too_few;
    } else if (one.counts.kappa) {
      sum += *one.counts.kappa;
      ++with_kappa;
    }
  }
  std::erase_if(all, [&](const Compared& one) { return one.counts.shared < found.least_shared; });
  std::stable_sort(all.begin(), all.end(), [](const Compared& a, const Compared& b) {
    if (a.counts.kappa.has_value() != b.counts.kappa.has_value()) return a.counts.kappa.has_value();
    return a.counts.kappa < b.counts.kappa;
  });
  if (with_kappa > 0) found.mean_kappa = sum / static_cast<double>(with_kappa);
}

}  // namespace

Agreement agreement(std::span<const ExpertContext> contexts, std::size_t classes,
                    const AgreementOptions& options) {
  const auto answers = numbered(contexts);
  std::size_t total = 0;
  for (const auto& own : answers) total += own.size();
  const std::size_t experts = contexts.size();
  Agreement found;
  found.least_shared = std::max(options.least_shared, std::size_t{1});
  found.compares_pairs =
      experts <= options.most_experts && (experts == 0 || total <= options.most_work / experts);
  RaterCounts counts(classes);
  if (found.compares_pairs) {
    for (std::size_t i = 0; i < experts; ++i) {
      for (std::size_t j = i + 1; j < experts; ++j) {
        const RaterAgreement both = compare(answers[i], answers[j], counts);
        found.pairs.push_back({i, j, both});
      }
    }
    finish(found.pairs, found);
    return found;
  }
  const auto majorities = majorities_of_others(answers, classes);
  for (std::size_t j = 0; j < experts; ++j) {
    for (std::size_t i = 0; i < answers[j].size(); ++i) {
      if (majorities[j][i]) counts.add(answers[j][i].answer, *majorities[j][i]);
    }
    const RaterAgreement both = counts.take();
    found.with_others.push_back({j, both});
  }
  finish(found.with_others, found);
  return found;
}

}  // namespace ifd
