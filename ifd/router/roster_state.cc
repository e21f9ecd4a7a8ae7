#include "ifd/router/roster_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "ifd/data/answer_bytes.h"
#include "ifd/data/binary_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/policy/roster.h"
#include "ifd/profile/faded_profile.h"

namespace ifd {
namespace {

constexpr BinaryFormat kFormat{"IFDROST1", kRosterFileVersion, "roster file"};
constexpr BinaryFormat kUndatedFormat{kFormat.magic, 1, kFormat.kind};
constexpr std::size_t kVersionEnd = kFormat.magic.size() + sizeof(kFormat.version);

std::vector<BetaPrior> read_priors(BinaryReader& reader, std::size_t classes) {
  std::vector<BetaPrior> priors;
  for (std::size_t k = 0; k < classes; ++k) {
    const double alpha = reader.real(), beta = reader.real();
    priors.push_back({alpha, beta});
    if (!is_usable(priors.back())) {
      reader.refuse(fmt::format("prior Beta({}, {}); expected both from {} to {}", alpha, beta,
                                kLeastPriorParameter, kMostPriorParameter));
    }
  }
  return priors;
}

}  // namespace

RosterState::RosterState(ClassNames classes, HalfLife half_life)
    : classes_(std::move(classes)), half_life_(half_life) {
  if (half_life_ && !(std::isfinite(*half_life_) && *half_life_ > 0)) {
    throw bad_input(fmt::format("half-life {}; expected a positive number", *half_life_));
  }
}

RosterState::RosterState(ClassNames classes, std::vector<ExpertContext> contexts,
                         const PriorTable& priors, PriorOnly prior_only, HalfLife half_life,
                         UnstatedPriors unstated)
    : RosterState(std::move(classes), half_life) {
  require_staff_size(contexts.size(), classes_.size());
  std::unordered_set<std::string_view> seen;  // one for all, to keep its memory
  for (ExpertContext& context : contexts) {
    const ExpertId expert = add(context.expert, priors.of(context.expert, classes_.size()));
    for (const ContextRow& row : context.rows) check({row.answer, row.truth, row.case_name});
    Expert& joined = known(expert);
    if (half_life_) {
      std::uint64_t date = 0;
      for (const ContextRow& row : context.rows) {
        joined.dates.emplace(Dated{++date, row.truth, code_of(row.answer)}, 1);
      }
    }
    for (const ContextRow& row : context.rows) {
      if (row.case_name.empty()) ++joined.counts[{row.truth, code_of(row.answer)}];
    }
    std::erase_if(context.rows, [](const ContextRow& row) { return row.case_name.empty(); });
    joined.rows = std::move(context.rows);
    // A file's reader has seen to it that no case is there twice; here nobody has.
    seen.clear();
    for (const ContextRow& row : joined.rows) {
      if (seen.insert(row.case_name).second) continue;
      throw Error(ErrorKind::kConflict,
                  fmt::format("expert '{}' answers case '{}' a second time; expected one answer",
                              excerpt(joined.name), excerpt(row.case_name)));
    }
  }
  if (prior_only == PriorOnly::kJoins) {
    for (const std::string& name : priors.experts()) {
      if (!find(name)) add(name, priors.of(name, classes_.size()));
    }
  }
  if (unstated == UnstatedPriors::kUniform) return;
  auto learned = priors_by_staff(names(), profiles(), priors);
  for (std::size_t j = 0; j < size(); ++j) experts_[j].priors = std::move(learned[j]);
}

std::vector<std::string> RosterState::names() const {
  std::vector<std::string> names;
  for (const Expert& expert : experts_) names.push_back(expert.name);
  return names;
}

std::optional<ExpertId> RosterState::find(std::string_view name) const {
  const auto found = place_of_.find(std::string(name));
  if (found == place_of_.end()) return {};
  return expert_id(found->second);
}

ExpertId RosterState::at(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  throw unknown_expert(name, names());
}

ExpertProfile RosterState::profile(ExpertId id) const {
  const Expert& expert = known(id);
  if (half_life_) {
    std::vector<DatedAnswers> answers;
    for (const auto& [what, count] : expert.dates) {
      answers.push_back({what.date, what.truth, answer_of(what.answer), count});
    }
    return faded_profile(expert.priors, answers, *half_life_);
  }
  ExpertProfile profile(expert.priors);
  profile.observe(std::span(expert.rows));
  for (const auto& [what, count] : expert.counts) {
    profile.observe({.truth = what.truth, .answer = answer_of(what.answer), .count = count});
  }
  return profile;
}

std::vector<AnswerCount> RosterState::answer_counts(ExpertId id) const {
  const Expert& expert = known(id);
  CountsByKind all = expert.counts;
  for (const ContextRow& row : expert.rows) ++all[{row.truth, code_of(row.answer)}];
  std::vector<AnswerCount> counts;
  for (const auto& [what, count] : all) {
    counts.push_back({what.truth, answer_of(what.answer), count});
  }
  return counts;
}

std::vector<ExpertProfile> RosterState::profiles() const {
  std::vector<ExpertProfile> all;
  for (std::size_t j = 0; j < size(); ++j) all.push_back(profile(expert_id(j)));
  return all;
}

ExpertContext RosterState::context(ExpertId id) const {
  const Expert& expert = known(id);
  return {expert.name, ordered_rows(expert)};
}

std::vector<ExpertContext> RosterState::contexts() const {
  std::vector<ExpertContext> all;
  for (std::size_t j = 0; j < size(); ++j) all.push_back(context(expert_id(j)));
  return all;
}

void RosterState::check(const Observation& observation) const {
  const auto is_class = [&](ClassId id) { return index(id) < classes_.size(); };
  if (observation.answer.is_missing()) {
    throw bad_input("the answer is missing; expected one that was given");
  }
  if (is_too_long(observation.case_name)) throw name_too_long(observation.case_name);
  if (!is_class(observation.truth)) {
    throw bad_input(fmt::format("truth {} is not a class; expected 0..{}",
                                static_cast<std::int32_t>(observation.truth), classes_.size() - 1));
  }
  if (!observation.answer.is_outside() && !is_class(observation.answer.as_class())) {
    throw bad_input(fmt::format("answer {} is not a class; expected 0..{}",
                                static_cast<std::int32_t>(observation.answer.as_class()),
                                classes_.size() - 1));
  }
}

void RosterState::index_rows(Expert& expert) {
  if (expert.row_of.size() == expert.rows.size()) return;
  expert.row_of.clear();
  for (std::size_t i = 0; i < expert.rows.size(); ++i) {
    expert.row_of.emplace(expert.rows[i].case_name, i);
  }
}

Observation RosterState::dated(ExpertId id, const Observation& observation) const {
  Observation with_date = observation;
  if (!half_life_ || observation.date) return with_date;
  const auto& dates = known(id).dates;
  with_date.date = dates.empty() ? 1 : dates.rbegin()->first.date + 1;
  return with_date;
}

Observation RosterState::dated_as_given(ExpertId id, const Observation& observation) const {
  Observation with_date = observation;
  if (!half_life_ || observation.date) return with_date;
  const auto& dates = known(id).dates;
  for (auto it = dates.rbegin(); it != dates.rend() && !with_date.date; ++it) {
    const Dated& what = it->first;
    if (what.truth == observation.truth && what.answer == code_of(observation.answer)) {
      with_date.date = what.date;
    }
  }
  return with_date;
}

void RosterState::take_back_date(Expert& expert, const Observation& observation) {
  const auto found = expert.dates.find(
      {observation.date.value_or(0), observation.truth, code_of(observation.answer)});
  if (--found->second == 0) expert.dates.erase(found);
}

void RosterState::observe(ExpertId id, const Observation& undated) {
  check(undated);
  const Observation observation = dated(id, undated);
  Expert& expert = known(id);
  const Dated what{observation.date.value_or(0), observation.truth, code_of(observation.answer)};
  if (half_life_ && what.date == std::numeric_limits<std::uint64_t>::max()) {
    throw bad_input(fmt::format("date {}; expected a smaller number", what.date));
  }
  if (observation.case_name.empty()) {
    if (half_life_) ++expert.dates[what];
    try {
      ++expert.counts[{observation.truth, code_of(observation.answer)}];
    } catch (...) {
      if (half_life_) take_back_date(expert, observation);
      throw;
    }
    return;
  }
  index_rows(expert);
  if (!expert.row_of.emplace(observation.case_name, expert.rows.size()).second) {
    throw Error(ErrorKind::kConflict,
                fmt::format("expert '{}' has answered case '{}' already; expected one answer, or "
                            "the first to be forgotten",
                            excerpt(expert.name), excerpt(observation.case_name)));
  }
  const std::size_t known = expert.rows.size();
  try {
    expert.rows.push_back({observation.case_name, observation.truth, observation.answer});
    if (half_life_) ++expert.dates[what];
  } catch (...) {
    expert.rows.erase(expert.rows.begin() + static_cast<std::ptrdiff_t>(known), expert.rows.end());
    expert.row_of.erase(observation.case_name);
    throw;
  }
}

// Takes no memory where the date is known, so that an observation can always be taken back.
void RosterState::forget(ExpertId id, const Observation& observation) {
  check(observation);
  Expert& expert = known(id);
  const auto never = [&] {
    return Error(ErrorKind::kNotFound,
                 fmt::format("expert '{}' never gave that answer{}; expected one that was observed",
                             excerpt(expert.name),
                             observation.case_name.empty()
                                 ? " on a case without a name"
                                 : fmt::format(" on case '{}'", excerpt(observation.case_name))));
  };
  if (half_life_ && !observation.date) {
    const Observation given = dated_as_given(id, observation);
    if (!given.date) throw never();
    return forget(id, given);
  }
  if (half_life_ && !expert.dates.contains({observation.date.value_or(0), observation.truth,
                                            code_of(observation.answer)})) {
    throw never();
  }
  if (observation.case_name.empty()) {
    const auto found = expert.counts.find({observation.truth, code_of(observation.answer)});
    if (found == expert.counts.end()) throw never();
    if (half_life_) take_back_date(expert, observation);
    if (--found->second == 0) expert.counts.erase(found);
    return;
  }
  index_rows(expert);
  const auto found = expert.row_of.find(observation.case_name);
  if (found == expert.row_of.end()) throw never();
  const std::size_t place = found->second;
  const ContextRow& given = expert.rows[place];
  if (given.truth != observation.truth || !(given.answer == observation.answer)) throw never();
  if (half_life_) take_back_date(expert, observation);
  expert.row_of.erase(found);
  if (place + 1 != expert.rows.size()) {
    expert.rows[place] = std::move(expert.rows.back());
    expert.row_of[expert.rows[place].case_name] = place;
  }
  expert.rows.pop_back();
}

ExpertId RosterState::add(std::string name, std::vector<BetaPrior> priors) {
  if (name.empty()) throw bad_input("the expert has no name; expected one");
  if (is_too_long(name)) throw name_too_long(name);
  if (priors.empty()) priors.resize(classes_.size());
  if (priors.size() != classes_.size()) {
    throw bad_input(fmt::format("{} priors for expert '{}'; expected one for each of {} classes",
                                priors.size(), excerpt(name), classes_.size()));
  }
  for (const BetaPrior& prior : priors) {
    if (!is_usable(prior)) {
      throw bad_input(fmt::format("prior Beta({}, {}) of expert '{}'; expected both from {} to {}",
                                  prior.alpha, prior.beta, excerpt(name), kLeastPriorParameter,
                                  kMostPriorParameter));
    }
  }
  require_staff_size(experts_.size() + 1, classes_.size());
  if (!place_of_.emplace(name, experts_.size()).second) {
    throw Error(ErrorKind::kConflict,
                fmt::format("expert '{}' is there already; expected another name", excerpt(name)));
  }
  experts_.push_back({std::move(name), true, std::move(priors), {}, {}});
  return expert_id(experts_.size() - 1);
}

// Takes no memory, so that it cannot fail in the middle.
void RosterState::remove(ExpertId id) {
  place_of_.erase(name(id));
  experts_.erase(experts_.begin() + static_cast<std::ptrdiff_t>(index(id)));
  for (auto& [name, place] : place_of_) place -= place > index(id) ? 1 : 0;
}

std::vector<ContextRow> RosterState::ordered_rows(const Expert& expert) {
  std::vector<ContextRow> rows = expert.rows;
  std::ranges::sort(rows, {}, &ContextRow::case_name);
  return rows;
}

bool RosterState::operator==(const RosterState& other) const {
  return classes_ == other.classes_ && half_life_ == other.half_life_ &&
         std::ranges::equal(experts_, other.experts_, [](const Expert& a, const Expert& b) {
           return a.name == b.name && a.on_duty == b.on_duty && a.priors == b.priors &&
                  a.counts == b.counts && a.dates == b.dates && ordered_rows(a) == ordered_rows(b);
         });
}

std::string RosterState::to_bytes() const {
  BinaryWriter out;
  out.raw(kFormat.magic);
  out.number(half_life_ ? kFormat.version : kUndatedFormat.version);
  if (half_life_) out.real(*half_life_);
  write_classes(out, classes_);
  out.number(static_cast<std::uint32_t>(experts_.size()));
  for (const Expert& expert : experts_) {
    out.text(expert.name);
    out.number(static_cast<std::uint32_t>(expert.on_duty ? 1 : 0));
    for (const BetaPrior& prior : expert.priors) {
      out.real(prior.alpha);
      out.real(prior.beta);
    }
    write_counts(out, expert.counts);
    out.number(static_cast<std::uint32_t>(expert.rows.size()));
    for (const ContextRow& row : ordered_rows(expert)) write_row(out, row);
    if (half_life_) out.number(static_cast<std::uint32_t>(expert.dates.size()));
    for (const auto& [what, count] : expert.dates) {
      out.number(what.date);
      write_class(out, what.truth);
      write_code(out, what.answer);
      out.number(count);
    }
  }
  return std::move(out).with_checksum();
}

void RosterState::write(const std::filesystem::path& path) const {
  write_file_atomically(path, to_bytes());
}

void RosterState::read_dates(BinaryReader& reader, ExpertId id) {
  Expert& expert = known(id);
  const std::size_t kinds = reader.count_of(24, "dated answers");
  CountsByKind dated;
  for (std::size_t i = 0; i < kinds; ++i) {
    const auto date = reader.number<std::uint64_t>();
    const ClassId truth = read_class(reader, classes_);
    const std::int32_t answer = read_code(reader, classes_);
    const auto count = reader.number<std::uint64_t>();
    if (count == 0 || count > kMaxAnswerCount ||
        date == std::numeric_limits<std::uint64_t>::max() ||
        !expert.dates.emplace(Dated{date, truth, answer}, count).second) {
      reader.refuse(fmt::format("answers of date {} are there twice, or {} times", date, count));
    }
    dated[{truth, answer}] += count;
  }
  CountsByKind undated = expert.counts;
  for (const ContextRow& row : expert.rows) ++undated[{row.truth, code_of(row.answer)}];
  if (dated != undated) reader.refuse("the dated answers are not those that are counted");
}

RosterState RosterState::from_bytes(std::string_view bytes, const std::string& source,
                                    const ReadLimits& limits) {
  const bool undated = bytes.substr(0, kVersionEnd).ends_with(std::string_view("\1\0\0\0", 4));
  const BinaryFormat& format = undated ? kUndatedFormat : kFormat;
  BinaryReader reader(checked_body(bytes, format, source), source);
  reader.raw(kVersionEnd);
  const HalfLife half_life = undated ? HalfLife() : HalfLife(reader.real());
  if (half_life && !(std::isfinite(*half_life) && *half_life > 0)) {
    reader.refuse(fmt::format("half-life {}; expected a positive number", *half_life));
  }
  RosterState state(read_classes(reader), half_life);
  const ClassNames& classes = state.classes_;
  const std::size_t per_expert = 4 * sizeof(std::uint32_t) + 2 * sizeof(double) * classes.size();
  const std::size_t experts = reader.count_of(per_expert, "experts");
  // What is kept, and the profile that is made of it.
  ReadRoom room(source, limits.allowed(bytes.size()));
  room.take(experts,
            sizeof(Expert) +
                (sizeof(BetaPrior) + sizeof(BetaPosterior) + 2 * sizeof(double)) * classes.size());
  try {
    for (std::size_t j = 0; j < experts; ++j) {
      std::string name = reader.text(kMaxNameBytes, "bytes of an expert's name");
      const bool on_duty = reader.count(1, "as a mark of duty") == 1;
      const ExpertId id = state.add(std::move(name), read_priors(reader, classes.size()));
      state.set_on_duty(id, on_duty);
      Expert& expert = state.known(id);
      expert.counts = read_counts(reader, classes);
      const std::size_t rows = reader.count_of(kLeastRowBytes, "answers");
      for (std::size_t i = 0; i < rows; ++i) {
        ContextRow row = read_row(reader, classes);
        if (row.case_name.empty()) reader.refuse("a case has no name");
        // The dates come below.
        state.observe(id, {row.answer, row.truth, std::move(row.case_name), 0});
      }
      if (half_life) {
        expert.dates.clear();
        state.read_dates(reader, id);
      }
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kCorruptFile) throw;
    reader.refuse(error.what());
  }
  reader.finish();
  return state;
}

RosterState RosterState::read(const std::filesystem::path& path, const ReadLimits& limits) {
  const FileContents file = read_contents(path, limits);
  return from_bytes(file.bytes, source_name(path), file.limits);
}

}  // namespace ifd
