// One training shared by several processes, on one machine or on many.
//
// Every process holds all data and all weights and takes a slice of every batch; the gradients are
// summed, so that a step is that of a single process on the whole batch, up to rounding.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

namespace ifd::train {

// The processes as the training loop sees them. All of them call the same functions with tensors
// of the same shapes in the same order. Error(kLostPeer) where one of them is gone.
class GradientExchange {
 public:
  virtual ~GradientExchange() = default;
  virtual std::size_t rank() const = 0;  // 0 leads: it validates, decides and writes
  virtual std::size_t size() const = 0;
  // Every tensor becomes the sum over all processes, the same bits for all of them.
  virtual void sum(const std::vector<at::Tensor>& tensors) = 0;
  // Every tensor becomes that of the leading process.
  virtual void share(const std::vector<at::Tensor>& tensors) = 0;
};

// The leading process's text, for all.
std::string shared_text(GradientExchange& team, const std::string& text);

// Which process of how many this is, and where the leading one listens.
struct Membership {
  std::size_t rank = 0;
  std::size_t size = 1;
  std::string master;
  std::uint16_t port = 0;

  bool operator==(const Membership&) const = default;
};

// The value of a variable of the environment, none where it is not set.
using Environment = std::function<std::optional<std::string>(const std::string&)>;

// The first host of a list as Slurm writes it: "node1" of "node[1-4,7],gpu2". Error(kUsage) where
// there is none.
std::string first_host(const std::string& list);

// RANK and WORLD_SIZE (set by hand), OMPI_COMM_WORLD_RANK and _SIZE (by mpirun) or, without those,
// SLURM_PROCID and SLURM_STEP_NUM_TASKS (by srun). MASTER_ADDR and MASTER_PORT say where the
// leading process listens; without them it is this machine where mpirun started all processes here,
// else the first host of the Slurm step, or of the Slurm job around mpirun; and port 29500.
// Error(kUsage) where they are missing, contradict each other or make no sense.
Membership membership(const Environment& environment);

// Waits until all processes are there. Nobody waits longer than `timeout` for another.
std::unique_ptr<GradientExchange> join(const Membership& membership, std::chrono::seconds timeout);

}  // namespace ifd::train
