#include "ifd/watch/watch_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>

#include "ifd/data/json_text.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/watch/visible_fall.h"

namespace ifd {
namespace {

std::vector<ClassId> truths_of(std::span<const ContextRow> rows) {
  std::vector<ClassId> truths;
  for (const ContextRow& row : rows) truths.push_back(row.truth);
  return truths;
}

nlohmann::ordered_json counts_json(const RightAnswers& counts) {
  return {{"right", counts.right}, {"answers", counts.of}};
}

// Null for answers of before, and where nobody named the case.
nlohmann::ordered_json case_json(const WatchReport::Expert& expert, std::uint64_t answer) {
  if (answer == 0 || answer > expert.new_cases.size()) return nullptr;
  if (expert.new_cases[answer - 1].empty()) return nullptr;
  return expert.new_cases[answer - 1];
}

}  // namespace

std::size_t WatchReport::found() const {
  std::size_t count = 0;
  for (const Expert& expert : experts) count += expert.findings.size();
  return count;
}

WatchReport report_of(const Watch& watch) {
  WatchReport report{{}, watch.options()};
  const std::vector<WatchedExpert> standings = watch.experts();
  std::size_t falls = 0;
  for (std::size_t j = 0; j < standings.size(); ++j) {
    const WatchedExpert& standing = standings[j];
    const std::vector<ContextRow>& fresh = watch.new_answers(j);
    WatchReport::Expert expert{standing, watch.findings(standing.name), {}, false, {}};
    for (const ContextRow& row : fresh) expert.new_cases.push_back(row.case_name);
    expert.tried_falls = !fresh.empty() && expert.findings.empty() && falls++ < kMostFalls;
    if (expert.tried_falls) {
      expert.visible_fall = visible_fall(watch.old_answers(j), truths_of(fresh),
                                         {watch.classes(), standings.size()}, watch.options());
    }
    report.experts.push_back(std::move(expert));
  }
  return report;
}

void observe_answers(Watch& watch, std::span<const ExpertContext> after) {
  std::map<std::string_view, std::size_t> place_of;
  for (std::size_t j = 0; j < watch.names().size(); ++j) place_of.emplace(watch.names()[j], j);
  for (const ExpertContext& context : after) {
    const auto place = place_of.find(context.expert);
    if (place == place_of.end()) continue;
    std::unordered_set<std::string_view> known;
    for (const ContextRow& row : watch.new_answers(place->second)) known.insert(row.case_name);
    for (const ContextRow& row : context.rows) {
      if (row.case_name.empty() || !known.contains(row.case_name)) continue;
      throw Error(ErrorKind::kConflict,
                  fmt::format("expert '{}' has answered case '{}' in this watch already; expected "
                              "new answers only",
                              excerpt(context.expert), excerpt(row.case_name)));
    }
  }
  for (const ExpertContext& context : after) {
    for (const ContextRow& row : context.rows) {
      watch.observe(context.expert, row);
    }
  }
}

WatchReport watch_answers(const ClassNames& classes, std::span<const ExpertContext> before,
                          std::span<const ExpertContext> after, const WatchOptions& options) {
  std::vector<std::string> others;
  for (const ExpertContext& context : after) others.push_back(context.expert);
  Watch watch(classes.size(), old_answers(before), others, options);
  observe_answers(watch, after);
  return report_of(watch);
}

nlohmann::ordered_json finding_json(const Finding& finding, const ClassNames& classes) {
  const auto name = [&](const std::optional<ClassId>& id) -> nlohmann::ordered_json {
    if (!id) return nullptr;
    return classes.name(*id);
  };
  return {{"expert", finding.expert},
          {"kind", word_for(finding.kind)},
          {"class", name(finding.class_id)},
          {"other", name(finding.other)},
          {"since", finding.since},
          {"found_at", finding.found_at},
          {"before", counts_json(finding.before)},
          {"after", counts_json(finding.after)},
          {"p", finding.p}};
}

std::string watch_json(const WatchReport& report, const ClassNames& classes) {
  nlohmann::ordered_json experts = nlohmann::ordered_json::array();
  for (const WatchReport::Expert& expert : report.experts) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const Finding& finding : expert.findings) {
      findings.push_back(finding_json(finding, classes));
      findings.back()["since_case"] = case_json(expert, finding.since);
      findings.back()["found_case"] = case_json(expert, finding.found_at);
    }
    nlohmann::ordered_json row = {{"expert", expert.standing.name},
                                  {"old", counts_json(expert.standing.before)},
                                  {"new", counts_json(expert.standing.after)},
                                  {"p", expert.standing.p},
                                  {"findings", findings}};
    if (expert.tried_falls) {
      row["visible_fall"] = nullptr;
      if (expert.visible_fall) row["visible_fall"] = *expert.visible_fall;
    }
    experts.push_back(std::move(row));
  }
  const nlohmann::ordered_json document = {{"schema", "ifd watch 1"},
                                           {"classes", classes.names()},
                                           {"false_alarms", report.options.false_alarms},
                                           {"seed", report.options.seed},
                                           {"found", report.found()},
                                           {"experts", experts}};
  return json_text(document, 2) + "\n";
}

}  // namespace ifd
