#include "ifd/experts/expert_spec.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "ifd/error.h"

namespace ifd {
namespace {

constexpr const char* kForms =
    "NAME=variable:CLASS, stable:CLASS, independent:CLASS, multi:CLASS+CLASS, "
    "generalist:EASY/HARD, "
    "anti:TRUTH>ANSWER or flat:ACC/ACC/...";

Error bad_word(const std::string& word, const std::string& why) {
  return {ErrorKind::kUsage, fmt::format("--expert {}: {}; expected {}", word, why, kForms)};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

SimulatedExpert parse(const std::string& word, const ClassNames& classes) {
  const std::size_t equals = word.find('=');
  const std::size_t colon = word.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos) {
    throw bad_word(word, "not a simulated expert");
  }
  const std::string name = word.substr(0, equals);
  const std::string archetype = word.substr(equals + 1, colon - equals - 1);
  const std::string details = word.substr(colon + 1);
  const auto class_named = [&](const std::string& text) {
    const auto id = classes.find(text);
    if (!id) {
      throw bad_input(fmt::format("--expert {}: '{}' is not a class; expected {}", word, text,
                                  classes.allowed()));
    }
    return *id;
  };
  const auto numbers = [&](char separator) {
    std::vector<double> values;
    for (const std::string& part : split(details, separator)) {
      double value = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
      if (error != std::errc() || end != part.data() + part.size()) {
        throw bad_word(word, fmt::format("'{}' is not a number", part));
      }
      values.push_back(value);
    }
    return values;
  };
  const std::size_t k = classes.size();
  if (archetype == "variable") return variable_specialist(name, k, class_named(details));
  if (archetype == "stable") return stable_specialist(name, k, class_named(details));
  if (archetype == "independent") {
    return independent_noise(variable_specialist(name, k, class_named(details)));
  }
  if (archetype == "generalist") {
    const auto targets = numbers('/');
    if (targets.size() != 2) throw bad_word(word, "a generalist takes two accuracies");
    return generalist(name, k, AccuracyCurve::from_targets(targets[0], targets[1]));
  }
  if (archetype == "multi") {
    std::vector<Strength> strengths;
    double easy = .99;
    for (const std::string& part : split(details, '+')) {
      strengths.push_back({class_named(part), AccuracyCurve::from_targets(easy, easy - .14)});
      easy = std::max(.85, easy - .04);
    }
    return multi_strength_specialist(name, k, strengths, variable_curves().elsewhere);
  }
  if (archetype == "anti") {
    const auto parts = split(details, '>');
    if (parts.size() != 2) throw bad_word(word, "an anti-expert takes TRUTH>ANSWER");
    return anti_expert(name, k, {class_named(parts[0]), class_named(parts[1])},
                       stable_curves().elsewhere);
  }
  if (archetype == "flat") {
    const auto accuracies = numbers('/');
    if (accuracies.size() != k) {
      throw bad_word(word, fmt::format("{} accuracies for {} classes", accuracies.size(), k));
    }
    return class_conditional(name, accuracies);
  }
  throw bad_word(word, fmt::format("'{}' is not an archetype", archetype));
}

}  // namespace

SimulatedExpert parse_expert(const std::string& word, const ClassNames& classes) {
  try {
    return parse(word, classes);
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.starts_with("--expert")) throw;
    throw Error(error.kind(), fmt::format("--expert {}: {}", word, what));
  }
}

}  // namespace ifd
