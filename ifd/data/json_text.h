// JSON as files of any origin hold it: one reader, with limits, for all of them.
//
// Reading takes time and memory in proportion to the text, whatever stands in it, and no text can
// exhaust the stack. Every refusal is an Error of one line that names the file and the key; no
// exception of the JSON library comes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ifd {

struct JsonLimits {
  std::size_t depth = 32;          // of lists and objects within each other
  std::size_t values = 1'000'000;  // in all, each with its key
  std::size_t bytes = std::size_t{16} << 20;
};

// A document as text, the one way for all that is written. JSON is UTF-8, and a path may be any
// bytes: those that are none become U+FFFD. Characters that do not show themselves are escaped.
std::string json_text(const nlohmann::ordered_json& document, int indent = -1);

// One value of a text that was read, with its place there. Copies are cheap and share the text;
// `const` and thread-safe.
class JsonValue {
 public:
  // `place` is what messages begin with, as in "policy.ifd: metadata". Error(kCorruptFile) for text
  // that is not JSON, that has a key twice in one object, or that exceeds a limit.
  static JsonValue parse(std::string_view text, std::string place, const JsonLimits& limits = {});

  bool is_object() const;
  bool is_list() const;
  bool is_null() const;
  bool is_text() const;
  bool is_number() const;
  bool is_count() const;  // a whole number, 0 or more

  // The value as what it must be; otherwise Error(kBadInput), as in
  // "policy.ifd: metadata key 'link' is a number; expected text".
  const std::string& text() const;
  double number() const;         // finite
  std::int64_t integer() const;  // a number without fraction or exponent
  std::size_t count() const;     // the same, 0 or more
  bool boolean() const;
  std::vector<JsonValue> items() const;  // of a list
  std::vector<std::string> texts() const;
  std::vector<double> numbers() const;
  // Of an object, in the order of the text.
  std::vector<std::pair<std::string, JsonValue>> members() const;

  // A member of an object; a search from its front. `at` refuses where there is none.
  std::optional<JsonValue> find(std::string_view key) const;
  JsonValue at(std::string_view key) const;
  // An item of a list.
  JsonValue at(std::size_t index) const;

  // Error(kBadInput) with the place of this value in front of `what`.
  [[noreturn]] void refuse(std::string_view what) const;

  // For output.
  nlohmann::ordered_json to_json() const;
  std::string dump() const;

 private:
  struct Node;
  struct Member;
  struct Document;
  class Builder;

  JsonValue(std::shared_ptr<const Document> document, const Node& node)
      : document_(std::move(document)), node_(&node) {}
  template <class Wanted>
  const Wanted& as(std::string_view wanted) const;
  JsonValue within(const Node& node) const { return {document_, node}; }
  static std::string_view kind_of(const Node& node);
  static std::optional<std::string> path_to(const Node& target, const Node& from);
  static nlohmann::ordered_json json_of(const Node& node);

  std::shared_ptr<const Document> document_;
  const Node* node_;
};

}  // namespace ifd
