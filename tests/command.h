// Runs the command ifd as a user would, in a folder, and keeps all it said.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scratch_directory.h"

namespace ifd {

using Words = std::vector<std::string>;

struct CommandResult {
  int code = -1;   // the exit code, or -1
  int signal = 0;  // the signal it died of, or 0
  std::string out;
  std::string err;
};

// A running command. Its output goes to files outside the folder it runs in.
class RunningCommand {
 public:
  RunningCommand(const std::filesystem::path& folder, const Words& words,
                 const std::string& standard_output = "", const std::string& program = IFD_COMMAND)
      : out_(standard_output.empty() ? (outputs_ / "out").string() : standard_output) {
    Words all = {program};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string err = (outputs_ / "err").string();
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("fork");
    if (process_ > 0) return;
    const int in = ::open("/dev/null", O_RDONLY);
    const int out = ::open(out_.c_str(), O_WRONLY | O_CREAT, 0666);
    const int error = ::open(err.c_str(), O_WRONLY | O_CREAT, 0666);
    const bool ready = in >= 0 && out >= 0 && error >= 0 && ::chdir(folder.c_str()) == 0 &&
                       ::dup2(in, 0) == 0 && ::dup2(out, 1) == 1 && ::dup2(error, 2) == 2;
    if (ready) ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;
  ~RunningCommand() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  void send(int signal) const {
    if (process_ > 0) ::kill(process_, signal);
  }
  bool is_over() {
    if (process_ <= 0) return true;
    if (::waitpid(process_, &status_, WNOHANG) != process_) return false;
    process_ = 0;
    return true;
  }
  CommandResult wait() {
    if (process_ > 0) ::waitpid(process_, &status_, 0);
    process_ = 0;
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -1,
            WIFSIGNALED(status_) ? WTERMSIG(status_) : 0, outputs_.get("out"), outputs_.get("err")};
  }

 private:
  ScratchDirectory outputs_;
  std::string out_;
  pid_t process_ = -1;
  int status_ = 0;
};

inline CommandResult run_command(const std::filesystem::path& folder, const Words& words) {
  return RunningCommand(folder, words).wait();
}

inline CommandResult run_shell(const std::filesystem::path& folder, const std::string& script) {
  return RunningCommand(folder, {"-c", script}, "", "bash").wait();
}

inline Words split_words(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

inline Words split_lines(const std::string& text) {
  std::istringstream stream(text);
  Words lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The commands of the manual page.
inline Words commands_in(const std::string& manual) {
  Words commands;
  for (const std::string& line : split_lines(manual)) {
    if (!line.starts_with(".SS ifd ")) continue;
    commands.push_back(line.substr(8));
    std::erase(commands.back(), '\\');  // "staff\-prior"
  }
  return commands;
}

// The example most tests share; every number in it is exact in binary.
//
// Profiles: ann Beta(3,1) on cat, Beta(2,2) on dog; bob Beta(1,3) on cat, Beta(3,1) on dog.
// Plug-in margins, sum_k p_k mean_k - max_k p_k:
//          a        b        c        d       e
//   ann   -.0625    .078125 -.1875    .125    .078125
//   bob   -.375    -.09375  -.125     0      -.09375
inline constexpr const char* kPredictions =
    "case,label,cat,dog\n"
    "a,cat,0.75,0.25\n"
    "b,dog,0.5625,0.4375\n"
    "c,dog,0.25,0.75\n"
    "d,cat,0.5,0.5\n"
    "e,cat,0.5625,0.4375\n";
inline constexpr const char* kContext =
    "expert,case,answer,truth\n"
    "ann,x1,cat,cat\nann,x2,cat,cat\nann,x3,dog,dog\nann,x4,cat,dog\n"
    "bob,x1,dog,cat\nbob,x2,dog,cat\nbob,x3,dog,dog\nbob,x4,dog,dog\n";
inline constexpr const char* kAnswers =
    "expert,case,answer\n"
    "ann,a,cat\nann,b,dog\nann,c,dog\nann,d,dog\nann,e,cat\n"
    "bob,a,dog\nbob,b,dog\nbob,c,dog\nbob,d,dog\nbob,e,dog\n";

inline void put_example(const ScratchDirectory& folder) {
  folder.put("p.csv", kPredictions);
  folder.put("c.csv", kContext);
  folder.put("a.csv", kAnswers);
}

}  // namespace ifd
