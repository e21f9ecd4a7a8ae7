// ifd-train: the commands of ifd that need LibTorch, a program of its own so that ifd need not load
// it.
#include "command_line/help_text.h"
#include "command_line/program.h"
#include "train/program/command.h"

namespace ifd::train {
namespace {

int run(int argc, char** argv) {
  CLI::App app{"The commands of ifd that learn; started by ifd."};
  app.name("ifd");
  wrap_help(app);
  app.require_subcommand(1);
  Program program;
  add_train_command(app, program);
  add_classifier_command(app, program);
  add_classify_command(app, program);
  add_doctor_command(app, program);
  return run_command_line(app, argc, argv, program.work);
}

}  // namespace
}  // namespace ifd::train

int main(int argc, char** argv) {
  return ifd::run_program([&] { return ifd::train::run(argc, argv); });
}
