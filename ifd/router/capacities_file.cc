#include "ifd/router/capacities_file.h"

#include <fmt/format.h>

#include <charconv>
#include <unordered_set>

#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/policy/roster.h"

namespace ifd {

std::map<std::string, std::size_t> capacities_from_bytes(std::string bytes, const std::string& name,
                                                         std::span<const std::string> experts,
                                                         const ReadOptions& options) {
  CsvReader csv(std::move(bytes), name, options);
  const std::size_t expert_column = csv.required_column("expert");
  const std::size_t capacity_column = csv.required_column("capacity");
  const std::unordered_set<std::string_view> known(experts.begin(), experts.end());
  std::map<std::string, std::size_t> capacities;
  while (csv.next()) {
    const std::string expert(csv.field(expert_column));
    if (!known.contains(expert)) {
      throw bad_input(fmt::format("{}: {}", csv.place(), unknown_expert(expert, experts).what()));
    }
    const std::string_view text = csv.field(capacity_column);
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw bad_input(fmt::format("{}: '{}' is not a capacity; expected a whole number, 0 or more",
                                  csv.place(), excerpt(text)));
    }
    if (!capacities.emplace(expert, value).second) {
      throw bad_input(fmt::format("{}: expert '{}' is there twice; expected once", csv.place(),
                                  excerpt(expert)));
    }
  }
  return capacities;
}

std::map<std::string, std::size_t> read_capacities(const std::filesystem::path& path,
                                                   std::span<const std::string> experts,
                                                   const ReadOptions& options) {
  FileContents file = read_contents(path, options.limits);
  return capacities_from_bytes(std::move(file.bytes), source_name(path), experts,
                               ReadOptions(file.limits, options.sink));
}

}  // namespace ifd
