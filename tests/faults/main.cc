// ifd_faults: runs commands over and over, each time with another call that fails, and checks what
// is promised for every one of them. Nothing crashes. A file is as it was before, or whole: nothing
// half-written under a final name, nothing left aside. The exit code is that of the failure, 0 only
// with the whole result. One line on stderr begins with "ifd:", none where the work was done.
//
// Where LibTorch, OpenMP or MPI were told of the failure, who end the process by themselves, only
// the files are checked.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "ifd/data/answers_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/random/keyed_random.h"
#include "tests/command.h"
#include "tests/faults/waiting_program.h"
#include "tests/synthetic_problem.h"

namespace ifd::faults {
namespace {

namespace fs = std::filesystem;

struct Kind {
  std::string name;         // as failing_calls.cc has it
  std::vector<int> errors;  // in turn
};
const std::vector<Kind> kKinds = {{"write", {ENOSPC, EIO}},
                                  {"fsync", {EIO, ENOSPC}},
                                  {"close", {EIO, ENOSPC}},
                                  {"rename", {EIO, ENOSPC}},
                                  {"open", {EMFILE, EACCES, EIO}},
                                  {"mmap", {ENOMEM}},
                                  {"malloc", {ENOMEM}},
                                  {"thread", {EAGAIN}}};

struct Point {
  std::string kind;
  std::uint64_t number;
  int error;
  std::string how;

  bool silences() const { return kind == "write" && how == "on"; }
  std::string text() const { return fmt::format("{} {} {} {}", kind, number, error, how); }
};

enum class Beside { kNothing, kOtherFiles };

struct Extent {
  std::uint64_t first = 2000;  // every point up to here
  std::uint64_t drawn = 500;   // and so many beyond
  std::uint64_t every = 1;     // one of so many of the first
  std::uint64_t last = 250;    // and these, where files are written; one of at most three
  std::uint64_t seed = 0;      // of the draws
};

// A command that writes files into the folder "out".
struct Work {
  std::string name;
  std::string program;
  std::string words;
  std::vector<std::string> outputs;  // the same bytes every time
  Beside beside = Beside::kNothing;  // what else may be in the folder
  Extent extent = {};
  std::string begins_with = {};  // the file that stands in the place of the first output before
};

// Every point takes a second, and is run twice: to fail, and to be done afterwards.
constexpr Extent kSample = {.first = 2000, .drawn = 60, .every = 20, .last = 60};

std::vector<Work> all_works(const fs::path& programs) {
  return {{"route",
           programs / "ifd",
           "route --predictions train.npz --context context.csv --budget 0.4 --threads 3 "
           "--explain -o out/routes.jsonl",
           {"routes.jsonl"}},
          {"evaluate",
           programs / "ifd",
           "evaluate --predictions train.csv.gz --context context.csv --answers answers.csv "
           "--policy plug-in,policy.ifd --bootstrap 3 --threads 2 --curve out/curve.csv --report "
           "out/report.html",
           {"curve.csv", "report.html"}},
          {"combine",
           programs / "ifd",
           "combine --predictions train.npz --context context.csv --answers answers.csv --format "
           "jsonl -o out/labels.jsonl",
           {"labels.jsonl"}},
          {"certify",
           programs / "ifd",
           "certify --context context.csv --calibration past.npz --calibration-answers past.csv "
           "--error 0.4 --independent-cases --date 2026-01-01 -o out/certificate.json",
           {"certificate.json"}},
          {"watch",
           programs / "ifd",
           "watch --context context.csv --answers today.csv --state out/staff.watch --chart "
           "out/watch.svg",
           {"staff.watch", "watch.svg"},
           Beside::kNothing,
           {},
           "yesterday.watch"},
          {"train",
           programs / "ifd-train",
           "train --method ifd --predictions train.npz --validation val.npz --context context.csv "
           "--width 16 --epochs 2 --threads 2 -o out/policy.ifd",
           {"policy.ifd"},
           Beside::kOtherFiles},
          {"reproduce",
           programs / "ifd-reproduce",
           "reproduce --quick --only toy --epochs 1 --cohorts 1 --data nothing --jobs 2 -o out",
           {"results.csv"},
           Beside::kOtherFiles,
           kSample}};
}

struct Outcome {
  CommandResult result;
  std::string witness;
  std::map<std::string, std::string> files;  // in "out", with the paths from there

  // Whether somebody else's library was told of the failure.
  bool is_foreign() const {
    for (const char* name : {"libtorch", "libc10", "libgomp", "libmpi", "libopen-", "libpmix",
                             "libevent", "blas", "libdnnl", "libprotobuf", "libglog"}) {
      if (witness.find(name) != std::string::npos) return true;
    }
    return false;
  }
  std::string end() const {
    return result.signal != 0 ? fmt::format("signal {}", result.signal)
                              : fmt::format("exit {}", result.code);
  }
};

// The cases that certificates may be made with.
std::vector<std::size_t> rows_outside_contexts(const train::SyntheticProblem& problem) {
  std::set<std::string> named;
  for (const ExpertContext& context : problem.contexts) {
    for (const ContextRow& row : context.rows) named.insert(row.case_name);
  }
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < problem.training.size(); ++i) {
    if (!named.contains(problem.training.case_name(i))) rows.push_back(i);
  }
  return rows;
}

class Laboratory {
 public:
  explicit Laboratory(const fs::path& golden) {
    const auto problem = train::synthetic_problem(3, 600, 1);
    write_predictions(folder_ / "train.npz", problem.training);
    write_predictions(folder_ / "train.csv", problem.training);
    write_predictions(folder_ / "val.npz", problem.validation);
    write_contexts(folder_ / "context.csv", problem.contexts, problem.training.classes());
    write_answers(folder_ / "answers.csv", problem.answers, problem.training);
    const auto past = rows_outside_contexts(problem);
    write_predictions(folder_ / "past.npz", problem.training.subset(past));
    write_answers(folder_ / "past.csv", problem.answers.subset(past),
                  problem.training.subset(past));
    const std::size_t half = past.size() / 2;
    write_new_answers("yesterday.csv", problem, std::span(past).first(half));
    write_new_answers("today.csv", problem, std::span(past).subspan(half));
    fs::copy_file(golden / "policy_v1_plain.ifd", folder_ / "policy.ifd");
    fs::create_directory(folder_ / "nothing");
    const std::string yesterday =
        IFD_COMMAND " watch --context context.csv --answers yesterday.csv --state yesterday.watch";
    for (const std::string& command : {std::string("gzip train.csv"), yesterday}) {
      if (run_shell(folder_.path(), command).code != 0) throw std::runtime_error(command);
    }
    inputs_ = folder_.files();
  }

  void write_new_answers(const std::string& name, const train::SyntheticProblem& problem,
                         std::span<const std::size_t> rows) const {
    std::vector<ExpertContext> said;
    for (std::size_t j = 0; j < problem.answers.expert_names().size(); ++j) {
      said.push_back({problem.answers.expert_names()[j], {}});
      for (const std::size_t i : rows) {
        said.back().rows.push_back({problem.training.case_name(i), problem.training.label(i),
                                    problem.answers.at(case_id(i), expert_id(j))});
      }
    }
    write_contexts(folder_ / name, said, problem.training.classes());
  }

  // With empty files, or with older ones in the place of those that will be written.
  Outcome run(const WaitingProgram& program, const Work& work, const Point& point,
              const std::string& older) const {
    fs::remove_all(folder_ / "out");
    fs::remove(aside_ / "witness");
    fs::create_directory(folder_ / "out");
    for (const std::string& name : work.outputs) {
      const std::string before = bytes_before(work, name, older);
      if (!before.empty()) folder_.put("out/" + name, before);
    }
    return run_on(program, point);
  }

  // What is in the place of an output before the work; empty for no file.
  std::string bytes_before(const Work& work, const std::string& output,
                           const std::string& older) const {
    const bool is_read = output == work.outputs.front() && !work.begins_with.empty();
    return is_read ? folder_.get(work.begins_with) : older;
  }

  // On what is there.
  Outcome run_on(const WaitingProgram& program, const Point& point) const {
    Outcome outcome{program.run(point.text()), aside_.get("witness"), {}};
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out")) {
      if (!entry.is_regular_file()) continue;
      const std::string name = fs::relative(entry.path(), folder_ / "out").string();
      outcome.files[name] = folder_.get("out/" + name);
    }
    return outcome;
  }

  // To be run in the folder; `shim` makes its calls fail.
  std::unique_ptr<WaitingProgram> load(const Work& work, const std::string& shim) const {
    Words words = {work.program};
    const Words own = split_words(work.words);
    words.insert(words.end(), own.begin(), own.end());
    return std::make_unique<WaitingProgram>(
        folder_.path(), words,
        std::map<std::string, std::string>{{"LD_PRELOAD", shim},
                                           {"IFD_WITNESS", (aside_ / "witness").string()},
                                           {"OMP_WAIT_POLICY", "passive"}});
  }

  bool inputs_alone() const { return folder_.files() == inputs_ + 1; }

 private:
  ScratchDirectory folder_, aside_;
  std::size_t inputs_ = 0;
};

constexpr const char* kOlder = "an older result\n";

// What of the promises is broken.
std::vector<std::string> broken(const Laboratory& laboratory, const Work& work, const Point& point,
                                const Outcome& outcome, const Outcome& whole,
                                const std::string& older) {
  std::vector<std::string> wrong;
  bool complete = true;
  for (const std::string& name : work.outputs) {
    const auto found = outcome.files.find(name);
    const std::string bytes = found == outcome.files.end() ? "" : found->second;
    if (bytes == whole.files.at(name)) continue;
    complete = false;
    if (bytes != laboratory.bytes_before(work, name, older)) {
      wrong.push_back(name + " is half-written");
    }
  }
  for (const auto& [name, bytes] : outcome.files) {
    const bool output = std::count(work.outputs.begin(), work.outputs.end(), name) > 0;
    if (name.ends_with(".part")) wrong.push_back(name + " was left");
    if (!output && work.beside == Beside::kNothing) wrong.push_back(name + " was left");
  }
  if (outcome.is_foreign()) return wrong;
  const int code = outcome.result.code;
  // 5, storage, for a single work; where a job of many fails, the others go on and the end is 1.
  const bool documented = code == 0 || code == 5 || (code == 1 && work.name == "reproduce");
  if (!documented) wrong.push_back("ended with " + outcome.end());
  if (code == 0 && !complete) wrong.emplace_back("exit code 0 without the whole result");
  const Words said = split_lines(outcome.result.err);
  const auto lines = std::count_if(said.begin(), said.end(), [](const std::string& line) {
    return line.starts_with("ifd: ") && line.size() > 5;
  });
  const bool message_lost =
      point.silences() || outcome.witness.find("failed 2 ") != std::string::npos;
  const bool silent = code == 0 || message_lost;
  const bool many_jobs = code == 1 && lines >= 1;
  if (lines != (silent ? 0 : 1) && !many_jobs)
    wrong.push_back(fmt::format("{} lines 'ifd: ...'", lines));
  return wrong;
}

std::set<std::uint64_t> numbers_to_try(const Extent& extent, const std::string& what,
                                       std::uint64_t count) {
  std::set<std::uint64_t> numbers;
  const Key key = Key(extent.seed).with("faults").with(what);
  constexpr std::uint64_t kFew = 50;  // of which none is left out
  const std::uint64_t step = count <= kFew ? 1 : extent.every;
  for (std::uint64_t n = 1; n <= std::min(count, extent.first); n += step) {
    numbers.insert(std::min(n + key.with("step").below(step, n), count));
  }
  for (std::uint64_t i = 0; i < extent.drawn && count > extent.first; ++i) {
    numbers.insert(extent.first + 1 + key.with("beyond").below(count - extent.first, i));
  }
  const std::uint64_t first_of_last = std::max(extent.first, count - std::min(count, extent.last));
  for (std::uint64_t n = first_of_last + 1; n <= count; n += std::min<std::uint64_t>(step, 3)) {
    numbers.insert(n);
  }
  return numbers;
}

// How many points were tried, of how many broke a promise and of how many only the files count.
struct Tally {
  std::size_t points = 0, broken = 0, foreign = 0;

  Tally& operator+=(const Tally& other) {
    points += other.points;
    broken += other.broken;
    foreign += other.foreign;
    return *this;
  }
};

// How long it will take, once in half a minute.
class TimeLeft {
 public:
  TimeLeft(std::string work, std::size_t points) : work_(std::move(work)), points_(points) {}

  void one_more() {
    ++done_;
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < std::chrono::seconds(30)) return;
    told_ = now;
    const double minutes = std::chrono::duration<double, std::ratio<60>>(now - began_).count();
    fmt::print(
        stderr, "{}: {} of {} points, {:.0f} min left\n", work_, done_, points_,
        std::ceil(minutes * static_cast<double>(points_ - done_) / static_cast<double>(done_)));
  }

 private:
  std::string work_;
  std::size_t points_, done_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now(), told_ = began_;
};

class Trial {
 public:
  Trial(const Laboratory& laboratory, const Work& work, const Extent& extent,
        const std::string& shim)
      : laboratory_(laboratory),
        work_(work),
        extent_(extent),
        program_(laboratory.load(work, shim)) {
    whole_ = laboratory_.run(*program_, work_, {"none", 1, 0, "once"}, "");
    const Outcome again = laboratory_.run(*program_, work_, {"none", 1, 0, "once"}, kOlder);
    for (const std::string& name : work_.outputs) {
      if (whole_.result.code != 0 || whole_.files[name].empty() ||
          again.files.at(name) != whole_.files[name]) {
        throw std::runtime_error(fmt::format("{}: without a fault {} is not the same twice: {}",
                                             work_.name, name, whole_.result.err));
      }
    }
  }

  Tally run(const std::vector<Kind>& kinds, const std::vector<std::string>& hows) {
    std::vector<Series> all;
    std::size_t points = 0;
    for (const Kind& kind : kinds) {
      for (const std::string& how : hows)
        points += all.emplace_back(series(kind, how)).numbers.size();
    }
    TimeLeft left(work_.name, points);
    Tally tally;
    for (const Series& series : all) tally += run(series, left);
    return tally;
  }

 private:
  // Calls of one kind, and those that fail in turn.
  struct Series {
    Kind kind;
    std::string how;
    std::uint64_t count;
    std::set<std::uint64_t> numbers;
  };

  Series series(const Kind& kind, const std::string& how) const {
    constexpr std::uint64_t kNever = std::uint64_t{1} << 60;
    const Outcome counted = laboratory_.run(*program_, work_, {kind.name, kNever, 0, how}, "");
    const std::size_t at = counted.witness.find("counted ");
    if (at == std::string::npos)
      throw std::runtime_error("nothing was counted; is the shim there?");
    const std::uint64_t count = std::stoull(counted.witness.substr(at + 8));
    return {kind, how, count, numbers_to_try(extent_, work_.name + kind.name + how, count)};
  }

  Tally run(const Series& series, TimeLeft& left) const {
    std::map<std::string, std::size_t> ends;
    Tally tally;
    for (const std::uint64_t number : series.numbers) {
      const int error = series.kind.errors[number % series.kind.errors.size()];
      tally += try_point({series.kind.name, number, error, series.how}, ends);
      left.one_more();
    }
    std::vector<std::string> told;
    for (const auto& [end, times] : ends) told.push_back(fmt::format("{}: {}", end, times));
    fmt::print("{:9} {:6} {:4}  {:>9} calls, {:>5} points, {} broken  {}\n", work_.name,
               series.kind.name, series.how, series.count, tally.points, tally.broken,
               fmt::join(told, ", "));
    std::fflush(stdout);
    return tally;
  }

  Tally try_point(const Point& point, std::map<std::string, std::size_t>& ends) const {
    const std::string older = point.number % 2 == 0 ? kOlder : "";
    const Outcome outcome = laboratory_.run(*program_, work_, point, older);
    const bool failed = outcome.witness.find("failed ") != std::string::npos;
    ++ends[!failed ? "not reached" : outcome.end() + (outcome.is_foreign() ? " (foreign)" : "")];
    std::vector<std::string> wrong = broken(laboratory_, work_, point, outcome, whole_, older);
    if (!laboratory_.inputs_alone()) wrong.emplace_back("a file was left beside the inputs");
    if (work_.beside == Beside::kOtherFiles && !resumes(point)) {
      wrong.emplace_back("cannot be done afterwards in the same folder");
    }
    const Tally tally{1, wrong.empty() ? 0U : 1U, outcome.is_foreign() ? 1U : 0U};
    if (wrong.empty()) return tally;
    fmt::print("{} with IFD_FAULT='{}': {}; {}, stderr '{}', {}\n", work_.name, point.text(),
               fmt::join(wrong, "; "), outcome.end(), outcome.result.err, outcome.witness);
    return tally;
  }

  // Whatever the failure left behind, checkpoints and caches, the next run ends well.
  bool resumes(const Point& point) const {
    const Outcome next = laboratory_.run_on(*program_, {"none", point.number, 0, "once"});
    return next.result.code == 0 &&
           std::all_of(work_.outputs.begin(), work_.outputs.end(), [&](const std::string& name) {
             const auto found = next.files.find(name);
             return found != next.files.end() && found->second == whole_.files.at(name);
           });
  }

  const Laboratory& laboratory_;
  const Work& work_;
  Extent extent_;
  std::unique_ptr<WaitingProgram> program_;
  Outcome whole_;
};

struct Options {
  std::vector<std::string> works;  // all of them if none is named
  std::vector<std::string> kinds;  // likewise
  std::vector<std::string> how = {"once", "on"};
  fs::path programs = IFD_PROGRAMS;
  std::optional<std::uint64_t> first, drawn, every;  // each work has its own extent
  std::uint64_t seed = 0;

  Extent extent_of(const Work& work) const {
    return {first.value_or(work.extent.first), drawn.value_or(work.extent.drawn),
            every.value_or(work.extent.every), work.extent.last, seed};
  }
};

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::count(names.begin(), names.end(), name) > 0;
}

int run(const Options& options) {
  const Laboratory laboratory(fs::path(IFD_SOURCE_DIR) / "tests/golden");
  fmt::print("seed {}\n", options.seed);
  std::vector<Kind> kinds;
  for (const Kind& kind : kKinds) {
    if (is_among(options.kinds, kind.name)) kinds.push_back(kind);
  }
  Tally all;
  for (const Work& work : all_works(options.programs)) {
    if (!is_among(options.works, work.name)) continue;
    all +=
        Trial(laboratory, work, options.extent_of(work), IFD_FAILING_CALLS).run(kinds, options.how);
  }
  fmt::print(
      "{} points, {} broken; of {} only the files count, since LibTorch, OpenMP or MPI called\n",
      all.points, all.broken, all.foreign);
  return all.broken == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ifd::faults

int main(int argc, char** argv) {
  CLI::App app{"Make the n-th call of a command fail, for many n, and check what it promises"};
  ifd::faults::Options options;
  std::vector<std::string> names;
  for (const auto& work : ifd::faults::all_works("")) names.push_back(work.name);
  app.add_option("works", options.works, "Only these of all")->check(CLI::IsMember(names));
  app.add_option("--calls", options.kinds, "Only these: write,fsync,...")->delimiter(',');
  app.add_option("--how", options.how, "once, on (all that follow fail too)")->delimiter(',');
  app.add_option("--first", options.first, "Every n up to here (2000)");
  app.add_option("--every", options.every,
                 "Only one of so many of them, where there are many (1; reproduce: 20)");
  app.add_option("--drawn", options.drawn, "And so many beyond (500; reproduce: 60)");
  app.add_option("--programs", options.programs, "The folder of the programs");
  app.add_option("--seed", options.seed, "Of the draws")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return ifd::faults::run(options);
  } catch (const std::exception& error) {
    fmt::print("ifd_faults: {}\n", error.what());
    return 1;
  }
}
