// How much of everything: the whole study, or the few minutes of --quick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/methods.h"
#include "experiments/jobs/protocol.h"
#include "train/schedule.h"

namespace ifd::experiments {

struct Effort {
  std::size_t cohorts = 10;
  std::size_t ablation_seeds = 5;
  std::size_t scaling_cohorts = 5;
  std::size_t prior_draws = 5;  // of the answers of a cohort, under priors
  std::size_t largest_context = 1920;  // answers of an expert at test time
  std::size_t relabellings = 10;       // of each trained policy
  std::size_t scorer_pairs = 10;       // of the sleep scorers
  std::size_t context_draws = 10;      // for every pair
  std::size_t resamples = 400;         // of the recordings
  std::size_t classifiers = 3;         // of each data set of images; cohorts take them in turn
  // Of classifiers that learn together with what decides: an epoch passes every image through them.
  std::size_t joint_cohorts = 3;
  std::size_t joint_epochs = 10;
  double classifier_rate = train::kClassifierRate;
  // The paper's patience of 50 would about double the time of the study.
  std::size_t epochs = 60;
  std::size_t patience = 15;
  std::uint64_t seed = 0;  // cohort c has seed + c
  Protocol protocol = Protocol::kPopulation;
  PopContext pop_context = PopContext::kAllCases;

  // Of the simulated experts of a cohort.
  Population population(std::size_t cohort) const { return {protocol, seed + cohort}; }
  // The method of that name as this effort trains it.
  Method method(const std::string& name) const { return method_named(name, pop_context); }
  train::Schedule schedule(const Method& method, double learning_rate, std::uint64_t cohort) const;
  std::string protocol_words() const;
  // All of the few epochs are trained, and the best weights kept. Who is trained for longer than
  // others elsewhere learns as many times faster here.
  train::Schedule joint_schedule(const Method& method, double learning_rate,
                                 std::uint64_t cohort) const;
  std::string text() const;          // for the settings of jobs
  std::string scorers_text() const;  // likewise, of jobs with sleep scorers
  std::string joint_text() const;    // likewise, of jobs whose classifiers learn
};
Effort quick_effort();

}  // namespace ifd::experiments
