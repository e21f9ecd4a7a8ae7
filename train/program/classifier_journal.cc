#include "train/program/classifier_journal.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace ifd::train {

using nlohmann::ordered_json;

ClassifierJournal::ClassifierJournal(ClassifierJournalOptions options,
                                     const ClassifierTraining& training)
    : options_(std::move(options)),
      training_(training),
      begin_(Clock::now()),
      epoch_begin_(begin_),
      said_({}, options_.standard_output) {
  said_.write(start_line());
}

void ClassifierJournal::heard_batch(std::size_t epoch, std::size_t batch, std::size_t batches) {
  if (first_ == 0) first_ = epoch;
  const double done = static_cast<double>(epoch - first_) +
                      static_cast<double>(batch) / static_cast<double>(batches);
  const double all = static_cast<double>(training_.epochs - first_ + 1);
  options_.terminal.progress(fmt::format("epoch {} of {}: batch {} of {}; {}{:.0f} s left", epoch,
                                         training_.epochs, batch, batches, last_,
                                         elapsed() * (all - done) / done));
}

void ClassifierJournal::heard_epoch(const ClassifierEpoch& epoch) {
  const auto now = Clock::now();
  seconds_[epoch.epoch] = std::chrono::duration<double>(now - epoch_begin_).count();
  epoch_begin_ = now;
  said_.write(epoch_line(epoch));
  last_ = fmt::format("loss {:.4f}, validation accuracy {:.4f}; ", epoch.loss, epoch.accuracy);
}

void ClassifierJournal::done(const ClassifierSummary& summary) {
  said_.write(end_line(summary));
  TrainingLog log(options_.log, TrainingLog::Stdout::kSilent);
  log.write(start_line());
  for (const ClassifierEpoch& epoch : summary.epochs) log.write(epoch_line(epoch));
  log.write(end_line(summary));
  log.commit();
  options_.terminal.end_progress();
  options_.terminal.note(
      fmt::format("{}: {} epochs in {:.1f} s, best epoch {} with validation accuracy {:.4f}",
                  options_.output.string(), seconds_.size(), elapsed(), summary.best_epoch,
                  summary.best_accuracy));
}

double ClassifierJournal::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

ordered_json ClassifierJournal::start_line() const {
  return {{"event", "start"},
          {"backbone", options_.backbone},
          {"seed", training_.seed},
          {"threads", training_.threads}};
}

ordered_json ClassifierJournal::epoch_line(const ClassifierEpoch& epoch) const {
  ordered_json line = {{"event", "epoch"},           {"epoch", epoch.epoch},
                       {"loss", epoch.loss},         {"accuracy", epoch.accuracy},
                       {"log_loss", epoch.log_loss}, {"best", epoch.best}};
  // Of an epoch before an interruption nobody knows how long it took.
  if (seconds_.contains(epoch.epoch)) line["seconds"] = seconds_.at(epoch.epoch);
  return line;
}

ordered_json ClassifierJournal::end_line(const ClassifierSummary& summary) const {
  return {{"event", "end"},
          {"best_epoch", summary.best_epoch},
          {"best_accuracy", summary.best_accuracy},
          {"seconds", elapsed()}};
}

}  // namespace ifd::train
