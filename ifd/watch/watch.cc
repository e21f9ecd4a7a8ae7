#include "ifd/watch/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ifd/data/class_names.h"
#include "ifd/error.h"
#include "ifd/random/keyed_random.h"
#include "ifd/watch/expert_watch.h"

namespace ifd {
namespace {

constexpr double kForNewcomers = .1;

}  // namespace

double share_of_each(std::size_t experts) {
  return (1 - kForNewcomers) / static_cast<double>(experts);
}

std::vector<OldAnswers> old_answers(std::span<const ExpertContext> contexts) {
  std::vector<OldAnswers> all;
  for (const ExpertContext& context : contexts) {
    all.push_back({context.expert, {}});
    for (const ContextRow& row : context.rows) {
      all.back().counts.push_back({row.truth, row.answer});
    }
  }
  return all;
}

Watch::Watch(std::size_t classes, std::span<const OldAnswers> before,
             std::span<const std::string> others, WatchOptions options)
    : classes_(classes), options_(options) {
  if (!(options_.false_alarms > 0 && options_.false_alarms < 1)) {
    throw Error(ErrorKind::kUsage, fmt::format("false alarms {}: expected more than 0, less than 1",
                                               options_.false_alarms));
  }
  std::vector<std::string> names;
  for (const OldAnswers& one : before) names.push_back(one.expert);
  names.insert(names.end(), others.begin(), others.end());
  const std::set<std::string_view> distinct(names.begin(), names.end());
  require_staff_size(distinct.size(), classes_);
  const double share = share_of_each(distinct.size());
  for (const std::string& name : names) {
    if (!place_of_.contains(name)) join(name, share);
  }
  for (const OldAnswers& one : before) {
    for (const AnswerCount& answers : one.counts) {
      check(answers.truth, answers.answer);
      experts_[at(one.expert)].count_before(answers);
    }
  }
  for (ExpertWatch& expert : experts_) expert.begin();
}

Watch::~Watch() = default;
Watch::Watch(const Watch&) = default;
Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(const Watch&) = default;
Watch& Watch::operator=(Watch&&) noexcept = default;

void Watch::check(ClassId truth, Answer answer) const {
  const auto is_class = [&](ClassId id) { return index(id) < classes_; };
  if (answer.is_missing()) throw bad_input("the answer is missing; expected one that was given");
  if (!is_class(truth) || (!answer.is_outside() && !is_class(answer.as_class()))) {
    const ClassId wrong = is_class(truth) ? answer.as_class() : truth;
    throw bad_input(fmt::format("{} is not a class; expected 0..{}",
                                static_cast<std::int32_t>(wrong), classes_ - 1));
  }
}

void Watch::join(const std::string& name, double share) {
  const std::size_t place = experts_.size();
  require_staff_size(place + 1, classes_);
  ExpertWatch joins(classes_, options_.false_alarms, share,
                    Key(options_.seed).with("watch").with(name));
  try {
    experts_.push_back(std::move(joins));
    names_.push_back(name);
    fed_.emplace_back();
    place_of_.emplace(name, place);
  } catch (...) {
    if (experts_.size() > place) experts_.pop_back();
    names_.resize(std::min(names_.size(), place));
    fed_.resize(std::min(fed_.size(), place));
    throw;
  }
}

std::size_t Watch::at(std::string_view name) {
  const auto found = place_of_.find(name);
  if (found != place_of_.end()) return found->second;
  const auto k = static_cast<double>(newcomers_ + 1);
  join(std::string(name), kForNewcomers / (k * (k + 1)));
  ++newcomers_;
  experts_.back().begin();
  return experts_.size() - 1;
}

std::size_t Watch::observe(std::string_view expert, ContextRow given) {
  check(given.truth, given.answer);
  const std::size_t place = at(expert);
  std::vector<ContextRow>& fed = fed_[place];
  fed.push_back(std::move(given));
  try {
    return experts_[place].observe(fed.back().truth, fed.back().answer);
  } catch (...) {
    fed.pop_back();
    throw;
  }
}

bool Watch::operator==(const Watch& other) const {
  if (classes_ != other.classes_ || options_ != other.options_ || names_ != other.names_ ||
      newcomers_ != other.newcomers_ || fed_ != other.fed_) {
    return false;
  }
  for (std::size_t j = 0; j < names_.size(); ++j) {
    if (old_answers(j) != other.old_answers(j)) return false;
  }
  return true;
}

std::size_t Watch::bytes_per_expert(std::size_t classes) {
  return sizeof(ExpertWatch) + ExpertWatch::bytes_of_classes(classes);
}

std::vector<AnswerCount> Watch::old_answers(std::size_t expert) const {
  return experts_[checked_place("expert", expert, names_.size())].old_answers();
}

std::vector<Finding> Watch::findings() const {
  std::vector<Finding> all;
  for (const std::string& name : names_) {
    for (Finding& finding : findings(name)) all.push_back(std::move(finding));
  }
  return all;
}

std::vector<Finding> Watch::findings(std::string_view expert) const {
  const auto place = place_of_.find(expert);
  if (place == place_of_.end()) return {};
  std::vector<Finding> found = experts_[place->second].findings();
  for (Finding& finding : found) finding.expert = expert;
  return found;
}

std::vector<WatchedExpert> Watch::experts() const {
  std::vector<WatchedExpert> all;
  for (std::size_t j = 0; j < names_.size(); ++j) all.push_back(standing(j));
  return all;
}

WatchedExpert Watch::standing(std::size_t j) const {
  checked_place("expert", j, names_.size());
  return {names_[j], experts_[j].before(), experts_[j].after(), experts_[j].p()};
}

}  // namespace ifd
