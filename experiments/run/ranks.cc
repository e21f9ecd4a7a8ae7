#include "experiments/run/ranks.h"

#ifdef IFD_HAS_MPI
#include <mpi.h>
#endif

#include <cstdlib>
#include <string>

#include "ifd/error.h"

namespace ifd::experiments {
namespace {

// How many processes the launcher started, as it tells them: mpirun of Open MPI, of MPICH, srun.
// The first one counts: what mpirun starts inside a Slurm job inherits the variables of a step.
int launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* value = std::getenv(name);
    if (value != nullptr) return std::atoi(value);
  }
  return 1;
}

}  // namespace

#ifdef IFD_HAS_MPI

namespace {

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

// Processes that cannot find each other would all be rank 0 of 1, do the same work and write to the
// same folder.
Error strangers(int count) {
  return {ErrorKind::kUsage,
          "started as one of " + std::to_string(count) +
              " processes that MPI does not connect; expected 'mpirun ifd reproduce', inside "
              "'salloc' or 'sbatch' too, or 'srun --mpi=pmix ifd reproduce'"};
}

}  // namespace

Ranks::Ranks() {
  const int count = launched();
  if (count <= 1) return;
  // srun without a plugin for MPI. Open MPI would abort with a page of text, others start alone.
  if (!is_set("OMPI_COMM_WORLD_SIZE") && !is_set("PMI_SIZE") && !is_set("PMIX_RANK")) {
    throw strangers(count);
  }
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (size_ == 1) {
    MPI_Finalize();
    throw strangers(count);
  }
}

Ranks::~Ranks() {
  int there = 0;
  MPI_Initialized(&there);
  if (there != 0) MPI_Finalize();
}

void Ranks::wait_for_all() const {
  if (size_ > 1) MPI_Barrier(MPI_COMM_WORLD);
}

#else

Ranks::Ranks() {
  if (const int count = launched(); count > 1) {
    throw Error(ErrorKind::kUsage,
                "started as one of " + std::to_string(count) +
                    " processes, but built without MPI; expected one process, or a build where "
                    "CMake found MPI");
  }
}
Ranks::~Ranks() = default;
void Ranks::wait_for_all() const {}

#endif

}  // namespace ifd::experiments
