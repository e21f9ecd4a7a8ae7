// A run that is over: what it gave and what it was made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/result/job_result.h"

namespace ifd::experiments {

struct JobRecord {
  std::string name;          // "table1/blood/variable/ifd-peak/cohort-3"
  double seconds = 0;        // of a processor, when it was computed, now or in an earlier run
  std::string failure = {};  // why there is no result; empty where there is one
};

struct DataSource {
  DataName name;
  std::string description;  // "resnet-small, 96.8 % on the test cases"
  std::string hash;
  bool in_turn = false;  // one of several classifiers that cohorts take in turn
};

struct RunRecord {
  std::vector<JobResult> results;        // of the jobs, in their order
  std::vector<JobRecord> jobs;           // as long as `results`
  std::vector<ExperimentName> selected;  // that were asked for
  std::vector<DataSource> data;
  std::vector<std::string> absent;   // one line for each data set that is not there
  std::vector<std::string> command;  // its words: "ifd", "reproduce", "--quick", "-o", "quick"
  std::string version;
  std::string code_version;
  std::string hardware;  // "2 cores of ..., 4 GiB"
  std::string date;
  std::string protocol;  // in words
  std::uint64_t seed = 0;
  double wall_seconds = 0;         // from the command to the report
  double preparation_seconds = 0;  // of these, reading the data and training the classifiers
  double fresh_seconds = 0;        // of the jobs that ran now, added up
  unsigned workers = 1;            // threads, or ranks
  std::size_t reused = 0;          // jobs found finished
};

// Of all jobs, in their order.
std::vector<ResultRow> rows_of(const RunRecord& run);

// When jobs were at work, in this run and in those before it.
struct WorkingTime {
  double seconds = 0;      // on the clock, while at least one job was running
  std::size_t pieces = 0;  // between which nothing ran for more than a minute
};
WorkingTime working_time(const RunRecord& run);

}  // namespace ifd::experiments
