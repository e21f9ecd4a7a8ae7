#include "fetch/download.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"
#include "tests/local_server.h"

namespace ifd {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, std::string_view bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// A file of known content, a fresh directory, and no network but 127.0.0.1.
class Download : public testing::Test {
 protected:
  static constexpr std::size_t kSize = 300007;

  Download() {
    ::setenv("no_proxy", "127.0.0.1", 1);
    std::string name = testing::TempDir() + "ifd_download_XXXXXX";
    directory_ = ::mkdtemp(name.data());
    path_ = directory_ / "data.npz";
    part_ = directory_ / "data.npz.part";
    content_.resize(kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
      content_[i] = static_cast<char>(Key(1).with("content").with(i).below(256));
    }
    Checksum checksum(ChecksumKind::kSha256);
    checksum.add(std::as_bytes(std::span(content_)));
    checksum_ = std::move(checksum).finish();
    file_ = {"data",
             "data.npz",
             "https://example.invalid/records/1/data.npz?download=1",
             ChecksumKind::kSha256,
             checksum_,
             0,
             "none",
             "content of the test",
             2};
  }
  ~Download() override { fs::remove_all(directory_); }

  ServerBehaviour good() const {
    ServerBehaviour behaviour;
    behaviour.path = "/data.npz?download=1";
    behaviour.content = content_;
    return behaviour;
  }

  DownloadOptions options(const LocalServer& server) const {
    DownloadOptions options;
    options.directory = directory_;
    options.mirror = server.address();
    options.first_wait = std::chrono::milliseconds(1);
    return options;
  }

  Error error_of(const DownloadOptions& options) const {
    try {
      fetch(file_, options);
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
      return error;
    }
    ADD_FAILURE() << "no error";
    return bad_input("no error");
  }

  void expect_fetched() const {
    EXPECT_TRUE(read(path_) == content_);
    EXPECT_FALSE(fs::exists(part_));
  }

  fs::path directory_, path_, part_;
  std::string content_, checksum_;
  KnownFile file_;
};

TEST_F(Download, BytesAreIdenticalWithAndWithoutAKnownSize) {
  for (const std::size_t known : {std::size_t{0}, kSize}) {
    file_.bytes = known;
    LocalServer server(good());
    const DownloadResult result = fetch(file_, options(server));
    EXPECT_EQ(result.outcome, DownloadOutcome::kDownloaded);
    EXPECT_EQ(result.path, path_);
    EXPECT_EQ(result.bytes, kSize);
    EXPECT_EQ(result.received, kSize);
    EXPECT_EQ(result.resumed_at, 0u);
    EXPECT_EQ(server.requests(), 1);
    expect_fetched();
    fs::remove(path_);
  }
}

TEST_F(Download, MakesTheDirectory) {
  LocalServer server(good());
  DownloadOptions deeper = options(server);
  deeper.directory = directory_ / "a" / "b";
  EXPECT_TRUE(read(fetch(file_, deeper).path) == content_);
}

TEST_F(Download, AVerifiedFileCausesNoRequest) {
  write(path_, content_);
  LocalServer server(good());
  const DownloadResult result = fetch(file_, options(server));
  EXPECT_EQ(result.outcome, DownloadOutcome::kAlreadyThere);
  EXPECT_EQ(result.bytes, kSize);
  EXPECT_EQ(server.requests(), 0);
}

TEST_F(Download, AWrongFileIsReplaced) {
  write(path_, "something else");
  LocalServer server(good());
  EXPECT_EQ(fetch(file_, options(server)).outcome, DownloadOutcome::kDownloaded);
  expect_fetched();
}

TEST_F(Download, AWrongFileStaysUntilItsReplacementIsVerified) {
  write(path_, "something else");
  ServerBehaviour behaviour = good();
  behaviour.content[7] ^= 1;
  LocalServer server(behaviour);
  EXPECT_EQ(error_of(options(server)).kind(), ErrorKind::kCorruptFile);
  EXPECT_EQ(read(path_), "something else");
}

// What arrived before the connection broke is not sent again: not by a retry of the same call...
TEST_F(Download, ARetryTransfersOnlyTheRest) {
  ServerBehaviour behaviour = good();
  behaviour.cut_answers = 2;
  behaviour.cut_after = 100000;
  LocalServer server(behaviour);
  const DownloadResult result = fetch(file_, options(server));
  EXPECT_EQ(result.received, kSize);
  EXPECT_EQ(server.body_bytes_sent(), kSize);
  EXPECT_EQ(server.requests(), 3);
  expect_fetched();
}

// ...and not by the next call.
TEST_F(Download, TheNextCallTransfersOnlyTheRest) {
  ServerBehaviour behaviour = good();
  behaviour.cut_answers = 1;
  behaviour.cut_after = 123456;
  LocalServer server(behaviour);
  DownloadOptions once = options(server);
  once.retries = 0;
  EXPECT_EQ(error_of(once).kind(), ErrorKind::kStorage);
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_TRUE(read(part_) == content_.substr(0, 123456));

  const DownloadResult result = fetch(file_, once);
  EXPECT_EQ(result.resumed_at, 123456u);
  EXPECT_EQ(result.received, kSize - 123456);
  EXPECT_EQ(result.bytes, kSize);
  EXPECT_EQ(server.body_bytes_sent(), kSize);
  expect_fetched();
}

TEST_F(Download, ACancelledCallKeepsWhatArrived) {
  ServerBehaviour behaviour = good();
  behaviour.stall_after = 65536;
  std::optional<LocalServer> server(std::in_place, behaviour);
  DownloadOptions impatient = options(*server);
  std::uint64_t seen = 0;
  impatient.progress = [&](std::uint64_t done, std::uint64_t) { seen = done; };
  impatient.cancelled = [&] { return seen == 65536; };
  const DownloadResult cancelled = fetch(file_, impatient);
  EXPECT_EQ(cancelled.outcome, DownloadOutcome::kCancelled);
  EXPECT_EQ(cancelled.bytes, 65536u);
  EXPECT_FALSE(fs::exists(path_));

  server.emplace(good());
  const DownloadResult result = fetch(file_, options(*server));
  EXPECT_EQ(result.resumed_at, 65536u);
  EXPECT_EQ(server->body_bytes_sent(), kSize - 65536);
  expect_fetched();
}

TEST_F(Download, CancellingWhileWaitingToRetryEndsTheCall) {
  ServerBehaviour behaviour = good();
  behaviour.busy_answers = 1000;
  LocalServer server(behaviour);
  DownloadOptions impatient = options(server);
  impatient.first_wait = std::chrono::hours(1);
  impatient.cancelled = [&] { return server.requests() > 0; };
  EXPECT_EQ(fetch(file_, impatient).outcome, DownloadOutcome::kCancelled);
}

TEST_F(Download, AServerThatIgnoresRangesStillGivesTheFile) {
  write(part_, content_.substr(0, 1000));
  ServerBehaviour behaviour = good();
  behaviour.ignores_ranges = true;
  LocalServer server(behaviour);
  const DownloadResult result = fetch(file_, options(server));
  EXPECT_EQ(result.resumed_at, 0u);
  EXPECT_EQ(result.received, kSize);
  EXPECT_EQ(server.requests(), 1);
  expect_fetched();
}

TEST_F(Download, ARangeThatWasNotAskedForIsNotAppended) {
  write(part_, content_.substr(0, 1000));
  ServerBehaviour behaviour = good();
  behaviour.shifts_ranges = true;
  LocalServer server(behaviour);
  const DownloadResult result = fetch(file_, options(server));
  EXPECT_EQ(result.resumed_at, 0u);
  EXPECT_EQ(result.received, kSize);
  expect_fetched();
}

// Of unknown size only the server can tell, by 416, that nothing is missing.
TEST_F(Download, ACompletePartIsOnlyVerified) {
  for (const std::size_t known : {std::size_t{0}, kSize}) {
    file_.bytes = known;
    write(part_, content_);
    LocalServer server(good());
    const DownloadResult result = fetch(file_, options(server));
    EXPECT_EQ(result.outcome, DownloadOutcome::kDownloaded);
    EXPECT_EQ(result.received, 0u);
    EXPECT_EQ(server.requests(), known == 0 ? 1 : 0);
    expect_fetched();
    fs::remove(path_);
  }
}

// The bytes of a foreign or damaged part are not the server's fault.
TEST_F(Download, ABadPartIsDroppedAndTheFileFetchedAnew) {
  for (const std::size_t known : {std::size_t{0}, kSize}) {
    for (const std::size_t left : {std::size_t{10}, kSize, kSize + 10}) {
      SCOPED_TRACE(testing::Message() << "known " << known << ", left " << left);
      file_.bytes = known;
      write(part_, std::string(left, 'x'));
      LocalServer server(good());
      EXPECT_EQ(fetch(file_, options(server)).outcome, DownloadOutcome::kDownloaded);
      expect_fetched();
      fs::remove(path_);
    }
  }
}

TEST_F(Download, WrongBytesAreRefusedAndNothingIsLeft) {
  for (const std::size_t known : {std::size_t{0}, kSize}) {
    file_.bytes = known;
    ServerBehaviour behaviour = good();
    behaviour.content[kSize / 2] ^= 1;
    LocalServer server(behaviour);
    const Error error = error_of(options(server));
    EXPECT_EQ(error.kind(), ErrorKind::kCorruptFile);
    EXPECT_THAT(error.what(), HasSubstr(checksum_));
    EXPECT_THAT(error.what(), HasSubstr("SHA-256"));
    EXPECT_TRUE(fs::is_empty(directory_));
  }
}

TEST_F(Download, AWrongSizeIsRefusedAndNothingIsLeft) {
  for (const std::size_t size : {kSize - 1, kSize + 1, std::size_t{0}}) {
    SCOPED_TRACE(size);
    file_.bytes = kSize;
    ServerBehaviour behaviour = good();
    behaviour.content.resize(size);
    LocalServer server(behaviour);
    const Error error = error_of(options(server));
    EXPECT_EQ(error.kind(), ErrorKind::kCorruptFile);
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(kSize)));
    EXPECT_TRUE(fs::is_empty(directory_));
  }
}

// A server that announces too much is not listened to; one that does not say is cut off.
TEST_F(Download, AFileOfUnknownSizeHasACap) {
  for (const bool hides : {false, true}) {
    SCOPED_TRACE(hides);
    ServerBehaviour behaviour = good();
    behaviour.hides_length = hides;
    LocalServer server(behaviour);
    DownloadOptions capped = options(server);
    capped.most_bytes = kSize - 1;
    const Error error = error_of(capped);
    EXPECT_EQ(error.kind(), ErrorKind::kCorruptFile);
    EXPECT_THAT(error.what(),
                HasSubstr(hides ? "the server sends more than the expected 300006 bytes"
                                : "the server announces 300007 bytes; expected at "
                                  "most 300006"));
    EXPECT_TRUE(fs::is_empty(directory_));
    capped.most_bytes = kSize;
    EXPECT_EQ(fetch(file_, capped).outcome, DownloadOutcome::kDownloaded);
    expect_fetched();
    fs::remove(path_);
  }
}

TEST_F(Download, A404NamesTheAddressAndIsNotRetried) {
  ServerBehaviour behaviour = good();
  behaviour.path = "/elsewhere";
  LocalServer server(behaviour);
  const Error error = error_of(options(server));
  EXPECT_EQ(error.kind(), ErrorKind::kNotFound);
  EXPECT_THAT(error.what(), HasSubstr(server.address() + "/data.npz?download=1"));
  EXPECT_THAT(error.what(), HasSubstr("404"));
  EXPECT_EQ(server.requests(), 1);
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(Download, ARedirectIsFollowedAlsoWhenResuming) {
  ServerBehaviour behaviour = good();
  behaviour.redirect_from = behaviour.path;
  behaviour.path = "/store/1234";
  LocalServer server(behaviour);
  write(part_, content_.substr(0, 5000));
  const DownloadResult result = fetch(file_, options(server));
  EXPECT_EQ(result.resumed_at, 5000u);
  EXPECT_EQ(server.requests(), 2);
  EXPECT_EQ(server.body_bytes_sent(), kSize - 5000);
  expect_fetched();
}

TEST_F(Download, ABusyServerIsAskedAgainUpToTheLimit) {
  ServerBehaviour behaviour = good();
  behaviour.busy_answers = 3;
  {
    LocalServer server(behaviour);
    EXPECT_EQ(fetch(file_, options(server)).outcome, DownloadOutcome::kDownloaded);
    EXPECT_EQ(server.requests(), 4);
    expect_fetched();
    fs::remove(path_);
  }
  behaviour.busy_answers = 4;
  LocalServer server(behaviour);
  const Error error = error_of(options(server));
  EXPECT_EQ(error.kind(), ErrorKind::kStorage);
  EXPECT_THAT(error.what(), HasSubstr("503"));
  EXPECT_EQ(server.requests(), 4);
}

TEST_F(Download, ASilentServerIsGivenUp) {
  for (const std::size_t sent : {0, 1}) {
    ServerBehaviour behaviour = good();
    behaviour.stall_after = sent;
    LocalServer server(behaviour);
    DownloadOptions brief = options(server);
    brief.stall_timeout = std::chrono::seconds(1);
    brief.retries = 0;
    EXPECT_EQ(error_of(brief).kind(), ErrorKind::kStorage);
    EXPECT_FALSE(fs::exists(path_));
    EXPECT_TRUE(read(part_) == content_.substr(0, sent));
  }
}

TEST_F(Download, WithoutANetworkTheMessageSaysWhereToPutTheFile) {
  DownloadOptions unreachable;
  {
    LocalServer server(good());
    unreachable = options(server);
  }
  const Error error = error_of(unreachable);
  EXPECT_EQ(error.kind(), ErrorKind::kStorage);
  EXPECT_THAT(error.what(), HasSubstr(unreachable.mirror + "/data.npz?download=1"));
  EXPECT_THAT(error.what(), HasSubstr("connect"));
  EXPECT_THAT(error.what(), HasSubstr("put by hand at " + path_.string()));
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(Download, ADirectoryThatCannotBeMadeIsAStorageError) {
  write(directory_ / "file", "");
  LocalServer server(good());
  DownloadOptions blocked = options(server);
  blocked.directory = directory_ / "file" / "data";
  const Error error = error_of(blocked);
  EXPECT_EQ(error.kind(), ErrorKind::kStorage);
  EXPECT_THAT(error.what(), HasSubstr("Not a directory"));
  EXPECT_EQ(server.requests(), 0);
}

// A limit on the size of files stands for a full disk: both make write() fail half-way.
TEST_F(Download, ADiskThatTakesNoMoreIsAStorageErrorAndTheRestCanBeResumed) {
  LocalServer server(good());
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Error error = error_of(options(server));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);

  EXPECT_EQ(error.kind(), ErrorKind::kStorage);
  EXPECT_THAT(error.what(), HasSubstr(part_.string()));
  EXPECT_THAT(error.what(), HasSubstr("File too large"));
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_EQ(fetch(file_, options(server)).resumed_at, 100000u);
  expect_fetched();
}

TEST_F(Download, TwoAtOnceDoNotWriteTheSamePart) {
  LocalServer server(good());
  const int other = ::open(part_.c_str(), O_RDWR | O_CREAT, 0644);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  EXPECT_EQ(error_of(options(server)).kind(), ErrorKind::kConflict);
  EXPECT_EQ(server.requests(), 0);
  ::close(other);
  EXPECT_EQ(fetch(file_, options(server)).outcome, DownloadOutcome::kDownloaded);
}

TEST_F(Download, OnlyWebMirrorsAreTaken) {
  for (const char* mirror : {"file:///etc", "ftp://127.0.0.1", "127.0.0.1", "/tmp"}) {
    DownloadOptions options;
    options.directory = directory_;
    options.mirror = mirror;
    const Error error = error_of(options);
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr(mirror));
  }
}

TEST_F(Download, AMirrorMayEndInASlashAndHaveAPath) {
  ServerBehaviour behaviour = good();
  behaviour.path = "/mirror/x/data.npz?download=1";
  LocalServer server(behaviour);
  DownloadOptions options = this->options(server);
  options.mirror += "/mirror/x/";
  EXPECT_EQ(fetch(file_, options).outcome, DownloadOutcome::kDownloaded);
}

TEST_F(Download, ProgressGrowsToTheWhole) {
  LocalServer server(good());
  write(part_, content_.substr(0, 5000));
  DownloadOptions watched = options(server);
  std::uint64_t last = 5000;
  std::uint64_t last_total = 0;
  watched.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last);
    EXPECT_TRUE(total == 0 || total == kSize) << total;
    last = done;
    last_total = total;
  };
  fetch(file_, watched);
  EXPECT_EQ(last, kSize);
  EXPECT_EQ(last_total, kSize);
}

TEST_F(Download, WhatACallbackThrowsComesOut) {
  LocalServer server(good());
  DownloadOptions throwing = options(server);
  throwing.progress = [](std::uint64_t, std::uint64_t) { throw bad_input("from the callback"); };
  EXPECT_THAT(error_of(throwing).what(), HasSubstr("from the callback"));
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(Download, LocalStateSaysWhatIsThere) {
  const auto state = [&](Scrutiny scrutiny) { return local_state(file_, directory_, scrutiny); };
  EXPECT_EQ(state(Scrutiny::kChecksum).presence, Presence::kAbsent);

  write(part_, "12345");
  EXPECT_EQ(state(Scrutiny::kChecksum).presence, Presence::kPartial);
  EXPECT_EQ(state(Scrutiny::kChecksum).bytes, 5u);

  write(path_, content_);
  EXPECT_EQ(state(Scrutiny::kSize).presence, Presence::kPresent);
  EXPECT_EQ(state(Scrutiny::kSize).bytes, kSize);
  EXPECT_EQ(state(Scrutiny::kSize).verification, Verification::kNotChecked);
  EXPECT_EQ(state(Scrutiny::kChecksum).verification, Verification::kVerified);

  write(path_, content_ + "x");
  EXPECT_EQ(state(Scrutiny::kSize).verification, Verification::kNotChecked);
  EXPECT_EQ(state(Scrutiny::kChecksum).verification, Verification::kWrong);
  file_.bytes = kSize;
  EXPECT_EQ(state(Scrutiny::kSize).verification, Verification::kWrong);
}

TEST_F(Download, ListLocalCoversTheCatalogue) {
  const auto absent = list_local(directory_ / "not there");
  ASSERT_EQ(absent.size(), known_files().size());
  for (std::size_t i = 0; i < absent.size(); ++i) {
    EXPECT_EQ(absent[i].file, &known_files()[i]);
    EXPECT_EQ(absent[i].presence, Presence::kAbsent);
  }
  write(directory_ / "bloodmnist.npz", "not blood");
  for (const LocalState& state : list_local(directory_, Scrutiny::kChecksum)) {
    const bool blood = state.file->name == "bloodmnist";
    EXPECT_EQ(state.presence, blood ? Presence::kPresent : Presence::kAbsent);
    EXPECT_EQ(state.verification, blood ? Verification::kWrong : Verification::kNotChecked);
  }
}

}  // namespace
}  // namespace ifd
