#include "experiments/report/claims_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ifd::experiments {
namespace {

using Verdict = Claim::Verdict;

// All findings if they are few, otherwise the two ends.
std::string evidence(const Claim& claim) {
  const auto text = [](const Finding& finding) { return finding.where + ": " + finding.numbers; };
  if (claim.findings.size() <= 2) {
    std::string out;
    for (const Finding& finding : claim.findings) {
      out += (out.empty() ? "" : "; ") + text(finding);
    }
    return out;
  }
  const auto by_value = [](const Finding& a, const Finding& b) { return a.value < b.value; };
  const auto [least, most] =
      std::minmax_element(claim.findings.begin(), claim.findings.end(), by_value);
  if (!least->value) {
    return fmt::format("{}; {}; and {} more", text(claim.findings[0]), text(claim.findings[1]),
                       claim.findings.size() - 2);
  }
  return fmt::format("Smallest, {}. Largest, {}", text(*least), text(*most));
}

std::size_t open_findings(const Claim& claim) {
  return static_cast<std::size_t>(std::count_if(claim.findings.begin(), claim.findings.end(),
                                                [](const Finding& f) { return f.open; }));
}

std::vector<Words> item_of(const Claim& claim) {
  std::vector<Words> item = {strong(claim.text),
                             plain(claim.source == Claim::Source::kOurs ? " (ours) " : " ")};
  if (claim.verdict() == Verdict::kInPart) item.push_back(plain(verdict_text(claim) + ": "));
  std::string numbers = evidence(claim);
  if (const std::size_t open = open_findings(claim); open > 0) {
    numbers += fmt::format(
        ". In {} of {} the interval includes the bound: more cohorts could "
        "turn it",
        open, claim.findings.size());
  }
  if (!numbers.empty()) item.push_back(plain(numbers + "."));
  return item;
}

Table every_finding(const std::vector<Claim>& claims) {
  Table all{"Every finding",
            {{"claim"}, {"where"}, {"numbers"}, {"holds"}, {"interval includes the bound"}},
            {}};
  for (const Claim& claim : claims) {
    for (const Finding& finding : claim.findings) {
      all.rows.push_back({claim.id, finding.where, finding.numbers, finding.holds ? "yes" : "no",
                          finding.open ? "yes" : ""});
    }
  }
  return all;
}

// Whether there were any.
bool write_what_does_not_hold(Document& document, const std::vector<Claim>& claims,
                              Claim::Source source) {
  bool any = false;
  for (const Claim& claim : claims) {
    const bool differs =
        claim.verdict() == Claim::Verdict::kFails || claim.verdict() == Claim::Verdict::kInPart;
    if (claim.source != source || !differs) continue;
    any = true;
    constexpr std::size_t kMost = 6;
    std::string text;
    std::size_t failed = 0;
    for (const Finding& finding : claim.findings) {
      if (finding.holds) continue;
      if (++failed > kMost) continue;
      text += fmt::format("{}{}: {}{}", text.empty() ? "" : "; ", finding.where, finding.numbers,
                          finding.open ? " (the interval includes the bound)" : "");
    }
    if (failed > kMost) text += fmt::format("; and {} more", failed - kMost);
    document.paragraph(
        {strong(claim.text), plain(fmt::format(" Here it {}. Against it: {}. {}",
                                               verdict_text(claim), text, claim.reading))});
  }
  return any;
}

}  // namespace

void write_claims(Document& document, const std::vector<Claim>& claims) {
  document.section("What holds and what does not", "summary");
  std::map<Verdict, std::size_t> count;
  for (const Claim& claim : claims) ++count[claim.verdict()];
  document.key_figures(
      {{std::to_string(count[Verdict::kHolds]), "claims hold", "everywhere"},
       {std::to_string(count[Verdict::kInPart]), "hold in part", "not everywhere"},
       {std::to_string(count[Verdict::kFails]), "do not hold", "anywhere"},
       {std::to_string(count[Verdict::kNotMeasured]), "not measured", "in this run"}});
  document.paragraph(
      "Each claim is checked by the program against the numbers of this run, on every data set and "
      "group of experts it speaks of. Differences are in AURSAC, paired by cohort; in brackets the "
      "95 % interval by Student's t over cohorts, then the number of cohorts in which the first "
      "was ahead. The claims are the paper's unless marked as ours.");
  constexpr std::pair<Verdict, const char*> kGroups[] = {
      {Verdict::kHolds, "Holds"},
      {Verdict::kInPart, "Holds in part"},
      {Verdict::kFails, "Does not hold"},
      {Verdict::kNotMeasured, "Not measured in this run"}};
  for (const auto& [verdict, title] : kGroups) {
    std::vector<std::vector<Words>> items;
    for (const Claim& claim : claims) {
      if (claim.verdict() == verdict) items.push_back(item_of(claim));
    }
    if (items.empty()) continue;
    document.paragraph({strong(title)});
    document.list(std::move(items));
  }
  document.table(every_finding(claims), Document::Reach::kPageOnly);
}

void write_contradictions(Document& document, const std::vector<Claim>& claims) {
  document.section("Where we differ from the paper", "differences");
  if (!write_what_does_not_hold(document, claims, Claim::Source::kPaper)) {
    document.paragraph("Nowhere: every claim of the paper that was measured holds.");
  }
  document.section("What we expected and did not see", "surprises");
  if (!write_what_does_not_hold(document, claims, Claim::Source::kOurs)) {
    document.paragraph("Nothing: every claim of ours that was measured holds.");
  }
}

}  // namespace ifd::experiments
