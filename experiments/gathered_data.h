// The data that the experiments of a run need and that is there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/experiment_table.h"
#include "experiments/jobs/annotators.h"
#include "experiments/jobs/image_data_set.h"
#include "experiments/jobs/sleep_scorers.h"
#include "experiments/jobs/workshop.h"
#include "experiments/run/ranks.h"
#include "ifd/data/read_limits.h"

namespace ifd::experiments {

struct GatheredData {
  std::vector<DataName> data_sets;       // in the workshop
  std::vector<PretrainedImages> images;  // with the paper's networks
  std::optional<RealAnnotators> people;
  std::optional<SleepScorers> scorers;
  std::vector<std::string> absent;   // a line for each data set that is not there
  std::vector<std::string> missing;  // files any of which would have been one
};

// Where data comes from.
struct DataPlace {
  // kQuick: generated data, half of the people's pictures, every fifth epoch of the scorers
  enum class Form { kWhole, kQuick };
  std::filesystem::path folder;
  Form form = Form::kWhole;
  std::uint64_t seed = 0;  // of generated data
  ReadLimits limits = {};
  std::size_t classifiers = 1;  // of each data set of images
};

// The folder that was asked for, otherwise $IFD_DATA, else ~/.local/share/ifd. Error(kNotFound)
// where one was asked for that is not there.
std::filesystem::path data_folder(const std::filesystem::path& asked);

// The data of real people that some of these experiments need and that is not there: what is
// expected of it cannot be checked.
std::set<DataName> people_not_there(const std::vector<Experiment>& experiments,
                                    const GatheredData& data);

// Trains the classifiers that are not there yet: one rank does, and the others wait for it. `say`
// hears how it goes.
GatheredData gather_data(const std::vector<Experiment>& experiments, const DataPlace& place,
                         Workshop& workshop, const Ranks& ranks,
                         const std::function<void(const std::string&)>& say);

// The jobs of the experiments on this data: first those that need none, then data set by data set,
// then those on images, then those with people, then those with sleep scorers. They refer to the
// data, which must outlive them.
std::vector<Job> plan_jobs(const std::vector<Experiment>& experiments, const GatheredData& data,
                           const Workshop& workshop, const Effort& effort);

}  // namespace ifd::experiments
