// Reading predictions, beside the plainest code that could.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "benchmarks/generated_data.h"
#include "benchmarks/peak_memory.h"
#include "benchmarks/sections.h"
#include "ifd/data/predictions_file.h"

namespace ifd::benchmark {
namespace {

// The whole file, a piece at a time.
template <typename Take>
void read_pieces(const std::filesystem::path& path, Take take) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::system_error(errno, std::generic_category(), path.string());
  std::vector<char> buffer(std::size_t{1} << 20);
  for (ssize_t got; (got = ::read(file, buffer.data(), buffer.size())) > 0;) {
    take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
  }
  ::close(file);
}

struct PlainTable {
  std::vector<std::string> names;
  std::vector<std::string> labels;
  std::vector<float> numbers;
};

// What one writes for a CSV of `case,label,number,...` that is known to be right: no quotes, and
// nothing is checked.
PlainTable read_plain_csv(const std::filesystem::path& path) {
  std::string bytes;
  bytes.reserve(std::filesystem::file_size(path));
  read_pieces(path, [&](std::string_view piece) { bytes.append(piece); });
  PlainTable table;
  const char* at = bytes.data() + bytes.find('\n') + 1;
  const char* const end = bytes.data() + bytes.size();
  const auto text = [&] {
    const char* const comma = static_cast<const char*>(std::memchr(at, ',', end - at));
    std::string field(at, comma);
    at = comma + 1;
    return field;
  };
  while (at < end) {
    table.names.push_back(text());
    table.labels.push_back(text());
    do {
      float number = 0;
      at = std::from_chars(at, end, number).ptr + 1;  // past comma or end of line
      table.numbers.push_back(number);
    } while (at[-1] == ',');
  }
  return table;
}

// The least that a reader of NPZ does: the archive's checksums.
unsigned long checksum(const std::filesystem::path& path) {
  unsigned long crc = ::crc32(0, nullptr, 0);
  read_pieces(path, [&](std::string_view piece) {
    crc = ::crc32(crc, reinterpret_cast<const Bytef*>(piece.data()),
                  static_cast<unsigned>(piece.size()));
  });
  return crc;
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
  const std::filesystem::path csv = directory / "p.csv";
  const std::filesystem::path npz = directory / "p.npz";
  {
    const Predictions predictions = generated_predictions(effort.cases, kClasses);
    write_predictions(csv, predictions);
    write_predictions(npz, predictions);
  }
  if (!std::ranges::equal(read_plain_csv(csv).numbers, read_predictions(csv).all_probabilities())) {
    throw std::runtime_error("reading: the plain reader reads other numbers");
  }
  const auto add = [&](const std::filesystem::path& path, const char* reference_name,
                       const auto& reference) {
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    const std::string what = fmt::format("reading {} {} x {}", path.extension().string().substr(1),
                                         effort.cases, kClasses);
    const Comparison comparison = interleave(
        effort.rounds, [&] { return first_time_seconds([&] { keep(read_predictions(path)); }); },
        [&] { return first_time_seconds([&] { keep(reference(path)); }); });
    Row row =
        row_of(fmt::format("{} ({}) vs {}", what, show_bytes(bytes), reference_name), comparison);
    row.ours = rate(bytes, comparison.ours);
    row.reference = rate(bytes, comparison.reference);
    if (path == csv) row.target = Target{"ratio <= 1.25", *row.ratio <= 1.25};
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
  };
  add(csv, "a plain reader", read_plain_csv);
  add(npz, "its checksum", checksum);
}

}  // namespace ifd::benchmark
