// SPDX-License-Identifier: Apache-2.0
#include "synth/macro_scripts.h"

#include <fmt/format.h>

#include <regex>
#include <set>

#include "synth/macro_liberty.h"
#include "synth/scripts.h"

namespace weft::synth {
namespace {

bool is_memory(const Macro& macro) { return macro.module == "$mem_v2"; }

/// All parameters that its instances may have.
std::set<std::string> parameter_names(const Macro& macro) {
  std::set<std::string> names;
  for (const auto& [name, value] : macro.parameters) names.insert(name);
  if (is_memory(macro)) {
    for (const char* const name :
         {"MEMID", "OFFSET", "INIT", "ABITS", "RD_CLK_ENABLE", "RD_CLK_POLARITY",
          "RD_TRANSPARENCY_MASK", "RD_COLLISION_X_MASK", "RD_WIDE_CONTINUATION", "RD_CE_OVER_SRST",
          "RD_ARST_VALUE", "RD_SRST_VALUE", "RD_INIT_VALUE", "WR_CLK_ENABLE", "WR_CLK_POLARITY",
          "WR_PRIORITY_MASK", "WR_WIDE_CONTINUATION"})
      names.insert(name);
  }
  return names;
}

/// The netlist's cells have no parameters.
std::string unset_parameters(const Macro& macro) {
  std::string script;
  for (const auto& name : parameter_names(macro))
    script += fmt::format("setparam -unset {} t:{}\n", name, macro.cell);
  return script;
}

/// Selects the instances of a macro. Instances say only those parameters that differ from the
/// default.
std::string instances(const Macro& macro) {
  std::string selection = fmt::format("t:{}", macro.module);
  for (const auto& [name, value] : macro.parameters) {
    const auto known = macro.defaults.find(name);
    const bool is_default = known != macro.defaults.end() && known->second == value;
    selection += is_default ? fmt::format(" r:{}!={} %d", name, value)
                            : fmt::format(" r:{}={} %i", name, value);
  }
  return selection;
}

/// The worst path between each two ports, and from and to the registers.
constexpr const char* arcs_between_ports =
    "foreach {direction ports} [list in [all_inputs] out [all_outputs]] {\n"
    "  foreach port $ports {\n"
    "    set name [get_property $port full_name]\n"
    "    regsub {\\[[0-9]+\\]$} $name {} bus\n"
    "    if {[lsearch -exact $clocks $name] < 0} {lappend ${direction}($bus) $port}\n"
    "  }\n"
    "}\n"
    "proc arc {from_name to_name from to} {\n"
    "  if {[llength $from] == 0 || [llength $to] == 0} return\n"
    "  set paths [find_timing_paths -from $from -to $to -path_delay max]\n"
    "  if {[llength $paths] > 0} {\n"
    "    puts \"arc $from_name $to_name [get_property [lindex $paths 0] slack]\"\n"
    "  }\n"
    "}\n"
    "foreach from [lsort [array names in]] {\n"
    "  arc $from registers $in($from) $ends\n"
    "  foreach to [lsort [array names out]] {arc $from $to $in($from) $out($to)}\n"
    "}\n"
    "arc registers registers $starts $ends\n"
    "foreach to [lsort [array names out]] {arc registers $to $starts $out($to)}\n";

constexpr const char* path_between_registers =
    "set starts [all_registers -clock_pins]\n"
    "set ends [all_registers -data_pins]\n"
    "set paths {}\n"
    "if {[llength $starts] > 0} {\n"
    "  set paths [find_timing_paths -from $starts -to $ends -path_delay max]\n"
    "}\n"
    "if {[llength $paths] > 0} {\n"
    "  puts \"worst slack [get_property [lindex $paths 0] slack]\"\n"
    "  report_checks -from $starts -to $ends -path_delay max -format full "
    "-fields {capacitance slew} -digits 4\n"
    "} else {\n"
    "  puts \"No paths found.\"\n"
    "}\n";

}  // namespace

std::string declare_macros(const std::vector<Macro>& macros) {
  return macros.empty() ? "" : fmt::format("read_verilog -lib {}\n", files::macro_verilog);
}

std::string replace_all_but_spared(const std::vector<Macro>& macros) {
  std::string script;
  for (const Macro& macro : macros) {
    if (macro.spared.empty()) continue;
    script += fmt::format("chtype -set {0} t:{1} t:*\\\\{1} %u t:*\\\\{1}\\\\* %u", macro.cell,
                          macro.module);
    for (const std::string& instance : macro.spared) {
      script += " c:";
      for (const char c : instance) {
        if (c == '[' || c == ']') script += '\\';
        script += c;
      }
      script += " %d";
    }
    script += '\n';
  }
  return script;
}

std::string replace_memories(const std::vector<Macro>& macros) {
  std::string script;
  for (const Macro& macro : macros) {
    if (!is_memory(macro)) continue;
    script +=
        fmt::format("chtype -set {} {}\n", macro.cell, instances(macro)) + unset_parameters(macro);
  }
  return script.empty() ? "" : "# Memories that are not built of registers.\n" + script;
}

std::string name_macros(const std::vector<Macro>& macros) {
  if (macros.empty()) return "";
  // At the end, since no module is called so.
  std::string script = "# Black boxes by what is instantiated.\n";
  for (const Macro& macro : macros) {
    if (is_memory(macro) || !macro.spared.empty()) continue;
    script +=
        fmt::format("chtype -set {} {}\n", macro.cell, instances(macro)) + unset_parameters(macro);
  }
  return script + fmt::format("tee -q -o {} stat -json\n", files::macro_counts);
}

std::string macro_verilog(const std::vector<Macro>& macros) {
  std::string verilog;
  std::set<std::string> seen;
  for (const Macro& macro : macros)
    if (seen.insert(macro.interface).second) verilog += macro.interface;
  return verilog;
}

std::string macro_liberty(const std::vector<Macro>& macros) {
  std::string cells;
  for (const Macro& macro : macros) cells += macro.liberty;
  return macro_library(cells);
}

std::string measure_spared(const std::vector<Macro>& macros) {
  std::string script;
  for (const Macro& macro : macros)
    if (!macro.spared.empty())
      script += fmt::format(
          "set_disable_timing [get_lib_cells macros/{}]\n"
          "set_false_path -to [get_cells {{{}}}]\n",
          macro.cell, std::regex_replace(macro.spared.front(), std::regex(R"(\[[0-9]+\])"), "[*]"));
  return script.empty() ? "" : script + "puts \"slack through spared [worst_slack]\"\n";
}

std::string measure_arcs() {
  return fmt::format("{}{}", path_between_registers, arcs_between_ports);
}

}  // namespace weft::synth
