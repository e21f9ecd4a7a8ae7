// The paper's experiments as lists of jobs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/job.h"
#include "experiments/jobs/methods.h"
#include "experiments/jobs/workshop.h"
#include "ifd/data/annotation_set.h"

namespace ifd::experiments {

// How much of everything: the whole study, or the few minutes of --quick.
struct Effort {
  std::size_t cohorts = 10;
  std::size_t ablation_seeds = 5;
  std::size_t scaling_cohorts = 5;
  std::size_t prior_repeats = 20;
  std::size_t largest_context = 1920;  // answers of an expert at test time
  std::size_t relabellings = 10;       // of each trained policy
  // The paper's patience of 50 would about double the time of the study.
  std::size_t epochs = 60;
  std::size_t patience = 15;
  std::uint64_t seed = 0;  // cohort c has seed + c

  train::Schedule schedule(const Method& method, double learning_rate, std::uint64_t cohort) const;
  std::string text() const;  // for the settings of jobs
};
Effort quick_effort();

// The policy of a method for a cohort of simulated experts: from the cache, or trained now.
PolicyFile cohort_policy(Workshop& workshop, const Study& study, const CohortData& data,
                         Archetype archetype, const Method& method, const Effort& effort,
                         std::uint64_t cohort);

// Experiments 1 to 8 in the order of the report.
struct Experiment {
  std::string_view name;   // as in --only
  std::string_view title;  // in words
};
const std::vector<Experiment>& experiments();

inline constexpr int kNoiseLevels[] = {80, 95, 110, 125};

// ImageNet-16H: the people who passed the low-skill filter, and a model's predictions. The
// predictions' features are their log-probabilities, for the methods that need features.
struct RealAnnotators {
  AnnotationSet annotations;
  std::vector<Predictions> predictions = {};  // by noise level, on the same images
  double correlation = 0;                     // mean over pairs of people, before the filter
  std::vector<double> accuracy_by_noise = {};
  std::size_t kept = 0;
  std::size_t dropped = 0;
  std::string hash = {};
};
// From the study's two CSV files. kHalf keeps half of the images: for --quick.
enum class Portion { kWhole, kHalf };
RealAnnotators read_annotators(const std::filesystem::path& folder, Portion portion);

std::vector<Job> toy_jobs(const Effort& effort);
std::vector<Job> table1_jobs(const Study& study, const Effort& effort);  // and the invariance
std::vector<Job> imagenet16h_jobs(const RealAnnotators& people, const Effort& effort);
std::vector<Job> lcb_jobs(const Study& study, const Effort& effort);
std::vector<Job> context_jobs(const Study& study, const Effort& effort);
std::vector<Job> prior_jobs(const Study& study, const Effort& effort);
std::vector<Job> beyond_jobs(const Study& study, const Effort& effort);

}  // namespace ifd::experiments
