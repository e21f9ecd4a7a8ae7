// Reading predictions, beside reading the same bytes and finding their lines.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "benchmarks/generated_data.h"
#include "benchmarks/peak_memory.h"
#include "benchmarks/sections.h"
#include "ifd/data/predictions_file.h"

namespace ifd::benchmark {
namespace {

constexpr double kLeastBytesPerSecond = 250e6;

// The least that any reader of lines does.
std::size_t count_lines(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::system_error(errno, std::generic_category(), path.string());
  std::vector<char> buffer(std::size_t{1} << 20);
  std::size_t lines = 0;
  for (ssize_t got; (got = ::read(file, buffer.data(), buffer.size())) > 0;) {
    const char* at = buffer.data();
    const char* const end = at + got;
    while ((at = static_cast<const char*>(std::memchr(at, '\n', end - at))) != nullptr) {
      ++lines;
      ++at;
    }
  }
  ::close(file);
  return lines;
}

// The processor time of `work` in a process of its own. A command reads its file once, with memory
// it has yet to get from the kernel; a second read in the same process would flatter us.
template <typename Work>
double first_time_seconds(Work work) {
  const auto fail = [](const char* what) {
    return std::system_error(errno, std::generic_category(), what);
  };
  std::array<int, 2> ends;
  if (::pipe(ends.data()) != 0) throw fail("pipe");
  const pid_t child = ::fork();
  if (child < 0) throw fail("fork");
  if (child == 0) {
    int status = 1;
    try {
      const double took = seconds(work);
      if (::write(ends[1], &took, sizeof took) == sizeof took) status = 0;
    } catch (...) {
      status = 1;
    }
    ::_exit(status);
  }
  ::close(ends[1]);
  double took = 0;
  const bool got = ::read(ends[0], &took, sizeof took) == sizeof took;
  ::close(ends[0]);
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw fail("waitpid");
  if (!got || status != 0) throw std::runtime_error("reading: the reading process failed");
  return took;
}

std::string rate(double bytes, double seconds) {
  return fmt::format("{:.4g} MB/s", bytes / seconds / 1e6);
}

}  // namespace

void measure_reading(Report& report, const Effort& effort) {
  constexpr std::size_t kClasses = 16;
  const TemporaryDirectory directory;
  {
    const Predictions predictions = generated_predictions(effort.cases, kClasses);
    write_predictions(directory / "p.csv", predictions);
    write_predictions(directory / "p.npz", predictions);
  }
  for (const char* name : {"p.csv", "p.npz"}) {
    const std::filesystem::path path = directory / name;
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    const std::string what = fmt::format("reading {} {} x {}", name + 2, effort.cases, kClasses);
    const Comparison comparison = interleave(
        effort.rounds, [&] { return first_time_seconds([&] { keep(read_predictions(path)); }); },
        [&] { return first_time_seconds([&] { keep(count_lines(path)); }); });
    Row row = row_of(fmt::format("{} ({}) vs read+memchr", what, show_bytes(bytes)), comparison);
    row.ours = rate(bytes, comparison.ours);
    row.reference = rate(bytes, comparison.reference);
    row.target = {fmt::format(">= {}", rate(kLeastBytesPerSecond, 1)),
                  bytes / comparison.ours >= kLeastBytesPerSecond};
    report.add(row);
    const auto peak = peak_growth([&] { keep(read_predictions(path)); });
    if (peak) {
      report.add({what + ": peak memory vs file",
                  show_bytes(*peak),
                  show_bytes(bytes),
                  *peak / bytes,
                  {},
                  {},
                  {}});
    }
  }
}

}  // namespace ifd::benchmark
