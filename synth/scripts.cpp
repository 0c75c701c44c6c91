// SPDX-License-Identifier: Apache-2.0
#include "synth/scripts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "synth/macro_liberty.h"

namespace weft::synth {
namespace {

/// The instances that become black boxes while others of their module do not.
std::string replace_all_but_spared(const Design& design) {
  std::string script;
  for (const Macro& macro : design.macros) {
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

std::string read_and_elaborate(const Design& design) {
  std::string script;
  if (!design.macros.empty()) script += fmt::format("read_verilog -lib {}\n", files::macro_verilog);
  // Else Yosys also elaborates the top at its defaults, which may be much bigger.
  const char* const defer = design.parameters.empty() ? "" : "-defer ";
  for (const auto& source : design.sources)
    script +=
        fmt::format("read_verilog {}{}{}\n", defer, source.ends_with(".sv") ? "-sv " : "", source);
  script += fmt::format("hierarchy -check -top {}", design.top);
  for (const auto& [name, value] : design.parameters)
    script += fmt::format(" -chparam {} {}", name, value);
  return script + "\n" + replace_all_but_spared(design);
}

std::string map_to_library(const Design& design) {
  const auto period_ps = std::max<long long>(1, std::llround(design.clock_ns * 1000));
  return fmt::format(
      "dfflibmap -liberty {0}\n"
      "abc -liberty {0} -constr {1} -D {2}\n"
      "clean\n",
      files::library, files::constraints, period_ps);
}

bool is_memory(const Macro& macro) { return macro.module == "$mem_v2"; }

/// Of all parameters that its instances may have: netlists have none.
std::set<std::string> parameter_names(const Macro& macro) {
  std::set<std::string> names;
  for (const auto& [name, value] : macro.parameters) names.insert(name);
  if (is_memory(macro)) {
    for (const char* const name :
         {"OFFSET", "INIT", "ABITS", "RD_CLK_ENABLE", "RD_CLK_POLARITY", "RD_TRANSPARENCY_MASK",
          "RD_COLLISION_X_MASK", "RD_WIDE_CONTINUATION", "RD_CE_OVER_SRST", "RD_ARST_VALUE",
          "RD_SRST_VALUE", "RD_INIT_VALUE", "WR_CLK_ENABLE", "WR_CLK_POLARITY", "WR_PRIORITY_MASK",
          "WR_WIDE_CONTINUATION"})
      names.insert(name);
  }
  return names;
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

/// Memories become macros before Yosys makes registers of them.
std::string synthesise_flat(const Design& design) {
  std::string memories;
  for (const Macro& macro : design.macros)
    if (is_memory(macro))
      memories += fmt::format("chtype -set {} {}\n", macro.cell, instances(macro));
  if (memories.empty()) return fmt::format("synth -flatten -top {}\n", design.top);
  return fmt::format("synth -flatten -top {} -run begin:fine\n", design.top) +
         "# Memories that are not built of registers.\n" + memories +
         "setparam -unset MEMID t:weft_memory_*\n"
         "synth -flatten -run fine:\n";
}

/// Gives the other macros their names. At the end, since no module is called so.
std::string name_macros(const Design& design) {
  if (design.macros.empty()) return "";
  std::string script = "# Black boxes by what is instantiated.\n";
  for (const Macro& macro : design.macros) {
    if (!is_memory(macro) && macro.spared.empty())
      script += fmt::format("chtype -set {} {}\n", macro.cell, instances(macro));
  }
  for (const Macro& macro : design.macros) {
    if (!macro.spared.empty()) continue;
    for (const auto& name : parameter_names(macro))
      script += fmt::format("setparam -unset {} t:{}\n", name, macro.cell);
  }
  return script + fmt::format("tee -q -o {} stat -json\n", files::macro_counts);
}

/// The worst path between each two ports, and from and to the registers.
constexpr const char* measure_arcs =
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

constexpr const char* worst_path =
    "report_checks -path_delay max -format full -fields {capacitance slew} -digits 4\n"
    "puts \"worst slack [worst_slack]\"\n";

/// Of a block that is measured with its arcs: what happens at its ports is seen with its
/// surroundings.
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

std::string synthesis_script(const Design& design) {
  return "# Flat synthesis: area, cell counts and the netlist for timing analysis.\n" +
         read_and_elaborate(design) + fmt::format("tee -q -o {} stat -json\n", files::modules) +
         synthesise_flat(design) + "# The input ports that reach the clock pin of a register.\n" +
         fmt::format("tee -q -o {} select -list t:$_*DFF* %ci1:+[C] i:* %i\n", files::clocks) +
         map_to_library(design) + fmt::format("tee -q -o {} stat -json\n", files::cells) +
         fmt::format("tee -q -o {} stat -liberty {}\n", files::area, files::library) +
         "# OpenSTA reads scalar nets and simple assignments only.\n"
         "setundef -zero\n"
         "opt_clean -purge\n"
         "splitnets -ports\n"
         "opt_clean -purge\n" +
         name_macros(design) +
         fmt::format("write_verilog -noattr -noexpr -nohex -nodec {}\n", files::netlist);
}

std::string hierarchy_script(const Design& design) {
  return "# The same without flattening: what each module contributes.\n" +
         read_and_elaborate(design) + fmt::format("synth -top {}\n", design.top) +
         map_to_library(design) + fmt::format("tee -q -o {} stat -json\n", files::hierarchy);
}

std::string timing_script(const Design& design, const Target& target) {
  const std::string find_clocks =
      design.clock_ports.empty()
          ? fmt::format(
                "set file [open {}]\n"
                "set clocks {{}}\n"
                "foreach line [split [read $file] \\n] {{\n"
                "  if {{$line ne \"\"}} {{lappend clocks [lindex [split $line /] 1]}}\n"
                "}}\n"
                "close $file\n",
                files::clocks)
          : fmt::format("set clocks {{{}}}\n", fmt::join(design.clock_ports, " "));
  return "# Critical path: ideal clock, no wire load.\n" +
         fmt::format("read_liberty {}\n", files::library) +
         (design.macros.empty() ? "" : fmt::format("read_liberty {}\n", files::macro_library)) +
         fmt::format("read_verilog {}\nlink_design {}\n", files::netlist, design.top) +
         "set_cmd_units -time ns -capacitance fF\n" + find_clocks +
         fmt::format(
             "if {{[llength $clocks] > 0}} {{\n"
             "  create_clock -name clock -period {0} [get_ports $clocks]\n"
             "}} else {{\n"
             "  create_clock -name clock -period {0}\n"
             "}}\n",
             design.clock_ns) +
         "foreach port [all_inputs] {\n"
         "  if {[lsearch -exact $clocks [get_property $port full_name]] < 0} {\n"
         "    set_input_delay 0 -clock clock $port\n" +
         fmt::format("    set_driving_cell -lib_cell {} $port\n", target.driving_cell) +
         "  }\n"
         "}\n"
         "foreach port [all_outputs] {\n"
         "  set_output_delay 0 -clock clock $port\n" +
         fmt::format("  set_load {} $port\n", target.load_ff) +
         "}\n"
         "check_setup -no_clock -loops\n" +
         (design.arcs ? fmt::format("{}{}", path_between_registers, measure_arcs)
                      : std::string(worst_path)) +
         "puts \"timing complete\"\n";
}

std::string run_script() {
  std::string script = fmt::format(
      "#!/bin/sh\n"
      "# Repeats the measurement in this directory: sh run.sh\n"
      "set -e\n"
      "cd \"$(dirname \"$0\")\"\n"
      "gzip -dc {} > {}\n",
      files::library_packed, files::library);
  for (const Step& step : {synthesis_step(), hierarchy_step(), timing_step()})
    script += fmt::format("{} > {} 2>&1\n", fmt::join(step.argv, " "), step.log);
  return script + fmt::format("grep 'Chip area' {} || true\ngrep 'worst slack' {}\n", files::area,
                              files::timing_log);
}

}  // namespace

Step synthesis_step() { return {{"yosys", files::synthesis_script}, files::synthesis_log}; }
Step hierarchy_step() { return {{"yosys", files::hierarchy_script}, files::hierarchy_log}; }
Step timing_step() {
  return {{"sta", "-no_init", "-no_splash", "-exit", files::timing_script}, files::timing_log};
}

std::map<std::string, std::string> flow_scripts(const Design& design, const Target& target) {
  std::map<std::string, std::string> scripts{
      {files::constraints,
       fmt::format("set_driving_cell {}\nset_load {}\n", target.driving_cell, target.load_ff)},
      {files::synthesis_script, synthesis_script(design)},
      {files::hierarchy_script, hierarchy_script(design)},
      {files::timing_script, timing_script(design, target)},
      {files::run_script, run_script()},
  };
  if (!design.macros.empty()) {
    std::string verilog;
    std::string cells;
    for (const Macro& macro : design.macros) {
      if (verilog.find(macro.interface) == std::string::npos) verilog += macro.interface;
      cells += macro.liberty;
    }
    scripts[files::macro_verilog] = verilog;
    scripts[files::macro_library] = macro_library(cells);
  }
  return scripts;
}

}  // namespace weft::synth
