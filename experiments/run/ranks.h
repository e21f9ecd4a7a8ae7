// This process among those that an MPI launcher started.
#pragma once

namespace ifd::experiments {

// Joins the others if mpirun or srun started several; one process alone needs no MPI and loads
// none of it. Error(kUsage) where there are several and the program was built without MPI, or
// where MPI does not know of the others, as under srun without its plugin for MPI.
class Ranks {
 public:
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // Returns when all have come here.
  void wait_for_all() const;

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace ifd::experiments
