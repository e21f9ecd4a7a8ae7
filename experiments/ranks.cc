#include "experiments/ranks.h"

#ifdef IFD_HAS_MPI
#include <mpi.h>
#endif

#include <cstdlib>
#include <string>

#include "ifd/error.h"

namespace ifd::experiments {
namespace {

// What mpirun of Open MPI, of MPICH and srun tell their processes.
bool launched_as_one_of_several() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && std::atoi(value) > 1) return true;
  }
  return false;
}

}  // namespace

#ifdef IFD_HAS_MPI

Ranks::Ranks() {
  if (!launched_as_one_of_several()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
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
  if (launched_as_one_of_several()) {
    throw Error(ErrorKind::kUsage,
                "started as one of several processes, but built without MPI; expected one process, "
                "or a build where CMake found MPI");
  }
}
Ranks::~Ranks() = default;
void Ranks::wait_for_all() const {}

#endif

}  // namespace ifd::experiments
