#include "train/program/learning_report.h"

#include <fmt/format.h>

#include "ifd/report/html_report.h"
#include "ifd/report/html_text.h"

namespace ifd::train {
namespace {

// A point of its own, so that it stands out from the line and is named beside it.
Series best_epoch(std::size_t epoch, double value) {
  return {fmt::format("best: epoch {}", epoch),
          {static_cast<double>(epoch)},
          {value},
          {},
          {},
          Emphasis::kStrong};
}

LineChart loss_chart(const TrainingSummary& summary) {
  LineChart chart;
  chart.title = "Loss on the training cases";
  chart.x_label = "epoch";
  chart.y_label = "mean loss, nats";
  Series loss{"loss", {}, {}, {}, {}};
  for (const EpochReport& epoch : summary.epochs) {
    loss.x.push_back(static_cast<double>(epoch.epoch));
    loss.y.push_back(epoch.loss);
  }
  chart.series.push_back(std::move(loss));
  if (summary.best_epoch > 0) {
    chart.series.push_back(
        best_epoch(summary.best_epoch, summary.epochs[summary.best_epoch - 1].loss));
  }
  return chart;
}

LineChart score_chart(const TrainingSummary& summary) {
  LineChart chart;
  chart.title = "AURSAC on the validation cases";
  chart.x_label = "epoch; 0 is what the training began with";
  chart.y_label = "validation AURSAC";
  Series score{"AURSAC", {0}, {summary.start_aursac}, {}, {}};
  for (const EpochReport& epoch : summary.epochs) {
    score.x.push_back(static_cast<double>(epoch.epoch));
    score.y.push_back(epoch.aursac);
  }
  chart.series.push_back(std::move(score));
  chart.series.push_back(best_epoch(summary.best_epoch, summary.best_aursac));
  return chart;
}

Table pairs(const std::string& caption, const std::string& first, const std::string& second,
            const std::vector<std::pair<std::string, std::string>>& rows) {
  Table table{caption, {{first}, {second}}, {}};
  for (const auto& [name, value] : rows) table.rows.push_back({name, value});
  return table;
}

}  // namespace

std::string learning_html(const LearningReport& report, const LearntPolicy& learnt) {
  const TrainingSummary& summary = learnt.summary;
  HtmlReport page(
      fmt::format("How '{}' learnt to defer", report.method),
      fmt::format("{} epochs on {} cases and {} experts. The policy is that of epoch {}, with a "
                  "validation AURSAC of {}; it began at {}.",
                  summary.epochs.size(), report.training_cases, report.experts, summary.best_epoch,
                  fixed(summary.best_aursac, 4), fixed(summary.start_aursac, 4)));
  page.key_figures(
      {{fixed(summary.best_aursac, 4), "validation AURSAC",
        fmt::format("best epoch: {}", summary.best_epoch)},
       {fmt::format("{}", learnt.annotations), "expert annotations used", "answers read in all"},
       {report.calibration ? fixed(report.calibration->ece_after, 4)
                           : fixed(report.validation_ece, 4),
        "calibration error (ECE)",
        report.calibration ? "before calibration: " + fixed(report.calibration->ece_before, 4)
                           : std::string("of the classifier as it came")}});

  page.section("Learning curves", "curves");
  page.paragraph(
      report.validated_by_answers
          ? fmt::format("AURSAC is the accuracy of model and experts together, averaged over all "
                        "deferral budgets, on {} validation cases with the experts' answers there.",
                        report.validation_cases)
          : fmt::format("AURSAC is the accuracy of model and experts together, averaged over all "
                        "deferral budgets, on {} validation cases. Nobody's answers there were "
                        "given: the score is what the experts' contexts promise.",
                        report.validation_cases));
  page.chart(score_chart(summary));
  page.paragraph(
      "The loss need not fall from one epoch to the next: the contexts that experts are known by "
      "are drawn anew.");
  page.chart(loss_chart(summary));

  page.section("The classifier", "classifier");
  if (report.calibration) {
    const PolicyCalibration& c = *report.calibration;
    page.paragraph(fmt::format(
        "Its probabilities were calibrated ({}, temperature {}) on {} {} cases. Its expected "
        "calibration error on the validation cases went from {} to {}{}.",
        word_for(c.kind), fixed(1 / c.fitted.scale, 3), c.cases, word_for(c.source),
        fixed(c.ece_before, 4), fixed(c.ece_after, 4),
        c.source == CalibrationSource::kValidation ? ", measured on the cases it was fitted on"
                                                   : ""));
    page.paragraph(c.source == CalibrationSource::kContext
                       ? "In use it is fitted anew, on the context of the day."
                       : "In use the policy applies these numbers as they are.");
    if (!c.classes.empty()) {
      page.paragraph("The offsets belong to the classes by name: the policy works for no others.");
    }
  } else {
    page.paragraph(
        fmt::format("Its expected calibration error on the validation cases is {}. It was not "
                    "calibrated.",
                    fixed(report.validation_ece, 4)));
  }

  page.section("Settings", "settings");
  page.table(pairs("What the result depends on", "setting", "value", report.settings));
  page.table(pairs("The files, by their 64-bit FNV-1a", "file", "hash", report.data_hashes));
  page.section("Run it again", "command");
  page.code(report.command);
  return page.html();
}

}  // namespace ifd::train
