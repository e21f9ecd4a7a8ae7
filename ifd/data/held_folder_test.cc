#include "ifd/data/held_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/scratch_directory.h"

namespace ifd {
namespace {

TEST(HeldFolder, OthersWaitUntilItIsFree) {
  const ScratchDirectory scratch;
  std::optional<HeldFolder> held(std::in_place, scratch / "x");
  std::atomic<bool> waits{false}, is_free{false};
  std::thread other([&] {
    // The same folder by another name, and another file in it.
    const HeldFolder mine(scratch / "." / "y", [&] { waits = true; });
    EXPECT_TRUE(is_free);
  });
  while (!waits) std::this_thread::yield();
  is_free = true;
  held.reset();
  other.join();
  bool waited = false;
  const HeldFolder again(scratch / "x", [&] { waited = true; });
  EXPECT_FALSE(waited);
  EXPECT_EQ(scratch.files(), 0u);
}

// Reading, changing and writing loses nothing.
TEST(HeldFolder, NobodyLosesWhatAnotherWrote) {
  const ScratchDirectory scratch;
  scratch.put("count", "0");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const HeldFolder held(scratch / "count");
        scratch.put("count", std::to_string(std::stoi(scratch.get("count")) + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(scratch.get("count"), "200");
}

TEST(HeldFolder, AFolderThatIsNotThereIsNotHeld) {
  const ScratchDirectory scratch;
  bool waited = false;
  const auto note = [&] { waited = true; };
  const HeldFolder one(scratch / "none" / "x", note), two(scratch / "none" / "x", note);
  EXPECT_FALSE(waited);
  EXPECT_EQ(scratch.files(), 0u);
}

}  // namespace
}  // namespace ifd
