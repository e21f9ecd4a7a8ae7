#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command_line/learning_environment.h"
#include "command_line/terminal.h"
#include "command_line/threads_limit.h"
#include "ifd/data/visible_text.h"
#include "train/program/command.h"
#include "train/program/doctor.h"
#include "train/program/doctor_probe.h"

namespace ifd::train {
namespace doctor_command {
namespace {

using nlohmann::ordered_json;

constexpr int kNeedsAHand = 4;

struct Options {
  bool json = false;
  std::string probe;  // this process is one that is measured
  int threads = 0;    // 0: as LibTorch starts
};

// Keeps a processor busy as long as it lives.
class Neighbour {
 public:
  Neighbour() : child_(::fork()) {
    if (child_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::alarm(4 * kLongestProbeSeconds);
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

Measurements measure() {
  Measurements measured;
  measured.processors = threads_or_all(0);
  measured.has_avx2 = processor_has("avx2");
  measured.has_avx512 = processor_has("avx512f");
  measured.has_amx = processor_has("amx_bf16");
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  measured.wait_policy = policy == nullptr ? "" : policy;
  const EnvironmentChanges bare = {{"LD_LIBRARY_PATH", path_without_openmp()},
                                   {"OPENBLAS_CORETYPE", ""},
                                   {"OMP_WAIT_POLICY", ""},
                                   {"ONEDNN_MAX_CPU_ISA", ""}};
  measured.product = {run_probe("product", 1, bare), run_probe("product", 1, {})};
  if (const std::string folder = openblas_on_openmp().string(); !folder.empty()) {
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
  return {{"schema", "ifd doctor 1"}, {"findings", all}, {"needs_a_hand", needs_a_hand(findings)}};
}

std::string to_text(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{:<16}  {:<16}  {}\n", finding.trap, word_of(finding.verdict),
                        visible_text(finding.what));
    if (finding.cost) {
      text += fmt::format("{:36}measured here: {}\n", "",
                          *finding.cost > kNoise
                              ? fmt::format("{:.1f} times slower with the trap", *finding.cost)
                              : "no slower with the trap, on one small probe");
    }
    if (!finding.fix.empty()) text += fmt::format("{:36}{}\n", "", visible_text(finding.fix));
  }
  return text;
}

int run(const Options& options) {
  if (!options.probe.empty()) return be_probe(options.probe, options.threads);
  const std::vector<Finding> findings = diagnose(measure());
  write_output("",
               options.json ? escaped_json(json_of(findings).dump(2) + "\n") : to_text(findings));
  return needs_a_hand(findings) ? kNeedsAHand : 0;
}

}  // namespace
}  // namespace doctor_command

void add_doctor_command(CLI::App& app, Program& program) {
  using namespace doctor_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Look for the silent traps of LibTorch on this machine and measure what they cost");
  command->footer("Exit code 4: something needs your hand.\nExample:\n  ifd doctor");
  command->add_flag("--json", options->json, "The findings for a script");
  command->add_option("--probe", options->probe)->check(CLI::IsMember(probe_names()))->group("");
  limit_threads(command->add_option("--threads", options->threads)->group(""));
  command->callback([options, &program] { program.work = [options] { return run(*options); }; });
}

}  // namespace ifd::train
