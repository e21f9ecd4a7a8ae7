#include "command_line/signals.h"

#include <atomic>
#include <csignal>

#include "ifd/data/file_bytes.h"

namespace ifd {
namespace {

std::atomic<bool> interrupt_heard = false;

void end_program(int signal) {
  remove_pending_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void hear_once(int signal) {
  if (interrupt_heard.exchange(true)) end_program(signal);
}

void on_interrupt(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

}  // namespace

void set_signals() {
  on_interrupt(end_program);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void heed_interrupts() { on_interrupt(hear_once); }

bool interrupted() { return interrupt_heard; }

}  // namespace ifd
