#include "ifd/experts/simulation_document.h"

#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"

namespace ifd {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(std::optional<double> value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

}  // namespace

std::string simulation_json(const SimulationReport& report, const ClassNames& classes) {
  ordered_json experts = ordered_json::array();
  for (const auto& e : report.experts) {
    ordered_json by_class = ordered_json::array();
    for (std::size_t k = 0; k < e.by_class.size(); ++k) {
      by_class.push_back({{"class", classes.name(class_id(k))},
                          {"cases", e.by_class[k].cases},
                          {"accuracy", json_of(e.by_class[k].accuracy)},
                          {"target", json_of(e.by_class[k].target)}});
    }
    experts.push_back({{"expert", e.name},
                       {"accuracy", json_of(e.overall.accuracy)},
                       {"target", json_of(e.overall.target)},
                       {"classes", by_class}});
  }
  ordered_json pairs = ordered_json::array();
  for (const auto& pair : report.pairs) {
    pairs.push_back({{"first", report.experts[pair.first].name},
                     {"second", report.experts[pair.second].name},
                     {"error_correlation", json_of(pair.error_correlation)},
                     {"both_wrong", pair.both_wrong},
                     {"same_answer_when_both_wrong", json_of(pair.same_answer_when_both_wrong)}});
  }
  return json_text(
             ordered_json{
                 {"schema", "ifd simulated experts 1"}, {"experts", experts}, {"pairs", pairs}},
             2) +
         "\n";
}

}  // namespace ifd
