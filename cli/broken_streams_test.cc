// stdin, stdout and stderr closed, full or left: the exit code is that of the work, and no message
// ends up in a file.
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

class BrokenStreams : public Command {
 protected:
  CommandResult shell(const std::string& words) const {
    return run_shell(folder_.path(), "'" IFD_COMMAND "' " + words);
  }
};

TEST_F(BrokenStreams, AFullOrClosedStderrChangesNothing) {
  const std::string route = std::string(kRoute) + "--budget 0.4 -o out.csv";
  output(route);
  const std::string expected = folder_.get("out.csv");
  for (const char* streams : {" 2>/dev/full", " 2>&-", " <&- 2>&-", " <&- >&- 2>&-",
                              " -q 2>/dev/full", " -q 2>&-", " -q <&- >&- 2>&-"}) {
    SCOPED_TRACE(streams);
    std::filesystem::remove(folder_ / "out.csv");
    const CommandResult result = shell(route + streams);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(folder_.get("out.csv"), expected);
  }
}

TEST_F(BrokenStreams, ARefusalKeepsItsExitCode) {
  for (const char* streams : {" 2>/dev/full", " 2>&-", " <&- >&- 2>&-"}) {
    SCOPED_TRACE(streams);
    EXPECT_EQ(shell(std::string("profile --context none.csv --classes cat,dog") + streams).code, 3);
    EXPECT_EQ(shell(std::string("route --nonsense") + streams).code, 2);
  }
}

// The shell's >(...) is a link whose text is no path.
TEST_F(BrokenStreams, APipeIsWrittenThroughItsLink) {
  const std::string route = std::string(kRoute) + "--budget 0.4";
  const CommandResult piped = shell(route + " -o >(cat) | cat");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.out, output(route));
}

// Data is no message: what cannot be delivered is an error.
TEST_F(BrokenStreams, DataThatIsLostIsAnError) {
  const std::string route = std::string(kRoute) + "--budget 0.4";
  const CommandResult full = shell(route + " >/dev/full");
  EXPECT_EQ(full.code, 5);
  EXPECT_EQ(full.err, "ifd: standard output: No space left on device\n");
  const CommandResult closed = shell(route + " >&-");
  EXPECT_EQ(closed.code, 5);
  EXPECT_EQ(closed.err, "ifd: standard output: Bad file descriptor\n");
}

// The end of a pipe whose reader has left before a byte was written.
constexpr const char* kToNobody = "exec 3> >(exit); wait $!; set -o pipefail; ";

// Whoever has seen enough of stdout (head) takes nothing from the other outputs, nor from the exit
// code.
class LeftByTheReader : public BrokenStreams {
 protected:
  CommandResult to_nobody(const std::string& words) const {
    const CommandResult result =
        run_shell(folder_.path(), kToNobody + ("'" IFD_COMMAND "' " + words) + " -q >&3");
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.err, "");
    return result;
  }
};

TEST_F(LeftByTheReader, RoutesStillEndInASummary) {
  std::string many = "case,cat,dog\n";
  for (int i = 0; i < 10'000; ++i) many += "case" + std::to_string(i) + ",0.75,0.25\n";
  folder_.put("many.csv", many);
  const std::string words = "route --predictions many.csv --context c.csv --budget 0.2 --summary ";
  for (const char* format : {"", " --format jsonl", " --explain"}) {
    SCOPED_TRACE(format);
    std::filesystem::remove(folder_ / "s.json");
    EXPECT_EQ(to_nobody(words + "s.json" + format).code, 0);
    EXPECT_EQ(nlohmann::json::parse(folder_.get("s.json"))["cases"], 10'000);
  }
  // Where the reader leaves in the middle.
  std::filesystem::remove(folder_ / "s.json");
  const CommandResult head =
      run_shell(folder_.path(), "set -o pipefail; '" IFD_COMMAND "' " + words + "s.json | head -1");
  EXPECT_EQ(head.code, 0);
  EXPECT_EQ(nlohmann::json::parse(folder_.get("s.json"))["exit"]["code"], 0);
}

TEST_F(LeftByTheReader, AWatchIsKeptAndStillTellsByItsExitCode) {
  std::string before = "expert,case,answer,truth\n", after = before;
  for (int i = 0; i < 100; ++i) {
    before += "ann,o" + std::to_string(i) + (i % 2 == 0 ? ",cat,cat\n" : ",dog,dog\n");
    after += "ann,n" + std::to_string(i) + (i % 2 == 0 ? ",dog,cat\n" : ",cat,dog\n");
  }
  folder_.put("old.csv", before);
  folder_.put("new.csv", after);
  EXPECT_EQ(to_nobody("watch --context old.csv --answers new.csv --state s.watch --fail").code, 4);
  EXPECT_NE(folder_.get("s.watch"), "");
}

TEST_F(LeftByTheReader, ACertificateIsWritten) {
  std::string cases = "case,label,cat,dog\n", answers = "expert,case,answer\n";
  for (int i = 0; i < 400; ++i) {
    cases += "k" + std::to_string(i) + ",cat,0.9,0.1\n";
    answers += "ann,k" + std::to_string(i) + ",cat\n";
  }
  folder_.put("k.csv", cases);
  folder_.put("ka.csv", answers);
  const std::string words =
      "certify --context c.csv --calibration k.csv --calibration-answers ka.csv "
      "--independent-cases -o cert.json --error ";
  EXPECT_EQ(to_nobody(words + "0.2").code, 0);
  EXPECT_NE(folder_.get("cert.json"), "");
}

// A limit on the size of files, which is a signal, leaves nothing aside.
TEST_F(BrokenStreams, AFileThatGetsTooLargeLeavesNothing) {
  std::string many = "case,cat,dog\n";
  for (int i = 0; i < 10'000; ++i) many += "case" + std::to_string(i) + ",0.75,0.25\n";
  folder_.put("many.csv", many);
  folder_.put("out.csv", "older");
  const std::size_t files = folder_.files();
  const std::string words =
      "route --predictions many.csv --context c.csv --budget 0.2 -q -o out.csv";
  const CommandResult result = run_shell(folder_.path(), "ulimit -f 1; '" IFD_COMMAND "' " + words +
                                                             " 2>&1 | cat; exit "
                                                             "${PIPESTATUS[0]}");
  EXPECT_EQ(result.code, 5);
  EXPECT_EQ(result.out, "ifd: out.csv: cannot be written: File too large\n");
  EXPECT_EQ(folder_.get("out.csv"), "older");
  EXPECT_EQ(folder_.files(), files);
}

// So many threads leave no memory to each other, and some are not started: those there are go on.
TEST_F(BrokenStreams, ThreadsWithoutRoomChangeNothing) {
  std::string many = "case,cat,dog\n", context = "expert,case,answer,truth\n";
  for (int i = 0; i < 60'000; ++i) many += "case" + std::to_string(i) + ",0.75,0.25\n";
  for (int j = 0; j < 2000; ++j) {
    context += "e" + std::to_string(j) + ",x," + (j % 2 == 0 ? "cat" : "dog") + ",dog\n";
  }
  folder_.put("many.csv", many);
  folder_.put("staff.csv", context);
  const std::string words = "route --predictions many.csv --context staff.csv --budget 0.4 -q ";
  const std::string expected = output(words + "--threads 1");
  const CommandResult result =
      run_shell(folder_.path(), "ulimit -v 300000; '" IFD_COMMAND "' " + words + "--threads 200");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out == expected);
}

}  // namespace
}  // namespace ifd
