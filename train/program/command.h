// How a command joins the program ifd-train.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "command_line/signals.h"
#include "ifd/error.h"
#include "train/program/training_log.h"

namespace ifd::train {

// The work the chosen command will do once parsing is over; its result is the exit code.
struct Program {
  std::function<int()> work;
};

void add_train_command(CLI::App& app, Program& program);
void add_classifier_command(CLI::App& app, Program& program);
void add_classify_command(CLI::App& app, Program& program);
void add_doctor_command(CLI::App& app, Program& program);

inline Error usage(const std::string& message) { return {ErrorKind::kUsage, message}; }

// An option whose value is one of the words of `among`.
template <typename Value>
CLI::Option* choice(CLI::App& app, const std::string& name, std::string& to,
                    const std::map<std::string, Value>& among, const std::string& description) {
  std::vector<std::string> words;
  for (const auto& item : among) words.push_back(item.first);
  return app.add_option(name, to, description)->check(CLI::IsMember(words))->capture_default_str();
}

// --json: what the training's log says, on stdout.
inline void add_json_flag(CLI::App& app, TrainingLog::Stdout& to) {
  app.add_flag_callback(
      "--json", [&to] { to = TrainingLog::Stdout::kEveryLine; },
      "A JSON line per epoch on stdout, as it comes");
}

// 0 or less: as many as the machine has.
inline int threads_or_all(int threads) {
  if (threads > 0) return threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace ifd::train
