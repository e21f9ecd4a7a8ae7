// A threshold for a router whose promises hold with a stated confidence, or why there is none and
// what would be enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ifd/certificate/certificate.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/long_work.h"

namespace ifd {

class Router;

// Parts of the cases that a promise is made for, each by itself: sites, sexes, scanners.
struct Subgroups {
  std::vector<std::uint32_t> of_case;  // the place in `names`
  std::vector<std::string> names;
};

struct CertificateRequest {
  // Most errors of the system among all cases; among those of a class, by its name (missed ones);
  // among those of each subgroup. Shares in (0, 1); at least one, or a cost.
  std::optional<double> error = {};
  std::map<std::string, double> class_errors = {};
  std::optional<double> subgroup_error = {};
  std::optional<Subgroups> subgroups = {};
  // The mean cost of a case, mistakes and fees, in the unit of the router's costs. Above 0 and
  // below the most that a case can cost; by itself.
  std::optional<double> cost = {};
  double confidence = .9;  // that all of them hold
  // Of each case, where only groups (patients, recordings) are independent of each other.
  std::vector<std::uint32_t> groups = {};
  // Case names that look grouped are refused without groups, unless the cases are independent.
  bool independent_cases = false;
  // Only thresholds that defer at most this share will do.
  std::optional<double> most_deferred = {};
  std::optional<CalendarDate> date = {};     // told in the certificate
  std::optional<CalendarDate> expires = {};  // the last day on which it holds
};

struct Certification {
  std::optional<Certificate> certificate;
  // Without a certificate: the reason, and what would be enough.
  std::string why = {};
  std::vector<std::string> notes = {};
};

// Asks the router's policy about `cases` with labels, whose `answers` are known; experts are
// matched by name. The loss of a deferred case is that of the expert who would be asked, and 1
// where there is no answer.
//
// Which thresholds are tested in which order comes from the classifier on the context's cases
// where the router has it, otherwise from a fifth of the calibration cases, or of their groups,
// that is set aside; the draw is by name, so that the order of rows does not matter.
//
// Error: kBadInput where something does not fit or is no share; kConflict for calibration cases
// that are in the context too, and for names that look grouped.
Certification certify(const Router& router, const Predictions& cases, const AnswerTable& answers,
                      const CertificateRequest& request, const LongWork& work = {});

}  // namespace ifd
