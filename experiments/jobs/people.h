// The people of ImageNet-16H as they are: nobody's answers are sampled to make a specialist.
//
// About 145 people gave some 200 answers each, 50 at each noise level, so that a picture has six
// answers at a level and a person answered one picture in 24. The people who passed the low-skill
// filter are dealt into six cohorts that share nobody; one cohort is on duty at a time, and
// policies that learn do so from the answers of all the others. Pictures are divided in two by a
// draw: on the one half people are profiled (about 25 answers each at a level, one or two per
// class) and policies learn, on the other half they are asked. On a case only those compete who
// answered it; cases that nobody on duty answered are left out.
//
// The classifier is the raw one, except where plug-in and combined answers are also given one that
// was calibrated on the past pictures.
//
// Cohorts share no person, and areas come under resamples of the pictures, so intervals speak of
// other people and other pictures. L2D-Pop's loss is over the answers that were given, its contexts
// are everybody's own (train/context_pool.h). Multi-Expert cannot take part: it knows nobody but
// those it learnt from.
#pragma once

#include <vector>

#include "experiments/jobs/annotators.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

inline constexpr std::size_t kPeopleCohorts = 6;

// Who is on duty in a cohort, and all the others, each by name in ascending order.
struct LeftOut {
  std::vector<std::string> on_duty, others;
};
LeftOut left_out(const AnnotationSet& annotations, std::size_t cohort, std::uint64_t seed);

// What these people said on these pictures at this noise level.
AnswerTable answers_as_given(const AnnotationSet& annotations,
                             const std::vector<std::string>& people, const Predictions& pictures,
                             int noise);

// The jobs refer to the people, who must outlive them.
std::vector<Job> people_jobs(const RealAnnotators& people, const Effort& effort);

}  // namespace ifd::experiments
