// The labels that jobs write and claims or the report read, each spelt once. What only one file
// knows stands there.
#pragma once

#include <cstddef>
#include <string_view>

#include "experiments/result/cell.h"

namespace ifd::experiments {

inline const ExperimentName kToy("toy");
inline const ExperimentName kTable1("table1");
inline const ExperimentName kImageNet16H("imagenet16h");
inline const ExperimentName kAblation("lcb");
inline const ExperimentName kContextScaling("context");
inline const ExperimentName kCrossFit("cross-fit");
inline const ExperimentName kPopContext("pop-context");
inline const ExperimentName kPriors("priors");
inline const ExperimentName kInvariance("invariance");
inline const ExperimentName kBeyond("beyond");
inline const ExperimentName kSmallContexts("small-contexts");
inline const ExperimentName kRosters("rosters");
inline const ExperimentName kCombined("combined");
inline const ExperimentName kCalibration("calibration");
inline const ExperimentName kPeopleAsTheyAre("people");
inline const ExperimentName kScorers("scorers");
inline const ExperimentName kJoint("joint");

inline const DataName kGeneratedData("generated");
inline const DataName kRingsData("rings");
inline const DataName kImageNet16HData("imagenet16h");
inline const DataName kDodhData("dodh");

inline const ExpertsName kVariable("variable");
inline const ExpertsName kStable("stable");
inline const ExpertsName kTwoPeople("2 people");
inline const ExpertsName kFourPeople("4 people");
inline const ExpertsName kEverydayPeople("people as they are");
inline const ExpertsName kTwoScorers("2 scorers");

inline const GroupName kSeen("seen");  // the experts of the training
inline const GroupName kId("id");      // others with the same specialties
inline const GroupName kOod("ood");    // others with other specialties

inline const MethodName kIfdPeak("ifd-peak");
inline const MethodName kIfdExpected("ifd-expected");
inline const MethodName kIfdResidual("ifd-residual");
// With deferrals weighed by a lower confidence bound, by the mean, or 0 and 1.
inline const MethodName kIfdPeakLcb("ifd-peak-lcb");
inline const MethodName kIfdPeakMean("ifd-peak-mean");
inline const MethodName kIfdPeakBinary("ifd-peak-binary");
inline const MethodName kPlugIn("plug-in");
inline const MethodName kPlugInTemperature("plug-in-temperature");
inline const MethodName kPlugInStaffPrior("plug-in-staff-prior");
inline const MethodName kPlugInLowerBound("plug-in-lcb");
inline const MethodName kPlugInCombined("plug-in-combined");
inline const MethodName kValueCombined("value-combined");
inline const MethodName kStaffPriorCombined("staff-prior-combined");
inline const MethodName kPeakRule("peak-rule");
inline const MethodName kPopQi("pop-qi");
inline const MethodName kPopQc("pop-qc");
inline const MethodName kPopQiPerm("pop-qi-perm");
inline const MethodName kPopQcPerm("pop-qc-perm");
inline const MethodName kMultiExpert("multi-expert");
inline const MethodName kConfidence("confidence");
inline const MethodName kConformal("conformal");
inline const MethodName kRandom("random");
inline const MethodName kCeiling("ceiling");
inline const MethodName kOracle("oracle");
inline const MethodName kModel("model");    // the classifier alone
inline const MethodName kPeople("people");  // the people of ImageNet-16H alone

inline const ScaleName kProbability("probability");
inline const ScaleName kLogit("logit");

inline const MeasureName kAursac("aursac");
inline const MeasureName kAursacTo10("aursac_to_10");  // over the budgets 0 to .1
inline const MeasureName kAursacTo30("aursac_to_30");
inline const MeasureName kAurdac("aurdac");
inline const MeasureName kModelAlone("model_alone");          // accuracy at budget 0
inline const MeasureName kSystemAccuracy("system_accuracy");  // at the budget x
inline const MeasureName kAccuracy("accuracy");
inline const MeasureName kAnnotations("annotations");  // answers of experts that were used
inline const MeasureName kLogLoss("log_loss");         // of the classifier, nats
inline const MeasureName kCalibrationError("ece");     // expected calibration error
inline const MeasureName kEpochs("epochs");
inline const MeasureName kBestEpoch("best_epoch");

// Of the rings; x is the class.
inline const MeasureName kShareOfClassDeferred("share_of_class_deferred");
inline const MeasureName kShareOfDeferredInClass("share_of_deferred_in_class");
inline const Setting kAtBudget("budget 0.3");
inline const Setting kAtThreshold("threshold 0");

// Of the people of ImageNet-16H.
inline const MeasureName kFingerprintCorrelation("fingerprint_correlation");
inline const MeasureName kPeopleCount("people");
inline const MeasureName kPeopleDropped("people_dropped");
inline const MeasureName kPeopleAccuracy("people_accuracy");
inline const MeasureName kModelAccuracy("model_accuracy");
inline const MeasureName kAccuracyOnSpecialty("accuracy_on_specialty");
inline const MeasureName kAccuracyElsewhere("accuracy_elsewhere");
// The classifier that methods are given: as it is; or calibrated on the context's cases, by one
// temperature, or by a temperature and one offset per class. With kBiasForAnswers the order of the
// cases is the raw classifier's and only the model's own answers are those of kBias.
enum class GivenClassifier { kRaw, kTemperature, kBias, kBiasForAnswers };
// "raw", "temperature", "bias", "bias for answers".
std::string_view name_of(GivenClassifier given);
// "noise=95" with the raw classifier, otherwise "noise=95 temperature".
Setting at_noise(int noise, GivenClassifier given = GivenClassifier::kRaw);
// "low=0.20 noise=95": with another target accuracy outside the specialty than .40.
Setting at_low_and_noise(double low, int noise);

// Of priors: the error of a profile after x answers per class.
inline const MeasureName kMeanAbsoluteError("mae");
inline const Setting kUninformativePrior("uninformative");
// "adversarial S=30".
Setting prior_of_strength(std::string_view prior, double strength);

// Of the contexts in training: "n=25".
Setting trained_with(std::size_t answers);

// Of renaming; x is the number of the renaming.
inline const MeasureName kLargestMarginChange("largest_margin_change");
inline const MeasureName kMeanMarginChange("mean_margin_change");
inline const MeasureName kShareRerouted("share_rerouted");
inline const Setting kCoherent("coherent");
inline const Setting kExpertOnly("expert-only");

// Beyond the paper: the topic stands in the column of the experts.
inline const ExpertsName kRemapping("remapping");
inline const ExpertsName kArchetypes("archetypes");
inline const ExpertsName kDrift("drift");
inline const ExpertsName kMiscalibration("miscalibration");
inline const ExpertsName kLuck("luck");
inline const GroupName kEverybody("all");
inline const Setting kMisnamed("misnamed");
inline const Setting kMoved("moved");
inline const Setting kOldContexts("old contexts");
inline const Setting kNewContexts("new contexts");
inline const Setting kRaw("raw");
inline const Setting kRecalibrated("calibrated on the context");

// Of large rosters; x is the number of experts. What rules promise of an expert's accuracy minus
// what the expert keeps: of those who are chosen, and of all alike.
inline const MeasureName kPromisedMinusKept("promised_minus_kept");
inline const MeasureName kPromisedMinusKeptByAll("promised_minus_kept_by_all");
// "5 per class".
Setting answers_per_class(std::size_t answers);

// Of cross-fitting: what the classifier says of its own training cases, or what others say that
// never saw them. How sure a model is, and its log loss: without a setting on the test cases.
inline const MeasureName kMeanConfidence("mean_confidence");
inline const Setting kInSample("in-sample");
inline const Setting kOutOfFold("out-of-fold");

// Of L2D-Pop's training: where the contexts come from that it is shown.
inline const Setting kAllCasesContexts("all training cases");
inline const Setting kPoolContexts("the pool");

// Of combined answers: what the temperature of the classifier was fitted on, beside kRaw.
inline const Setting kTemperatureOfContext("temperature of the context");
inline const Setting kTemperatureOfOthers("temperature of other cases");

// Of calibrating: what it was fitted on. A balanced draw has 15 cases of each class, or all where
// there are fewer; a natural one as many cases in all, as they come. Weighed cases count as often
// as their class is frequent among the training cases.
enum class FittedOn { kContext, kWeighedContext, kBalanced, kWeighedBalanced, kNatural, kAll };
inline constexpr FittedOn kFittedOn[] = {FittedOn::kContext,  FittedOn::kWeighedContext,
                                         FittedOn::kBalanced, FittedOn::kWeighedBalanced,
                                         FittedOn::kNatural,  FittedOn::kAll};
// "the context", "balanced validation cases", "as many validation cases", ...
std::string_view name_of(FittedOn cases);
// "temperature of the context"; kRaw where nothing was fitted.
Setting fitted(GivenClassifier given, FittedOn cases);
// Of classifiers that learn too: which classifier it is. As it was pretrained; the same, what
// decides trained as briefly as beside a classifier that learns; and as it became beside a method.
inline const Setting kFrozen("frozen");
inline const Setting kFrozenBriefly("frozen, joint schedule");
// "joint with ifd-peak".
Setting joint_with(const MethodName& method);
inline const MethodName kExperts("experts");  // those on duty, each asked about every case

// Of the scorers: how many answers make a profile.
inline const Setting kFifteenPerClass("15 per class");
inline const Setting kAllPastEpochs("all past epochs");
// An area minus that of plug-in or of ifd-peak, and the ends of an interval over recordings.
MeasureName minus_plug_in(const MeasureName& area);
MeasureName minus_ifd_peak(const MeasureName& area);
MeasureName low_end(const MeasureName& measure);
MeasureName high_end(const MeasureName& measure);

}  // namespace ifd::experiments
