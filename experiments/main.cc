// ifd-reproduce: the command behind `ifd reproduce`.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <set>
#include <thread>

#include "experiments/claims/expectations.h"
#include "experiments/claims/stored_expectations.h"
#include "experiments/jobs/data_sets.h"
#include "experiments/jobs/plan.h"
#include "experiments/report/report.h"
#include "experiments/run/code_version.h"
#include "experiments/run/ranks.h"
#include "experiments/run/runner.h"
#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path data;
  fs::path output = "reproduction";
  std::vector<std::string> only;
  std::size_t cohorts = 0;
  std::size_t epochs = 0;
  std::size_t patience = 0;
  unsigned jobs = 0;
  std::uint64_t seed = 0;
  bool quick = false;
  bool list = false;
  bool quiet = false;
  std::optional<fs::path> check;  // expectations to compare with; empty: the stored ones
  fs::path propose;  // where to write expectations around this run's numbers; empty: nowhere
  std::string command;
};

// Text for people, from rank 0 alone.
class Voice {
 public:
  Voice(bool quiet, int rank) : silent_(quiet || rank != 0), terminal_(::isatty(2) == 1) {}

  void say(const std::string& line) const {
    if (!silent_) fmt::print(stderr, "{}{}\n", terminal_ ? "\r\x1b[K" : "", line);
  }
  void progress(const Progress& p) const {
    if (silent_ || !terminal_) return;
    fmt::print(stderr, "\r\x1b[K{} of {} jobs, {} left; {}", p.done, p.all,
               p.seconds_left > 0 ? duration(p.seconds_left) : "time unknown", p.job);
    std::fflush(stderr);
  }
  static std::string duration(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
  }

 private:
  bool silent_;
  bool terminal_;
};

constexpr int kOutsideTolerance = 4;
// Other processors round differently, and a short training on few cases makes that visible.
constexpr double kProposedSlack = 0.05;

// "2 processors (AMD ...), 24 GiB of memory"
std::string hardware() {
  std::string model = "unknown";
  std::ifstream cpu("/proc/cpuinfo");
  for (std::string line; std::getline(cpu, line);) {
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  }
  std::ifstream memory("/proc/meminfo");
  std::string label;
  double kib = 0;
  memory >> label >> kib;
  return fmt::format("{} processors ({}), {:.0f} GiB of memory",
                     std::thread::hardware_concurrency(), model, kib / 1024 / 1024);
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[11];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

struct ImageSet {
  const char* name;
  const char* title;
  std::size_t id_specialties;
  double learning_rate;
  const char* files[3];  // the first that is there; may end early
};

// Sizes of the cohorts and learning rates as in the paper.
constexpr ImageSet kImageSets[] = {
    {"blood", "Blood Cells", 4, 5e-4, {"bloodcells_28.npz", "bloodmnist.npz", nullptr}},
    {"ham", "HAM10000", 3, 1e-3, {"ham10000_28.npz", "dermamnist.npz", nullptr}},
    {"organ",
     "Liver tumours (as OrganMNIST)",
     5,
     1e-3,
     {"organamnist.npz", "organcmnist.npz", "organsmnist.npz"}},
};

constexpr const char* kStudyNames[] = {"generated", "blood", "ham", "organ"};

fs::path data_folder(const Options& options) {
  if (!options.data.empty()) {
    if (fs::is_directory(options.data)) return options.data;
    throw Error(ErrorKind::kNotFound,
                fmt::format("--data {}: no such folder; expected the one with the data sets",
                            options.data.string()));
  }
  if (const char* own = std::getenv("IFD_DATA"); own != nullptr && *own != '\0') return own;
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : ".") / ".local/share/ifd";
}

class Reproduction {
 public:
  Reproduction(const Options& options, const Ranks& ranks)
      : options_(options),
        ranks_(ranks),
        voice_(options.quiet, ranks.rank()),
        effort_(options.quick ? quick_effort() : Effort()),
        data_(data_folder(options)),
        workshop_(options.output / "cache", code_version()) {
    effort_.seed = options.seed;
    if (options.cohorts > 0) {
      effort_.cohorts = options.cohorts;
      effort_.ablation_seeds = std::min(effort_.ablation_seeds, options.cohorts);
      effort_.scaling_cohorts = std::min(effort_.scaling_cohorts, options.cohorts);
    }
    if (options.epochs > 0) effort_.epochs = options.epochs;
    if (options.patience > 0) effort_.patience = options.patience;
  }

  int run() {
    const auto begin = std::chrono::steady_clock::now();
    gather_data();
    plan();
    preparation_seconds_ =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (options_.list) {
      if (ranks_.rank() == 0) {
        for (const Job& job : jobs_) fmt::print("{}\n", job.name);
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
    return options_.jobs > 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
  }

  bool wanted(std::string_view experiment) const {
    return options_.only.empty() ||
           std::find(options_.only.begin(), options_.only.end(), experiment) != options_.only.end();
  }

  void gather_data() {
    const bool simulated = wanted("table1") || wanted("lcb") || wanted("context") ||
                           wanted("priors") || wanted("beyond") || wanted("invariance");
    if (options_.quick) {
      if (simulated) workshop_.add(generated_study(options_.seed));
    } else {
      for (const ImageSet& set : kImageSets) {
        if (simulated) add_images(set);
      }
    }
    const fs::path people = data_ / "imagenet16h";
    if (wanted("imagenet16h")) {
      if (fs::exists(people / "annotations.csv") &&
          fs::exists(people / "predictions_resnet152.csv")) {
        people_ = read_annotators(people, options_.quick ? Portion::kHalf : Portion::kWhole);
      } else {
        missing_.emplace_back("imagenet16h/");
        absent_.push_back(
            fmt::format("ImageNet-16H: no annotations.csv and "
                        "predictions_resnet152.csv in {}",
                        people.string()));
      }
    }
    for (const std::string& line : absent_) voice_.say("left out: " + line);
  }

  void add_images(const ImageSet& set) {
    std::vector<std::string> names;
    for (const char* name : set.files) {
      if (name == nullptr) break;
      names.emplace_back(name);
      if (!fs::exists(data_ / name)) continue;
      const auto say = [this](const std::string& line) { voice_.say(line); };
      // One rank trains the classifier and the others find it.
      if (ranks_.rank() != 0) ranks_.wait_for_all();
      workshop_.add(image_study(workshop_, {set.name, set.id_specialties, set.learning_rate},
                                data_ / name, "resnet-small", say));
      if (ranks_.rank() == 0) ranks_.wait_for_all();
      return;
    }
    missing_.insert(missing_.end(), names.begin(), names.end());
    absent_.push_back(
        fmt::format("{}: none of {} in {}", set.title, fmt::join(names, ", "), data_.string()));
  }

  void add(std::vector<Job> jobs) {
    for (Job& job : jobs) jobs_.push_back(std::move(job));
  }

  void plan() {
    if (wanted("toy")) add(toy_jobs(effort_));
    for (const char* name : kStudyNames) {
      if (!workshop_.has(name)) continue;
      const Study& study = workshop_.study(name);
      const std::string_view is = name;
      const bool scaling = is == "blood" || is == "generated";
      const bool priors = is == "ham" || is == "generated";
      if (wanted("table1") || wanted("invariance")) add(table1_jobs(study, effort_));
      if (wanted("lcb")) add(lcb_jobs(study, effort_));
      if (wanted("context") && scaling) add(context_jobs(study, effort_));
      if (wanted("priors") && priors) add(prior_jobs(study, effort_));
      if (wanted("beyond")) add(beyond_jobs(study, effort_));
    }
    if (people_) add(imagenet16h_jobs(*people_, effort_));
    if (jobs_.empty()) {
      throw bad_input(fmt::format(
          "{}: none of the data sets is there; expected one of {} (see 'ifd data fetch')",
          data_.string(), fmt::join(missing_, ", ")));
    }
  }

  int conclude(const RunSummary& summary) {
    voice_.say(fmt::format("{} jobs in {} ({} found finished, {} of work{})", jobs_.size(),
                           Voice::duration(preparation_seconds_ + summary.wall_seconds),
                           summary.reused, Voice::duration(summary.job_seconds),
                           ranks_.size() > 1 ? fmt::format(" on {} ranks", ranks_.size()) : ""));
    for (const FailedJob& failed : summary.failed) {
      fmt::print(stderr, "ifd: {}: {}\n", failed.name,
                 failed.message.substr(0, failed.message.find('\n')));
    }
    const StudyRun study = study_of(summary);
    for (const auto& [name, bytes] : study_report(study)) {
      make_folder((options_.output / name).parent_path());
      write_file_atomically(options_.output / name, bytes);
    }
    voice_.say(fmt::format("{}: the report", (options_.output / "report.html").string()));
    const Summary numbers(rows_of(study));
    if (!options_.propose.empty()) {
      write_file_atomically(options_.propose,
                            to_json(propose_expectations(numbers, kProposedSlack)));
    }
    if (!summary.failed.empty()) return 1;
    return options_.check ? check(numbers) : 0;
  }

  StudyRun study_of(const RunSummary& summary) const {
    StudyRun study;
    study.results = summary.results;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      study.jobs.push_back({jobs_[i].name, summary.results[i].processor_seconds});
    }
    for (const FailedJob& failed : summary.failed) {
      for (JobRecord& job : study.jobs) {
        if (job.name == failed.name) job.failure = failed.message;
      }
    }
    study.selected = options_.only;
    if (study.selected.empty()) {
      for (const Experiment& experiment : experiments())
        study.selected.emplace_back(experiment.name);
    }
    for (const char* name : kStudyNames) {
      if (!workshop_.has(name)) continue;
      const Study& part = workshop_.study(name);
      study.data.push_back({part.name, part.classifier, part.hash});
    }
    if (people_) {
      study.data.push_back({"imagenet16h", "the study's own ResNet-152", people_->hash});
    }
    study.absent = absent_;
    study.command = options_.command;
    study.version = IFD_VERSION;
    study.code_version = code_version();
    study.hardware = hardware();
    study.date = today();
    study.seed = options_.seed;
    study.preparation_seconds = preparation_seconds_;
    study.wall_seconds = preparation_seconds_ + summary.wall_seconds;
    study.fresh_seconds = summary.job_seconds;
    study.reused = summary.reused;
    study.workers = ranks_.size() > 1 ? static_cast<unsigned>(ranks_.size()) : workers();
    return study;
  }

  int check(const Summary& numbers) const {
    std::set<std::string> selected(options_.only.begin(), options_.only.end());
    if (selected.empty()) {
      for (const Experiment& experiment : experiments()) selected.emplace(experiment.name);
    }
    if (!people_) selected.erase("imagenet16h");
    const bool stored = options_.check->empty();
    const std::string place = stored ? "the stored expectations" : options_.check->string();
    const std::string_view own = options_.quick ? quick_expectations() : full_expectations();
    const auto expectations =
        expectations_from_json(stored ? std::string(own) : read_file(*options_.check), place);
    const auto broken = violations(numbers, expectations, selected);
    for (const std::string& line : broken) fmt::print(stderr, "ifd: {}\n", line);
    if (broken.empty()) {
      voice_.say(fmt::format("all {} expectations of {} hold",
                             expectations.bands.size() + expectations.orders.size(), place));
    }
    return broken.empty() ? 0 : kOutsideTolerance;
  }

  const Options& options_;
  const Ranks& ranks_;
  Voice voice_;
  Effort effort_;
  fs::path data_;
  Workshop workshop_;
  std::optional<RealAnnotators> people_;
  std::vector<std::string> absent_;   // a line for each data set that is not there
  std::vector<std::string> missing_;  // files any of which would have been one
  std::vector<Job> jobs_;
  double preparation_seconds_ = 0;
};

int main_of(int argc, char** argv) {
  CLI::App app{"Run the paper's experiments and stand the results beside the published ones"};
  app.name("ifd");
  app.require_subcommand(1);
  CLI::App* c = app.add_subcommand("reproduce", app.get_description());
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) names.emplace_back(experiment.name);
  c->footer(
      "Example:\n  ifd reproduce --quick -o quick\n  mpirun -n 8 ifd reproduce -o full\n  srun "
      "--mpi=pmix -n 8 ifd reproduce -o full");
  Options o;
  c->add_option("--data", o.data,
                "Folder of the data sets; otherwise $IFD_DATA, else ~/.local/share/ifd");
  c->add_option("-o,--output", o.output, "Folder of report, results and caches")
      ->capture_default_str();
  c->add_option("--only", o.only, "Of: " + fmt::format("{}", fmt::join(names, ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  c->add_option("--jobs", o.jobs, "At a time; 0: as many as the machine has processors")
      ->capture_default_str();
  c->add_option("--cohorts", o.cohorts, "Instead of the paper's ten");
  c->add_option(
      "--epochs", o.epochs,
      fmt::format("At most, of a policy; otherwise {}. Multi-Expert gets five times as many",
                  Effort().epochs));
  c->add_option("--patience", o.patience,
                fmt::format("Epochs without a better validation AURSAC before a training ends; "
                            "otherwise {} (the paper: 50). Multi-Expert gets five times, the "
                            "-perm baselines twice as many",
                            Effort().patience));
  c->add_option("--seed", o.seed, "Seed of every draw")->capture_default_str();
  c->add_flag("--quick", o.quick, "Minutes instead of hours: generated data and small slices");
  c->add_flag("--list", o.list, "Only name the jobs, once the classifiers are there");
  std::vector<std::string> check;
  const CLI::Option* checks =
      c->add_option("--check", check,
                    "Compare with the bands and orders of this file, or of those stored in the "
                    "program; exit code 4 where one is left")
          ->expected(0, 1)
          ->type_name("[FILE]");
  c->add_option("--propose", o.propose, "Write such a file around the numbers of this run")
      ->type_name("FILE");
  c->add_flag("-q,--quiet", o.quiet, "Say nothing on stderr but errors");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, fmt::format("{}; see 'ifd reproduce --help'", error.what()));
  }
  if (checks->count() > 0) o.check = check.empty() ? fs::path() : fs::path(check.front());
  o.command = "ifd";
  for (int i = 1; i < argc; ++i) o.command += std::string(" ") + argv[i];
  const Ranks ranks;
  return Reproduction(o, ranks).run();
}

}  // namespace
}  // namespace ifd::experiments

namespace {

// Results are whole files: what was running is lost, nothing else.
void on_interrupt(int signal) {
  ifd::remove_pending_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);
  const auto fail = [](std::string_view message, int code) {
    fmt::print(stderr, "ifd: {}\n", message.substr(0, message.find('\n')));
    return code;
  };
  try {
    return ifd::experiments::main_of(argc, argv);
  } catch (const ifd::Error& error) {
    return fail(error.what(), ifd::outside_meaning(error.kind()).exit_code);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 5);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
