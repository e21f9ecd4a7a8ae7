// ifd-train: the commands of ifd that need LibTorch, a program of its own so that ifd need not load
// it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include "ifd/data/file_bytes.h"
#include "train/command.h"

namespace ifd::train {
namespace {

std::atomic<bool> interrupt_heard = false;

void on_interrupt(int signal) {
  if (interrupt_heard.exchange(true)) {
    remove_pending_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

int main_of(int argc, char** argv) {
  CLI::App app{"The commands of ifd that learn; started by ifd."};
  app.name("ifd");
  app.require_subcommand(1);
  Program program;
  add_train_command(app, program);
  add_classifier_command(app, program);
  add_classify_command(app, program);
  add_doctor_command(app, program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    throw usage(fmt::format("{}; see 'ifd {} --help'", error.what(), argc > 1 ? argv[1] : "train"));
  }
  return program.work();
}

}  // namespace

void heed_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupted() { return interrupt_heard; }

int threads_or_all(int threads) {
  if (threads > 0) return threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace ifd::train

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error like a full disk
  const auto fail = [](std::string_view message, int code) {
    fmt::print(stderr, "ifd: {}\n", message);
    return code;
  };
  try {
    return ifd::train::main_of(argc, argv);
  } catch (const ifd::Error& error) {
    return fail(error.what(), ifd::outside_meaning(error.kind()).exit_code);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 5);
  } catch (const std::exception& error) {
    const std::string_view all = error.what();  // LibTorch adds a stack trace
    return fail(all.substr(0, all.find('\n')), 1);
  }
}
