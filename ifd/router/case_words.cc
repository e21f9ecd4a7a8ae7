#include "ifd/router/case_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"
#include "ifd/data/visible_text.h"

namespace ifd {

std::string percent_word(double share) {
  const double percents = 100 * share;
  const double rounded = std::round(percents);
  if (percents == rounded || (rounded != 0 && rounded != 100)) {
    return fmt::format("{:.0f} %", percents);
  }
  if (percents < .1) return "below 0.1 %";
  return fmt::format("{:.1f} %", std::min(percents, 99.9));
}

std::string margin_word(double margin) {
  const std::string word = fmt::format("{:.4f}", margin);
  return word == "-0.0000" ? "0.0000" : word;
}

namespace {

using nlohmann::ordered_json;

// "was right on 15 of 15 cases of ship, 3 of 4 of truck"
std::string record_of(const CaseStory::Candidate& candidate, const CaseStory& story,
                      const ClassNames& classes) {
  const bool asked = std::any_of(candidate.known.begin(), candidate.known.end(),
                                 [](const BetaPosterior& known) { return known.answers() > 0; });
  if (!asked) return "has no answers on such cases yet, and the prior stands in";
  std::string out = "was right on";
  for (std::size_t i = 0; i < candidate.known.size(); ++i) {
    out += fmt::format("{} {} of {} {} {}", i == 0 ? "" : ",", candidate.known[i].correct(),
                       candidate.known[i].answers(), i == 0 ? "cases of" : "of",
                       classes.name(story.beliefs[i].class_id));
  }
  return out;
}

std::string threshold_word(const CaseStory& story) {
  return std::isfinite(story.threshold) ? fmt::format("the threshold {:.6g}", story.threshold)
         : story.threshold > 0          ? "a threshold that nothing reaches"
                                        : "a threshold that everything reaches";
}

std::string taker_word(const Taker& taker) {
  return taker.expert
             ? fmt::format("{} takes it (margin {})", *taker.expert, margin_word(taker.margin))
             : std::string("the model keeps it");
}

std::string budget_flip(const CaseStory& story, const CaseWording& wording) {
  const double share = static_cast<double>(story.as_urgent) / static_cast<double>(wording.cases);
  const std::string so_many =
      fmt::format("{:.4g} % ({} of {} cases)", 100 * share, story.as_urgent, wording.cases);
  if (story.taker.expert) return fmt::format("a budget below {}: the model keeps it", so_many);
  if (wording.least_margin && story.taker.margin < *wording.least_margin) {
    return fmt::format("no budget alone, since its margin is below {:.6g}: --fill-budget with {}",
                       *wording.least_margin, so_many);
  }
  return fmt::format("a budget of {} or more: {} takes it", so_many, story.candidates[0].name);
}

std::string threshold_flip(const CaseStory& story) {
  if (story.taker.expert) {
    return fmt::format("a threshold above {:.6g}: the model keeps it", story.taker.margin);
  }
  return fmt::format("a threshold of {:.6g} or less: {} takes it", story.taker.margin,
                     story.candidates[0].name);
}

std::string answers_flip(const AnswerFlip& flip, const CaseWording& wording) {
  const char* kind = flip.answers == AnswerFlip::Answers::kRight ? "right" : "wrong";
  const std::string& truth = wording.classes.name(flip.truth);
  if (!flip.count) {
    return fmt::format("{} answers of {} on {}: not within {}", kind, flip.expert, truth,
                       wording.most_answers);
  }
  return fmt::format("{} more {} answer{} of {} on {}: {}", *flip.count, kind,
                     *flip.count == 1 ? "" : "s", flip.expert, truth, taker_word(flip.then));
}

ordered_json json_of(const Taker& taker) {
  return {
      {"decision", taker.expert ? "expert" : "model"},
      {"expert", taker.expert ? ordered_json(*taker.expert) : ordered_json(nullptr)},
      {"margin", std::isfinite(taker.margin) ? ordered_json(taker.margin) : ordered_json(nullptr)}};
}

ordered_json json_of(const CaseStory::Candidate& candidate, const CaseStory& story,
                     const ClassNames& classes) {
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < candidate.known.size(); ++i) {
    const BetaPosterior& known = candidate.known[i];
    const auto [low, high] = known.central_interval(kStoryInterval);
    rows.push_back({{"class", classes.name(story.beliefs[i].class_id)},
                    {"n", known.answers()},
                    {"correct", known.correct()},
                    {"mean", known.mean()},
                    {"low", low},
                    {"high", high}});
  }
  ordered_json out = {{"expert", candidate.name},
                      {"on_duty", candidate.on_duty},
                      {"margin", candidate.margin},
                      {"expected_accuracy", candidate.expected_accuracy}};
  if (candidate.expected_cost) {
    out["expected_cost"] = *candidate.expected_cost;
    out["fee"] = candidate.fee;
  }
  out["classes"] = std::move(rows);
  return out;
}

ordered_json flips_json(const CaseStory& story, const CaseWording& wording) {
  ordered_json answers = ordered_json::array();
  for (const AnswerFlip& flip : story.answers) {
    answers.push_back({{"expert", flip.expert},
                       {"class", wording.classes.name(flip.truth)},
                       {"answers", flip.answers == AnswerFlip::Answers::kRight ? "right" : "wrong"},
                       {"count", flip.count ? ordered_json(*flip.count) : ordered_json(nullptr)},
                       {"then", flip.count ? json_of(flip.then) : ordered_json(nullptr)}});
  }
  return {
      {"as_urgent", story.as_urgent},
      {"cases", wording.cases},
      {"without_best", story.without_best ? json_of(*story.without_best) : ordered_json(nullptr)},
      {"with_better_on_duty",
       story.with_better_on_duty ? json_of(*story.with_better_on_duty) : ordered_json(nullptr)},
      {"most_answers", wording.most_answers},
      {"answers", answers}};
}

ordered_json json_of(const CaseStory& story, const CaseWording& wording) {
  ordered_json model = ordered_json::array();
  for (const CaseStory::Belief& belief : story.beliefs) {
    model.push_back(
        {{"class", wording.classes.name(belief.class_id)}, {"probability", belief.probability}});
  }
  ordered_json experts = ordered_json::array();
  for (const CaseStory::Candidate& candidate : story.candidates) {
    experts.push_back(json_of(candidate, story, wording.classes));
  }
  if (story.better_off_duty) {
    experts.push_back(json_of(*story.better_off_duty, story, wording.classes));
  }
  ordered_json out = {{"case", story.case_name}};
  out.update(json_of(story.taker));
  out["threshold"] =
      std::isfinite(story.threshold) ? ordered_json(story.threshold) : ordered_json(nullptr);
  out["model"] = std::move(model);
  if (story.prediction_cost) {
    out["prediction"] = wording.classes.name(story.prediction);
    out["prediction_cost"] = *story.prediction_cost;
    out["unit"] = story.unit->name();
  }
  out["on_duty"] = story.on_duty;
  out["experts"] = std::move(experts);
  out["flips"] = flips_json(story, wording);
  return out;
}

}  // namespace

std::string case_headline(const CaseStory& story) {
  return fmt::format("{}: {}", visible_text(story.case_name),
                     story.taker.expert
                         ? fmt::format("goes to {}", visible_text(*story.taker.expert))
                         : "stays with the model");
}

std::string model_sentence(const CaseStory& story, const ClassNames& classes) {
  std::string out = "Model:";
  double told = 0;
  for (std::size_t i = 0; i < story.matter; ++i) {
    const CaseStory::Belief& belief = story.beliefs[i];
    out += fmt::format("{} {} {}", i == 0 ? "" : ",", classes.name(belief.class_id),
                       percent_word(belief.probability));
    told += belief.probability;
  }
  const std::size_t others = story.beliefs.size() - story.matter;
  if (others > 0) {
    out += fmt::format(", {} {}",
                       others == 1 ? classes.name(story.beliefs.back().class_id)
                                   : fmt::format("{} others", others),
                       percent_word(std::max(0.0, 1 - told)));
  }
  if (story.prediction_cost) {
    out += fmt::format(". It answers {}, which is expected to cost least: {}",
                       classes.name(story.prediction), story.unit->text(*story.prediction_cost));
  }
  return out + ".";
}

std::string reason_sentence(const CaseStory& story, const CaseWording& wording) {
  if (story.candidates.empty()) return "Nobody is on duty.";
  const CaseStory::Candidate& best = story.candidates[0];
  const bool taken = story.taker.expert.has_value();
  const std::string record = record_of(best, story, wording.classes);
  std::string out = taken ? fmt::format("{} {}", best.name, record)
                          : fmt::format("The first to ask would be {}, who {}", best.name, record);
  if (best.expected_cost) {
    out +=
        fmt::format(", so asking {} is expected to cost {}{}, the model's answer {}", best.name,
                    story.unit->text(*best.expected_cost),
                    best.fee > 0 ? fmt::format(" with the fee of {}", story.unit->number(best.fee))
                                 : std::string(),
                    story.unit->text(*story.prediction_cost));
  } else if (wording.expects_gains) {
    out += fmt::format(", so {} is expected to be right in {} of cases like this, the model in {}",
                       best.name, percent_word(best.expected_accuracy),
                       percent_word(story.beliefs[0].probability));
  }
  out += fmt::format(". The margin {} {} {}", margin_word(best.margin),
                     taken ? "reaches" : "is below", threshold_word(story));
  if (!wording.expects_gains) {
    out +=
        fmt::format("; the margins of {} only order cases and experts, they are no expected gain",
                    wording.policy);
  }
  return out + ".";
}

std::string others_sentence(const CaseStory& story) {
  const std::size_t others = story.on_duty - story.candidates.size();
  if (others == 0) return {};
  if (story.as_good == 0) return fmt::format("{} more on duty with smaller margins", others);
  const std::string equal = fmt::format("the same margin as {}", story.candidates.back().name);
  if (story.as_good == others) return fmt::format("{} more on duty with {}", others, equal);
  return fmt::format("{} more on duty, {} with {}, the others with smaller ones", others,
                     story.as_good, equal);
}

std::vector<std::string> flip_lines(const CaseStory& story, const CaseWording& wording) {
  std::vector<std::string> lines;
  if (!story.candidates.empty()) {
    lines.push_back(threshold_flip(story));
    if (wording.budget) lines.push_back(budget_flip(story, wording));
  }
  if (story.taker.expert) {
    lines.push_back(fmt::format("with {} off duty: {}", story.candidates[0].name,
                                taker_word(*story.without_best)));
  }
  if (const auto& then = story.with_better_on_duty; then && then->expert != story.taker.expert) {
    lines.push_back(
        fmt::format("with {} on duty: {}", story.better_off_duty->name, taker_word(*then)));
  }
  if (lines.empty()) return {};
  for (const AnswerFlip& flip : story.answers) lines.push_back(answers_flip(flip, wording));
  return lines;
}

std::string flips_title(const CaseWording& wording) {
  return wording.budget ? "What would flip it (duty and answers: at the same threshold):"
                        : "What would flip it:";
}

std::string explanation_json(const std::vector<CaseStory>& stories, const CaseWording& wording) {
  ordered_json cases = ordered_json::array();
  for (const CaseStory& story : stories) cases.push_back(json_of(story, wording));
  return json_text(ordered_json{{"schema", "ifd explanation 1"},
                                {"policy", wording.policy},
                                {"expects_gains", wording.expects_gains},
                                {"cases", std::move(cases)}},
                   2) +
         "\n";
}

}  // namespace ifd
