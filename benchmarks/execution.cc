#include "benchmarks/execution.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>

namespace ifd::benchmark {

Execution execute(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int status = 0;
  rusage usage{};
  int error = 0;
  const auto start = std::chrono::steady_clock::now();
  {
    pid_t child = 0;
    error = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
    if (error == 0 && ::wait4(child, &status, 0, &usage) < 0) error = errno;
  }
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), arguments[0]);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(fmt::format("{} failed (status {})", arguments[0], status));
  }
  const auto in_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {took, in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) * 1024};
}

}  // namespace ifd::benchmark
