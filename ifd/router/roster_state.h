// All that is known of a roster, and nothing that can be computed from it: who there is, who is on
// duty, what was believed beforehand, and every answer that was counted.
//
// The state is the fold of what happened: any order of the same observations gives an equal state
// and the same bytes. docs/roster-file.md describes the file.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ifd/checked_place.h"
#include "ifd/data/answer_count.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/class_names.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/read_limits.h"
#include "ifd/profile/beta_posterior.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/profile/prior_table.h"

namespace ifd {

class BinaryReader;

// Version 2 has dates, which are kept where old answers fade; a roster without is of version 1.
inline constexpr std::uint32_t kRosterFileVersion = 2;

// An answer of an expert on a case whose truth is known.
struct Observation {
  Answer answer;  // never missing; outside the classes counts as wrong
  ClassId truth;
  // The case's name, where it matters: for policies that encode cases, for calibrations on the
  // context, and to have a second answer on the same case refused.
  std::string case_name = {};
  // When it was given, where answers fade: a number that grows, in the unit of the half-life. None:
  // one after the newest of this expert, so that ages count the expert's own answers.
  std::optional<std::uint64_t> date = {};
};

// How long it takes for an answer to count half as much; none: answers do not fade.
using HalfLife = std::optional<double>;

// Not thread-safe; Router is.
class RosterState {
 public:
  // Error(kBadInput) for a half-life that is not positive and finite.
  explicit RosterState(ClassNames classes, HalfLife half_life = {});
  // Everyone with a context, in that order; then, if they join, those known from their prior alone.
  // Where answers fade, the rows of a context are in the order of time: dated 1, 2, ...
  RosterState(ClassNames classes, std::vector<ExpertContext> contexts,
              const PriorTable& priors = {}, PriorOnly prior_only = PriorOnly::kLeftOut,
              HalfLife half_life = {}, UnstatedPriors unstated = UnstatedPriors::kUniform);

  // What refers to the state does so while it lives; of one that is about to go, it is a copy.
  const ClassNames& classes() const& { return classes_; }
  ClassNames classes() const&& { return classes_; }
  std::size_t size() const { return experts_.size(); }
  // Here and below: Error(kNotFound) for a number that is nobody's.
  const std::string& name(ExpertId expert) const& { return known(expert).name; }
  std::string name(ExpertId expert) const&& { return known(expert).name; }
  std::vector<std::string> names() const;
  std::optional<ExpertId> find(std::string_view name) const;
  // Error(kNotFound) that lists who is there.
  ExpertId at(std::string_view name) const;

  bool is_on_duty(ExpertId expert) const { return known(expert).on_duty; }
  const std::vector<BetaPrior>& priors(ExpertId expert) const& { return known(expert).priors; }
  std::vector<BetaPrior> priors(ExpertId expert) const&& { return known(expert).priors; }
  const HalfLife& half_life() const& { return half_life_; }
  HalfLife half_life() const&& { return half_life_; }
  // The priors with every answer counted, as it has faded (faded_profile.h).
  ExpertProfile profile(ExpertId expert) const;
  // Every answer that was counted, by what it was: ascending.
  std::vector<AnswerCount> answer_counts(ExpertId expert) const;
  std::vector<ExpertProfile> profiles() const;
  // The answers on named cases, by the cases' names.
  ExpertContext context(ExpertId expert) const;
  std::vector<ExpertContext> contexts() const;

  // Each of these is done whole or, with an Error, not at all.
  //
  // kBadInput: the answer is missing, or a class is not one of classes(); kConflict: the expert
  // has answered that case.
  void observe(ExpertId expert, const Observation& observation);
  // Takes back an answer, of several that are alike the newest. kNotFound: it was never given.
  void forget(ExpertId expert, const Observation& observation);
  // With the date that observe() gives it, or that of the answer that forget() takes back.
  Observation dated(ExpertId expert, const Observation& observation) const;
  Observation dated_as_given(ExpertId expert, const Observation& observation) const;
  // At the end of the roster, on duty. kConflict: the name is taken; kBadInput: it is empty, or
  // there is not one prior per class (none at all: nothing is known beforehand).
  ExpertId add(std::string name, std::vector<BetaPrior> priors = {});
  // Those behind move up.
  void remove(ExpertId expert);
  void set_on_duty(ExpertId expert, bool on_duty) { known(expert).on_duty = on_duty; }

  bool operator==(const RosterState& other) const;

  std::string to_bytes() const;
  void write(const std::filesystem::path& path) const;
  // Error: kCorruptFile for bytes that are cut short, changed, or no roster; kBadInput for a newer
  // version. Allocates no more than the bytes can fill.
  // `limits`: what is left of them where the file was compressed (read_contents).
  static RosterState from_bytes(std::string_view bytes, const std::string& source,
                                const ReadLimits& limits = {});
  static RosterState read(const std::filesystem::path& path, const ReadLimits& limits = {});

 private:
  // Where answers fade: all of them, named or not.
  struct Dated {
    std::uint64_t date;
    ClassId truth;
    std::int32_t answer;
    auto operator<=>(const Dated&) const = default;
  };
  struct Expert {
    std::string name;
    bool on_duty = true;
    std::vector<BetaPrior> priors;  // one per class
    CountsByKind counts;            // of answers where nobody named the case
    std::vector<ContextRow> rows;   // in any order
    // Case name -> place in `rows`; made when the first answer on a named case comes or goes.
    std::unordered_map<std::string, std::size_t> row_of = {};
    std::map<Dated, std::uint64_t> dates = {};
  };

  const Expert& known(ExpertId expert) const {
    return experts_[checked_place("expert", index(expert), size())];
  }
  Expert& known(ExpertId expert) {
    return experts_[checked_place("expert", index(expert), size())];
  }
  void check(const Observation& observation) const;
  void read_dates(BinaryReader& reader, ExpertId expert);
  static void take_back_date(Expert& expert, const Observation& observation);
  static void index_rows(Expert& expert);
  static std::vector<ContextRow> ordered_rows(const Expert& expert);

  ClassNames classes_;
  HalfLife half_life_;
  std::vector<Expert> experts_;
  std::unordered_map<std::string, std::size_t> place_of_;
};

}  // namespace ifd
