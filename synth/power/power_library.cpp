// SPDX-License-Identifier: Apache-2.0
#include "synth/power/power_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "base/error.h"
#include "synth/liberty_tree.h"

namespace weft::synth {
namespace {

/// Where a value lies on an axis: between points `low` and `low + 1`, `part` of the way.
struct Place {
  std::size_t low = 0;
  double part = 0;
};

Place locate(const std::vector<double>& axis, double value) {
  if (axis.size() < 2) return {};
  const auto above = std::upper_bound(axis.begin() + 1, axis.end() - 1, value);
  const auto low = static_cast<std::size_t>(above - axis.begin()) - 1;
  return {low, (value - axis[low]) / (axis[low + 1] - axis[low])};
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" \t\n,"), text.size());
    if (end > 0) result.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

enum class Axis { none, slew, load, other };

Axis axis_of(std::string_view variable) {
  if (variable.empty()) return Axis::none;
  if (variable == "input_net_transition" || variable == "input_transition_time") return Axis::slew;
  if (variable == "total_output_net_capacitance") return Axis::load;
  return Axis::other;
}

class PowerReader {
 public:
  explicit PowerReader(const LibertyTree& tree) : tree_(tree) {}

  PowerLibrary read() {
    const LibertyGroup& group = tree_.library();
    if (!group.arguments.empty()) library_.name = group.arguments[0];
    read_units(group);
    read_voltage(group);
    if (const auto fallback = tree_.number(group, "default_input_pin_cap"))
      default_capacitance_ = *fallback * capacitance_unit_;
    if (const auto fallback = tree_.number(group, "default_cell_leakage_power"))
      default_leakage_ = *fallback;
    for (const LibertyGroup& inner : group.groups)
      if (inner.name.ends_with("_template") && inner.arguments.size() == 1)
        templates_[inner.arguments[0]] = &inner;
    for (const LibertyGroup& inner : group.groups)
      if (inner.name == "cell" && inner.arguments.size() == 1) read_cell(inner);
    if (tables_ == 0)
      throw UserError(fmt::format(
          "{}: the library has no internal_power tables, so energy can't be given; area and clock "
          "can (weft synth)",
          tree_.file()));
    if (passed_over_ > 0)
      library_.notes.push_back(fmt::format(
          "{} tables of the library are over other variables than slew and load, or of no declared "
          "template: they are passed over",
          passed_over_));
    return std::move(library_);
  }

 private:
  /// The value of a unit attribute in SI units, by the prefix of its name: "1nW" is 1e-9.
  double unit(const LibertyAttribute& attribute, std::string_view text, std::string_view base) {
    static const std::map<std::string, double> prefixes{{"", 1},      {"m", 1e-3},  {"u", 1e-6},
                                                        {"n", 1e-9},  {"p", 1e-12}, {"f", 1e-15},
                                                        {"a", 1e-18}, {"k", 1e3}};
    const auto quantity = parse_quantity(text);
    if (quantity && quantity->unit.ends_with(base)) {
      const auto prefix =
          prefixes.find(quantity->unit.substr(0, quantity->unit.size() - base.size()));
      if (prefix != prefixes.end()) return quantity->count * prefix->second;
    }
    tree_.fail(attribute.offset,
               fmt::format("{} '{}' is not a number of {} with a prefix of a to k", attribute.name,
                           text, base));
  }

  std::optional<double> unit(const LibertyGroup& group, std::string_view name,
                             std::string_view base) {
    const LibertyAttribute* attribute = group.find(name);
    if (attribute == nullptr) return std::nullopt;
    return unit(*attribute, group.value(name), base);
  }

  void read_units(const LibertyGroup& group) {
    time_unit_ = unit(group, "time_unit", "s").value_or(1e-9);
    voltage_unit_ = unit(group, "voltage_unit", "v").value_or(1);
    leakage_unit_ = unit(group, "leakage_power_unit", "w");
    if (const auto* attribute = group.find("capacitive_load_unit")) {
      if (attribute->values.size() != 2)
        tree_.fail(attribute->offset, "capacitive_load_unit needs a number and a unit");
      capacitance_unit_ =
          tree_.number({attribute->name, {attribute->values[0]}, attribute->offset}) *
          unit(*attribute, attribute->values[1], "f");
    }
    energy_unit_ = capacitance_unit_ * voltage_unit_ * voltage_unit_;
  }

  void read_voltage(const LibertyGroup& group) {
    const std::string_view conditions = group.value("default_operating_conditions");
    const LibertyGroup* chosen =
        conditions.empty() ? nullptr : group.group("operating_conditions", conditions);
    std::optional<double> voltage;
    if (chosen != nullptr) voltage = tree_.number(*chosen, "voltage");
    if (!voltage) voltage = tree_.number(group, "nom_voltage");
    for (const LibertyAttribute& attribute : group.attributes)
      if (attribute.name == "voltage_map" && attribute.values.size() == 2 &&
          tree_.number({attribute.name, {attribute.values[1]}, attribute.offset}) == 0)
        grounds_.insert(attribute.values[0]);
    if (!voltage || *voltage <= 0)
      throw UserError(fmt::format(
          "{}: the library tells no supply voltage (default_operating_conditions, nom_voltage)",
          tree_.file()));
    library_.voltage = *voltage * voltage_unit_;
  }

  void read_cell(const LibertyGroup& group) {
    PowerCell cell;
    cell.name = group.arguments[0];
    ground_pins_.clear();
    state_ = {};
    for (const LibertyGroup& inner : group.groups) {
      if (inner.name == "pg_pin" && inner.arguments.size() == 1 &&
          grounds_.contains(inner.value("voltage_name")))
        ground_pins_.insert(inner.arguments[0]);
      if (inner.name == "pin") add_pins(cell, inner);
    }
    read_storage(cell, group);
    for (const LibertyGroup& inner : group.groups)
      if (inner.name == "pin") read_pins(cell, inner);
    read_leakage(cell, group);
    replace_outputs(cell);
    library_.cells.emplace(cell.name, std::move(cell));
  }

  void add_pins(PowerCell& cell, const LibertyGroup& group) {
    PowerPin pin;
    pin.is_input = group.value("direction") == "input";
    pin.is_output = group.value("direction") == "output";
    const auto capacitance = tree_.number(group, "capacitance");
    if (capacitance)
      pin.capacitance = *capacitance * capacitance_unit_;
    else if (pin.is_input)
      pin.capacitance = default_capacitance_;
    for (const auto& name : group.arguments) {
      pin.name = name;
      cell.pins.push_back(pin);
    }
  }

  void read_storage(PowerCell& cell, const LibertyGroup& group) {
    for (const LibertyGroup& inner : group.groups) {
      if (inner.name == "ff" || inner.name == "latch") {
        if (cell.storage != Storage::none || inner.arguments.size() != 2) {
          cell.storage = Storage::unknown;  // several bits
          return;
        }
        const bool flip_flop = inner.name == "ff";
        cell.storage = flip_flop ? Storage::flip_flop : Storage::latch;
        state_ = {inner.arguments[0], inner.arguments[1]};
        cell.next = expression(cell, inner.value(flip_flop ? "next_state" : "data_in"));
        cell.enable = expression(cell, inner.value(flip_flop ? "clocked_on" : "enable"));
        cell.clear = expression(cell, inner.value("clear"));
        cell.preset = expression(cell, inner.value("preset"));
        if (!cell.next || !cell.enable) cell.storage = Storage::unknown;
      } else if (inner.name == "ff_bank" || inner.name == "latch_bank" ||
                 inner.name == "statetable") {
        cell.storage = Storage::unknown;
        return;
      }
    }
  }

  std::optional<Expression> expression(const PowerCell& cell, std::string_view text) const {
    if (text.empty()) return std::nullopt;
    const int inverse = cell.stored() + 1;
    const auto parsed = Expression::parse(text, [&](std::string_view name) -> std::optional<int> {
      if (const auto pin = cell.find(name)) return pin;
      if (!state_.first.empty() && name == state_.first) return cell.stored();
      if (!state_.second.empty() && name == state_.second) return inverse;
      return std::nullopt;
    });
    if (!parsed) return std::nullopt;
    return parsed->substitute(inverse, Expression::of(cell.stored()).inverted());
  }

  /// Conditions without outputs: these are no states of their own.
  static void replace_outputs(PowerCell& cell) {
    const auto replace = [&](std::optional<Expression>& when) {
      if (!when) return;
      for (std::size_t pin = 0; pin < cell.pins.size(); ++pin)
        if (cell.pins[pin].function)
          when = when->substitute(static_cast<int>(pin), *cell.pins[pin].function);
    };
    for (InternalEnergy& internal : cell.internal) replace(internal.when);
    for (Leakage& leakage : cell.leakages) replace(leakage.when);
  }

  void read_pins(PowerCell& cell, const LibertyGroup& group) {
    for (const auto& name : group.arguments) {
      const int pin = *cell.find(name);
      PowerPin& target = cell.pins[static_cast<std::size_t>(pin)];
      // The outputs of tri-state cells have no value of their own.
      if (target.is_output && group.find("three_state") == nullptr)
        target.function = expression(cell, group.value("function"));
      for (const LibertyGroup& inner : group.groups) {
        if (inner.name == "internal_power") read_internal(cell, pin, inner);
        if (inner.name == "timing") read_arc(cell, pin, inner);
      }
    }
  }

  void read_internal(PowerCell& cell, int pin, const LibertyGroup& group) {
    if (ground_pins_.contains(group.value("related_pg_pin"))) return;
    InternalEnergy internal;
    internal.pin = pin;
    internal.when = expression(cell, group.value("when"));
    for (const LibertyGroup& table : group.groups) {
      const LookupTable read = read_table(table, energy_unit_);
      if (table.name == "rise_power" || table.name == "power") internal.energy.rise = read;
      if (table.name == "fall_power" || table.name == "power") internal.energy.fall = read;
    }
    if (internal.energy.rise.empty() && internal.energy.fall.empty()) return;
    ++tables_;
    const auto related = words(group.value("related_pin"));
    if (related.empty()) cell.internal.push_back(internal);
    for (const auto& name : related) {
      internal.related = cell.find(name).value_or(-1);
      cell.internal.push_back(internal);
    }
  }

  void read_arc(PowerCell& cell, int pin, const LibertyGroup& group) {
    static const std::set<std::string_view> followed{"", "combinational", "combinational_rise",
                                                     "combinational_fall", "rising_edge"};
    if (!followed.contains(group.value("timing_type"))) return;
    SlewArc arc;
    arc.to = pin;
    arc.clocked = group.value("timing_type") == "rising_edge";
    arc.same_edge = group.value("timing_sense") != "negative_unate";
    arc.opposite_edge = group.value("timing_sense") != "positive_unate";
    for (const LibertyGroup& table : group.groups) {
      if (table.name == "rise_transition") arc.slew.rise = read_table(table, time_unit_);
      if (table.name == "fall_transition") arc.slew.fall = read_table(table, time_unit_);
    }
    for (const auto& name : words(group.value("related_pin"))) {
      const auto from = cell.find(name);
      if (!from) continue;
      arc.from = *from;
      cell.arcs.push_back(arc);
    }
  }

  LookupTable read_table(const LibertyGroup& group, double scale) {
    const LibertyAttribute* values = group.find("values");
    if (values == nullptr) return {};
    LookupTable table;
    table.values = tree_.numbers(*values);
    for (double& value : table.values) value *= scale;
    const std::string_view name = group.arguments.empty() ? "scalar" : group.arguments[0];
    const auto declared = templates_.find(name);
    if (declared == templates_.end()) return table.values.size() == 1 ? table : passed_over();
    const LibertyGroup& layout = *declared->second;
    const Axis first = axis_of(layout.value("variable_1"));
    const Axis second = axis_of(layout.value("variable_2"));
    if (first == Axis::other || second == Axis::other || layout.find("variable_3") != nullptr)
      return passed_over();
    const auto one = axis(group, layout, "index_1", first);
    const auto two = axis(group, layout, "index_2", second);
    const auto points = std::max<std::size_t>(1, one.size()) * std::max<std::size_t>(1, two.size());
    if (points != table.values.size())
      tree_.fail(values->offset,
                 fmt::format("a table of {} points has {} values", points, table.values.size()));
    if (first == Axis::load && second == Axis::slew) {
      std::vector<double> turned(table.values.size());
      for (std::size_t i = 0; i < one.size(); ++i)
        for (std::size_t j = 0; j < two.size(); ++j)
          turned[j * one.size() + i] = table.values[i * two.size() + j];
      table.values = std::move(turned);
    }
    table.slews = first == Axis::slew ? one : two;
    table.loads = first == Axis::load ? one : two;
    if (first == Axis::slew && second == Axis::none) table.loads.clear();
    if (first == Axis::load && second == Axis::none) table.slews.clear();
    return table;
  }

  std::vector<double> axis(const LibertyGroup& table, const LibertyGroup& layout,
                           std::string_view index, Axis meaning) const {
    if (meaning == Axis::none) return {};
    const LibertyAttribute* attribute = table.find(index);
    if (attribute == nullptr) attribute = layout.find(index);
    if (attribute == nullptr) return {};
    auto points = tree_.numbers(*attribute);
    for (double& point : points) point *= meaning == Axis::slew ? time_unit_ : capacitance_unit_;
    return points;
  }

  LookupTable passed_over() {
    ++passed_over_;
    return {};
  }

  void read_leakage(PowerCell& cell, const LibertyGroup& group) {
    const auto add = [&](const LibertyGroup& from, std::string_view attribute,
                         std::optional<Expression> when) {
      const auto value = tree_.number(from, attribute);
      if (!value) return;
      if (!leakage_unit_)
        tree_.fail(from.offset, "leakage is given, but no leakage_power_unit in the library");
      cell.leakages.push_back({std::move(when), *value * *leakage_unit_});
    };
    bool general = false;
    for (const LibertyGroup& inner : group.groups) {
      if (inner.name != "leakage_power" || ground_pins_.contains(inner.value("related_pg_pin")))
        continue;
      const std::string_view when = inner.value("when");
      auto condition = expression(cell, when);
      if (!when.empty() && !condition) continue;
      general |= when.empty();
      add(inner, "value", std::move(condition));
    }
    if (general) return;
    if (group.find("cell_leakage_power") != nullptr)
      add(group, "cell_leakage_power", std::nullopt);
    else if (default_leakage_ > 0 && leakage_unit_)
      cell.leakages.push_back({std::nullopt, default_leakage_ * *leakage_unit_});
  }

  const LibertyTree& tree_;
  PowerLibrary library_;
  double time_unit_ = 1e-9;
  double voltage_unit_ = 1;
  double capacitance_unit_ = 1e-12;
  double energy_unit_ = 1e-12;
  std::optional<double> leakage_unit_;
  double default_capacitance_ = 0;
  double default_leakage_ = 0;
  std::map<std::string_view, const LibertyGroup*> templates_;
  std::set<std::string_view> grounds_;                   ///< names of supplies of 0 V
  std::set<std::string_view> ground_pins_;               ///< of the cell that is read
  std::pair<std::string_view, std::string_view> state_;  ///< of the cell that is read
  std::size_t tables_ = 0;
  std::size_t passed_over_ = 0;
};

}  // namespace

double LookupTable::at(double slew, double load) const {
  if (values.empty()) return 0;
  const Place s = locate(slews, slew);
  const Place l = locate(loads, load);
  const std::size_t stride = std::max<std::size_t>(1, loads.size());
  const auto along = [&](std::size_t row) {
    const double low = values[row * stride + l.low];
    return loads.size() < 2 ? low : low + l.part * (values[row * stride + l.low + 1] - low);
  };
  const double low = along(s.low);
  return slews.size() < 2 ? low : low + s.part * (along(s.low + 1) - low);
}

std::optional<int> PowerCell::find(std::string_view pin) const {
  for (std::size_t i = 0; i < pins.size(); ++i)
    if (pins[i].name == pin) return static_cast<int>(i);
  return std::nullopt;
}

PowerLibrary read_power_library(std::string_view text, const std::string& file) {
  return PowerReader(LibertyTree(text, file)).read();
}

}  // namespace weft::synth
