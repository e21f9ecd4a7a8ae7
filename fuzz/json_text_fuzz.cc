// Any text as JSON: read within its limits, or refused. What is read is what the JSON library
// reads, and written and read again it is the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "fuzz/one_way.h"
#include "ifd/data/json_text.h"
#include "ifd/error.h"

namespace {

using ifd::JsonLimits;
using ifd::JsonValue;

struct Visit {
  ifd::fuzz::Draws& draws;
  bool all;
};

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const ifd::Error&) {
  }
}

using Reading = void (*)(const JsonValue&);
const Reading kReadings[] = {
    [](const JsonValue& value) { value.text(); },
    [](const JsonValue& value) { value.number(); },
    [](const JsonValue& value) { value.integer(); },
    [](const JsonValue& value) { value.count(); },
    [](const JsonValue& value) { value.boolean(); },
    [](const JsonValue& value) { value.texts(); },
    [](const JsonValue& value) { value.numbers(); },
    [](const JsonValue& value) { value.at("absent"); },
    [](const JsonValue& value) { value.at(std::size_t{1}); },
};

// A value as one of the things that it might be, or as all of them. Most are refused, which takes
// longer than all the rest.
void read_as(const JsonValue& value, Visit visit) {
  if (visit.all) {
    for (const Reading read : kReadings) attempt([&] { read(value); });
  } else if (visit.draws.once_in(4)) {
    attempt([&] { kReadings[visit.draws.below(std::size(kReadings))](value); });
  }
}

// Every value; returns how many there are.
std::size_t visit_values(const JsonValue& value, Visit visit) {
  std::size_t values = 1;
  read_as(value, visit);
  if (value.is_object()) {
    for (const auto& [key, member] : value.members()) values += visit_values(member, visit);
  } else if (value.is_list()) {
    for (const JsonValue& item : value.items()) values += visit_values(item, visit);
  }
  return values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ifd::fuzz::Draws draws(text);
  const JsonLimits limits{.depth = 8, .values = 50, .bytes = 500};
  try {
    const JsonValue read = JsonValue::parse(text, "fuzz", limits);
    const Visit visit{draws, draws.once_in(16)};
    if (text.size() > limits.bytes || visit_values(read, visit) > limits.values) std::abort();
    const std::string written = read.dump();
    if (nlohmann::ordered_json::parse(text) != nlohmann::ordered_json::parse(written)) std::abort();
    const JsonLimits none{.depth = 8, .values = 50, .bytes = SIZE_MAX};
    if (JsonValue::parse(written, "copy", none).dump() != written) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
