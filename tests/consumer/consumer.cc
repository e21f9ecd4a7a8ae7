// The library in ten lines, as the README shows it.
#include <ifd/router.h>

#include <cstdio>

int main() {
  const auto cases = ifd::read_predictions("predictions.csv");
  ifd::Router router(cases.classes(), ifd::read_contexts("context.csv", cases.classes()));
  const ifd::ClassId dog = *cases.classes().find("dog");
  router.observe("ann", {.answer = dog, .truth = dog});       // the next route knows
  const auto routes = router.route(cases, ifd::Budget{0.5});  // or Threshold, Capacities, ...
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const bool deferred = routes[i].decision() == ifd::Decision::kExpert;
    std::printf("%s %s %.4f\n", cases.case_name(i).c_str(),
                deferred ? routes.expert_name(routes[i]).c_str() : "model", routes[i].margin);
  }
}
