#include "experiments/gathered_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "command_line/data_directory.h"
#include "experiments/jobs/generated_data_set.h"
#include "experiments/jobs/image_data_set.h"
#include "experiments/result/labels.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

namespace fs = std::filesystem;

using Say = std::function<void(const std::string&)>;

template <class Kind>
bool any_on(const std::vector<Experiment>& experiments) {
  return std::any_of(experiments.begin(), experiments.end(), [](const Experiment& experiment) {
    return work_of<Kind>(experiment) != nullptr;
  });
}

// Of the out-of-fold predictions that some of the experiments need of this data set.
std::size_t folds_for(const std::vector<Experiment>& experiments, const DataName& name) {
  std::size_t folds = 0;
  for (const Experiment& experiment : experiments) {
    const auto* work = work_of<OnDataSets>(experiment);
    if (work != nullptr && work->takes(name)) folds = std::max(folds, work->folds);
  }
  return folds;
}

// One rank makes what is kept on disk, and the others find it.
template <class Make>
void make_by_first(const Ranks& ranks, const Make& make) {
  if (ranks.rank() != 0) ranks.wait_for_all();
  make();
  if (ranks.rank() == 0) ranks.wait_for_all();
}

// The first of its files that is there; none, with a line that says so, where none is.
std::optional<fs::path> file_of(const PublicImages& images, const fs::path& folder,
                                GatheredData& data) {
  for (const std::string& file : images.files) {
    if (fs::exists(folder / file)) return folder / file;
  }
  data.missing.insert(data.missing.end(), images.files.begin(), images.files.end());
  data.absent.push_back(fmt::format("{}: none of {} in {}", images.title,
                                    fmt::join(images.files, ", "), folder.string()));
  return {};
}

DataSet data_set_of(const PublicImages& images, std::size_t folds, const fs::path& file,
                    const DataPlace& place, const Workshop& workshop, const Say& say) {
  const auto by_classifier = [&](std::uint64_t seed, std::size_t its_folds) {
    return image_data_set(workshop, images.settings, file,
                          {train::BackboneKind::kResnetSmall, seed, its_folds}, say, place.limits);
  };
  DataSet first = by_classifier(0, folds);
  for (std::uint64_t seed = 1; seed < place.classifiers; ++seed) {
    first.by_other_classifiers.push_back(by_classifier(seed, 0));
  }
  return first;
}

void add_images(GatheredData& data, const std::vector<Experiment>& experiments,
                const DataPlace& place, Workshop& workshop, const Ranks& ranks, const Say& say) {
  for (const PublicImages& images : public_images()) {
    const bool as_data_set = any_on<OnDataSets>(experiments);
    const bool as_images = any_on<OnImages>(experiments) && images.papers_backbone.has_value();
    if (!as_data_set && !as_images) continue;
    const auto file = file_of(images, place.folder, data);
    if (!file) continue;
    make_by_first(ranks, [&] {
      if (as_data_set) {
        const std::size_t folds = folds_for(experiments, images.settings.name);
        workshop.add(data_set_of(images, folds, *file, place, workshop, say));
        data.data_sets.push_back(images.settings.name);
      }
      if (as_images) {
        data.images.push_back(pretrained_images(
            workshop, images.settings, *file,
            {*images.papers_backbone, 0, 0, train::Stem::kImagenet}, say, place.limits));
      }
    });
  }
}

Portion portion_of(const DataPlace& place) {
  return place.form == DataPlace::Form::kQuick ? Portion::kPart : Portion::kWhole;
}

void add_people(GatheredData& data, const DataPlace& place) {
  const fs::path folder = place.folder / "imagenet16h";
  if (fs::exists(folder / "annotations.csv") && fs::exists(folder / "predictions_resnet152.csv")) {
    data.people = read_annotators(folder, portion_of(place), place.limits);
    return;
  }
  data.missing.emplace_back("imagenet16h/");
  data.absent.push_back(fmt::format(
      "ImageNet-16H: no annotations.csv and predictions_resnet152.csv in {}", folder.string()));
}

void add_scorers(GatheredData& data, const DataPlace& place) {
  const fs::path folder = place.folder / "dodh";
  data.scorers = read_sleep_scorers(folder, portion_of(place), place.limits);
  if (data.scorers) return;
  data.missing.emplace_back("dodh/");
  data.absent.push_back(
      fmt::format("DOD-H: neither predictions.csv and answers.csv nor scorers/dodh and "
                  "results/dodh in {}",
                  folder.string()));
}

}  // namespace

fs::path data_folder(const fs::path& asked) {
  if (!asked.empty()) {
    if (fs::is_directory(asked)) return asked;
    throw Error(ErrorKind::kNotFound,
                fmt::format("--data {}: no such folder; expected the one with the data sets",
                            asked.string()));
  }
  return data_directory();
}

GatheredData gather_data(const std::vector<Experiment>& experiments, const DataPlace& place,
                         Workshop& workshop, const Ranks& ranks, const Say& say) {
  GatheredData data;
  if (place.form != DataPlace::Form::kQuick) {
    add_images(data, experiments, place, workshop, ranks, say);
  } else if (any_on<OnDataSets>(experiments)) {
    DataSet generated = generated_data_set(place.seed);
    data.data_sets.push_back(generated.name);
    workshop.add(std::move(generated));
  }
  if (any_on<OnPeople>(experiments)) add_people(data, place);
  if (any_on<OnScorers>(experiments)) add_scorers(data, place);
  return data;
}

std::set<DataName> people_not_there(const std::vector<Experiment>& experiments,
                                    const GatheredData& data) {
  std::set<DataName> absent;
  if (any_on<OnPeople>(experiments) && !data.people) absent.insert(kImageNet16HData);
  if (any_on<OnScorers>(experiments) && !data.scorers) absent.insert(kDodhData);
  return absent;
}

std::vector<Job> plan_jobs(const std::vector<Experiment>& experiments, const GatheredData& data,
                           const Workshop& workshop, const Effort& effort) {
  std::vector<Job> jobs;
  const auto add = [&jobs](std::vector<Job> more) {
    for (Job& job : more) jobs.push_back(std::move(job));
  };
  for (const Experiment& experiment : experiments) {
    if (const auto* work = work_of<OnNothing>(experiment)) add(work->jobs(effort));
  }
  for (const DataName& name : data.data_sets) {
    for (const Experiment& experiment : experiments) {
      const auto* work = work_of<OnDataSets>(experiment);
      if (work == nullptr) continue;
      if (work->takes(name)) add(work->jobs(workshop.data_set(name), effort));
    }
  }
  for (const PretrainedImages& images : data.images) {
    for (const Experiment& experiment : experiments) {
      if (const auto* work = work_of<OnImages>(experiment)) add(work->jobs(images, effort));
    }
  }
  for (const Experiment& experiment : experiments) {
    const auto* work = work_of<OnPeople>(experiment);
    if (work != nullptr && data.people) add(work->jobs(*data.people, effort));
  }
  for (const Experiment& experiment : experiments) {
    const auto* work = work_of<OnScorers>(experiment);
    if (work != nullptr && data.scorers) add(work->jobs(*data.scorers, effort));
  }
  return jobs;
}

}  // namespace ifd::experiments
