// Seconds per epoch of every method on the features of the blood-cell images, beside the same nets
// in Python's torch where it is there.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/learning/generated_problem.h"
#include "benchmarks/learning/learning_sections.h"
#include "command_line/shell_command.h"
#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/image_data_set.h"
#include "tests/real_data.h"
#include "train/baseline_trainer.h"
#include "train/ifd_trainer.h"

namespace ifd::benchmark {
namespace {

using train::ClassNaming;
using train::PopulationEncoder;

constexpr ProblemSize kBloodCells{11'953, 1'707, 8, 4, 128};

// Features of a classifier that is trained once and kept beside this program.
Problem blood_cells(const std::filesystem::path& images) {
  const experiments::Workshop workshop(IFD_BENCHMARK_CACHE, "benchmark");
  experiments::DataSet data_set =
      image_data_set(workshop, {experiments::DataName("blood"), kBloodCells.experts, 1e-3}, images,
                     {}, [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
  experiments::CohortData cohort = make_cohort_data(data_set, experiments::Archetype::kVariable,
                                                    {experiments::Protocol::kPaper, /*seed=*/0});
  auto validation = train::Validation::from_answers(data_set.validation, cohort.validation_answers,
                                                    images.string());
  return {std::move(data_set.training), cohort.seen().contexts, std::move(cohort.training_answers),
          std::move(validation)};
}

struct Method {
  const char* name;
  std::function<void(const train::Schedule&, const train::Observer&)> train;
};

// Processor seconds of the second and later epochs.
double seconds_an_epoch(const Method& method, std::size_t epochs) {
  train::Schedule schedule;
  schedule.epochs = epochs + 1;
  schedule.patience = schedule.epochs + 1;
  std::vector<double> took;
  double begin = 0;
  method.train(schedule, [&](const train::EpochReport& epoch) {
    if (epoch.epoch > 1) took.push_back(processor_time() - begin);
    begin = processor_time();
    return train::Continue::kYes;
  });
  return quantile(took, .5);
}

// "SECONDS" from benchmarks/heads.py, or nothing where Python has no torch.
std::optional<double> python_seconds(const char* method, std::size_t epochs) {
  const std::vector<std::string> words = {"/usr/bin/python3", IFD_SOURCE_DIR "/benchmarks/heads.py",
                                          method, std::to_string(epochs)};
  const std::string command = shell_command(words) + " 2>/dev/null";
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  double value = 0;
  const bool read = std::fscanf(pipe, "%lf", &value) == 1;
  return ::pclose(pipe) == 0 && read ? std::optional(value) : std::nullopt;
}

}  // namespace

void measure_heads(Report& report, const Effort& effort) {
  const bool quick = effort.cases < 1'000'000;
  const std::size_t epochs = quick ? 1 : 3;
  const auto images = quick ? std::nullopt : real_data("bloodcells_28.npz");
  const Problem problem = images ? blood_cells(*images) : generated_problem(kBloodCells);
  const auto population = [&](PopulationEncoder encoder, ClassNaming naming) {
    return [&problem, encoder, naming](const train::Schedule& schedule,
                                       const train::Observer& observer) {
      train::train_population(problem.training, problem.contexts, problem.answers,
                              problem.validation, {.encoder = encoder, .naming = naming}, schedule,
                              observer);
    };
  };
  const std::vector<Method> methods = {
      {"ifd",
       [&](const train::Schedule& schedule, const train::Observer& observer) {
         train::train_ifd(problem.training, problem.contexts, problem.validation, {}, schedule,
                          observer);
       }},
      {"pop-qi", population(PopulationEncoder::kQueryIndependent, ClassNaming::kFixed)},
      {"pop-qc", population(PopulationEncoder::kQueryConditioned, ClassNaming::kFixed)},
      {"pop-qi-perm", population(PopulationEncoder::kQueryIndependent, ClassNaming::kRandom)},
      {"pop-qc-perm", population(PopulationEncoder::kQueryConditioned, ClassNaming::kRandom)},
      {"multi-expert",
       [&](const train::Schedule& schedule, const train::Observer& observer) {
         train::train_multi_expert(problem.training, problem.answers, problem.validation,
                                   train::Surrogate::kSoftmax, schedule, observer);
       }},
  };
  report.note(
      fmt::format("{}: {} cases, {} to validate on, {} classes, {} experts, {} features, batch "
                  "128, one thread; reference: the same net in Python's torch",
                  images ? "blood cells" : "generated features, as many as of the blood cells",
                  problem.training.size(), kBloodCells.validation_cases, kBloodCells.classes,
                  kBloodCells.experts, kBloodCells.features));
  for (const Method& method : methods) {
    const double ours = seconds_an_epoch(method, epochs);
    const auto python = python_seconds(method.name, epochs);
    report.add({fmt::format("epoch of {} on cached features", method.name),
                show_seconds(ours),
                python ? show_seconds(*python) : "no Python torch",
                python ? std::optional(ours / *python) : std::nullopt,
                {},
                {},
                {}});
  }
}

}  // namespace ifd::benchmark
