#include "train/program/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace ifd::train {
namespace {

using testing::HasSubstr;

constexpr const char* kOpenMp = "/usr/lib/x86_64-linux-gnu/openblas-openmp/libblas.so.3";
constexpr const char* kThreads = "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3";
constexpr const char* kReference = "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0";

ProbeRun run(double seconds, const char* blas = kOpenMp, const char* kernel = "Zen",
             int threads = 2) {
  return {seconds, 0, blas, kernel, threads};
}

ProbeRun killed(int signal) { return {{}, signal, kOpenMp, "", 2}; }

// A machine in order: two processors with AVX2.
Measurements healthy() {
  Measurements m;
  m.processors = 2;
  m.has_avx2 = true;
  m.wait_policy = "passive";
  m.product = {run(1), run(1)};
  m.openmp = run(1);
  m.crowded = ProbePair{run(1), run(1)};
  m.default_threads = run(1);
  m.all_threads = run(1);
  m.channels_first = run(1);
  m.channels_last = run(1);
  return m;
}

const Finding& at(const std::vector<Finding>& findings, const char* trap) {
  for (const Finding& finding : findings) {
    if (finding.trap == trap) return finding;
  }
  throw std::logic_error(trap);
}

TEST(Doctor, FindsNothingOnAHealthyMachine) {
  const auto findings = diagnose(healthy());
  ASSERT_EQ(findings.size(), 6u);
  EXPECT_FALSE(needs_a_hand(findings));
  EXPECT_EQ(at(findings, "BLAS").verdict, Verdict::kOk);
  EXPECT_EQ(at(findings, "OpenBLAS kernel").verdict, Verdict::kOk);
  EXPECT_EQ(at(findings, "bf16 on AMX").verdict, Verdict::kNotApplicable);
}

TEST(Doctor, ReferenceBlasNeedsAHandOrIsAvoided) {
  Measurements m = healthy();
  m.product = {run(10, kReference, ""), run(10, kReference, "")};
  m.openmp.reset();
  Finding finding = at(diagnose(m), "BLAS");
  EXPECT_EQ(finding.verdict, Verdict::kFound);
  EXPECT_EQ(finding.fix, "sudo apt install libopenblas0-openmp");
  EXPECT_FALSE(finding.cost);  // nothing to compare with
  EXPECT_TRUE(needs_a_hand(diagnose(m)));

  m.openmp = run(2);
  finding = at(diagnose(m), "BLAS");
  EXPECT_EQ(finding.verdict, Verdict::kFound);
  EXPECT_EQ(finding.cost, 5.0);
  EXPECT_THAT(finding.fix, HasSubstr("update-alternatives"));

  m.product.here = run(2);
  finding = at(diagnose(m), "BLAS");
  EXPECT_EQ(finding.verdict, Verdict::kProtected);
  EXPECT_EQ(finding.cost, 5.0);
  EXPECT_FALSE(needs_a_hand(diagnose(m)));
}

TEST(Doctor, ThreadsOfOpenBlasCountAsATrap) {
  Measurements m = healthy();
  m.product = {run(1, kThreads), run(1, kThreads)};
  EXPECT_EQ(at(diagnose(m), "BLAS").verdict, Verdict::kFound);
}

TEST(Doctor, OldKernel) {
  Measurements m = healthy();
  m.has_avx512 = true;
  m.product = {run(7, kOpenMp, "Prescott"), run(1, kOpenMp, "SkylakeX")};
  Finding finding = at(diagnose(m), "OpenBLAS kernel");
  EXPECT_EQ(finding.verdict, Verdict::kProtected);
  EXPECT_EQ(finding.cost, 7.0);

  m.product.here = m.product.bare;
  finding = at(diagnose(m), "OpenBLAS kernel");
  EXPECT_EQ(finding.verdict, Verdict::kFound);
  EXPECT_EQ(finding.fix, "export OPENBLAS_CORETYPE=SkylakeX");
  m.has_avx512 = false;
  EXPECT_EQ(at(diagnose(m), "OpenBLAS kernel").fix, "export OPENBLAS_CORETYPE=Haswell");
}

// OPENBLAS_CORETYPE=SkylakeX on a processor without AVX-512.
TEST(Doctor, IllegalInstructionIsAFinding) {
  Measurements m = healthy();
  m.product.here = killed(SIGILL);
  const Finding finding = at(diagnose(m), "OpenBLAS kernel");
  EXPECT_EQ(finding.verdict, Verdict::kFound);
  EXPECT_THAT(finding.what, HasSubstr("Illegal instruction"));
  EXPECT_EQ(finding.fix, "unset OPENBLAS_CORETYPE");

  m = healthy();
  m.has_amx = true;
  m.bf16 = ProbePair{killed(SIGILL), run(1)};
  EXPECT_EQ(at(diagnose(m), "bf16 on AMX").verdict, Verdict::kProtected);
  m.bf16->here = killed(SIGILL);
  EXPECT_EQ(at(diagnose(m), "bf16 on AMX").verdict, Verdict::kFound);
  m.bf16 = ProbePair{run(1), run(1)};
  EXPECT_EQ(at(diagnose(m), "bf16 on AMX").verdict, Verdict::kOk);
}

TEST(Doctor, WaitingThreadsLayoutAndCount) {
  Measurements m = healthy();
  m.crowded = ProbePair{run(6), run(1)};
  EXPECT_EQ(at(diagnose(m), "waiting threads").verdict, Verdict::kProtected);
  EXPECT_EQ(at(diagnose(m), "waiting threads").cost, 6.0);
  m.wait_policy = "active";
  EXPECT_EQ(at(diagnose(m), "waiting threads").verdict, Verdict::kFound);
  m.crowded.reset();
  EXPECT_EQ(at(diagnose(m), "waiting threads").verdict, Verdict::kNotApplicable);

  m.default_threads = run(2, kOpenMp, "Zen", 1);
  EXPECT_EQ(at(diagnose(m), "threads").verdict, Verdict::kProtected);
  EXPECT_EQ(at(diagnose(m), "threads").cost, 2.0);

  m.channels_first = run(3);
  EXPECT_EQ(at(diagnose(m), "memory layout").verdict, Verdict::kProtected);
  EXPECT_EQ(at(diagnose(m), "memory layout").cost, 3.0);
}

}  // namespace
}  // namespace ifd::train
