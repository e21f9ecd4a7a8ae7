// What the installed headers promise of every value: nothing dangles by accident, and a place that
// is not there is an Error.
#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

#include "ifd/certificate/calendar_date.h"
#include "ifd/data/npz.h"
#include "ifd/decision/cost_unit.h"
#include "ifd/error.h"
#include "ifd/router.h"
#include "ifd/watch/watch.h"

namespace ifd {
namespace {

// What a member gives of a value that is about to go.
template <class Owner, class Read>
using OfTemporary = std::invoke_result_t<Read, Owner&&>;

// A copy: neither a reference nor a view.
template <class Owner, class Read>
constexpr bool gives_a_copy(const Read&) {
  using Given = OfTemporary<Owner, Read>;
  return !std::is_reference_v<Given> && std::is_same_v<Given, std::decay_t<Given>>;
}

#define EXPECT_COPY(OWNER, CALL)                                         \
  static_assert(gives_a_copy<OWNER>([](auto&& owner) -> decltype(auto) { \
                  return std::forward<decltype(owner)>(owner).CALL;      \
                }),                                                      \
                #OWNER "::" #CALL " of a temporary must not refer to it")

TEST(PublicInterface, NothingRefersToATemporary) {
  EXPECT_COPY(ClassNames, name(ClassId{}));
  EXPECT_COPY(ClassNames, names());
  EXPECT_COPY(AnswerTable, expert_names());
  EXPECT_COPY(Predictions, classes());
  EXPECT_COPY(Predictions, probabilities(0));
  EXPECT_COPY(Predictions, all_probabilities());
  EXPECT_COPY(Predictions, labels());
  EXPECT_COPY(Predictions, features(0));
  EXPECT_COPY(Predictions, all_features());
  EXPECT_COPY(Costs, classes());
  EXPECT_COPY(Costs, fees());
  EXPECT_COPY(Costs, unit());
  EXPECT_COPY(CostUnit, name());
  EXPECT_COPY(CalendarDate, text());
  EXPECT_COPY(NpyArray, header());
  EXPECT_COPY(NpyArray, shape());
  EXPECT_COPY(NpyArray, place());
  EXPECT_COPY(NpzFile, name());
  EXPECT_COPY(PriorTable, experts());
  EXPECT_COPY(BetaPosterior, prior());
  EXPECT_COPY(ExpertProfile, at(ClassId{}));
  EXPECT_COPY(ExpertProfile, means());
  EXPECT_COPY(ExpertProfile, variances());
  EXPECT_COPY(ExpertProfile, best_classes());
  EXPECT_COPY(RosterState, classes());
  EXPECT_COPY(RosterState, name(ExpertId{}));
  EXPECT_COPY(RosterState, priors(ExpertId{}));
  EXPECT_COPY(RosterState, half_life());
  EXPECT_COPY(Routes, operator[](0));
  EXPECT_COPY(Routes, experts());
  EXPECT_COPY(Routes, calibrated());
  EXPECT_COPY(Routes, watch());
  EXPECT_COPY(Watch, names());
  EXPECT_COPY(Watch, new_answers(0));
  EXPECT_COPY(Watch, options());
}
#undef EXPECT_COPY

// Answers are named where they are given: two classes alone cannot change places.
static_assert(
    !std::is_invocable_v<decltype(&ExpertProfile::forget), ExpertProfile&, ClassId, ClassId>);
static_assert(!std::is_convertible_v<ClassId, ExpertId> && !std::is_convertible_v<int, ClassId>);

template <class Work>
void expect_not_found(const char* what, Work work) {
  SCOPED_TRACE(what);
  try {
    work();
    ADD_FAILURE() << "was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kNotFound) << error.what();
    EXPECT_NE(std::string(error.what()).find("expected"), std::string::npos) << error.what();
  }
}

TEST(PublicInterface, APlaceThatIsNotThereIsAnError) {
  const Predictions cases({ClassNames({"cat", "dog"}), {"a", "b"}, {.5F, .5F, 1, 0}, {}, {}, 0});
  const ClassNames& classes = cases.classes();
  expect_not_found("row", [&] { cases.probabilities(2); });
  expect_not_found("name", [&] { cases.case_name(2); });
  expect_not_found("features", [&] { cases.features(2); });
  expect_not_found("no labels", [&] { cases.label(0); });
  expect_not_found("class", [&] { classes.name(ClassId{2}); });
  expect_not_found("negative class", [&] { classes.name(ClassId{-1}); });

  AnswerTable answers({"ann"}, 2);
  expect_not_found("row of answers", [&] { answers.at(CaseId{2}, ExpertId{0}); });
  expect_not_found("expert of answers", [&] { answers.at(CaseId{0}, ExpertId{1}); });
  expect_not_found("set", [&] { answers.set(CaseId{0}, ExpertId{-1}, Answer::outside()); });

  const ExpertProfile profile(2);
  expect_not_found("class of a profile", [&] { profile.at(ClassId{2}); });

  RosterState roster(classes, {{"ann", {}}});
  expect_not_found("name of an expert", [&] { roster.name(ExpertId{1}); });
  expect_not_found("duty", [&] { roster.set_on_duty(ExpertId{1}, false); });
  expect_not_found("profile", [&] { roster.profile(ExpertId{-1}); });
  expect_not_found(
      "observe", [&] { roster.observe(ExpertId{1}, {.answer = ClassId{0}, .truth = ClassId{0}}); });
  expect_not_found("remove", [&] { roster.remove(ExpertId{1}); });

  const Router router(std::move(roster));
  const Routes routes = router.route(cases, Budget{.5});
  expect_not_found("route", [&] { routes[2]; });
  expect_not_found("prediction", [&] { routes.prediction(2); });

  const Watch watch(2, {});
  expect_not_found("standing", [&] { watch.standing(0); });
  expect_not_found("new answers", [&] { watch.new_answers(0); });
  expect_not_found("old answers", [&] { watch.old_answers(0); });
}

}  // namespace
}  // namespace ifd
