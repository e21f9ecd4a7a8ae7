#include "benchmarks/python/package.h"

#include <fmt/format.h>
#include <pybind11/embed.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/execution.h"
#include "benchmarks/generated_data.h"
#include "benchmarks/peak_memory.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router.h"

namespace ifd::benchmark {
namespace {

namespace py = pybind11;

constexpr double kMostMoreSeconds = 3e-6;  // of one case
constexpr double kMostRatio = 1.05;        // of a million
constexpr double kMostImportSeconds = .15;
constexpr double kMostBytes = 10e6;
constexpr double kBudget = .2;
constexpr std::size_t kCallsAtATime = 2000;

// Fifteen answers per class and expert, in counts.
RosterState generated_staff(const ClassNames& classes, std::size_t experts) {
  RosterState state(classes);
  for (std::size_t j = 0; j < experts; ++j) {
    const ExpertId expert = state.add(fmt::format("expert {}", j));
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const Key key = Key(31).with(j).with(k);
      const double accuracy = .4 + .6 * key.uniform();
      for (std::size_t i = 0; i < 15; ++i) {
        const bool right = key.uniform(1 + i) < accuracy;
        state.observe(expert, {right ? Answer(class_id(k)) : Answer::outside(), class_id(k)});
      }
    }
  }
  return state;
}

// The same numbers and the same staff in both languages.
class BothLanguages {
 public:
  BothLanguages(std::size_t cases, std::size_t classes, std::size_t experts)
      : generated_(generated_predictions(cases, classes)),
        cases_(Predictions::of({generated_.classes(), generated_.all_probabilities()})),
        router_(generated_staff(cases_.classes(), experts)) {
    const TemporaryDirectory folder;
    router_.roster_state().write(folder / "staff");
    const py::module_ ifd = py::module_::import("ifd");
    python_router_ =
        ifd.attr("Router")("plug-in", ifd.attr("Staff").attr("load")((folder / "staff").string()));
    rows_ = py::array_t<float>({cases, classes}, generated_.all_probabilities().data());
    python_cases_ = python_predictions();
  }

  const Router& router() const { return router_; }
  const Predictions& cases() const { return cases_; }
  py::object python_predictions() const {
    return py::module_::import("ifd").attr("Predictions")(
        rows_, py::arg("classes") = cases_.classes().names());
  }
  // A function of Python that routes all cases `times` times.
  py::object routing() const {
    py::dict names;
    py::exec(R"(
def routing(router, cases, budget):
    def work(times):
        route = router.route
        for _ in range(times):
            route(cases, budget=budget)
    return work
)",
             names, names);
    return names["routing"](python_router_, python_cases_, kBudget);
  }

 private:
  Predictions generated_;
  Predictions cases_;
  Router router_;
  py::object python_router_;
  py::array_t<float> rows_;
  py::object python_cases_;
};

// The shortest of all rounds: what else runs on the machine only ever adds.
struct Shortest {
  double seconds = std::numeric_limits<double>::infinity();
  double of(double measured) {
    seconds = std::min(seconds, measured);
    return measured;
  }
};

struct Compared {
  Comparison rounds;
  double python;  // the shortest
  double cpp;
};

Compared compare(const BothLanguages& both, std::size_t rounds, std::size_t times) {
  const py::object python = both.routing();
  Shortest here, there;
  const Comparison comparison = interleave(
      rounds,
      [&] {
        const auto count = static_cast<double>(times);
        return here.of(seconds([&] { python(times); }) / count);
      },
      [&] {
        const auto count = static_cast<double>(times);
        return there.of(seconds([&] {
                          for (std::size_t i = 0; i < times; ++i) {
                            keep(both.router().route(both.cases(), Budget{kBudget}));
                          }
                        }) /
                        count);
      });
  return {comparison, here.seconds, there.seconds};
}

void measure_one_case(Report& report, const Effort& effort) {
  const Compared found = compare(BothLanguages(1, 8, 10), 30 * effort.rounds, kCallsAtATime);
  report.add(row_of("Python: one case of 8 classes, 10 experts, vs C++", found.rounds));
  const double more = found.python - found.cpp;
  report.add(
      {"Python: what it adds to one case, shortest of all",
       show_seconds(more),
       show_seconds(found.cpp),
       {},
       {},
       {},
       Target{fmt::format("<= {}", show_seconds(kMostMoreSeconds)), more <= kMostMoreSeconds}});
}

void measure_many_cases(Report& report, const Effort& effort) {
  const BothLanguages both(effort.cases, 16, 100);
  const Compared found = compare(both, effort.rounds, 1);
  Row row = row_of(fmt::format("Python: {} cases of 16 classes, 100 experts, vs C++", effort.cases),
                   found.rounds);
  row.target = Target{fmt::format("ratio <= {}", kMostRatio), found.rounds.ratio <= kMostRatio};
  report.add(std::move(row));
  std::vector<py::object> kept;
  const auto grown = peak_growth([&] { kept.push_back(both.python_predictions()); });
  if (!grown) return;
  report.add({fmt::format("Python: memory of Predictions, {} x 16 float32", effort.cases),
              show_bytes(*grown),
              show_bytes(static_cast<double>(both.cases().all_probabilities().size_bytes())),
              {},
              {},
              {},
              Target{fmt::format("<= {}", show_bytes(kMostBytes)), *grown <= kMostBytes}});
}

void measure_importing(Report& report, const Effort& effort) {
  const auto processor_time_of = [](const char* words) {
    return execute({IFD_PYTHON, "-c", words}).processor_seconds;
  };
  Shortest package, numpy, nothing;
  const Comparison comparison = interleave(
      3 * effort.rounds,
      [&] {
        nothing.of(processor_time_of("pass"));
        return package.of(processor_time_of("import ifd"));
      },
      [&] { return numpy.of(processor_time_of("import numpy")); });
  Row row = row_of("Python: import ifd vs import numpy, with the interpreter", comparison);
  report.add(std::move(row));
  const double took = package.seconds - nothing.seconds;
  report.add(
      {"Python: import ifd, of this numpy",
       show_seconds(took),
       show_seconds(numpy.seconds - nothing.seconds),
       {},
       {},
       {},
       Target{fmt::format("<= {}", show_seconds(kMostImportSeconds)), took <= kMostImportSeconds}});
}

}  // namespace

void measure_python(Report& report, const Effort& effort) {
  // First, while this process is small: see measure_start_up().
  measure_importing(report, effort);
  const py::scoped_interpreter interpreter;
  measure_one_case(report, effort);
  measure_many_cases(report, effort);
}

}  // namespace ifd::benchmark
