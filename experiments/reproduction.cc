#include "experiments/reproduction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <thread>

#include "command_line/terminal.h"
#include "experiments/claims/expectations.h"
#include "experiments/gathered_data.h"
#include "experiments/machine.h"
#include "experiments/report/report.h"
#include "experiments/report/result_csv.h"
#include "experiments/result/labels.h"
#include "experiments/run/code_version.h"
#include "experiments/run/runner.h"
#include "experiments/voice.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

constexpr int kOutsideTolerance = 4;
// Other processors round differently, and a short training on few cases makes that visible.
constexpr double kProposedSlack = 0.05;

class Reproduction {
 public:
  Reproduction(const Options& options, const Ranks& ranks, const std::string& version)
      : options_(options),
        ranks_(ranks),
        version_(version),
        voice_(options.terminal, ranks.rank()),
        folder_(data_folder(options.data)),
        workshop_(options.output / "cache", code_version(),
                  [this](const std::string& line) { voice_.say(line); }) {}

  int run() {
    // First: what is wrong in the file must not be told hours later.
    if (options_.check && ranks_.rank() == 0) expected_ = read_expectations();
    if (ranks_.rank() == 0) before_ = read_proposed();
    const auto begin = std::chrono::steady_clock::now();
    prepare();
    preparation_seconds_ =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (options_.list) {
      if (ranks_.rank() == 0) {
        std::string names;
        for (const Job& job : jobs_) names += visible_text(job.name) + "\n";
        write_output("", names);
      }
      return 0;
    }
    const auto observer = [this](const Progress& p) { voice_.progress(p); };
    const RunSummary summary = ranks_.size() > 1 ? run_jobs_on_ranks(workshop_, jobs_, observer)
                                                 : run_jobs(workshop_, jobs_, workers(), observer);
    if (ranks_.rank() != 0) return 0;
    return conclude(summary);
  }

 private:
  unsigned workers() const {
    if (ranks_.size() > 1) return static_cast<unsigned>(ranks_.size());
    return options_.jobs > 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
  }

  // Data, classifiers and jobs.
  void prepare() {
    const auto to_run = experiments_to_run(options_.selected());
    const auto form = options_.quick ? DataPlace::Form::kQuick : DataPlace::Form::kWhole;
    const Effort effort = options_.effort();
    data_ = gather_data(to_run,
                        {folder_, form, options_.seed, options_.limits,
                         std::min(effort.classifiers, effort.cohorts)},
                        workshop_, ranks_, [this](const std::string& line) { voice_.say(line); });
    for (const std::string& line : data_.absent) voice_.say("left out: " + line);
    jobs_ = plan_jobs(to_run, data_, workshop_, effort);
    if (jobs_.empty()) {
      throw bad_input(fmt::format(
          "{}: none of the data sets is there; expected one of {} (see 'ifd data fetch')",
          folder_.string(), fmt::join(data_.missing, ", ")));
    }
  }

  int conclude(const RunSummary& summary) const {
    voice_.say(fmt::format("{} jobs in {} ({} found finished, {} of work{})", jobs_.size(),
                           rough_duration(preparation_seconds_ + summary.wall_seconds),
                           summary.reused, rough_duration(summary.job_seconds),
                           ranks_.size() > 1 ? fmt::format(" on {} ranks", ranks_.size()) : ""));
    for (const FailedJob& failed : summary.failed) {
      complain(failed.name + ": " + failed.message.substr(0, failed.message.find('\n')));
    }
    const RunRecord record = record_of(summary);
    for (const auto& [name, bytes] : report_files(record, experiment_sections())) {
      make_folder((options_.output / name).parent_path());
      write_file_atomically(options_.output / name, bytes);
    }
    voice_.say(fmt::format("{}: the report", (options_.output / "report.html").string()));
    const Summary numbers(rows_of(record));
    if (!options_.propose.empty()) propose(numbers);
    if (!summary.failed.empty()) return 1;
    return expected_ ? check(numbers, *expected_) : 0;
  }

  std::filesystem::path proposed_means() const {
    std::filesystem::path means = options_.propose;
    return means.replace_extension(".csv");
  }

  // What is there already where expectations are to be written.
  Proposal read_proposed() const {
    Proposal before;
    if (options_.propose.empty()) return before;
    const auto bytes_of = [&](const std::filesystem::path& file) {
      std::error_code unknown;
      return std::filesystem::is_regular_file(file, unknown) ? read_file(file, options_.limits)
                                                             : std::string();
    };
    const std::string bands = bytes_of(options_.propose), means = bytes_of(proposed_means());
    if (bands.empty()) return before;
    before.expectations = expectations_from_json(bands, options_.propose.string());
    if (!means.empty()) before.means = rows_from_csv(means, proposed_means().string());
    return before;
  }

  void propose(const Summary& numbers) const {
    std::set<ExperimentName> measured;
    for (const ExperimentName& name : options_.selected()) measured.insert(name);
    for (const auto& [cell, values] : numbers.cells()) measured.insert(cell.experiment);
    const Expectations proposed = propose_expectations(numbers, kProposedSlack);
    const Proposal all =
        with_others_of(before_, {proposed, banded_means(numbers, proposed)}, measured);
    write_file_atomically(options_.propose, to_json(all.expectations));
    write_file_atomically(proposed_means(), to_csv(all.means));
  }

  RunRecord record_of(const RunSummary& summary) const {
    RunRecord record;
    record.results = summary.results;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      record.jobs.push_back({jobs_[i].name, summary.results[i].processor_seconds});
    }
    for (const FailedJob& failed : summary.failed) {
      for (JobRecord& job : record.jobs) {
        if (job.name == failed.name) job.failure = failed.message;
      }
    }
    record.selected = options_.selected();
    record.data = sources();
    record.absent = data_.absent;
    record.command = options_.command;
    record.version = version_;
    record.code_version = code_version();
    record.hardware = hardware();
    record.date = today();
    record.protocol = options_.effort().protocol_words();
    record.seed = options_.seed;
    record.preparation_seconds = preparation_seconds_;
    record.wall_seconds = preparation_seconds_ + summary.wall_seconds;
    record.fresh_seconds = summary.job_seconds;
    record.reused = summary.reused;
    record.workers = workers();
    return record;
  }

  std::vector<DataSource> sources() const {
    std::vector<DataSource> all;
    for (const DataName& name : data_.data_sets) {
      const DataSet& data_set = workshop_.data_set(name);
      const auto& others = data_set.by_other_classifiers;
      all.push_back({name, data_set.classifier, data_set.hash, !others.empty()});
      for (const DataSet& other : others) all.push_back({name, other.classifier, other.hash, true});
    }
    for (const PretrainedImages& images : data_.images) {
      all.push_back({images.data_set.name, images.data_set.classifier, images.hash});
    }
    if (data_.people) {
      all.push_back({kImageNet16HData, "the data set's own ResNet-152", data_.people->hash});
    }
    if (data_.scorers) {
      all.push_back({kDodhData, "votes of the data set's own networks", data_.scorers->hash});
    }
    return all;
  }

  std::string place_of_expectations() const {
    return options_.check->empty() ? "the stored expectations" : options_.check->string();
  }

  Expectations read_expectations() const {
    return expectations_from_json(options_.check->empty()
                                      ? std::string(options_.expectations())
                                      : read_file(*options_.check, options_.limits),
                                  place_of_expectations());
  }

  int check(const Summary& numbers, const Expectations& expected) const {
    std::set<ExperimentName> measured;
    for (const ExperimentName& name : options_.selected()) measured.insert(name);
    const std::string place = place_of_expectations();
    const auto expectations = without(expected, people_not_there(experiments(), data_));
    const auto broken = violations(numbers, expectations, measured);
    for (const std::string& line : broken) complain(line);
    if (broken.empty()) {
      voice_.say(fmt::format("all {} expectations of {} hold",
                             expectations.bands.size() + expectations.orders.size(), place));
    }
    return broken.empty() ? 0 : kOutsideTolerance;
  }

  const Options& options_;
  const Ranks& ranks_;
  std::string version_;
  Voice voice_;
  std::filesystem::path folder_;
  Workshop workshop_;
  std::optional<Expectations> expected_;
  Proposal before_;
  GatheredData data_;
  std::vector<Job> jobs_;
  double preparation_seconds_ = 0;
};

}  // namespace

int reproduce(const Options& options, const Ranks& ranks, const std::string& version) {
  return Reproduction(options, ranks, version).run();
}

}  // namespace ifd::experiments
