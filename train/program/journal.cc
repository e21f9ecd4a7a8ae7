#include "train/program/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "train/program/command.h"

namespace ifd::train {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr double kSecondsBetweenLines = .5;

ordered_json epoch_json(const EpochReport& epoch) {
  return {{"event", "epoch"},
          {"epoch", epoch.epoch},
          {"loss", epoch.loss},
          {"aursac", epoch.aursac},
          {"best", epoch.best}};
}

}  // namespace

Journal::Journal(JournalOptions options)
    : options_(std::move(options)),
      begin_(Clock::now()),
      log_(options_.log, options_.standard_output) {
  log_.write({{"event", "start"},
              {"method", options_.method},
              {"seed", options_.schedule.seed},
              {"threads", options_.schedule.threads}});
}

double Journal::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

void Journal::follow(const EpochReport& epoch) {
  since_best_ = epoch.best ? 0 : since_best_ + 1;
  if (epoch.best) best_ = epoch.aursac;
}

void Journal::resumed(const TrainingSummary& before) {
  for (const EpochReport& epoch : before.epochs) {
    follow(epoch);
    log_.write(epoch_json(epoch));
  }
  log_.write({{"event", "resume"}, {"epoch", before.epochs.size()}});
}

void Journal::heard_batch(const TrainingSummary& before, BatchCount batch) {
  best_ = before.best_aursac;
  const double seconds = elapsed();
  if (seconds < said_ + kSecondsBetweenLines) return;
  said_ = seconds;
  options_.terminal.progress(fmt::format(
      "epoch {}: batch {} of {}, best validation AURSAC {:.4f}{}", before.epochs.size() + 1,
      batch.done, batch.all, best_,
      interrupted() ? "; the epoch is finished first, a second Ctrl-C ends at once" : ""));
}

void Journal::heard(const EpochReport& epoch) {
  ++here_;
  follow(epoch);
  const double seconds = elapsed();
  said_ = seconds;
  ordered_json line = epoch_json(epoch);
  line["seconds"] = seconds;
  log_.write(line);
  const Schedule& schedule = options_.schedule;
  const std::size_t most = std::min(schedule.epochs - epoch.epoch,
                                    schedule.patience - std::min(since_best_, schedule.patience));
  options_.terminal.progress(
      fmt::format("epoch {}: loss {:.5f}, validation AURSAC {:.4f} (best {:.4f}), {:.0f} s or more",
                  epoch.epoch, epoch.loss, epoch.aursac, best_,
                  seconds / static_cast<double>(here_) * static_cast<double>(most)));
}

void Journal::done(const LearntPolicy& learnt, const std::optional<PolicyCalibration>& calibration,
                   Ending ending) {
  const TrainingSummary& summary = learnt.summary;
  const bool stopped = ending == Ending::kStopped;
  ordered_json line = {{"event", "end"},
                       {"epochs", summary.epochs.size()},
                       {"start_aursac", summary.start_aursac},
                       {"best_epoch", summary.best_epoch},
                       {"best_aursac", summary.best_aursac},
                       {"annotations", learnt.annotations},
                       {"interrupted", stopped},
                       {"seconds", elapsed()}};
  if (calibration) line["calibration"] = ordered_json::parse(to_json(*calibration));
  log_.write(line);
  log_.commit();
  std::string calibrated;
  if (calibration) {
    calibrated = fmt::format("; ECE on the validation cases {:.4f} -> {:.4f} ({} on the {})",
                             calibration->ece_before, calibration->ece_after,
                             word_for(calibration->kind), word_for(calibration->source));
  }
  const std::string best =
      summary.best_epoch == 0
          ? fmt::format("no epoch better than the start with validation AURSAC {:.4f}",
                        summary.start_aursac)
          : fmt::format("best epoch {} with validation AURSAC {:.4f} ({:.4f} at the start)",
                        summary.best_epoch, summary.best_aursac, summary.start_aursac);
  options_.terminal.end_progress();
  options_.terminal.note(
      fmt::format("{}: {} epochs in {:.1f} s{}, {}; {} expert annotations used{}",
                  options_.output.string(), summary.epochs.size(), elapsed(),
                  stopped ? " (interrupted)" : "", best, learnt.annotations, calibrated));
}

}  // namespace ifd::train
