#include "ifd/data/read_limits.h"

#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace ifd {
namespace {

TEST(ReadLimits, TheLargerOfFactorAndFloorIsAllowed) {
  const ReadLimits limits;
  EXPECT_EQ(limits.allowed(0), std::uint64_t{256} << 20);
  EXPECT_EQ(limits.allowed(1'000'000), std::uint64_t{256} << 20);
  EXPECT_EQ(limits.allowed(10'000'000), 1'000'000'000u);
  EXPECT_EQ((ReadLimits{.max_expansion = 1e6, .always_allowed = 1}).allowed(UINT64_MAX),
            std::uint64_t{1} << 62);
}

TEST(ReadLimits, AnArchiveWithinAFileSharesItsLimit) {
  const ReadLimits limits{.max_expansion = 64, .always_allowed = 10};
  EXPECT_EQ(limits.within(1024, 16'384).allowed(16'384), limits.allowed(1024));
  EXPECT_EQ(limits.within(0, 0).allowed(1024), limits.allowed(1024));
}

TEST(ReadLimits, WhatHasNoSizeCountsAsASmallFile) {
  EXPECT_EQ(ReadLimits{}.of_stream(), 4'000'000'000u);
  EXPECT_EQ(ReadLimits{.max_expansion = 1000}.of_stream(), 40'000'000'000u);
  EXPECT_EQ(ReadLimits{.max_expansion = 1}.of_stream(), std::uint64_t{256} << 20);
}

// No product of sizes is too large to be compared.
TEST(ReadRoom, GivesWhatThereIsAndNoMore) {
  ReadRoom room("a.csv", 100);
  room.take(40);
  room.take(6, 10);
  room.take(0);
  EXPECT_EQ(refusal([&] { room.take(1); }),
            "a.csv: takes 101 bytes or more in memory; expected at most 100; "
            "--max-expansion allows more");
  EXPECT_EQ(refusal_kind([&] { room.take(UINT64_MAX, UINT64_MAX); }), ErrorKind::kCorruptFile);
}

TEST(ReadLimits, TheRefusalTellsTheNumbers) {
  const Error error = expands_too_far("p.npz", 7, "of archive declare arrays of 800 bytes or more",
                                      {.max_expansion = 100, .always_allowed = 5});
  EXPECT_EQ(error.kind(), ErrorKind::kCorruptFile);
  EXPECT_STREQ(error.what(),
               "p.npz: 7 bytes of archive declare arrays of 800 bytes or more; expected at most "
               "700; --max-expansion allows more");
}

}  // namespace
}  // namespace ifd
