#include "ifd/router/roster_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "ifd/data/binary_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/policy/roster.h"

namespace ifd {
namespace {

constexpr BinaryFormat kFormat{"IFDROST1", kRosterFileVersion, "roster file"};
constexpr std::size_t kMaxName = 1 << 20;
constexpr std::int32_t kOutside = -1;
// Sums of so many are exact as integers and as doubles.
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 32;

std::int32_t code_of(Answer answer) {
  return answer.is_outside() ? kOutside : static_cast<std::int32_t>(answer.as_class());
}

Answer answer_of(std::int32_t code) {
  return code == kOutside ? Answer::outside() : Answer(static_cast<ClassId>(code));
}

ClassId read_class(BinaryReader& reader, const ClassNames& classes) {
  return class_id(reader.count(classes.size() - 1, "as a class number"));
}

std::int32_t read_answer(BinaryReader& reader, const ClassNames& classes) {
  const auto code = static_cast<std::int32_t>(reader.number<std::uint32_t>());
  if (code < kOutside || code >= static_cast<std::int32_t>(classes.size())) {
    reader.refuse(fmt::format("answer {}; expected a class number or {}", code, kOutside));
  }
  return code;
}

ClassNames read_classes(BinaryReader& reader) {
  std::vector<std::string> names(reader.count_of(sizeof(std::uint32_t), "classes"));
  for (std::string& name : names) name = reader.text(kMaxName, "bytes of a class's name");
  try {
    return ClassNames(std::move(names));
  } catch (const Error& error) {
    reader.refuse(error.what());
  }
}

std::vector<BetaPrior> read_priors(BinaryReader& reader, std::size_t classes) {
  std::vector<BetaPrior> priors;
  for (std::size_t k = 0; k < classes; ++k) {
    const double alpha = reader.real(), beta = reader.real();
    if (!(std::isfinite(alpha) && std::isfinite(beta) && alpha > 0 && beta > 0)) {
      reader.refuse(fmt::format("prior Beta({}, {}); expected positive numbers", alpha, beta));
    }
    priors.push_back({alpha, beta});
  }
  return priors;
}

}  // namespace

RosterState::RosterState(ClassNames classes) : classes_(std::move(classes)) {}

RosterState::RosterState(ClassNames classes, std::vector<ExpertContext> contexts,
                         const PriorTable& priors, PriorOnly prior_only)
    : classes_(std::move(classes)) {
  std::unordered_set<std::string_view> seen;  // one for all, to keep its memory
  for (ExpertContext& context : contexts) {
    const ExpertId expert = add(context.expert, priors.of(context.expert, classes_.size()));
    for (const ContextRow& row : context.rows) check({row.answer, row.truth, row.case_name});
    Expert& known = experts_[index(expert)];
    for (const ContextRow& row : context.rows) {
      if (row.case_name.empty()) ++known.counts[{row.truth, code_of(row.answer)}];
    }
    std::erase_if(context.rows, [](const ContextRow& row) { return row.case_name.empty(); });
    known.rows = std::move(context.rows);
    // A file's reader has seen to it that no case is there twice; here nobody has.
    seen.clear();
    for (const ContextRow& row : known.rows) {
      if (seen.insert(row.case_name).second) continue;
      throw Error(ErrorKind::kConflict,
                  fmt::format("expert '{}' answers case '{}' a second time; expected one answer",
                              excerpt(known.name), excerpt(row.case_name)));
    }
  }
  if (prior_only == PriorOnly::kLeftOut) return;
  for (const std::string& name : priors.experts()) {
    if (!find(name)) add(name, priors.of(name, classes_.size()));
  }
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
  const Expert& expert = experts_[index(id)];
  ExpertProfile profile(expert.priors);
  profile.observe(std::span(expert.rows));
  for (const auto& [what, count] : expert.counts) {
    profile.observe(what.truth, answer_of(what.answer), count);
  }
  return profile;
}

ExpertContext RosterState::context(ExpertId id) const {
  const Expert& expert = experts_[index(id)];
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

void RosterState::observe(ExpertId id, const Observation& observation) {
  check(observation);
  Expert& expert = experts_[index(id)];
  if (observation.case_name.empty()) {
    ++expert.counts[{observation.truth, code_of(observation.answer)}];
    return;
  }
  index_rows(expert);
  if (!expert.row_of.emplace(observation.case_name, expert.rows.size()).second) {
    throw Error(ErrorKind::kConflict,
                fmt::format("expert '{}' has answered case '{}' already; expected one answer, or "
                            "the first to be forgotten",
                            excerpt(expert.name), excerpt(observation.case_name)));
  }
  expert.rows.push_back({observation.case_name, observation.truth, observation.answer});
}

void RosterState::forget(ExpertId id, const Observation& observation) {
  check(observation);
  Expert& expert = experts_[index(id)];
  const auto never = [&] {
    return Error(ErrorKind::kNotFound,
                 fmt::format("expert '{}' never gave that answer{}; expected one that was observed",
                             excerpt(expert.name),
                             observation.case_name.empty()
                                 ? " on a case without a name"
                                 : fmt::format(" on case '{}'", excerpt(observation.case_name))));
  };
  if (observation.case_name.empty()) {
    const auto found = expert.counts.find({observation.truth, code_of(observation.answer)});
    if (found == expert.counts.end()) throw never();
    if (--found->second == 0) expert.counts.erase(found);
    return;
  }
  index_rows(expert);
  const auto found = expert.row_of.find(observation.case_name);
  if (found == expert.row_of.end()) throw never();
  const std::size_t place = found->second;
  const ContextRow given{observation.case_name, observation.truth, observation.answer};
  if (!(expert.rows[place] == given)) throw never();
  expert.row_of.erase(found);
  if (place + 1 != expert.rows.size()) {
    expert.rows[place] = std::move(expert.rows.back());
    expert.row_of[expert.rows[place].case_name] = place;
  }
  expert.rows.pop_back();
}

ExpertId RosterState::add(std::string name, std::vector<BetaPrior> priors) {
  if (name.empty()) throw bad_input("the expert has no name; expected one");
  if (priors.empty()) priors.resize(classes_.size());
  if (priors.size() != classes_.size()) {
    throw bad_input(fmt::format("{} priors for expert '{}'; expected one for each of {} classes",
                                priors.size(), excerpt(name), classes_.size()));
  }
  for (const BetaPrior& prior : priors) {
    if (!(std::isfinite(prior.alpha) && std::isfinite(prior.beta) && prior.alpha > 0 &&
          prior.beta > 0)) {
      throw bad_input(fmt::format("prior Beta({}, {}) of expert '{}'; expected positive numbers",
                                  prior.alpha, prior.beta, excerpt(name)));
    }
  }
  if (!place_of_.emplace(name, experts_.size()).second) {
    throw Error(ErrorKind::kConflict,
                fmt::format("expert '{}' is there already; expected another name", excerpt(name)));
  }
  experts_.push_back({std::move(name), true, std::move(priors), {}, {}});
  return expert_id(experts_.size() - 1);
}

void RosterState::remove(ExpertId id) {
  experts_.erase(experts_.begin() + static_cast<std::ptrdiff_t>(index(id)));
  place_of_.clear();
  for (std::size_t j = 0; j < experts_.size(); ++j) place_of_.emplace(experts_[j].name, j);
}

std::vector<ContextRow> RosterState::ordered_rows(const Expert& expert) {
  std::vector<ContextRow> rows = expert.rows;
  std::ranges::sort(rows, {}, &ContextRow::case_name);
  return rows;
}

bool RosterState::operator==(const RosterState& other) const {
  return classes_ == other.classes_ &&
         std::ranges::equal(experts_, other.experts_, [](const Expert& a, const Expert& b) {
           return a.name == b.name && a.on_duty == b.on_duty && a.priors == b.priors &&
                  a.counts == b.counts && ordered_rows(a) == ordered_rows(b);
         });
}

std::string RosterState::to_bytes() const {
  BinaryWriter out;
  out.raw(kFormat.magic);
  out.number(kFormat.version);
  out.number(static_cast<std::uint32_t>(classes_.size()));
  for (const std::string& name : classes_.names()) out.text(name);
  out.number(static_cast<std::uint32_t>(experts_.size()));
  for (const Expert& expert : experts_) {
    out.text(expert.name);
    out.number(static_cast<std::uint32_t>(expert.on_duty ? 1 : 0));
    for (const BetaPrior& prior : expert.priors) {
      out.real(prior.alpha);
      out.real(prior.beta);
    }
    out.number(static_cast<std::uint32_t>(expert.counts.size()));
    for (const auto& [what, count] : expert.counts) {
      out.number(static_cast<std::uint32_t>(what.truth));
      out.number(static_cast<std::uint32_t>(what.answer));
      out.number(count);
    }
    out.number(static_cast<std::uint32_t>(expert.rows.size()));
    for (const ContextRow& row : ordered_rows(expert)) {
      out.text(row.case_name);
      out.number(static_cast<std::uint32_t>(row.truth));
      out.number(static_cast<std::uint32_t>(code_of(row.answer)));
    }
  }
  return std::move(out).with_checksum();
}

void RosterState::write(const std::filesystem::path& path) const {
  write_file_atomically(path, to_bytes());
}

RosterState RosterState::from_bytes(std::string_view bytes, const std::string& source) {
  BinaryReader reader(checked_body(bytes, kFormat, source), source);
  reader.raw(kFormat.magic.size() + sizeof(kFormat.version));
  RosterState state(read_classes(reader));
  const ClassNames& classes = state.classes_;
  const std::size_t per_expert = 4 * sizeof(std::uint32_t) + 2 * sizeof(double) * classes.size();
  const std::size_t experts = reader.count_of(per_expert, "experts");
  try {
    for (std::size_t j = 0; j < experts; ++j) {
      std::string name = reader.text(kMaxName, "bytes of an expert's name");
      const bool on_duty = reader.count(1, "as a mark of duty") == 1;
      const ExpertId id = state.add(std::move(name), read_priors(reader, classes.size()));
      state.set_on_duty(id, on_duty);
      Expert& expert = state.experts_[index(id)];
      const std::size_t counts = reader.count_of(16, "kinds of answers");
      for (std::size_t i = 0; i < counts; ++i) {
        const ClassId truth = read_class(reader, classes);
        const std::int32_t answer = read_answer(reader, classes);
        const auto count = reader.number<std::uint64_t>();
        if (count == 0 || count > kMaxCount ||
            !expert.counts.emplace(Unnamed{truth, answer}, count).second) {
          reader.refuse(fmt::format("answers are counted twice, or {} times", count));
        }
      }
      const std::size_t rows = reader.count_of(12, "answers");
      for (std::size_t i = 0; i < rows; ++i) {
        Observation read{Answer::outside(), {}, reader.text(kMaxName, "bytes of a case's name")};
        if (read.case_name.empty()) reader.refuse("a case has no name");
        read.truth = read_class(reader, classes);
        read.answer = answer_of(read_answer(reader, classes));
        state.observe(id, read);
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
  return from_bytes(read_file(path, limits), source_name(path));
}

}  // namespace ifd
