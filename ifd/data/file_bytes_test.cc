#include "ifd/data/file_bytes.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <string>
#include <thread>
#include <utility>

#include "ifd/random/keyed_random.h"
#include "tests/gzip.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

std::string random_bytes(const Key& key, std::size_t size, std::size_t alphabet) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(key.below(alphabet, i));
  return bytes;
}

TEST(FileBytes, WhatIsWrittenIsRead) {
  const ScratchDirectory scratch;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key = Key(seed).with("bytes");
    const std::string bytes = random_bytes(key, key.with("size").below(200000), 256);
    write_file_atomically(scratch / "x", bytes);
    if (is_gzip(bytes)) continue;
    EXPECT_EQ(read_file(scratch / "x"), bytes);
  }
  EXPECT_EQ(scratch.files(), 1u);
}

TEST(FileBytes, ManyWritesAreOneFile) {
  const ScratchDirectory scratch;
  std::string expected;
  AtomicFile file(scratch / "x");
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::string piece = random_bytes(Key(i), Key(i).with("size").below(2000), 256);
    file.write(piece);
    expected += piece;
  }
  const std::string large(3 << 20, 'y');
  file.write(large);
  EXPECT_FALSE(std::filesystem::exists(scratch / "x"));
  file.commit();
  EXPECT_EQ(scratch.get("x"), expected + large);
  EXPECT_EQ(scratch.files(), 1u);
}

TEST(FileBytes, GzipIsUndone) {
  const ScratchDirectory scratch;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key = Key(seed).with("gzip");
    // A small alphabet packs well, so that the text outgrows every first guess of its size.
    const std::string first = random_bytes(key, key.with("size").below(300000), 2);
    const std::string second = random_bytes(key.with(2), 1000, 256);
    EXPECT_EQ(read_file(scratch.put("one", gzip(first))), first);
    EXPECT_EQ(read_file(scratch.put("two", gzip(first) + gzip(second))), first + second);
    EXPECT_EQ(read_file(scratch.put("pad", gzip(second) + std::string(7, '\0'))), second);
  }
  EXPECT_EQ(read_file(scratch.put("zeros", gzip(std::string(5 << 20, '\0')))),
            std::string(5 << 20, '\0'));
}

// A pipe has no size to compare anything with: without a limit, what has no end takes all memory.
TEST(FileBytes, WhatHasNoEndIsRefused) {
  const ScratchDirectory scratch;
  const auto fifo = scratch / "pipe";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const ReadLimits limits{.max_expansion = 2, .always_allowed = 1000, .stream_counts_as = 50'000};
  const auto read_of_pipe = [&](std::size_t bytes) {
    std::thread writer([&] {
      const int descriptor = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
      const std::string text(bytes, 'x');
      for (std::size_t at = 0; at < bytes;) {
        const ssize_t written = ::write(descriptor, text.data() + at, bytes - at);
        if (written < 0) break;  // nobody reads any more
        at += static_cast<std::size_t>(written);
      }
      ::close(descriptor);
    });
    std::string read, message;
    message = refusal([&] { read = read_file(fifo, limits); });
    writer.join();
    return std::pair(read.size(), message);
  };
  EXPECT_EQ(read_of_pipe(100'000), std::pair(std::size_t{100'000}, std::string()));
  const auto previous = std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(read_of_pipe(5'000'000),
            std::pair(std::size_t{0},
                      fifo.string() +
                          ": has no size of its own and goes on; expected at most 100000 bytes; "
                          "--max-expansion allows more"));
  std::signal(SIGPIPE, previous);
  EXPECT_EQ(refusal_kind([&] { read_file("/dev/zero", limits); }), ErrorKind::kCorruptFile);
  EXPECT_EQ(read_file("/dev/null", limits), "");
  // What has a size is as large as it says.
  EXPECT_EQ(read_file(scratch.put("large", std::string(300'000, 'x')), limits).size(), 300'000u);
}

TEST(FileBytes, DamagedGzipIsRefused) {
  const std::string packed = gzip("a line of text, and some more of it\n");
  const auto message = [](const std::string& bytes) {
    EXPECT_EQ(refusal_kind([&] { inflate_gzip(bytes, "x.gz"); }), ErrorKind::kCorruptFile);
    return refusal([&] { inflate_gzip(bytes, "x.gz"); });
  };
  for (std::size_t size = 2; size < packed.size(); ++size) {
    EXPECT_EQ(message(packed.substr(0, size)), "x.gz: the gzip data is cut short");
  }
  std::string wrong_sum = packed;
  wrong_sum[wrong_sum.size() - 5] ^= 1;
  EXPECT_EQ(message(wrong_sum), "x.gz: damaged gzip data (incorrect data check)");
  EXPECT_EQ(message(packed + "x"), "x.gz: bytes after the end of the gzip data");
}

TEST(FileBytes, GzipDoesNotUnfoldWithoutLimit) {
  const std::string packed = gzip(std::string(100000, 'x'));
  const std::string size = std::to_string(packed.size());
  EXPECT_EQ(inflate_gzip(packed, "x.gz", {.max_expansion = 1, .always_allowed = 100'000}).size(),
            100'000u);
  EXPECT_EQ(refusal([&] {
              inflate_gzip(packed, "x.gz", {.max_expansion = 1, .always_allowed = 99'999});
            }),
            "x.gz: " + size +
                " bytes of gzip unfold to 100000 or more; expected at most 99999; --max-expansion "
                "allows more");
  // A hundred times its own size, and no more.
  const ReadLimits hundredfold{.max_expansion = 100, .always_allowed = 0};
  const std::string allowed = std::to_string(100 * packed.size());
  ASSERT_LT(100 * packed.size(), 100'000u);
  EXPECT_EQ(refusal([&] { inflate_gzip(packed, "x.gz", hundredfold); }),
            "x.gz: " + size + " bytes of gzip unfold to 100000 or more; expected at most " +
                allowed + "; --max-expansion allows more");
  // Two members: neither promises too much, both together do.
  EXPECT_THAT(refusal([&] {
                inflate_gzip(packed + packed, "x.gz",
                             {.max_expansion = 1, .always_allowed = 150'000});
              }),
              testing::HasSubstr("or more; expected at most 150000"));
}

// What gzip has used up is not there a second time for an archive within.
TEST(FileBytes, LimitsAreForTheFileAsItLies) {
  const ScratchDirectory scratch;
  const std::string packed = gzip(std::string(100'000, 'x'));
  scratch.put("x.gz", packed);
  const ReadLimits limits{.max_expansion = 2000, .always_allowed = 0};
  const FileContents contents = read_contents(scratch / "x.gz", limits);
  EXPECT_EQ(contents.limits.allowed(contents.bytes.size()), limits.allowed(packed.size()));
}

TEST(FileBytes, SaysWhyAFileCannotBeRead) {
  const ScratchDirectory scratch;
  const std::string missing = (scratch / "x.csv").string();
  EXPECT_EQ(refusal([&] { read_file(missing); }), missing + ": no such file");
  EXPECT_EQ(refusal_kind([&] { read_file(missing); }), ErrorKind::kNotFound);
  EXPECT_EQ(refusal([&] { read_file(scratch.path()); }),
            scratch.path().string() + ": is a directory; expected a file");
}

TEST(FileBytes, AFileThatIsNotCommittedLeavesNothing) {
  const ScratchDirectory scratch;
  scratch.put("x", "old");
  {
    AtomicFile file(scratch / "x");
    file.write("new");
    EXPECT_EQ(scratch.files(), 2u);
  }
  EXPECT_EQ(scratch.get("x"), "old");
  EXPECT_EQ(scratch.files(), 1u);
}

unsigned permissions(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777U;
}

TEST(FileBytes, ANewFileIsAsOpenAsTheMaskAllows) {
  const ScratchDirectory scratch;
  const mode_t before = ::umask(0027);
  write_file_atomically(scratch / "x", "new");
  ::umask(before);
  EXPECT_EQ(permissions(scratch / "x"), 0640u);
}

TEST(FileBytes, AFileThatIsReplacedKeepsItsPermissions) {
  const ScratchDirectory scratch;
  scratch.put("x", "old");
  for (const mode_t mode : {0600U, 0640U, 0666U, 0755U}) {
    ASSERT_EQ(::chmod((scratch / "x").c_str(), mode), 0);
    write_file_atomically(scratch / "x", "new");
    EXPECT_EQ(permissions(scratch / "x"), mode);
  }
}

// What we write is nobody's trusted program.
TEST(FileBytes, NoFileInheritsTheRightToRunAsItsOwner) {
  const ScratchDirectory scratch;
  scratch.put("x", "old");
  for (const mode_t special : {04000U, 02000U, 01000U}) {
    ASSERT_EQ(::chmod((scratch / "x").c_str(), special | 0755), 0);
    write_file_atomically(scratch / "x", "new");
    EXPECT_EQ(permissions(scratch / "x"), 0755u);
  }
}

TEST(FileBytes, AFileThatIsReplacedKeepsItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to somebody else";
  const ScratchDirectory scratch;
  const auto path = scratch.put("x", "old");
  ASSERT_EQ(::chown(path.c_str(), 12345, 23456), 0);
  write_file_atomically(path, "new");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12345u);
  EXPECT_EQ(status.st_gid, 23456u);
}

// The file at the end is written, the links stay: one to a name beside it, a chain through another
// folder, an absolute one; to a file that is there or that is not there yet.
TEST(FileBytes, FollowsSymbolicLinks) {
  for (const bool there : {true, false}) {
    const ScratchDirectory scratch;
    std::filesystem::create_directory(scratch / "a");
    std::filesystem::create_directory(scratch / "b");
    if (there) scratch.put("a/x", "old");
    std::filesystem::create_symlink("x", scratch / "a/beside");
    std::filesystem::create_symlink("../a/beside", scratch / "b/chain");
    std::filesystem::create_symlink(scratch / "b/chain", scratch / "absolute");
    for (const char* link : {"absolute", "b/chain", "a/beside"}) {
      write_file_atomically(scratch / link, link);
      EXPECT_TRUE(std::filesystem::is_symlink(scratch / link)) << link;
      EXPECT_EQ(scratch.get("a/x"), link);
      EXPECT_FALSE(std::filesystem::is_symlink(scratch / "a/x"));
    }
  }
}

TEST(FileBytes, SaysWhichLinksLeadNowhere) {
  const ScratchDirectory scratch;
  std::filesystem::create_symlink("b", scratch / "a");
  std::filesystem::create_symlink("a", scratch / "b");
  std::filesystem::create_symlink("no/such/folder/x", scratch / "c");
  const auto message = [&](const char* link) {
    EXPECT_EQ(refusal_kind([&] { write_file_atomically(scratch / link, "x"); }),
              ErrorKind::kStorage);
    return refusal([&] { write_file_atomically(scratch / link, "x"); });
  };
  EXPECT_EQ(message("a"), (scratch / "a").string() +
                              ": symbolic links without an end; expected a file behind them");
  EXPECT_EQ(message("c"),
            (scratch / "c").string() + ": cannot be written: No such file or directory");
  EXPECT_EQ(scratch.files(), 3u);
}

TEST(FileBytes, WritesToWhatIsNotARegularFileDirectly) {
  write_file_atomically("/dev/null", "x");
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

// The name of the file written aside has room for more than the target's.
TEST(FileBytes, ANameMayBeAsLongAsTheSystemAllows) {
  const ScratchDirectory scratch;
  for (const std::size_t length : {199, 200, 201, 233, 254, 255}) {
    const std::string name(length, 'a');
    write_file_atomically(scratch / name, "first");
    write_file_atomically(scratch / name, "second");
    EXPECT_EQ(scratch.get(name), "second") << length;
  }
}

TEST(FileBytes, SaysWhyAFileCannotBeWritten) {
  const ScratchDirectory scratch;
  const std::string path = (scratch / "no/such/x").string();
  EXPECT_EQ(refusal([&] { write_file_atomically(path, "x"); }),
            path + ": cannot be written: No such file or directory");
  EXPECT_EQ(refusal_kind([&] { write_file_atomically(scratch.path(), "x"); }), ErrorKind::kStorage);
  EXPECT_EQ(refusal([&] { write_file_atomically("/dev/full", "x"); }),
            "/dev/full: cannot be written: No space left on device");
}

// A limit on the size of files stands for a full disk: the write fails half-way.
TEST(FileBytes, AFullDiskLeavesTheOldFile) {
  const ScratchDirectory scratch;
  scratch.put("x", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_file_atomically(scratch / "x", std::string(200000, 'y'));
    } catch (const Error& error) {
      ::_exit(error.kind() == ErrorKind::kStorage ? 7 : 1);
    }
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(scratch.get("x"), "old");
  EXPECT_EQ(scratch.files(), 1u);
}

TEST(FileBytes, AnInterruptRemovesPendingFiles) {
  const ScratchDirectory scratch;
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGINT, [](int) {
      remove_pending_files();
      ::_exit(130);
    });
    AtomicFile done(scratch / "done");
    done.commit();
    AtomicFile first(scratch / "first");
    AtomicFile second(scratch / "second");
    first.write("x");
    ::raise(SIGINT);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(std::filesystem::exists(scratch / "done"));
  EXPECT_EQ(scratch.files(), 1u);
}

}  // namespace
}  // namespace ifd
