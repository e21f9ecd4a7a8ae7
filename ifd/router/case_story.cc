#include "ifd/router/case_story.h"

#include <algorithm>
#include <span>

#include "ifd/error.h"
#include "ifd/policy/calibration.h"

namespace ifd {
namespace {

// Beliefs about one case, most probable first; of equals the lowest class, as the model answers.
std::vector<CaseStory::Belief> beliefs_of(const Predictions& one) {
  std::vector<CaseStory::Belief> beliefs;
  const auto probabilities = one.probabilities(0);
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    beliefs.push_back({class_id(k), static_cast<double>(probabilities[k])});
  }
  std::stable_sort(beliefs.begin(), beliefs.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return beliefs;
}

std::size_t classes_that_matter(const std::vector<CaseStory::Belief>& beliefs,
                                const StoryOptions& options) {
  const std::size_t most = std::clamp<std::size_t>(options.most_classes, 1, beliefs.size());
  std::size_t count = 1;
  double covered = beliefs[0].probability;
  while (count < most && covered < options.covered_belief && beliefs[count].probability > 0) {
    covered += beliefs[count++].probability;
  }
  return count;
}

// One case asked about again and again, at one threshold, of a copy of the router that is changed
// and put back: answers are counted and taken back exactly.
class Asking {
 public:
  Asking(const Router& router, Predictions one, double threshold)
      : router_(router.copy()), one_(std::move(one)), threshold_(threshold) {}

  const Predictions& one() const { return one_; }

  // Counts one answer after the other, and asks each time.
  void find(AnswerFlip& flip, const std::optional<std::string>& now, std::size_t most) {
    const bool right = flip.answers == AnswerFlip::Answers::kRight;
    const Observation next{right ? Answer(flip.truth) : Answer::outside(), flip.truth};
    std::size_t counted = 0;
    while (counted < most && !flip.count) {
      router_.observe(flip.expert, next);
      ++counted;
      const Taker taker = asked();
      if (taker.expert == now) continue;
      flip.count = counted;
      flip.then = taker;
    }
    for (; counted > 0; --counted) router_.forget(flip.expert, next);
  }

  Taker without(const std::string& expert) { return with_duty_turned(expert, true); }
  Taker with(const std::string& expert) { return with_duty_turned(expert, false); }

 private:
  Taker with_duty_turned(const std::string& expert, bool now) {
    router_.set_on_duty(expert, !now);
    Taker taker = asked();
    router_.set_on_duty(expert, now);
    return taker;
  }

  Taker asked() const {
    const Routes routes = router_.route(one_, Threshold{threshold_});
    Taker taker{{}, routes[0].margin};
    if (routes[0].decision() == Decision::kExpert) taker.expert = routes.expert_name(routes[0]);
    return taker;
  }

  Router router_;
  Predictions one_;
  double threshold_;
};

CaseStory::Candidate candidate_of(const Router& router, const Explanation::Expert& expert,
                                  const CaseStory& story) {
  const ExpertProfile profile = router.profile(expert.name);
  CaseStory::Candidate made{expert.name, expert.on_duty, expert.margin, 0, {}};
  for (std::size_t i = 0; i < story.beliefs.size(); ++i) {
    const BetaPosterior& known = profile.at(story.beliefs[i].class_id);
    made.expected_accuracy += story.beliefs[i].probability * known.mean();
    if (i < story.matter) made.known.push_back(known);
  }
  if (story.prediction_cost) {
    made.expected_cost = *story.prediction_cost - expert.margin;
    made.fee = router.costs()->fee(expert.name);
  }
  return made;
}

void tell_candidates(const Router& router, Explanation why, std::size_t most, CaseStory& story) {
  // Equal margins are settled by the router, so its choice comes first.
  const std::string best = why.best ? why.experts[index(*why.best)].name : std::string();
  std::stable_sort(why.experts.begin(), why.experts.end(), [&](const auto& a, const auto& b) {
    if (a.on_duty != b.on_duty) return a.on_duty;
    if (a.margin != b.margin) return a.margin > b.margin;
    return a.name == best && b.name != best;
  });
  for (const Explanation::Expert& expert : why.experts) {
    if (expert.on_duty) {
      if (++story.on_duty > most) {
        const bool equal = most > 0 && expert.margin == story.candidates.back().margin;
        story.as_good += equal ? 1 : 0;
        continue;
      }
      story.candidates.push_back(candidate_of(router, expert, story));
      continue;
    }
    const bool better = story.candidates.empty() || expert.margin > story.candidates[0].margin;
    if (better) story.better_off_duty = candidate_of(router, expert, story);
    break;
  }
}

std::size_t as_urgent(const Routes& routes, std::size_t row) {
  const double margin = routes[row].margin;
  if (margin == kNeverDefer) return 0;
  return static_cast<std::size_t>(std::count_if(
      routes.begin(), routes.end(), [&](const Route& route) { return route.margin >= margin; }));
}

// The best expert by wrong answers if it takes the case, by right ones if the model keeps it; and
// the next best by right ones.
void tell_answers(const Router& router, Asking& asking, std::size_t most, CaseStory& story) {
  if (story.candidates.empty() || router.encodes_cases()) return;
  using Answers = AnswerFlip::Answers;
  const bool taken = story.taker.expert.has_value();
  const auto ask = [&](const std::string& expert, Answers answers) {
    for (std::size_t i = 0; i < story.matter; ++i) {
      AnswerFlip flip{expert, story.beliefs[i].class_id, answers};
      asking.find(flip, story.taker.expert, most);
      story.answers.push_back(std::move(flip));
    }
  };
  ask(story.candidates[0].name, taken ? Answers::kWrong : Answers::kRight);
  if (taken && story.candidates.size() > 1) ask(story.candidates[1].name, Answers::kRight);
}

}  // namespace

CaseStory tell_case(const Router& router, const Predictions& cases, const Routes& routes,
                    std::size_t row, const StoryOptions& options) {
  if (routes.size() != cases.size() || !routes.threshold()) {
    throw bad_input("a case is told by routes of all its cases under a threshold or a budget");
  }
  Explanation why = router.explain(cases, row);
  const double threshold = *routes.threshold();
  Asking asking(router, cases.subset(std::span(&row, 1)), threshold);
  const auto calibration = router.calibration();
  CaseStory story;
  story.case_name = cases.case_name(row);
  story.beliefs =
      beliefs_of(calibration ? calibrated(asking.one(), calibration->calibration) : asking.one());
  story.matter = classes_that_matter(story.beliefs, options);
  story.prediction = why.prediction;
  story.prediction_cost = why.prediction_cost;
  if (const auto costs = router.costs()) story.unit = CostUnit(*costs);
  story.threshold = threshold;
  story.taker = {{}, routes[row].margin};
  if (routes[row].decision() == Decision::kExpert) {
    story.taker.expert = routes.expert_name(routes[row]);
  }
  tell_candidates(router, std::move(why), options.most_candidates, story);
  story.as_urgent = as_urgent(routes, row);
  if (!story.candidates.empty()) {
    story.without_best = asking.without(story.candidates[0].name);
  }
  if (story.better_off_duty) {
    story.with_better_on_duty = asking.with(story.better_off_duty->name);
  }
  tell_answers(router, asking, options.most_answers, story);
  return story;
}

}  // namespace ifd
