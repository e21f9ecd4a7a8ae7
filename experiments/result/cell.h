// What a measured number is a number of.
#pragma once

#include <fmt/core.h>

#include <compare>
#include <string>
#include <utility>

namespace ifd::experiments {

// A text in one column of the results. Every column is a type of its own, so that a method cannot
// stand where a group belongs.
template <class OfColumn>
class Label {
 public:
  Label() = default;  // of a column that is not used
  explicit Label(std::string text) : text_(std::move(text)) {}

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  auto operator<=>(const Label&) const = default;

 private:
  std::string text_;
};

using ExperimentName = Label<struct OfExperiment>;  // "table1"
using DataName = Label<struct OfData>;              // "blood"
using ExpertsName = Label<struct OfExperts>;        // "variable", "2 people"
using GroupName = Label<struct OfGroup>;            // "seen", "id", "ood", or a kind of experts
using MethodName = Label<struct OfMethod>;          // "ifd-peak"
using Setting = Label<struct OfSetting>;            // what else was varied: "S=30", "noise=95"
using ScaleName = Label<struct OfScale>;            // "probability" or "logit"
using MeasureName = Label<struct OfMeasure>;        // "aursac"

// Columns that an experiment does not use are empty.
struct Cell {
  ExperimentName experiment = {};
  DataName data = {};
  ExpertsName experts = {};
  GroupName group = {};
  MethodName method = {};
  Setting setting = {};
  ScaleName scale = {};
  MeasureName measure = {};
  double x = 0;  // where the number lies on the axis of a figure; 0 where there is none

  auto operator<=>(const Cell&) const = default;
};

// visit("experiment", cell.experiment), and so on for every label, in the order of the files.
template <class AnyCell, class Visit>
void each_label(AnyCell& cell, Visit visit) {
  visit("experiment", cell.experiment);
  visit("data", cell.data);
  visit("experts", cell.experts);
  visit("group", cell.group);
  visit("method", cell.method);
  visit("setting", cell.setting);
  visit("scale", cell.scale);
  visit("measure", cell.measure);
}

// "table1 blood variable ood ifd-peak probability aursac": for messages; empty columns are left
// out.
std::string to_text(const Cell& cell);

}  // namespace ifd::experiments

template <class OfColumn>
struct fmt::formatter<ifd::experiments::Label<OfColumn>> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const ifd::experiments::Label<OfColumn>& label, Context& context) const {
    return fmt::formatter<std::string_view>::format(label.text(), context);
  }
};
