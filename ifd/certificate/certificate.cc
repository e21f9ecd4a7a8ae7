#include "ifd/certificate/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ifd/certificate/certified_thresholds.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/json_text.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

using Kind = CertifiedPromise::Kind;

constexpr std::string_view kCertificateSchema = "ifd certificate 1";
// Up to here a double counts, which is how other programs read the numbers of JSON.
constexpr std::size_t kMostCases = std::size_t{1} << 53;

struct KindWord {
  Kind kind;
  std::string_view word;
};
constexpr KindWord kKindWords[] = {{Kind::kError, "error"},
                                   {Kind::kClassError, "class"},
                                   {Kind::kSubgroupError, "subgroup"},
                                   {Kind::kCost, "cost"}};

std::string_view word_of(Kind kind) {
  return std::find_if(std::begin(kKindWords), std::end(kKindWords),
                      [&](const KindWord& known) { return known.kind == kind; })
      ->word;
}

Kind kind_named(const JsonValue& value) {
  for (const KindWord& known : kKindWords) {
    if (known.word == value.text()) return known.kind;
  }
  value.refuse(
      fmt::format("is '{}'; expected error, class, subgroup or cost", excerpt(value.text())));
}

double number_between(const JsonValue& object, std::string_view key, double low, double high) {
  const JsonValue value = object.at(key);
  const double number = value.number();
  if (number < low || number > high) {
    value.refuse(fmt::format("is {}; expected {} to {}", number, low, high));
  }
  return number;
}

double threshold_of(const JsonValue& value) {
  if (value.is_number()) return value.number();
  const std::string& word = value.text();
  if (word == "all") return kDeferAll;
  if (word == "none") return kDeferNone;
  value.refuse(fmt::format("is '{}'; expected a number, 'all' or 'none'", excerpt(word)));
}

// A text that must be one of these words.
std::string word_among(const JsonValue& value, std::string_view first, std::string_view second) {
  if (value.text() != first && value.text() != second) {
    value.refuse(fmt::format("is '{}'; expected {} or {}", excerpt(value.text()), first, second));
  }
  return value.text();
}

// None for null, and for nothing else: a day that cannot be read must not become "for ever".
std::optional<CalendarDate> date_of(const JsonValue& value) {
  if (value.is_null()) return {};
  try {
    return CalendarDate::parse(value.text());
  } catch (const Error& error) {
    if (!value.is_text()) value.refuse("is neither a date nor null; expected one of them");
    value.refuse(fmt::format("is no date: {}", error.what()));
  }
}

std::size_t count_between(const JsonValue& object, std::string_view key, std::size_t most) {
  const JsonValue value = object.at(key);
  const std::size_t count = value.count();
  if (count < 1 || count > most) value.refuse(fmt::format("is {}; expected 1 to {}", count, most));
  return count;
}

CertifiedPromise promise_of(const JsonValue& value, const Certificate& of) {
  CertifiedPromise promise{};
  promise.kind = kind_named(value.at("kind"));
  if (const auto name = value.find("name")) promise.name = name->text();
  const bool share = promise.kind != Kind::kCost;
  const double most = share ? 1 : std::numeric_limits<double>::max();
  promise.limit = number_between(value, "limit", 0, most);
  promise.measured = number_between(value, "measured", 0, most);
  promise.units = count_between(value, "units", of.cases);
  // Beyond an even chance, no test of a limit is passed by what was measured above it.
  if (of.confidence > .5 && promise.measured > promise.limit) {
    value.at("measured")
        .refuse(fmt::format("is {}; expected at most the limit of {}", promise.measured,
                            promise.limit));
  }
  return promise;
}

nlohmann::ordered_json threshold_json(double threshold) {
  if (std::isfinite(threshold)) return threshold;
  return threshold_word(threshold);
}

std::string percent(double share) {
  // As many digits as a person would say: 8 %, 2.5 %, 0.31 %.
  const double value = 100 * share;
  std::string text = fmt::format("{:.{}f}", value, value < 1 ? 2 : 1);
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    const bool point = text.back() == '.';
    text.pop_back();
    if (point) break;
  }
  return text;
}

std::string subject_of(const CertifiedPromise& promise) {
  switch (promise.kind) {
    case Kind::kClassError:
      return fmt::format("{} missed", excerpt(promise.name));
    case Kind::kSubgroupError:
      return fmt::format("error of {}", excerpt(promise.name));
    case Kind::kCost:
      return "mean cost";
    case Kind::kError:
      break;
  }
  return "system error";
}

// "'ann', 'bob' (off duty) and 3 more"
std::string told_roster(const std::vector<DecisionScope::Member>& roster) {
  constexpr std::size_t kMost = 6;
  std::string names;
  for (std::size_t j = 0; j < std::min(kMost, roster.size()); ++j) {
    names += fmt::format("{}'{}'{}", j == 0 ? "" : ", ", excerpt(roster[j].expert),
                         roster[j].on_duty ? "" : " (off duty)");
  }
  if (roster.empty()) return "nobody";
  if (roster.size() > kMost) names += fmt::format(" and {} more", roster.size() - kMost);
  return names;
}

[[noreturn]] void conflict(const Certificate& certificate, const std::string& what) {
  throw Error(ErrorKind::kConflict, fmt::format("{}: {}", certificate.source, what));
}

}  // namespace

std::string threshold_word(double threshold) {
  if (threshold == kDeferAll) return "all";
  if (threshold == kDeferNone) return "none";
  return fmt::format("{:.6g}", threshold);
}

std::string Certificate::to_json() const {
  nlohmann::ordered_json out = {{"schema", kCertificateSchema},
                                {"threshold", threshold_json(threshold)},
                                {"confidence", confidence},
                                {"promises", nlohmann::ordered_json::array()},
                                {"deferral", deferral},
                                {"deferral_low", deferral_low},
                                {"deferral_high", deferral_high},
                                {"cases", cases},
                                {"unit", unit},
                                {"answer", answer},
                                {"policy", scope.policy},
                                {"settings", scope.settings},
                                {"profiles", scope.profiles},
                                {"roster", nlohmann::ordered_json::array()},
                                {"calibration", calibration},
                                {"date", nullptr},
                                {"expires", nullptr}};
  for (const CertifiedPromise& promise : promises) {
    nlohmann::ordered_json entry = {{"kind", word_of(promise.kind)}};
    if (!promise.name.empty()) entry["name"] = promise.name;
    entry["limit"] = promise.limit;
    entry["measured"] = promise.measured;
    entry["units"] = promise.units;
    out["promises"].push_back(std::move(entry));
  }
  for (const DecisionScope::Member& member : scope.roster) {
    out["roster"].push_back({{"expert", member.expert}, {"on_duty", member.on_duty}});
  }
  if (date) out["date"] = date->text();
  if (expires) out["expires"] = expires->text();
  return json_text(out, 2) + "\n";
}

void Certificate::write(const std::filesystem::path& path) const {
  write_file_atomically(path, to_json());
}

Certificate Certificate::from_json(std::string_view text, const std::string& source) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    throw bad_input(fmt::format("{}: is empty; expected a file that 'ifd certify' wrote", source));
  }
  if (text[first] != '{') {
    throw bad_input(
        fmt::format("{}: no certificate; expected a file that 'ifd certify' wrote", source));
  }
  const JsonValue root = JsonValue::parse(text, source);
  if (!root.is_object() || !root.find("schema")) {
    throw bad_input(
        fmt::format("{}: no certificate; expected a file that 'ifd certify' wrote", source));
  }
  if (const std::string schema = root.at("schema").text(); schema != kCertificateSchema) {
    throw bad_input(fmt::format("{}: the schema is '{}'; expected '{}'", source, excerpt(schema),
                                kCertificateSchema));
  }
  Certificate read{};
  read.source = source;
  read.threshold = threshold_of(root.at("threshold"));
  read.confidence = number_between(root, "confidence", 0, 1);
  if (read.confidence == 0 || read.confidence == 1) {
    root.at("confidence")
        .refuse(fmt::format("is {}; expected more than 0, less than 1", read.confidence));
  }
  read.cases = count_between(root, "cases", kMostCases);
  for (const JsonValue& promise : root.at("promises").items()) {
    read.promises.push_back(promise_of(promise, read));
  }
  if (read.promises.empty()) root.at("promises").refuse("is empty; expected one or more");
  read.deferral_low = number_between(root, "deferral_low", 0, 1);
  read.deferral_high = number_between(root, "deferral_high", read.deferral_low, 1);
  read.deferral = number_between(root, "deferral", read.deferral_low, read.deferral_high);
  read.unit = word_among(root.at("unit"), "case", "group");
  read.answer = word_among(root.at("answer"), "final", "combined");
  read.scope.policy = root.at("policy").text();
  read.scope.settings = root.at("settings").text();
  read.scope.profiles = root.at("profiles").text();
  for (const JsonValue& member : root.at("roster").items()) {
    read.scope.roster.push_back({member.at("expert").text(), member.at("on_duty").boolean()});
  }
  read.calibration = root.at("calibration").text();
  read.date = date_of(root.at("date"));
  read.expires = date_of(root.at("expires"));
  return read;
}

Certificate Certificate::read(const std::filesystem::path& path, const ReadLimits& limits) {
  return from_json(read_file(path, limits), source_name(path));
}

std::string certificate_sentence(const Certificate& certificate) {
  std::string sentence;
  for (const CertifiedPromise& promise : certificate.promises) {
    if (!sentence.empty()) sentence += ", ";
    sentence += promise.kind == Kind::kCost
                    ? fmt::format("{} <= {:.6g}{}{}", subject_of(promise), promise.limit,
                                  promise.name.empty() ? "" : " ", excerpt(promise.name))
                    : fmt::format("{} <= {} %", subject_of(promise), percent(promise.limit));
  }
  if (certificate.answer == "combined") sentence += " with answers combined,";
  return fmt::format("{} with {} % confidence, deferring {:.0f} % ({:.0f}-{:.0f} %)", sentence,
                     percent(certificate.confidence), 100 * certificate.deferral,
                     100 * certificate.deferral_low, 100 * certificate.deferral_high);
}

void require_scope(const Certificate& certificate, const DecisionScope& now) {
  const DecisionScope& then = certificate.scope;
  if (then.roster != now.roster) {
    conflict(certificate,
             fmt::format("another roster: it is for {}, and there are {}; expected the same, or a "
                         "certificate for this one",
                         told_roster(then.roster), told_roster(now.roster)));
  }
  if (then.policy != now.policy) {
    conflict(certificate, fmt::format("it holds for the policy '{}', and this is '{}'; expected "
                                      "the same",
                                      excerpt(then.policy), excerpt(now.policy)));
  }
  if (then.profiles != now.profiles) {
    conflict(certificate,
             "the experts' answers that are known have changed since; expected those it was made "
             "with, or a new certificate");
  }
  if (then.settings != now.settings) {
    conflict(
        certificate,
        "it was made with other classes, costs, --answer, --margin, --ties, --calibrate, --seed "
        "or precision; expected the same");
  }
}

void require_in_force(const Certificate& certificate, const CalendarDate& today) {
  if (!certificate.expires || today <= *certificate.expires) return;
  conflict(certificate, fmt::format("it held until {}; expected one that is in force today",
                                    certificate.expires->text()));
}

}  // namespace ifd
