#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <torch/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "train/command.h"
#include "train/doctor.h"

namespace ifd::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kNeedsAHand = 4;
constexpr unsigned kLongestProbe = 60;  // seconds, then it counts as one that does not end

struct Options {
  bool json = false;
  std::string probe;  // this process is one that is measured
  int threads = 0;    // 0: as LibTorch starts
};

// ---- the work of a probe

// The fastest of a few: neighbours only ever slow down.
template <typename Work>
double fastest(int rounds, Work work) {
  work();
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

double time_product() {
  const auto a = torch::rand({384, 384});
  const auto b = torch::rand({384, 384});
  auto c = torch::empty({384, 384});
  return fastest(20, [&] { at::mm_out(c, a, b); });
}

// Many short parallel regions, the sum of them: one stall is what hurts.
double time_regions() {
  auto a = torch::rand({512, 512});
  return fastest(3, [&] {
    for (int i = 0; i < 100; ++i) a = (a * 0.5 + 0.25).relu();
  });
}

double time_bf16() {
  const auto images = torch::rand({8, 16, 28, 28}).to(torch::kBFloat16);
  const auto kernel = torch::rand({32, 16, 3, 3}).to(torch::kBFloat16);
  return fastest(3, [&] { at::conv2d(images, kernel, {}, 1, 1); });
}

// What MobileNetV2 is made of: widen, filter each channel by itself, narrow; and the way back.
double time_depthwise(at::MemoryFormat format) {
  const auto learnt = [&](at::IntArrayRef shape) {
    return torch::rand(shape).contiguous(format).requires_grad_(true);
  };
  const auto images = torch::rand({16, 32, 28, 28}).contiguous(format);
  const auto widen = learnt({192, 32, 1, 1});
  const auto filter = learnt({192, 1, 3, 3});
  const auto narrow = learnt({32, 192, 1, 1});
  return fastest(3, [&] {
    const auto wide = at::conv2d(images, widen).relu();
    const auto filtered = at::conv2d(wide, filter, {}, 1, 1, 1, 192).relu();
    at::conv2d(filtered, narrow).sum().backward();
  });
}

const std::map<std::string, double (*)()> kProbes = {
    {"product", time_product},
    {"regions", time_regions},
    {"bf16", time_bf16},
    {"channels-first", [] { return time_depthwise(at::MemoryFormat::Contiguous); }},
    {"channels-last", [] { return time_depthwise(at::MemoryFormat::ChannelsLast); }}};

std::string file_of_blas() {
  Dl_info info{};
  void* product = ::dlsym(RTLD_DEFAULT, "sgemm_");
  if (product == nullptr || ::dladdr(product, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? info.dli_fname : file.string();
}

int be_probe(const Options& options) {
  ::alarm(kLongestProbe);
  ordered_json told = {{"threads", at::get_num_threads()}, {"blas", file_of_blas()}};
  const auto kernel = reinterpret_cast<char* (*)()>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  told["kernel"] = kernel == nullptr ? "" : kernel();
  // Told before the work, which may end this process.
  fmt::print("{}\n", told.dump());
  std::fflush(stdout);
  if (options.threads > 0) {
    at::set_num_threads(options.threads);
    using SetThreads = void (*)(int);
    if (const auto set =
            reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
      set(options.threads);
    }
  }
  fmt::print("{}\n", kProbes.at(options.probe)());
  return 0;
}

// ---- starting probes

using Changes = std::map<std::string, std::string>;  // an empty value takes the variable away

std::vector<std::string> environment_with(const Changes& changes) {
  std::vector<std::string> made;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) made.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (!value.empty()) made.push_back(fmt::format("{}={}", name, value));
  }
  return made;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

ProbeRun run_probe(const std::string& probe, int threads, const Changes& changes) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorKind::kStorage, "no pipe for a probe");
  std::vector<std::string> words = {"ifd-train", "doctor",    "--probe",
                                    probe,       "--threads", std::to_string(threads)};
  std::vector<std::string> variables = environment_with(changes);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr,
                                   pointers_to(words).data(), pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  char block[4096];
  for (ssize_t n = 0; failed == 0 && (n = ::read(ends[0], block, sizeof block)) > 0;) {
    text.append(block, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  ProbeRun run;
  int status = 0;
  if (failed != 0 || ::waitpid(child, &status, 0) != child) return run;
  if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
  std::istringstream lines(text);
  std::string first;
  std::getline(lines, first);
  if (double seconds = 0; lines >> seconds) run.seconds = seconds;
  const auto told = ordered_json::parse(first, nullptr, /*allow_exceptions=*/false);
  if (!told.is_object()) return run;
  run.blas = told.at("blas");
  run.kernel = told.at("kernel");
  run.threads = told.at("threads");
  return run;
}

// Keeps a processor busy as long as it lives.
class Neighbour {
 public:
  Neighbour() : child_(::fork()) {
    if (child_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::alarm(4 * kLongestProbe);
    for (;;) asm volatile("" : : : "memory");
  }
  ~Neighbour() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

 private:
  pid_t child_;
};

bool cpu_has(const std::string& flag) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line);
    using Words = std::istream_iterator<std::string>;
    return std::find(Words(words), Words(), flag) != Words();
  }
  return false;
}

// LD_LIBRARY_PATH without the folders of OpenBLAS on OpenMP.
std::string path_without_openmp() {
  const char* given = std::getenv("LD_LIBRARY_PATH");
  std::istringstream folders(given == nullptr ? "" : given);
  std::string kept;
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (folder.find("openblas-openmp") != std::string::npos) continue;
    kept += (kept.empty() ? "" : ":") + folder;
  }
  return kept;
}

std::string openmp_folder() {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/lib", error)) {
    const fs::path folder = entry.path() / "openblas-openmp";
    if (fs::exists(folder / "libblas.so.3", error)) return folder.string();
  }
  return {};
}

Measurements measure() {
  Measurements measured;
  measured.processors = threads_or_all(0);
  measured.has_avx2 = cpu_has("avx2");
  measured.has_avx512 = cpu_has("avx512f");
  measured.has_amx = cpu_has("amx_bf16");
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  measured.wait_policy = policy == nullptr ? "" : policy;
  const Changes bare = {{"LD_LIBRARY_PATH", path_without_openmp()},
                        {"OPENBLAS_CORETYPE", ""},
                        {"OMP_WAIT_POLICY", ""},
                        {"ONEDNN_MAX_CPU_ISA", ""}};
  measured.product = {run_probe("product", 1, bare), run_probe("product", 1, {})};
  if (const std::string folder = openmp_folder(); !folder.empty()) {
    measured.openmp =
        run_probe("product", 1, {{"LD_LIBRARY_PATH", folder}, {"OPENBLAS_CORETYPE", ""}});
  }
  measured.default_threads = run_probe("product", 0, {});
  measured.all_threads = run_probe("product", measured.processors, {});
  if (measured.processors > 1) {
    std::vector<std::unique_ptr<Neighbour>> neighbours;
    for (int i = 0; i < measured.processors; ++i) {
      neighbours.push_back(std::make_unique<Neighbour>());
    }
    measured.crowded =
        ProbePair{run_probe("regions", measured.processors, {{"OMP_WAIT_POLICY", ""}}),
                  run_probe("regions", measured.processors, {})};
  }
  if (measured.has_amx) {
    measured.bf16 =
        ProbePair{run_probe("bf16", 1, {{"ONEDNN_MAX_CPU_ISA", ""}}), run_probe("bf16", 1, {})};
  }
  measured.channels_first = run_probe("channels-first", 1, {});
  measured.channels_last = run_probe("channels-last", 1, {});
  return measured;
}

ordered_json json_of(const std::vector<Finding>& findings) {
  ordered_json all = ordered_json::array();
  for (const Finding& finding : findings) {
    ordered_json one = {{"trap", finding.trap},
                        {"verdict", word_of(finding.verdict)},
                        {"what", finding.what},
                        {"times_slower", nullptr},
                        {"fix", finding.fix}};
    if (finding.cost) one["times_slower"] = *finding.cost;
    all.push_back(std::move(one));
  }
  return {{"findings", all}, {"needs_a_hand", needs_a_hand(findings)}};
}

int run(const Options& options) {
  if (!options.probe.empty()) return be_probe(options);
  const std::vector<Finding> findings = diagnose(measure());
  if (options.json) {
    fmt::print("{}\n", json_of(findings).dump(2));
  } else {
    for (const Finding& finding : findings) {
      fmt::print("{:<16}  {:<16}  {}\n", finding.trap, word_of(finding.verdict), finding.what);
      if (finding.cost) {
        fmt::print("{:36}measured here: {}\n", "",
                   *finding.cost > kNoise
                       ? fmt::format("{:.1f} times slower with the trap", *finding.cost)
                       : "no slower with the trap, on one small probe");
      }
      if (!finding.fix.empty()) fmt::print("{:36}{}\n", "", finding.fix);
    }
  }
  return needs_a_hand(findings) ? kNeedsAHand : 0;
}

}  // namespace

void add_doctor_command(CLI::App& app, Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Look for the silent traps of LibTorch on this machine and measure what they cost");
  command->footer("Exit code 4: something needs your hand.\nExample:\n  ifd doctor");
  command->add_flag("--json", options->json, "The findings for a script");
  std::vector<std::string> names;
  for (const auto& item : kProbes) names.push_back(item.first);
  command->add_option("--probe", options->probe)->check(CLI::IsMember(names))->group("");
  command->add_option("--threads", options->threads)->group("");
  command->callback([options, &program] { program.work = [options] { return run(*options); }; });
}

}  // namespace ifd::train
