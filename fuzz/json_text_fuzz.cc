// Any text as JSON: read within its limits, or refused. What is read is what the JSON library
// reads, and written and read again it is the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "ifd/data/json_text.h"
#include "ifd/error.h"

namespace {

using ifd::JsonLimits;
using ifd::JsonValue;

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const ifd::Error&) {
  }
}

// Every value as everything it might be; returns how many there are.
std::size_t visit(const JsonValue& value) {
  std::size_t values = 1;
  attempt([&] { value.text(); });
  attempt([&] { value.number(); });
  attempt([&] { value.integer(); });
  attempt([&] { value.count(); });
  attempt([&] { value.boolean(); });
  attempt([&] { value.texts(); });
  attempt([&] { value.numbers(); });
  attempt([&] { value.at("absent"); });
  attempt([&] { value.at(std::size_t{1}); });
  if (value.is_object()) {
    for (const auto& [key, member] : value.members()) values += visit(member);
  } else if (value.is_list()) {
    for (const JsonValue& item : value.items()) values += visit(item);
  }
  return values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const JsonLimits limits{.depth = 8, .values = 50, .bytes = 500};
  try {
    const JsonValue read = JsonValue::parse(text, "fuzz", limits);
    if (text.size() > limits.bytes || visit(read) > limits.values) std::abort();
    const std::string written = read.dump();
    if (nlohmann::ordered_json::parse(text).dump() != written) std::abort();
    const JsonLimits none{.depth = 8, .values = 50, .bytes = SIZE_MAX};
    if (JsonValue::parse(written, "copy", none).dump() != written) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
