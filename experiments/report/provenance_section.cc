#include "experiments/report/provenance_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "command_line/shell_command.h"
#include "experiments/claims/wording.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

// experiment and method of "table1/blood/variable/ifd-peak/cohort-3".
std::pair<std::string, std::string> work_of(const std::string& job) {
  std::vector<std::string> parts;
  std::istringstream in(job);
  for (std::string part; std::getline(in, part, '/');) parts.push_back(part);
  if (parts.empty()) return {};
  const bool numbered = parts.back().starts_with("cohort-") || parts.back().starts_with("seed-");
  if (numbered && parts.size() > 2) parts.pop_back();
  return {parts.front(), parts.back()};
}

struct Spent {
  double seconds = 0;
  std::size_t jobs = 0;
};
using SpentByWork = std::map<std::pair<std::string, std::string>, Spent>;

SpentByWork spent_by_work(const RunRecord& run) {
  SpentByWork spent;
  for (const JobRecord& job : run.jobs) {
    Spent& here = spent[work_of(job.name)];
    here.seconds += job.seconds;
    ++here.jobs;
  }
  return spent;
}

// Longest first.
BarChart time_chart(const RunRecord& run) {
  std::map<std::string, double> by_experiment;
  for (const JobRecord& job : run.jobs) by_experiment[work_of(job.name).first] += job.seconds;
  BarChart chart;
  chart.title = "Processor seconds by experiment";
  chart.value_label = "seconds";
  for (const auto& [experiment, seconds] : by_experiment) {
    chart.bars.push_back({experiment, seconds});
  }
  std::stable_sort(chart.bars.begin(), chart.bars.end(),
                   [](const Bar& a, const Bar& b) { return a.value > b.value; });
  return chart;
}

Table time_table(const RunRecord& run) {
  Table table{"Processor seconds by experiment and method",
              {{"experiment"}, {"method"}, {"jobs", true}, {"seconds", true}, {"each", true}},
              {}};
  for (const auto& [work, spent] : spent_by_work(run)) {
    table.rows.push_back({work.first, work.second, std::to_string(spent.jobs),
                          fixed(spent.seconds, 1),
                          fixed(spent.seconds / static_cast<double>(spent.jobs), 1)});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    return leading_number(a[3]) > leading_number(b[3]);
  });
  return table;
}

std::string not_part_of(const RunRecord& run, const std::vector<Section>& sections) {
  std::string names;
  for (const Section& section : sections) {
    if (std::ranges::count(run.selected, section.experiment) > 0) continue;
    names += (names.empty() ? "" : ", ") + section.experiment.text();
  }
  return names;
}

Table facts_table(const RunRecord& run, const std::vector<Section>& sections) {
  Table facts{"The run", {{"what"}, {"value"}}, {}};
  for (const auto& [what, value] : std::vector<std::pair<std::string, std::string>>{
           {"version", run.version},
           {"code", run.code_version},
           {"seed", fmt::format("{}; cohort c has seed {} + c", run.seed, run.seed)},
           {"protocol", run.protocol},
           {"not part of it", not_part_of(run, sections)},
           {"hardware", run.hardware},
           {"wall time", run.reused < run.jobs.size() ? duration_text(run.wall_seconds) : ""},
           {"date", run.date}}) {
    if (!value.empty()) facts.rows.push_back({what, value});
  }
  return facts;
}

}  // namespace

void write_time(Document& document, const RunRecord& run) {
  document.section("Where the time went", "time");
  double all = 0;
  for (const JobRecord& job : run.jobs) all += job.seconds;
  BarChart chart = time_chart(run);
  std::string shares;
  for (const Bar& bar : chart.bars) {
    shares +=
        fmt::format("{}{} {}", shares.empty() ? "" : ", ", bar.name, duration_text(bar.value));
  }
  const WorkingTime working = working_time(run);
  std::string words = fmt::format("{} jobs, {} of processor time in all: {}.", run.jobs.size(),
                                  duration_text(all), shares);
  words += fmt::format(" On the clock they took {}{}.", duration_text(working.seconds),
                       working.pieces > 1 ? fmt::format(" in {} pieces", working.pieces) : "");
  // A run that only writes the report anew has nothing to tell of itself.
  if (run.reused < run.jobs.size()) {
    words += fmt::format(
        " This run took {}, {} of it to read the data and train the classifiers, and found {} of "
        "the jobs finished.",
        duration_text(run.wall_seconds), duration_text(run.preparation_seconds), run.reused);
  }
  const double queue_seconds = run.wall_seconds - run.preparation_seconds;
  if (run.fresh_seconds > 0 && queue_seconds > 0) {
    words += fmt::format(
        " Jobs of this run took {} on the clock, {} at a time, who were busy for {:.0f} % of it.",
        duration_text(run.fresh_seconds), run.workers,
        100 * run.fresh_seconds / (queue_seconds * run.workers));
  }
  document.paragraph(words);
  document.chart("time", std::move(chart));
  document.table(time_table(run), Document::Reach::kPageOnly);
}

void write_provenance(Document& document, const RunRecord& run,
                      const std::vector<Section>& sections) {
  document.section("What it was made from", "provenance");
  Table data{"Data", {{"data"}, {"classifier"}, {"hash"}}, {}};
  for (const DataSource& source : run.data) {
    data.rows.push_back({data_title(source.name), source.description, source.hash});
  }
  document.table(std::move(data));
  std::vector<std::vector<Words>> left_out;
  for (const std::string& line : run.absent) left_out.push_back({plain("Left out: " + line)});
  document.list(std::move(left_out));
  std::vector<std::vector<Words>> failures;
  for (const JobRecord& job : run.jobs) {
    if (job.failure.empty()) continue;
    failures.push_back({plain("Failed: "), inline_code(job.name), plain(": " + job.failure)});
  }
  document.list(std::move(failures));
  document.table(facts_table(run, sections));
  document.code(shell_command(run.command));
}

}  // namespace ifd::experiments
