#include "train/distributed.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <torch/types.h>
#include <array>
#include <charconv>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "ifd/error.h"

namespace ifd::train {
namespace {

constexpr std::uint16_t kDefaultPort = 29500;

struct Launcher {
  const char* rank;
  const char* size;
};

constexpr Launcher kByHand = {"RANK", "WORLD_SIZE"};
constexpr Launcher kMpirun = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"};
// SLURM_NTASKS would not do: it is there in the whole job, with or without srun.
constexpr Launcher kSrun = {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"};

Error usage(const std::string& message) { return {ErrorKind::kUsage, message}; }

std::size_t number(const std::string& name, const std::string& text, std::size_t most) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > most) {
    throw usage(fmt::format("{} is '{}'; expected a whole number, 0..{}", name, text, most));
  }
  return value;
}

constexpr std::size_t kMostProcesses = 100'000;

std::optional<std::pair<std::size_t, std::size_t>> rank_and_size(const Launcher& launcher,
                                                                 const Environment& environment) {
  const auto rank = environment(launcher.rank);
  const auto size = environment(launcher.size);
  if (!rank && !size) return {};
  if (!rank || !size) {
    throw usage(fmt::format("{} is set but {} is not; expected both, or neither",
                            rank ? launcher.rank : launcher.size,
                            rank ? launcher.size : launcher.rank));
  }
  const std::pair found{number(launcher.rank, *rank, kMostProcesses),
                        number(launcher.size, *size, kMostProcesses)};
  if (found.first >= found.second) {
    throw usage(fmt::format("{} is {} and {} is {}; expected a rank below the size", launcher.rank,
                            found.first, launcher.size, found.second));
  }
  return found;
}

// The address of this machine on the way to another: the one that the others can reach.
std::string address_towards(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) {
    throw Error(ErrorKind::kLostPeer,
                fmt::format("MASTER_ADDR '{}': {}", host, ::gai_strerror(failure)));
  }
  std::string address;
  for (const addrinfo* one = found; one != nullptr && address.empty(); one = one->ai_next) {
    const int socket = ::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
    sockaddr_storage here{};
    socklen_t length = sizeof here;
    std::array<char, NI_MAXHOST> text{};
    // Nothing is sent: connecting a datagram socket only chooses the route.
    if (socket >= 0 && ::connect(socket, one->ai_addr, one->ai_addrlen) == 0 &&
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &length) == 0 &&
        ::getnameinfo(reinterpret_cast<sockaddr*>(&here), length, text.data(), text.size(), nullptr,
                      0, NI_NUMERICHOST) == 0) {
      address = text.data();
    }
    if (socket >= 0) ::close(socket);
  }
  ::freeaddrinfo(found);
  if (address.empty()) {
    throw Error(ErrorKind::kLostPeer, fmt::format("MASTER_ADDR '{}' cannot be reached", host));
  }
  return address;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class GlooExchange final : public GradientExchange {
 public:
  GlooExchange(const Membership& membership, std::chrono::seconds timeout)
      : membership_(membership) {
    calling("joining", [&] {
      c10d::TCPStoreOptions where;
      where.port = membership.port;
      where.isServer = membership.rank == 0;
      where.numWorkers = membership.size;
      where.timeout = timeout;
      const auto store = c10::make_intrusive<c10d::TCPStore>(membership.master, where);
      const auto how = c10d::ProcessGroupGloo::Options::create(timeout);
      how->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(
          address_towards(membership.master, membership.port)));
      how->threads = 1;
      group_ = std::make_unique<c10d::ProcessGroupGloo>(store, static_cast<int>(membership.rank),
                                                        static_cast<int>(membership.size), how);
    });
  }

  std::size_t rank() const override { return membership_.rank; }
  std::size_t size() const override { return membership_.size; }

  void sum(const std::vector<torch::Tensor>& tensors) override {
    together(tensors, [&](std::vector<torch::Tensor>& flat) { return group_->allreduce(flat); });
  }

  void share(const std::vector<torch::Tensor>& tensors) override {
    together(tensors, [&](std::vector<torch::Tensor>& flat) { return group_->broadcast(flat); });
  }

 private:
  // One message for all tensors of a type, not one for each.
  template <typename Collective>
  void together(const std::vector<torch::Tensor>& tensors, const Collective& collective) {
    const torch::NoGradGuard guard;
    for (std::size_t first = 0; first < tensors.size();) {
      std::size_t last = first;
      std::vector<torch::Tensor> parts;
      for (; last < tensors.size() && tensors[last].dtype() == tensors[first].dtype(); ++last) {
        parts.push_back(tensors[last].reshape({-1}));
      }
      std::vector<torch::Tensor> flat = {torch::cat(parts)};
      calling("training", [&] { collective(flat)->wait(); });
      std::int64_t at = 0;
      for (; first < last; ++first) {
        const torch::Tensor& to = tensors[first];
        to.copy_(flat[0].slice(0, at, at + to.numel()).view(to.sizes()));
        at += to.numel();
      }
    }
  }

  template <typename Call>
  void calling(const char* what, const Call& call) {
    try {
      call();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      throw Error(ErrorKind::kLostPeer,
                  fmt::format("process {} of {} ({}, {}:{}): lost the other processes: {}",
                              membership_.rank, membership_.size, what, membership_.master,
                              membership_.port, first_line(error.what())));
    }
  }

  Membership membership_;
  std::unique_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace

std::string shared_text(GradientExchange& team, const std::string& text) {
  const auto length = torch::full({}, static_cast<std::int64_t>(text.size()), torch::kInt64);
  team.share({length});
  const auto bytes = torch::zeros({length.item<std::int64_t>()}, torch::kUInt8);
  if (team.rank() == 0) std::copy(text.begin(), text.end(), bytes.data_ptr<std::uint8_t>());
  if (bytes.numel() > 0) team.share({bytes});
  return {bytes.data_ptr<std::uint8_t>(), bytes.data_ptr<std::uint8_t>() + bytes.numel()};
}

std::string first_host(const std::string& list) {
  const Error refusal =
      usage(fmt::format("'{}' is no list of hosts; expected one like 'a1,node[1-4,7]'", list));
  std::string host;
  for (std::size_t at = 0; at < list.size() && list[at] != ','; ++at) {
    if (list[at] != '[') {
      host += list[at];
      continue;
    }
    const std::size_t inside = at + 1;
    at = list.find(']', inside);
    if (at == std::string::npos) throw refusal;
    host += list.substr(inside, list.find_first_of(",-]", inside) - inside);
  }
  if (host.empty()) throw refusal;
  return host;
}

Membership membership(const Environment& environment) {
  const auto by_hand = rank_and_size(kByHand, environment);
  const auto by_mpirun = rank_and_size(kMpirun, environment);
  if (by_hand && by_mpirun && by_hand != by_mpirun) {
    throw usage(fmt::format(
        "the environment says process {} of {}, mpirun says {} of {}; expected one of them "
        "to be unset",
        by_hand->first, by_hand->second, by_mpirun->first, by_mpirun->second));
  }
  auto found = by_hand ? by_hand : by_mpirun;
  // Whoever else started the process inside a job, it inherits Slurm's variables of the batch
  // script, or of the step that brought mpirun to this machine.
  const bool by_srun = !found && environment(kSrun.size);
  if (by_srun) found = rank_and_size(kSrun, environment);
  if (!found) {
    throw usage(
        "--distributed: who is who is not known; start it with mpirun or srun, or set RANK, "
        "WORLD_SIZE, MASTER_ADDR and MASTER_PORT");
  }
  Membership made;
  std::tie(made.rank, made.size) = *found;
  const auto master = environment("MASTER_ADDR");
  const auto hosts = environment(by_srun ? "SLURM_STEP_NODELIST" : "SLURM_JOB_NODELIST");
  if (master && !master->empty()) {
    made.master = *master;
  } else if (!by_hand && !by_srun &&
             environment("OMPI_COMM_WORLD_LOCAL_SIZE") == environment(kMpirun.size)) {
    made.master = "127.0.0.1";
  } else if (!by_hand && hosts) {
    made.master = first_host(*hosts);
  } else {
    throw usage("MASTER_ADDR is not set; expected the address of the machine of process 0");
  }
  const auto port = environment("MASTER_PORT");
  if (!port && by_hand) {
    throw usage("MASTER_PORT is not set; expected a free port of the machine of process 0");
  }
  made.port = port ? static_cast<std::uint16_t>(number("MASTER_PORT", *port, 65535)) : kDefaultPort;
  if (made.port == 0) throw usage("MASTER_PORT is 0; expected 1..65535");
  return made;
}

std::unique_ptr<GradientExchange> join(const Membership& membership, std::chrono::seconds timeout) {
  return std::make_unique<GlooExchange>(membership, timeout);
}

}  // namespace ifd::train
