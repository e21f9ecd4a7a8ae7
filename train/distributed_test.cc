// Two real processes on loopback: this one leads, the other is the same binary again, asked for the
// disabled test below.
#include "train/distributed.h"

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include <cstdlib>
#include <map>

#include "ifd/policy/roster.h"
#include "tests/free_port.h"
#include "tests/refusal.h"
#include "tests/synthetic_problem.h"
#include "train/baseline_trainer.h"
#include "train/losses.h"
#include "train/rejector_net.h"
#include "train/tensor_exchange.h"
#include "train/training_loop.h"

extern char** environ;

namespace ifd::train {
namespace {

Environment variables(const std::map<std::string, std::string>& set) {
  return [set](const std::string& name) -> std::optional<std::string> {
    const auto found = set.find(name);
    if (found == set.end()) return {};
    return found->second;
  };
}

TEST(Membership, IsReadFromWhoeverStartedTheProcesses) {
  EXPECT_EQ(
      membership(variables(
          {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "node7"}, {"MASTER_PORT", "4000"}})),
      (Membership{1, 2, "node7", 4000}));
  // mpirun, all processes on this machine; and on others.
  EXPECT_EQ(membership(variables({{"OMPI_COMM_WORLD_RANK", "0"},
                                  {"OMPI_COMM_WORLD_SIZE", "4"},
                                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}})),
            (Membership{0, 4, "127.0.0.1", 29500}));
  EXPECT_EQ(membership(variables({{"OMPI_COMM_WORLD_RANK", "3"},
                                  {"OMPI_COMM_WORLD_SIZE", "4"},
                                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                  {"MASTER_ADDR", "10.0.0.1"}})),
            (Membership{3, 4, "10.0.0.1", 29500}));
}

// The variables as Slurm 22.05 sets them.
TEST(Membership, IsReadInsideASlurmJob) {
  // srun: process 0 is on the first machine of the step, wherever srun was called.
  EXPECT_EQ(membership(variables({{"SLURM_PROCID", "5"},
                                  {"SLURM_NTASKS", "8"},
                                  {"SLURM_STEP_NUM_TASKS", "8"},
                                  {"SLURM_JOB_NODELIST", "node[1-4]"},
                                  {"SLURM_STEP_NODELIST", "node[3-4]"},
                                  {"SLURM_LAUNCH_NODE_IPADDR", "10.0.0.9"}})),
            (Membership{5, 8, "node3", 29500}));
  // mpirun in a batch script: all processes inherit the script's SLURM_PROCID.
  EXPECT_EQ(membership(variables({{"OMPI_COMM_WORLD_RANK", "1"},
                                  {"OMPI_COMM_WORLD_SIZE", "3"},
                                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"},
                                  {"SLURM_PROCID", "0"},
                                  {"SLURM_NTASKS", "3"},
                                  {"SLURM_JOB_NODELIST", "node1"}})),
            (Membership{1, 3, "127.0.0.1", 29500}));
  // mpirun over machines: the step is that of its daemons on the machines other than the first.
  EXPECT_EQ(membership(variables({{"OMPI_COMM_WORLD_RANK", "2"},
                                  {"OMPI_COMM_WORLD_SIZE", "4"},
                                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                  {"SLURM_PROCID", "0"},
                                  {"SLURM_STEP_NUM_TASKS", "1"},
                                  {"SLURM_JOB_NODELIST", "node[1-2]"},
                                  {"SLURM_STEP_NODELIST", "node2"}})),
            (Membership{2, 4, "node1", 29500}));
  // By hand inside `salloc`, which says how many, not who.
  EXPECT_EQ(membership(variables({{"RANK", "1"},
                                  {"WORLD_SIZE", "2"},
                                  {"MASTER_ADDR", "10.0.0.1"},
                                  {"MASTER_PORT", "5"},
                                  {"SLURM_NTASKS", "4"}})),
            (Membership{1, 2, "10.0.0.1", 5}));
}

TEST(Membership, FirstHostOfASlurmList) {
  for (const auto& [list, host] : {std::pair{"a01", "a01"},
                                   {"a01,b02", "a01"},
                                   {"node[1-4,7]", "node1"},
                                   {"node[7,9-12],gpu2", "node7"},
                                   {"n-[001-003]", "n-001"},
                                   {"rack-[2-3]node[05,06]-ib,a", "rack-2node05-ib"},
                                   {"node[4]", "node4"}}) {
    EXPECT_EQ(first_host(list), host) << list;
  }
  for (const char* list : {"", ",a", "node[1-4", "node["}) {
    EXPECT_EQ(
        refusal([&] { first_host(list); }),
        std::string("'") + list + "' is no list of hosts; expected one like 'a1,node[1-4,7]'");
  }
}

TEST(Membership, MissingOrContradictingVariablesAreRefused) {
  const auto refused = [](const std::map<std::string, std::string>& set) {
    EXPECT_EQ(refusal_kind([&] { membership(variables(set)); }), ErrorKind::kUsage);
    return refusal([&] { membership(variables(set)); });
  };
  EXPECT_EQ(refused({}),
            "--distributed: who is who is not known; start it with mpirun or srun, or set RANK, "
            "WORLD_SIZE, MASTER_ADDR and MASTER_PORT");
  // A batch script that calls ifd without srun: one process, though it has a rank.
  EXPECT_TRUE(refused({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "3"}, {"SLURM_JOB_NODELIST", "a"}})
                  .starts_with("--distributed: who is who is not known; start it with mpirun"));
  EXPECT_EQ(refused({{"RANK", "0"}}),
            "RANK is set but WORLD_SIZE is not; expected both, or neither");
  EXPECT_EQ(refused({{"RANK", "2"}, {"WORLD_SIZE", "2"}}),
            "RANK is 2 and WORLD_SIZE is 2; expected a rank below the size");
  EXPECT_EQ(refused({{"RANK", "one"}, {"WORLD_SIZE", "2"}}),
            "RANK is 'one'; expected a whole number, 0..100000");
  EXPECT_EQ(refused({{"RANK", "0"},
                     {"WORLD_SIZE", "2"},
                     {"OMPI_COMM_WORLD_RANK", "1"},
                     {"OMPI_COMM_WORLD_SIZE", "2"}}),
            "the environment says process 0 of 2, mpirun says 1 of 2; expected one of them to be "
            "unset");
  EXPECT_EQ(refused({{"RANK", "0"}, {"WORLD_SIZE", "2"}}),
            "MASTER_ADDR is not set; expected the address of the machine of process 0");
  EXPECT_EQ(refused({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "h"}}),
            "MASTER_PORT is not set; expected a free port of the machine of process 0");
  EXPECT_EQ(
      refused({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "h"}, {"MASTER_PORT", "70000"}}),
      "MASTER_PORT is '70000'; expected a whole number, 0..65535");
  EXPECT_EQ(refused({{"OMPI_COMM_WORLD_RANK", "3"},
                     {"OMPI_COMM_WORLD_SIZE", "4"},
                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
            "MASTER_ADDR is not set; expected the address of the machine of process 0");
}

// A net in double precision, so that only the exchange could make a difference above 1e-6.
class DoubleLearner final : public Learner {
 public:
  DoubleLearner() : problem_(synthetic_problem(3, 25, 5)), net_(mlp_widths(3, 3, 8, 2)) {
    initialise(*net_, Key(7));
    net_->to(torch::kFloat64);
    features_ = class_logits_of(problem_.training).to(torch::kFloat64);
    labels_ = labels_of(problem_.training);
  }
  torch::nn::Module& module() override { return *net_; }
  void begin_epoch(std::size_t) override {}
  torch::Tensor loss(const torch::Tensor& rows, std::size_t) override {
    const auto g = features_.index_select(0, rows);
    return deferral_loss(g, net_(g), labels_.index_select(0, rows),
                         torch::full({rows.numel(), 2}, .7, torch::kFloat64));
  }
  std::vector<double> validation_margins() override { return std::vector<double>(25 * 2, 0.0); }

  TrainingSummary train(std::size_t batch, std::size_t epochs, GradientExchange* team) {
    const Roster roster = make_roster(problem_.contexts, 3);
    Schedule schedule;
    schedule.batch = batch;
    schedule.epochs = schedule.patience = epochs;
    Support support;
    support.team = team;
    return fit(*this, problem_.training.case_names(),
               Validation::from_profiles(problem_.validation, roster.names, roster.profiles, "v"),
               schedule, {}, support);
  }

 private:
  SyntheticProblem problem_;
  MlpNet net_;
  torch::Tensor features_, labels_;
};

TrainedPolicy train_relabelled(GradientExchange* team) {
  const SyntheticProblem problem = synthetic_problem(4, 45, 6);
  const Roster roster = make_roster(problem.contexts, 4);
  PopulationOptions options;
  options.naming = ClassNaming::kRandom;
  options.width = 16;
  options.context_size = 8;
  Schedule schedule;
  schedule.batch = 20;  // the last batch has 5 cases: slices of unequal sizes
  schedule.epochs = 1;
  Support support;
  support.team = team;
  return train_population(
      problem.training, problem.contexts, problem.answers,
      Validation::from_profiles(problem.validation, roster.names, roster.profiles, "v"), options,
      schedule, {}, support);
}

constexpr std::size_t kMoreThanTheCases = 1000;

// What both processes do, by name.
void take_part(const std::string& task, GradientExchange& team) {
  if (task == "gradient") DoubleLearner().train(kMoreThanTheCases, 1, &team);
  if (task == "epochs") DoubleLearner().train(10, 3, &team);
  if (task == "tiny batches") DoubleLearner().train(1, 1, &team);
  if (task == "relabelled") train_relabelled(&team);
  if (task == "die") std::_Exit(0);
  if (task == "text") {
    EXPECT_EQ(shared_text(team, "of the other"), "of the leader");
  }
}

TEST(DistributedPeer, DISABLED_TakesPart) {
  const char* const port = std::getenv("IFD_TEST_PORT");
  ASSERT_NE(port, nullptr);
  const auto team = join({1, 2, "127.0.0.1", static_cast<std::uint16_t>(std::atoi(port))},
                         std::chrono::seconds(60));
  take_part(std::getenv("IFD_TEST_TASK"), *team);
}

// The other process, and the exchange with it.
class Pair {
 public:
  explicit Pair(const std::string& task) {
    const std::uint16_t port = free_port();
    ::setenv("IFD_TEST_PORT", std::to_string(port).c_str(), 1);
    ::setenv("IFD_TEST_TASK", task.c_str(), 1);
    std::string self = "/proc/self/exe", filter = "--gtest_filter=DistributedPeer.*",
                all = "--gtest_also_run_disabled_tests", brief = "--gtest_brief=1";
    char* arguments[] = {self.data(), filter.data(), all.data(), brief.data(), nullptr};
    if (::posix_spawn(&other_, self.c_str(), nullptr, nullptr, arguments, environ) != 0) {
      throw std::runtime_error("the other process cannot be started");
    }
    team_ = join({0, 2, "127.0.0.1", port}, std::chrono::seconds(60));
  }
  ~Pair() {
    team_.reset();
    int status = 0;
    ::waitpid(other_, &status, 0);
    EXPECT_EQ(status, 0) << "the other process failed";
  }
  GradientExchange& team() { return *team_; }

 private:
  pid_t other_ = 0;
  std::unique_ptr<GradientExchange> team_;
};

void expect_near(const torch::Tensor& a, const torch::Tensor& b, double most) {
  EXPECT_LT((a - b).abs().max().item<double>(), most);
}

// One batch: after it the parameters still hold its gradient.
TEST(Distributed, GradientIsThatOfOneProcess) {
  DoubleLearner alone, shared;
  alone.train(kMoreThanTheCases, 1, nullptr);
  Pair pair("gradient");
  shared.train(kMoreThanTheCases, 1, &pair.team());
  const auto a = alone.module().parameters(), b = shared.module().parameters();
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_GT(a[i].grad().abs().max().item<double>(), 1e-4);
    expect_near(a[i].grad(), b[i].grad(), 1e-12);
  }
}

TEST(Distributed, WeightsAndLossesAreThoseOfOneProcess) {
  for (const auto& [task, batch, epochs] : {std::tuple{"epochs", 10, 3}, {"tiny batches", 1, 1}}) {
    SCOPED_TRACE(task);
    DoubleLearner alone, shared;
    const auto expected = alone.train(batch, epochs, nullptr);
    Pair pair(task);
    const auto summary = shared.train(batch, epochs, &pair.team());
    const auto a = alone.module().parameters(), b = shared.module().parameters();
    for (std::size_t i = 0; i < a.size(); ++i) expect_near(a[i], b[i], 1e-9);
    ASSERT_EQ(summary.epochs.size(), expected.epochs.size());
    for (std::size_t i = 0; i < summary.epochs.size(); ++i) {
      EXPECT_NEAR(summary.epochs[i].loss, expected.epochs[i].loss, 1e-9);
      EXPECT_EQ(summary.epochs[i].aursac, expected.epochs[i].aursac);
    }
  }
}

// Names of classes and contexts are drawn by batch, so both processes draw the same.
TEST(Distributed, DrawsOfABatchAreShared) {
  const TrainedPolicy alone = train_relabelled(nullptr);
  Pair pair("relabelled");
  const TrainedPolicy shared = train_relabelled(&pair.team());
  ASSERT_EQ(alone.tensors.size(), shared.tensors.size());
  for (std::size_t i = 0; i < alone.tensors.size(); ++i) {
    for (std::size_t v = 0; v < alone.tensors[i].values.size(); ++v) {
      ASSERT_NEAR(alone.tensors[i].values[v], shared.tensors[i].values[v], 1e-6)
          << alone.tensors[i].name;
    }
  }
}

TEST(Distributed, TheLeadersTextIsForAll) {
  Pair pair("text");
  EXPECT_EQ(shared_text(pair.team(), "of the leader"), "of the leader");
}

TEST(Distributed, ADeadProcessEndsTheOther) {
  Pair pair("die");
  const auto lost = [&] {
    for (;;) pair.team().sum({torch::ones({3})});
  };
  const std::string message = refusal(lost);
  EXPECT_TRUE(message.starts_with("process 0 of 2 (training, 127.0.0.1:")) << message;
  EXPECT_NE(message.find("lost the other processes: "), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(Distributed, NobodyWaitsForeverForOthers) {
  const std::string message = refusal([] {
    join({0, 2, "127.0.0.1", free_port()}, std::chrono::seconds(1));
  });
  EXPECT_TRUE(message.starts_with("process 0 of 2 (joining, 127.0.0.1:")) << message;
}

}  // namespace
}  // namespace ifd::train
