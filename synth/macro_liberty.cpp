// SPDX-License-Identifier: Apache-2.0
#include "synth/macro_liberty.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weft::synth {
namespace {

bool is_bus(const BlockPort& port) { return port.width > 1; }

std::string bus_type(const std::string& cell, std::int64_t width) {
  return fmt::format("{}_{}", cell, width);
}

std::string constant(const char* table, double value) {
  return fmt::format("        {} (scalar) {{ values (\"{:.6f}\"); }}\n", table, value);
}

/// A `timing` group. `type` is empty for combinational paths.
std::string timing(const std::string& related, const char* type, double delay_ns,
                   double transition_ns) {
  std::string text = fmt::format("      timing () {{\n        related_pin : \"{}\";\n", related);
  if (std::string_view(type) == "setup_rising") {
    text += fmt::format("        timing_type : {};\n", type) +
            constant("rise_constraint", delay_ns) + constant("fall_constraint", delay_ns);
  } else {
    text += *type == '\0' ? "        timing_sense : non_unate;\n"
                          : fmt::format("        timing_type : {};\n", type);
    text += constant("cell_rise", delay_ns) + constant("cell_fall", delay_ns) +
            constant("rise_transition", transition_ns) + constant("fall_transition", transition_ns);
  }
  return text + "      }\n";
}

/// Whether an arc leads from a port to a port.
bool is_through(const Arc& arc) { return !arc.from.empty() && !arc.to.empty(); }

std::string middle(std::size_t arc) { return fmt::format("through_{}", arc); }

std::string bits_of(const std::string& port, std::int64_t width) {
  if (width == 1) return port;
  std::string bits;
  for (std::int64_t bit = 0; bit < width; ++bit)
    bits += fmt::format("{}{}[{}]", bit == 0 ? "" : " ", port, bit);
  return bits;
}

}  // namespace

std::string liberty_cell(const std::string& name, const std::vector<BlockPort>& ports,
                         const std::string& clock, const std::vector<Arc>& arcs,
                         double transition_ns, double load_ff) {
  const auto width_of = [&](const std::string& port) {
    return std::ranges::find(ports, port, &BlockPort::name)->width;
  };
  std::set<std::int64_t> widths;
  for (const BlockPort& port : ports)
    if (is_bus(port)) widths.insert(port.width);
  std::string text = fmt::format("  cell ({}) {{\n    area : 0;\n", name);
  for (const std::int64_t width : widths)
    text += fmt::format(
        "    type ({}) {{ base_type : array; data_type : bit; bit_width : {}; bit_from : {}; "
        "bit_to : 0; downto : true; }}\n",
        bus_type(name, width), width, width - 1);
  // A group that relates a bus to a bus would pair their bits. So every bit leads to a pin within
  // the cell, and that pin to every bit.
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (!is_through(arcs[i])) continue;
    text += fmt::format("    pin ({}) {{\n      direction : internal;\n", middle(i));
    text +=
        timing(bits_of(arcs[i].from, width_of(arcs[i].from)), "", arcs[i].delay_ns, transition_ns) +
        "    }\n";
  }
  for (const BlockPort& port : ports) {
    text += is_bus(port) ? fmt::format("    bus ({}) {{\n      bus_type : {};\n", port.name,
                                       bus_type(name, port.width))
                         : fmt::format("    pin ({}) {{\n", port.name);
    text += fmt::format("      direction : {};\n", port.is_input ? "input" : "output");
    if (port.is_input) text += fmt::format("      capacitance : {:.4f};\n", load_ff);
    if (port.name == clock) text += "      clock : true;\n";
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const Arc& arc = arcs[i];
      if (port.is_input && arc.from == port.name && arc.to.empty())
        text += timing(clock, "setup_rising", arc.delay_ns, transition_ns);
      if (!port.is_input && arc.to == port.name)
        text += arc.from.empty() ? timing(clock, "rising_edge", arc.delay_ns, transition_ns)
                                 : timing(middle(i), "", 0, transition_ns);
    }
    text += "    }\n";
  }
  return text + "  }\n";
}

std::string verilog_interface(const std::string& name, const std::vector<BlockPort>& ports) {
  std::string text = fmt::format("module {} (", name);
  const char* separator = "";
  for (const BlockPort& port : ports) {
    text += fmt::format("{}\n  {} {}{}", separator, port.is_input ? "input" : "output",
                        port.width > 1 ? fmt::format("[{}:0] ", port.width - 1) : "", port.name);
    separator = ",";
  }
  return text + "\n);\nendmodule\n";
}

std::string macro_library(const std::string& cells) {
  return "library (macros) {\n"
         "  time_unit : \"1ns\";\n"
         "  voltage_unit : \"1V\";\n"
         "  current_unit : \"1mA\";\n"
         "  pulling_resistance_unit : \"1kohm\";\n"
         "  leakage_power_unit : \"1nW\";\n"
         "  capacitive_load_unit (1, ff);\n"
         "  delay_model : table_lookup;\n"
         "  input_threshold_pct_rise : 50;\n"
         "  input_threshold_pct_fall : 50;\n"
         "  output_threshold_pct_rise : 50;\n"
         "  output_threshold_pct_fall : 50;\n"
         "  slew_lower_threshold_pct_rise : 20;\n"
         "  slew_lower_threshold_pct_fall : 20;\n"
         "  slew_upper_threshold_pct_rise : 80;\n"
         "  slew_upper_threshold_pct_fall : 80;\n" +
         cells + "}\n";
}

}  // namespace weft::synth
