#include "python/core/costs.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "ifd/data/csv.h"
#include "ifd/decision/costs_file.h"
#include "ifd/error.h"
#include "python/core/answers.h"
#include "python/core/names.h"
#include "python/core/numbers.h"

namespace ifd::python {
namespace {

// "cost", "cost [EUR]"
std::string amount_header(const char* word, const Costs& costs) {
  return costs.unit().empty() ? word : csv_field(fmt::format("{} [{}]", word, costs.unit()));
}

std::string class_word(const ClassReader& reader, const ClassNames& classes, py::handle item) {
  const auto found = reader.find(item);
  return csv_field(found ? classes.name(*found) : name_of(item));
}

std::string costs_from_dict(const py::dict& given, const ClassNames& classes) {
  const ClassReader reader(classes);
  std::string text = "truth,label,cost\n";
  for (const auto& [pair, cost] : given) {
    if (!py::isinstance<py::tuple>(pair) || py::len(pair) != 2) {
      throw bad_input("costs: expected a dict from (truth, label) to the cost");
    }
    const auto names = py::reinterpret_borrow<py::tuple>(pair);
    text += fmt::format("{},{},{}\n", class_word(reader, classes, names[0]),
                        class_word(reader, classes, names[1]), number_of(cost, "costs"));
  }
  return text;
}

std::string fees_from_dict(const py::dict& given) {
  std::string text = "expert,fee\n";
  for (const auto& [expert, fee] : given) {
    text += fmt::format("{},{}\n", csv_field(name_of(expert)), number_of(fee, "fees"));
  }
  return text;
}

bool is_path(const py::object& source) {
  return py::module_::import("ifd._tables").attr("is_path")(source).cast<bool>();
}

std::string path_of(const py::object& source) {
  return py::module_::import("os").attr("fspath")(source).cast<std::string>();
}

// Whether a dict is a table, column by column.
bool has_columns(const py::dict& table, const char* column) { return table.contains(column); }

CostTable cost_table(const py::object& source, const ClassNames& classes) {
  if (py::isinstance<py::bytes>(source)) {
    return costs_from_bytes(source.cast<std::string>(), "costs", classes);
  }
  if (is_path(source)) return read_costs(path_of(source), classes);
  if (py::isinstance<py::dict>(source)) {
    const auto given = py::reinterpret_borrow<py::dict>(source);
    if (!has_columns(given, "truth")) {
      return costs_from_bytes(costs_from_dict(given, classes), "costs", classes);
    }
  }
  return costs_from_bytes(table_as_csv(source, "costs"), "costs", classes);
}

FeeTable fee_table(const py::object& source, const std::vector<std::string>& experts) {
  if (source.is_none()) return {};
  if (py::isinstance<py::bytes>(source)) {
    return fees_from_bytes(source.cast<std::string>(), "fees", experts);
  }
  if (is_path(source)) return read_fees(path_of(source), experts);
  if (py::isinstance<py::dict>(source)) {
    const auto given = py::reinterpret_borrow<py::dict>(source);
    if (!has_columns(given, "fee")) {
      return fees_from_bytes(fees_from_dict(given), "fees", experts);
    }
  }
  return fees_from_bytes(table_as_csv(source, "fees"), "fees", experts);
}

}  // namespace

std::shared_ptr<const Costs> costs_of(const py::object& costs, const py::object& fees,
                                      const ClassNames& classes,
                                      const std::vector<std::string>& experts) {
  if (costs.is_none()) {
    if (fees.is_none()) return {};
    throw Error(ErrorKind::kUsage, "fees go with costs, which say what they are weighed against");
  }
  return std::make_shared<const Costs>(
      put_together(classes, cost_table(costs, classes), fee_table(fees, experts)));
}

py::object costs_bytes(const Costs* costs) {
  if (costs == nullptr) return py::none();
  const ClassNames& classes = costs->classes();
  std::string text = fmt::format("truth,label,{}\n", amount_header("cost", *costs));
  for (std::size_t y = 0; y < classes.size(); ++y) {
    for (std::size_t m = 0; m < classes.size(); ++m) {
      text +=
          fmt::format("{},{},{}\n", csv_field(classes.name(class_id(y))),
                      csv_field(classes.name(class_id(m))), costs->at(class_id(y), class_id(m)));
    }
  }
  return py::bytes(text);
}

py::object fees_bytes(const Costs* costs, const std::vector<std::string>& experts) {
  if (costs == nullptr || costs->fees().empty()) return py::none();
  std::string text = fmt::format("expert,{}\n", amount_header("fee", *costs));
  for (const auto& [expert, fee] : costs->fees()) {
    if (expert != "*" && std::ranges::count(experts, expert) == 0) continue;
    text += fmt::format("{},{}\n", csv_field(expert), fee);
  }
  return py::bytes(text);
}

py::object costs_dict(const Costs* costs) {
  if (costs == nullptr) return py::none();
  const ClassNames& classes = costs->classes();
  py::dict out;
  for (std::size_t y = 0; y < classes.size(); ++y) {
    for (std::size_t m = 0; m < classes.size(); ++m) {
      if (y == m) continue;
      out[py::make_tuple(classes.name(class_id(y)), classes.name(class_id(m)))] =
          costs->at(class_id(y), class_id(m));
    }
  }
  return out;
}

py::object fees_dict(const Costs* costs) {
  if (costs == nullptr) return py::none();
  py::dict out;
  for (const auto& [expert, fee] : costs->fees()) out[py::str(expert)] = fee;
  return out;
}

bool same_costs(const Costs* a, const Costs* b) {
  if (a == b) return true;
  return a != nullptr && b != nullptr && costs_bytes(a).equal(costs_bytes(b)) &&
         a->fees() == b->fees();
}

}  // namespace ifd::python
