#include "ifd/data/part_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>

#include "ifd/data/file_bytes.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

bool is_there(const ScratchDirectory& folder, const char* name) {
  return std::filesystem::exists(std::filesystem::symlink_status(folder / name));
}

// SIGKILL leaves no time to clean up. The next writer of the same target does, at once.
TEST(PartFile, WhatAKilledProcessLeftGoesAwayWithTheNextWrite) {
  const ScratchDirectory folder;
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(folder / "x");
    file.write(std::string(3 << 20, 'y'));
    ::raise(SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ASSERT_EQ(folder.files(), 1U);
  ASSERT_FALSE(is_there(folder, "x"));
  write_file_atomically(folder / "x", "new");
  EXPECT_EQ(folder.get("x"), "new");
  EXPECT_EQ(folder.files(), 1U);
}

// A writer that lives keeps its part, in another process or in this one.
TEST(PartFile, ALivingWriterIsLeftAlone) {
  const ScratchDirectory folder;
  int ready[2], done[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(done), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(done[1]);  // so that it does not wait for a parent that is gone
    try {
      char byte = 'x';
      AtomicFile file(folder / "x");
      file.write("of the child");
      if (::write(ready[1], &byte, 1) != 1 || ::read(done[0], &byte, 1) != 1) ::_exit(1);
      file.commit();
      ::_exit(0);
    } catch (const std::exception&) {
      ::_exit(2);
    }
  }
  char byte = 'x';
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  AtomicFile first(folder / "x");
  AtomicFile second(folder / "x");
  EXPECT_EQ(folder.files(), 3U);
  first.write("first");
  first.commit();
  EXPECT_EQ(folder.get("x"), "first");
  second.write("second");
  second.commit();
  EXPECT_EQ(folder.get("x"), "second");
  ASSERT_EQ(::write(done[1], &byte, 1), 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder.get("x"), "of the child");
  EXPECT_EQ(folder.files(), 1U);
  for (const int end : {ready[0], ready[1], done[0], done[1]}) ::close(end);
}

// Only regular files under the very name of a part of this target.
TEST(PartFile, OtherNamesAndOtherThingsStay) {
  const ScratchDirectory folder;
  folder.put("kept", "a file of the user's");
  const auto others = {".y.12.0.part", ".x.12.part",     ".x.12.0.parts", ".x.a.0.part",
                       ".x.12.b.part", ".x.12.0.1.part", "x.12.0.part",   ".x..0.part",
                       ".x.part",      ".x.12.0.part.gz"};
  for (const char* name : others) folder.put(name, "");
  std::filesystem::create_symlink("kept", folder / ".x.13.0.part");
  std::filesystem::create_directory(folder / ".x.14.0.part");
  folder.put(".x.12.0.part", "");
  remove_abandoned_parts(folder / "x");
  for (const char* name : others) EXPECT_TRUE(is_there(folder, name)) << name;
  EXPECT_TRUE(is_there(folder, "kept"));
  EXPECT_TRUE(is_there(folder, ".x.13.0.part"));
  EXPECT_TRUE(is_there(folder, ".x.14.0.part"));
  EXPECT_FALSE(is_there(folder, ".x.12.0.part"));
}

// Long names are told apart by a hash, and their parts are found again.
TEST(PartFile, LongNamesHavePartsOfTheirOwn) {
  const ScratchDirectory folder;
  const std::string one = std::string(250, 'a') + "1", other = std::string(250, 'a') + "2";
  const std::string part = part_path(folder / one, 1'000'000'000, 4'000'000'000);
  EXPECT_LE(std::filesystem::path(part).filename().string().size(), 255u);
  EXPECT_NE(part, part_path(folder / other, 1'000'000'000, 4'000'000'000));
  folder.put(std::filesystem::path(part).filename().string(), "");
  remove_abandoned_parts(folder / other);
  EXPECT_TRUE(std::filesystem::exists(part));
  remove_abandoned_parts(folder / one);
  EXPECT_FALSE(std::filesystem::exists(part));
}

// Another process may have taken the part for abandoned between its making and its lock.
TEST(PartFile, APartThatIsGoneIsNotHeld) {
  const ScratchDirectory folder;
  const auto path = folder.put("part", "");
  const int descriptor = ::open(path.c_str(), O_WRONLY);
  EXPECT_TRUE(hold_part(descriptor));
  ASSERT_EQ(::unlink(path.c_str()), 0);
  EXPECT_FALSE(hold_part(descriptor));
  ::close(descriptor);
}

}  // namespace
}  // namespace ifd
