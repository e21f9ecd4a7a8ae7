// Does the classifier, or training it together with what decides, change who wins? The paper's
// networks, pretrained; then identity-free deferral, L2D-Pop and Multi-Expert L2D on what they say,
// and beside them while they go on learning.
#pragma once

#include <vector>

#include "experiments/jobs/effort.h"
#include "experiments/jobs/image_data_set.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// Variable experts: cohorts and answers are those of the pretrained classifier, so that every
// classifier meets the same. The jobs refer to the images, which must outlive them.
std::vector<Job> joint_jobs(const PretrainedImages& images, const Effort& effort);

}  // namespace ifd::experiments
