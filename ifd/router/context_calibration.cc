#include "ifd/router/context_calibration.h"

#include <fmt/format.h>

#include <utility>

#include "ifd/error.h"

namespace ifd {
namespace {

// Cases of the context that a calibration can be fitted on.
Predictions cases_to_calibrate_on(const RouterOptions& options, const RosterState& state) {
  if (!options.context_predictions) {
    throw Error(ErrorKind::kUsage,
                "a calibration on the context needs the classifier's predictions for its cases");
  }
  const Predictions cases = context_cases(*options.context_predictions, state.contexts());
  if (cases.size() == 0) {
    throw bad_input(fmt::format(
        "{}: none of the context's cases is there, so there is nothing to calibrate on; "
        "expected them in --context-predictions",
        options.context_predictions_name));
  }
  return cases;
}

CalibrationInUse fitted(CalibrationInUse::Origin origin, CalibrationKind kind,
                        const Predictions& cases) {
  CalibrationInUse made{origin, kind, fit_calibration(cases, kind), cases.size()};
  made.before = calibration_quality(cases);
  made.after = calibration_quality(calibrated(cases, made.calibration));
  return made;
}

// A calibration on the context that was fitted before; nothing where it was not.
std::optional<CalibrationInUse> fitted_before(CalibrationInUse::Origin origin, CalibrationKind kind,
                                              const RouterOptions& options,
                                              const RosterState& state) {
  for (const CalibrationInUse& known : options.fitted_calibrations) {
    if (known.origin != origin || known.kind != kind) continue;
    const std::size_t offsets = known.calibration.bias.size();
    if (offsets != 0 && offsets != state.classes().size()) {
      throw bad_input(fmt::format("a fitted calibration has {} offsets; expected {}, one per class",
                                  offsets, state.classes().size()));
    }
    return known;
  }
  return {};
}

CalibrationInUse on_context(CalibrationInUse::Origin origin, CalibrationKind kind,
                            CalibrationFit fit, const RouterOptions& options,
                            const RosterState& state) {
  if (fit == CalibrationFit::kUnlessFittedBefore) {
    if (auto known = fitted_before(origin, kind, options, state)) return *std::move(known);
  }
  return fitted(origin, kind, cases_to_calibrate_on(options, state));
}

}  // namespace

std::optional<CalibrationInUse> calibration_by_options(CalibrationFit fit,
                                                       const RouterOptions& options,
                                                       const RosterState& state) {
  if (options.calibrate == CalibrationKind::kNone) return {};
  return on_context(CalibrationInUse::Origin::kOptions, options.calibrate, fit, options, state);
}

std::optional<CalibrationInUse> own_calibration(const PolicySource& source, CalibrationFit fit,
                                                const RouterOptions& options,
                                                const RosterState& state) {
  const auto& wanted = source.calibration();
  if (!wanted) return {};
  if (wanted->source == CalibrationSource::kContext) {
    return on_context(CalibrationInUse::Origin::kPolicyContext, wanted->kind, fit, options, state);
  }
  return CalibrationInUse{CalibrationInUse::Origin::kPolicyTraining, wanted->kind,
                          stored_calibration(*wanted, state.classes(), source.name()),
                          wanted->cases};
}

std::optional<Predictions> labelled_cases(const PolicySource& source,
                                          const std::optional<CalibrationInUse>& calibration,
                                          const RouterOptions& options, const RosterState& state) {
  if (!source.method().needs.labelled_cases || !options.context_predictions) return {};
  const Predictions cases = context_cases(*options.context_predictions, state.contexts());
  return calibration ? calibrated(cases, calibration->calibration) : cases;
}

}  // namespace ifd
