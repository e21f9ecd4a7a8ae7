#include "ifd/data/json_text.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <variant>

#include "ifd/data/utf8.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"

namespace ifd {

struct JsonValue::Node {
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
               std::vector<Node>, std::vector<Member>>
      value;
};

struct JsonValue::Member {
  std::string key;
  Node value;
};

struct JsonValue::Document {
  std::string place;
  Node root;
};

// Hears the JSON library's parser, whose own stack takes one bit per level, and builds
// the tree. A list or object does not grow while something in it is open, so that the pointers to
// the open ones hold.
class JsonValue::Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(Document& document, const JsonLimits& limits) : document_(document), limits_(limits) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(std::vector<Member>()); }
  bool start_array(std::size_t) override { return open(std::vector<Node>()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!open_.back().keys.insert(name).second) {
      refuse(fmt::format("has '{}' twice; expected distinct keys", excerpt(name)));
    }
    std::get<std::vector<Member>>(open_.back().node->value).push_back({std::move(name), {}});
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    refuse(fmt::format("is not JSON from byte {} on", position));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::kCorruptFile, fmt::format("{} {}", document_.place, what));
  }

 private:
  struct Open {
    Node* node;
    std::unordered_set<std::string> keys;
  };

  template <class Value>
  bool add(Value value) {
    put({std::move(value)});
    return true;
  }
  template <class Container>
  bool open(Container container) {
    if (open_.size() == limits_.depth) {
      refuse(fmt::format("nests lists and objects deeper than {} levels; expected at most {}",
                         limits_.depth, limits_.depth));
    }
    open_.push_back({&put({std::move(container)}), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  Node& put(Node node) {
    if (++values_ > limits_.values) {
      refuse(fmt::format("holds more than {} values; expected at most {}", limits_.values,
                         limits_.values));
    }
    if (open_.empty()) return document_.root = std::move(node);
    auto& parent = open_.back().node->value;
    if (auto* members = std::get_if<std::vector<Member>>(&parent)) {
      return members->back().value = std::move(node);
    }
    return std::get<std::vector<Node>>(parent).emplace_back(std::move(node));
  }

  Document& document_;
  const JsonLimits& limits_;
  std::vector<Open> open_;
  std::size_t values_ = 0;
};

JsonValue JsonValue::parse(std::string_view text, std::string place, const JsonLimits& limits) {
  const auto document = std::make_shared<Document>(Document{std::move(place), {}});
  Builder builder(*document, limits);
  if (text.size() > limits.bytes) {
    builder.refuse(fmt::format("has {} bytes; expected at most {}", text.size(), limits.bytes));
  }
  nlohmann::json::sax_parse(text, &builder);
  return {document, document->root};
}

std::string_view JsonValue::kind_of(const Node& node) {
  constexpr std::string_view kKinds[] = {"null",     "true or false", "a number", "a number",
                                         "a number", "text",          "a list",   "an object"};
  return kKinds[node.value.index()];
}

// As in "training.epochs[2]". The tree is no deeper than it was allowed to be.
std::optional<std::string> JsonValue::path_to(const Node& target, const Node& from) {
  if (&target == &from) return "";
  if (const auto* members = std::get_if<std::vector<Member>>(&from.value)) {
    for (const Member& member : *members) {
      const auto rest = path_to(target, member.value);
      if (!rest) continue;
      const bool joined = rest->empty() || rest->front() == '[';
      return fmt::format("{}{}{}", excerpt(member.key), joined ? "" : ".", *rest);
    }
  }
  if (const auto* items = std::get_if<std::vector<Node>>(&from.value)) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      const auto rest = path_to(target, (*items)[i]);
      if (!rest) continue;
      const bool joined = rest->empty() || rest->front() == '[';
      return fmt::format("[{}]{}{}", i, joined ? "" : ".", *rest);
    }
  }
  return std::nullopt;
}

void JsonValue::refuse(std::string_view what) const {
  const std::string path = path_to(*node_, document_->root).value_or("");
  throw bad_input(path.empty() ? fmt::format("{} {}", document_->place, what)
                               : fmt::format("{} key '{}' {}", document_->place, path, what));
}

template <class Wanted>
const Wanted& JsonValue::as(std::string_view wanted) const {
  if (const auto* found = std::get_if<Wanted>(&node_->value)) return *found;
  refuse(fmt::format("is {}; expected {}", kind_of(*node_), wanted));
}

bool JsonValue::is_object() const {
  return std::holds_alternative<std::vector<Member>>(node_->value);
}
bool JsonValue::is_list() const { return std::holds_alternative<std::vector<Node>>(node_->value); }
bool JsonValue::is_null() const { return kind_of(*node_) == "null"; }
bool JsonValue::is_text() const { return std::holds_alternative<std::string>(node_->value); }
bool JsonValue::is_number() const { return kind_of(*node_) == "a number"; }
bool JsonValue::is_count() const { return std::holds_alternative<std::uint64_t>(node_->value); }

const std::string& JsonValue::text() const { return as<std::string>("text"); }
bool JsonValue::boolean() const { return as<bool>("true or false"); }

double JsonValue::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&node_->value)) {
    return static_cast<double>(*value);
  }
  if (const auto* value = std::get_if<std::uint64_t>(&node_->value)) {
    return static_cast<double>(*value);
  }
  return as<double>("a number");
}

std::int64_t JsonValue::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&node_->value)) return *value;
  const auto* value = std::get_if<std::uint64_t>(&node_->value);
  if (value != nullptr && *value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return static_cast<std::int64_t>(*value);
  }
  refuse(fmt::format("is {}; expected a whole number", is_number() ? dump() : kind_of(*node_)));
}

std::size_t JsonValue::count() const {
  if (const auto* value = std::get_if<std::uint64_t>(&node_->value)) return *value;
  refuse(fmt::format("is {}; expected a whole number, 0 or more",
                     is_number() ? dump() : kind_of(*node_)));
}

std::vector<JsonValue> JsonValue::items() const {
  std::vector<JsonValue> items;
  for (const Node& node : as<std::vector<Node>>("a list")) items.push_back(within(node));
  return items;
}

std::vector<std::string> JsonValue::texts() const {
  std::vector<std::string> texts;
  for (const Node& node : as<std::vector<Node>>("a list of text")) {
    texts.push_back(within(node).text());
  }
  return texts;
}

std::vector<double> JsonValue::numbers() const {
  std::vector<double> numbers;
  for (const Node& node : as<std::vector<Node>>("a list of numbers")) {
    numbers.push_back(within(node).number());
  }
  return numbers;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  std::vector<std::pair<std::string, JsonValue>> members;
  for (const Member& member : as<std::vector<Member>>("an object")) {
    members.emplace_back(member.key, within(member.value));
  }
  return members;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  for (const Member& member : as<std::vector<Member>>("an object")) {
    if (member.key == key) return within(member.value);
  }
  return std::nullopt;
}

JsonValue JsonValue::at(std::string_view key) const {
  const auto found = find(key);
  if (!found) refuse(fmt::format("has no '{}'; expected it", key));
  return *found;
}

JsonValue JsonValue::at(std::size_t index) const {
  const auto& items = as<std::vector<Node>>("a list");
  if (index >= items.size()) {
    refuse(fmt::format("has {} items; expected more than {}", items.size(), index));
  }
  return within(items[index]);
}

nlohmann::ordered_json JsonValue::json_of(const Node& node) {
  using nlohmann::ordered_json;
  return std::visit(
      [](const auto& value) -> ordered_json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::vector<Node>>) {
          ordered_json list = ordered_json::array();
          for (const Node& item : value) list.push_back(json_of(item));
          return list;
        } else if constexpr (std::is_same_v<Value, std::vector<Member>>) {
          ordered_json object = ordered_json::object();
          // The library's own insertion searches from the front each time; the keys are distinct.
          auto& members = object.get_ref<ordered_json::object_t&>();
          members.reserve(value.size());
          for (const Member& member : value) {
            static_cast<ordered_json::object_t::Container&>(members).emplace_back(
                member.key, json_of(member.value));
          }
          return object;
        } else {
          return value;
        }
      },
      node.value);
}

nlohmann::ordered_json JsonValue::to_json() const { return json_of(*node_); }
std::string JsonValue::dump() const { return json_text(to_json()); }

std::string json_text(const nlohmann::ordered_json& document, int indent) {
  return escaped_json(
      document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace ifd
