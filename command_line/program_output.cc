#include "command_line/program_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace ifd {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 20;

// Starts it with stdout at `output`; 0 where it does not start.
pid_t start(const std::string& program, const std::string& argument, int output) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return 0;
  const bool ready =
      ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
      ::posix_spawn_file_actions_adddup2(&actions, output, 1) == 0 &&
      ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0;
  char* const arguments[] = {const_cast<char*>(program.c_str()),
                             const_cast<char*>(argument.c_str()), nullptr};
  pid_t process = 0;
  const bool started =
      ready && ::posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  return started ? process : 0;
}

// Up to kMost bytes and one more, which tells that there were too many.
std::string read_all(int descriptor) {
  std::string all;
  char piece[4096];
  while (all.size() <= kMost) {
    const ssize_t got = ::read(descriptor, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    all.append(piece, static_cast<std::size_t>(got));
  }
  return all;
}

bool ends_well(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::optional<std::string> program_output(const std::filesystem::path& program,
                                          const std::string& argument) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t process = start(program.string(), argument, ends[1]);
  ::close(ends[1]);
  std::string all = process > 0 ? read_all(ends[0]) : std::string();
  ::close(ends[0]);  // whoever has more to say cannot
  if (process <= 0 || !ends_well(process) || all.size() > kMost) return {};
  return all;
}

}  // namespace ifd
