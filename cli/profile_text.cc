#include "cli/profile_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/prior_inputs.h"
#include "cli/short_names.h"
#include "cli/text_table.h"
#include "command_line/terminal.h"
#include "command_line/text_width.h"
#include "ifd/data/visible_text.h"

namespace ifd::cli {
namespace {

using nlohmann::ordered_json;

std::string heading(std::string_view words) {
  return fmt::format("\n{}\n", bold(words, STDOUT_FILENO));
}

std::size_t rows_of(const RosterStory& story) { return rows_for(story.roster.size(), story.shown); }

// "0.75 ( 2)": the mean accuracy and how many answers it comes from, the counts below each other.
TextTable detailed_matrix(const RosterStory& story) {
  const Roster& roster = story.roster;
  std::uint64_t most = 0;
  std::vector<std::string> columns = {"expert", "all"};
  for (const ExpertProfile& profile : roster.profiles) most = std::max(most, profile.answers());
  const std::size_t digits = std::to_string(most).size();
  const auto cell = [&](double mean, std::uint64_t answers) {
    return fmt::format("{:.2f} ({:>{}})", mean, answers, digits);
  };
  for (const std::string& name : story.classes.names()) columns.push_back(name);
  TextTable table(std::move(columns));
  for (std::size_t j = 0; j < rows_of(story); ++j) {
    const ExpertProfile& profile = roster.profiles[j];
    std::vector<std::string> row = {roster.names[j],
                                    cell(profile.average_mean(), profile.answers())};
    for (std::size_t k = 0; k < profile.classes(); ++k) {
      const BetaPosterior& known = profile.at(class_id(k));
      row.push_back(cell(known.mean(), known.answers()));
    }
    table.add(std::move(row));
  }
  return table;
}

// Columns that each class may take for all of them to stand in one line beside the names.
std::size_t class_columns(const ShortNames& experts, std::size_t classes) {
  constexpr std::size_t kBeside = 2 + 7 + 2 + 4;  // answers, all
  constexpr std::size_t kLeast = 4;
  std::size_t names = std::string_view("expert").size();
  for (std::size_t j = 0; j < experts.size(); ++j) names = std::max(names, columns_of(experts[j]));
  const std::size_t line = text_width();
  const std::size_t each = (line - std::min(line, names + kBeside)) / classes;
  return std::clamp(each < 2 ? 0 : each - 2, kLeast, kNameColumns);
}

// "75" or "(75)": the mean accuracy in percent, in brackets where few answers stand behind it.
std::string compact_matrix(const RosterStory& story) {
  const Roster& roster = story.roster;
  const ShortNames experts(std::span(roster.names).first(rows_of(story)), kNameColumns);
  const ShortNames classes(story.classes.names(), class_columns(experts, story.classes.size()));
  std::vector<std::string> columns = {"expert", "answers", "all"};
  for (std::size_t k = 0; k < classes.size(); ++k) columns.push_back(classes[k]);
  TextTable table(std::move(columns));
  for (std::size_t j = 0; j < experts.size(); ++j) {
    const ExpertProfile& profile = roster.profiles[j];
    std::vector<std::string> row = {experts[j], std::to_string(profile.answers()),
                                    fmt::format("{:.0f}", 100 * profile.average_mean())};
    for (std::size_t k = 0; k < profile.classes(); ++k) {
      const BetaPosterior& known = profile.at(class_id(k));
      const bool few = known.answers() < story.needs.enough;
      row.push_back(fmt::format("{}{:.0f}{}", few ? "(" : "", 100 * known.mean(), few ? ")" : " "));
    }
    table.add(std::move(row));
  }
  return table.text() +
         wrapped(fmt::format("mean accuracy in percent, in brackets from fewer than {} answers; "
                             "'all' is the mean over classes; --long has intervals and counts",
                             story.needs.enough)) +
         "\n" + experts.legend() + classes.legend();
}

std::string matrix(const RosterStory& story) {
  constexpr std::size_t kFew = 10;
  const TextTable detailed = detailed_matrix(story);
  std::string out =
      story.roster.size() > kFew && detailed.width() > text_width()
          ? compact_matrix(story)
          : detailed.text() +
                "mean accuracy (answers); 'all' is the mean over classes; --long has intervals\n";
  if (rows_of(story) < story.roster.size()) {
    out +=
        fmt::format("{} more experts with --all-experts\n", story.roster.size() - rows_of(story));
  }
  return out;
}

std::vector<std::string> agreement_cells(std::string who, const RaterAgreement& counts) {
  return {std::move(who), std::to_string(counts.shared),
          fmt::format("{:.1f} %", 100.0 * static_cast<double>(counts.agreed) /
                                      static_cast<double>(counts.shared)),
          counts.kappa ? fmt::format("{:.2f}", *counts.kappa) : "-"};
}

// All of them where they are few, otherwise the weakest and the strongest. Weakest first.
template <class Compared, class Name>
std::string agreement_table(const std::vector<Compared>& all, const std::string& what,
                            const Name& name) {
  constexpr std::size_t kAll = 10;
  constexpr std::size_t kEnds = 4;
  TextTable table({what, "shared cases", "agree", "kappa"});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool shown = all.size() <= kAll || i < kEnds || i + kEnds >= all.size();
    if (shown) table.add(agreement_cells(name(all[i]), all[i].counts));
    if (!shown && i == kEnds) {
      table.add({fmt::format("... {} between", all.size() - 2 * kEnds), "", "", ""});
    }
  }
  return table.text();
}

std::string agreement_text(const RosterStory& story) {
  const Agreement& found = story.agreement;
  const std::vector<std::string>& names = story.roster.names;
  const std::size_t compared = found.compares_pairs ? found.pairs.size() : found.with_others.size();
  const char* what = found.compares_pairs ? "pair" : "expert";
  std::string out = heading("Agreement on the same cases, weakest first");
  if (compared == 0) {
    return out + fmt::format("no {} shares {} cases or more (the most is {}), too few to tell\n",
                             what, found.least_shared, found.most_shared);
  }
  if (found.compares_pairs) {
    out += agreement_table(found.pairs, "experts", [&](const PairAgreement& pair) {
      return names[pair.first] + ", " + names[pair.second];
    });
  } else {
    out += wrapped(fmt::format("{} experts are too many for every pair: each is compared with the "
                               "majority of the others",
                               compared + found.too_few)) +
           "\n";
    out += agreement_table(found.with_others, "expert",
                           [&](const AgreementWithOthers& one) { return names[one.expert]; });
  }
  std::string below = "Cohen's kappa: 1 always agree, 0 as often as by chance";
  if (found.mean_kappa && compared > 1) below += fmt::format("; mean {:.2f}", *found.mean_kappa);
  if (found.too_few > 0) {
    below += fmt::format("; {} {}(s) share fewer than {} cases and are left out", found.too_few,
                         what, found.least_shared);
  }
  return out + wrapped(below) + "\n";
}

std::string answer_word(Answer answer, const ClassNames& classes) {
  return answer.is_outside() ? "none of the classes" : classes.name(answer.as_class());
}

struct ExpertMistake {
  std::size_t expert;
  Mistake mistake;
};

// A few of each expert where experts are few, otherwise the most frequent of all.
std::vector<ExpertMistake> mistakes_to_show(const RosterStory& story) {
  constexpr std::size_t kOfEach = 3;
  constexpr std::size_t kInAll = 20;
  std::vector<ExpertMistake> shown;
  const bool few = story.mistakes.size() * kOfEach <= kInAll;
  for (std::size_t j = 0; j < story.mistakes.size(); ++j) {
    const auto& own = story.mistakes[j];
    const std::size_t most = few ? kOfEach : kInAll;
    for (std::size_t i = 0; i < std::min(own.size(), most); ++i) shown.push_back({j, own[i]});
  }
  if (few) return shown;
  std::stable_sort(shown.begin(), shown.end(), [](const ExpertMistake& a, const ExpertMistake& b) {
    return a.mistake.count > b.mistake.count;
  });
  if (shown.size() > kInAll) shown.erase(shown.begin() + kInAll, shown.end());
  return shown;
}

std::string mistakes_text(const RosterStory& story) {
  std::size_t kinds = 0;
  for (const auto& own : story.mistakes) kinds += own.size();
  std::string out = heading("Mistakes, most frequent first");
  if (kinds == 0) return out + "none\n";
  TextTable table({"expert", "mistake", "times", "of"});
  const auto shown = mistakes_to_show(story);
  for (const auto& [expert, mistake] : shown) {
    table.add({story.roster.names[expert],
               fmt::format("{} taken for {}", story.classes.name(mistake.truth),
                           answer_word(mistake.answer, story.classes)),
               std::to_string(mistake.count), std::to_string(mistake.of)});
  }
  out += table.text();
  if (kinds > shown.size()) out += fmt::format("{} more in --json\n", kinds - shown.size());
  return out;
}

std::pair<double, double> interval_of(const RosterStory& story, const AnswerNeed& need) {
  const BetaPosterior& known = story.roster.profiles[need.expert].at(need.class_id);
  return known.central_interval(story.interval);
}

std::string needs_text(const RosterStory& story) {
  constexpr std::size_t kShown = 10;
  const AnswerNeeds& needs = story.needs;
  std::string out = heading("Where answers are missing, most useful first");
  if (needs.cells == 0) {
    return out + fmt::format("nowhere: everybody has {} or more per class\n", needs.enough);
  }
  TextTable table(
      {"expert", "class", "answers", fmt::format("{:g} % interval", 100 * story.interval)});
  const std::size_t shown = std::min(kShown, needs.first.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const AnswerNeed& need = needs.first[i];
    const auto [low, high] = interval_of(story, need);
    table.add({story.roster.names[need.expert], story.classes.name(need.class_id),
               std::to_string(need.answers), fmt::format("[{:.2f}, {:.2f}]", low, high)});
  }
  out += table.text();
  return out +
         wrapped(fmt::format("{} of {} expert x class have fewer than {} answers (--enough)",
                             needs.cells, story.roster.size() * story.classes.size(),
                             needs.enough)) +
         "\n";
}

ordered_json json_of(const RaterAgreement& counts, ordered_json who) {
  who["shared"] = counts.shared;
  who["agreed"] = counts.agreed;
  who["kappa"] = counts.kappa ? ordered_json(*counts.kappa) : ordered_json(nullptr);
  return who;
}

}  // namespace

std::string text_of(const RosterStory& story) {
  std::string text = matrix(story);
  for (const std::string& line : prior_alone_of(story.roster).lines())
    text += visible_text(line) + '\n';
  return text + agreement_text(story) + mistakes_text(story) + needs_text(story);
}

ordered_json json_of(const Agreement& agreement, const Roster& roster) {
  ordered_json rows = ordered_json::array();
  for (const PairAgreement& pair : agreement.pairs) {
    rows.push_back(
        json_of(pair.counts, {{"experts", {roster.names[pair.first], roster.names[pair.second]}}}));
  }
  for (const AgreementWithOthers& one : agreement.with_others) {
    rows.push_back(json_of(one.counts, {{"expert", roster.names[one.expert]}}));
  }
  return {{"between", agreement.compares_pairs ? "pairs" : "expert and majority of the others"},
          {"least_shared", agreement.least_shared},
          {"too_few", agreement.too_few},
          {"most_shared", agreement.most_shared},
          {"mean_kappa",
           agreement.mean_kappa ? ordered_json(*agreement.mean_kappa) : ordered_json(nullptr)},
          {agreement.compares_pairs ? "pairs" : "experts", rows}};
}

ordered_json json_of(std::span<const Mistake> mistakes, const ClassNames& classes) {
  ordered_json rows = ordered_json::array();
  for (const Mistake& mistake : mistakes) {
    rows.push_back({{"truth", classes.name(mistake.truth)},
                    {"answer", mistake.answer.is_outside()
                                   ? ordered_json(nullptr)
                                   : ordered_json(classes.name(mistake.answer.as_class()))},
                    {"count", mistake.count},
                    {"of", mistake.of}});
  }
  return rows;
}

ordered_json json_of(const AnswerNeeds& needs, const Roster& roster, const ClassNames& classes) {
  ordered_json rows = ordered_json::array();
  for (const AnswerNeed& need : needs.first) {
    rows.push_back({{"expert", roster.names[need.expert]},
                    {"class", classes.name(need.class_id)},
                    {"answers", need.answers},
                    {"uncertainty", need.uncertainty}});
  }
  return {{"enough", needs.enough}, {"cells", needs.cells}, {"first", rows}};
}

}  // namespace ifd::cli
