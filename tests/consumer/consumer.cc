// A program of somebody else: one expert's profile, the plug-in margin, the route.
#include <ifd/policy/named_policy.h>
#include <ifd/policy/scoring.h>
#include <ifd/routing/budget.h>

#include <cstdio>

int main() {
  using namespace ifd;
  const ClassId cat = class_id(0), dog = class_id(1);
  const Predictions predictions(
      {ClassNames({"cat", "dog"}), {"a", "b"}, {.75F, .25F, .5F, .5F}, {}, {}, 0});
  const std::vector<ExpertContext> contexts = {{"ann",
                                                {{"x1", cat, Answer(cat)},
                                                 {"x2", cat, Answer(cat)},
                                                 {"x3", dog, Answer(dog)},
                                                 {"x4", dog, Answer(cat)}}}};
  const Roster roster = make_roster(contexts, 2);
  const BetaPosterior& posterior = roster.profiles[0].at(cat);
  std::printf("ann on cat: Beta(%g, %g)\n", posterior.alpha(), posterior.beta());
  const auto policy = make_policy("plug-in", {roster});
  const MarginTable table =
      winning_margins(*policy, predictions, roster.names, Availability(roster.size()));
  for (const Route& route : route_by_threshold(table, 0)) {
    std::printf("%s %g\n", route.decision() == Decision::kExpert ? "expert" : "model",
                route.margin);
  }
}
