// A piece of work of its own: one experiment, data set, method and cohort.
#pragma once

#include <functional>
#include <string>

#include "experiments/result/job_result.h"

namespace ifd::experiments {

class Workshop;

struct Job {
  // experiment/data/experts/method/cohort: names the result file, so it is unique.
  std::string name;
  // Everything else the result depends on, in one text: settings and the hashes of the data. Code
  // is added by the runner.
  std::string settings;
  // How long it takes beside the others, roughly: long ones start first.
  double weight = 1;
  std::function<JobResult(Workshop&)> run;
};

}  // namespace ifd::experiments
