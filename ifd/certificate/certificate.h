// A threshold with what is promised of it, and for whom the promise holds. docs/formats.md
// describes the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/certificate/calendar_date.h"
#include "ifd/data/read_limits.h"

namespace ifd {

// Everything that decides who takes a case, except the case: a promise holds for this and nothing
// else.
struct DecisionScope {
  struct Member {
    std::string expert;
    bool on_duty;
    bool operator==(const Member&) const = default;
  };
  std::vector<Member> roster;  // by name
  std::string policy;          // its name; of a policy file its method and a hash
  std::string settings;        // hash: classes, scale and ties of margins, seed, calibration, ...
  std::string profiles;        // hash: what is known of everyone

  bool operator==(const DecisionScope&) const = default;
};

struct CertifiedPromise {
  enum class Kind { kError, kClassError, kSubgroupError, kCost };
  Kind kind;
  std::string name;   // of the class or subgroup; of a cost its unit
  double limit;       // of the mean loss; costs in their own unit
  double measured;    // on the calibration set, at the threshold
  std::size_t units;  // cases or groups that it was measured on

  bool operator==(const CertifiedPromise&) const = default;
};

struct Certificate {
  double threshold;   // finite, kDeferAll or kDeferNone (certified_thresholds.h)
  double confidence;  // that all promises hold together, in (0, 1)
  std::vector<CertifiedPromise> promises;
  // What the threshold defers of the calibration set, and where the rate of other cases like them
  // lies, with the same confidence by itself.
  double deferral;
  double deferral_low;
  double deferral_high;
  std::size_t cases;             // of the calibration set, without those set aside
  std::string unit = "case";     // what is independent of each other: "case" or "group"
  std::string answer = "final";  // what becomes of the expert's answer: "final" or "combined"
  DecisionScope scope = {};
  std::string calibration = {};  // hash of the calibration cases, labels and answers
  std::optional<CalendarDate> date = {};
  std::optional<CalendarDate> expires = {};  // the last day on which it holds
  std::string source = "certificate";  // where it was read from, for messages; not in the file

  std::string to_json() const;
  void write(const std::filesystem::path& path) const;
  // Error: kCorruptFile for what is not JSON, kBadInput for what is not a certificate, of a newer
  // version or makes no sense.
  static Certificate from_json(std::string_view text, const std::string& source);
  static Certificate read(const std::filesystem::path& path, const ReadLimits& limits = {});
};

// "system error <= 8 % with 90 % confidence, deferring 23 % (17-29 %)"
std::string certificate_sentence(const Certificate& certificate);

// A threshold in files and messages: the number, 'all' or 'none'.
std::string threshold_word(double threshold);

// Error(kConflict), saying what differs, unless the certificate is for this scope.
void require_scope(const Certificate& certificate, const DecisionScope& now);
// Error(kConflict) after its last day.
void require_in_force(const Certificate& certificate, const CalendarDate& today);

}  // namespace ifd
