// SPDX-License-Identifier: Apache-2.0
#include "synth/liberty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/error.h"
#include "synth/liberty_tree.h"

namespace weft::synth {
namespace {

/// Picoseconds of "1ns", "10ps" ...
double time_unit(const LibertyTree& tree, const LibertyAttribute& attribute) {
  const std::string_view text = attribute.values.empty() ? "" : attribute.values[0];
  const auto quantity = parse_quantity(text);
  if (quantity) {
    if (quantity->unit == "ps") return quantity->count;
    if (quantity->unit == "ns") return quantity->count * 1e3;
    if (quantity->unit == "us") return quantity->count * 1e6;
  }
  tree.fail(attribute.offset, fmt::format("time_unit '{}' is none of ps, ns, us", text));
}

/// Femtofarads of (1, pf) ...
double capacitance_unit(const LibertyTree& tree, const LibertyAttribute& attribute) {
  if (attribute.values.size() != 2)
    tree.fail(attribute.offset, "capacitive_load_unit needs a number and a unit");
  const double count = tree.number({attribute.name, {attribute.values[0]}, attribute.offset});
  const auto quantity = parse_quantity(attribute.values[1]);
  if (quantity && quantity->unit == "ff") return count;
  if (quantity && quantity->unit == "pf") return count * 1e3;
  tree.fail(attribute.offset,
            fmt::format("capacitive_load_unit '{}' is neither ff nor pf", attribute.values[1]));
}

/// What is read of one library.
class LibraryReader {
 public:
  explicit LibraryReader(const LibertyTree& tree) : tree_(tree) {}

  Liberty read() {
    const LibertyGroup& group = tree_.library();
    if (!group.arguments.empty()) library_.name = group.arguments[0];
    if (const auto* unit = group.find("time_unit")) library_.time_unit_ps = time_unit(tree_, *unit);
    if (const auto* unit = group.find("capacitive_load_unit"))
      capacitance_unit_ff_ = capacitance_unit(tree_, *unit);
    for (const LibertyAttribute& attribute : group.attributes)
      if (attribute.name == "default_wire_load" || attribute.name == "default_wire_load_selection")
        library_.default_wire_loads.push_back(attribute.offset);
    for (const LibertyGroup& inner : group.groups) {
      if (inner.arguments.size() != 1) continue;
      if (inner.name == "cell") {
        if (library_.cells.empty()) library_.first_cell = inner.offset;
        read_cell(inner);
      } else if (inner.name.ends_with("_template")) {
        library_.templates[{std::string(inner.name), std::string(inner.arguments[0])}] =
            tree_.text().substr(inner.body - 1, inner.end - inner.body + 2);
      }
    }
    if (library_.cells.empty())
      throw UserError(fmt::format("{}: the library has no cells", tree_.file()));
    for (const auto& [id, uses] : used_)
      if (id.second != "scalar" && !library_.templates.contains(id)) library_.undeclared[id] = uses;
    return std::move(library_);
  }

 private:
  void read_cell(const LibertyGroup& group) {
    LibertyCell cell;
    cell.body = group.body;
    cell.area = tree_.number(group, "area").value_or(0);
    cell.dont_use = group.value("dont_use") == "true";
    cell.is_pad = group.value("pad_cell") == "true";
    for (const LibertyGroup& inner : group.groups) {
      if (inner.name == "pin") read_pin(cell, inner);
      if (inner.name == "ff") ++cell.flip_flops;
      if (inner.name == "latch") ++cell.latches;
      const bool bank =
          (inner.name == "ff_bank" || inner.name == "latch_bank") && inner.arguments.size() == 3;
      if (bank)
        (inner.name == "ff_bank" ? cell.flip_flops : cell.latches) +=
            static_cast<int>(tree_.number({inner.name, {inner.arguments[2]}, inner.offset}));
    }
    library_.cells[std::string(group.arguments[0])] = std::move(cell);
  }

  void read_pin(LibertyCell& cell, const LibertyGroup& group) {
    LibertyPin pin;
    pin.is_input = group.value("direction") == "input";
    pin.is_output = group.value("direction") == "output";
    pin.capacitance_ff = tree_.number(group, "capacitance").value_or(0) * capacitance_unit_ff_;
    pin.function = group.value("function");
    for (const LibertyGroup& inner : group.groups) {
      if (inner.name == "timing") note_tables(inner, "lu_table_template");
      if (inner.name == "internal_power") note_tables(inner, "power_lut_template");
    }
    for (const auto& name : group.arguments) {
      pin.name = name;
      cell.pins.push_back(pin);
    }
  }

  /// Notes which templates the tables of a timing or internal_power group refer to.
  void note_tables(const LibertyGroup& group, const char* kind) {
    for (const LibertyGroup& table : group.groups)
      if (table.arguments.size() == 1) ++used_[{kind, std::string(table.arguments[0])}];
  }

  const LibertyTree& tree_;
  Liberty library_;
  double capacitance_unit_ff_ = 1000;
  std::map<TemplateId, std::size_t> used_;
};

}  // namespace

Liberty parse_liberty(std::string_view text, const std::string& file) {
  return LibraryReader(LibertyTree(text, file)).read();
}

}  // namespace weft::synth
