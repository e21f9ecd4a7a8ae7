#include "train/program/doctor_probe.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <torch/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ifd/data/json_text.h"
#include "ifd/error.h"

namespace ifd::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

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

std::vector<std::string> environment_with(const EnvironmentChanges& changes) {
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

}  // namespace

std::vector<std::string> probe_names() {
  std::vector<std::string> names;
  for (const auto& item : kProbes) names.push_back(item.first);
  return names;
}

int be_probe(const std::string& probe, int threads) {
  ::alarm(kLongestProbeSeconds);
  ordered_json told = {{"threads", at::get_num_threads()}, {"blas", file_of_blas()}};
  const auto kernel = reinterpret_cast<char* (*)()>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  told["kernel"] = kernel == nullptr ? "" : kernel();
  // Told before the work, which may end this process.
  fmt::print("{}\n", json_text(told));
  std::fflush(stdout);
  if (threads > 0) {
    at::set_num_threads(threads);
    using SetThreads = void (*)(int);
    if (const auto set =
            reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
      set(threads);
    }
  }
  fmt::print("{}\n", kProbes.at(probe)());
  return 0;
}

ProbeRun run_probe(const std::string& probe, int threads, const EnvironmentChanges& changes) {
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

}  // namespace ifd::train
