// A program that was loaded and waits before main(), to be run many times (IFD_SERVE in
// failing_calls.cc).
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/command.h"

namespace ifd::faults {

class WaitingProgram {
 public:
  // Words of the command, and what is set in its environment.
  WaitingProgram(const std::filesystem::path& folder, Words words,
                 std::map<std::string, std::string> variables) {
    variables["IFD_SERVE"] = (outputs_ / "").string();
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
      throw std::runtime_error("pipe");
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("fork");
    if (process_ == 0) {
      for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
      const bool ready =
          ::chdir(folder.c_str()) == 0 && ::dup2(in[0], 0) == 0 && ::dup2(out[1], 1) == 1;
      if (ready) ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = ::fdopen(in[1], "w");
    from_ = ::fdopen(out[0], "r");
  }
  WaitingProgram(const WaitingProgram&) = delete;
  WaitingProgram& operator=(const WaitingProgram&) = delete;
  ~WaitingProgram() {
    std::fclose(to_);  // it ends by itself
    std::fclose(from_);
    ::waitpid(process_, nullptr, 0);
  }

  CommandResult run(const std::string& fault) const {
    std::fprintf(to_, "%s\n", fault.c_str());
    std::fflush(to_);
    int status = 0;
    if (std::fscanf(from_, "%d", &status) != 1) {
      throw std::runtime_error("the program does not wait before main(); is the shim there?");
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            WIFSIGNALED(status) ? WTERMSIG(status) : 0, outputs_.get("out"), outputs_.get("err")};
  }

 private:
  ScratchDirectory outputs_;
  pid_t process_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace ifd::faults
