// SPDX-License-Identifier: Apache-2.0
#include "synth/scripts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "synth/macro_scripts.h"

namespace weft::synth {
namespace {

long long period_ps(const Design& design) {
  return std::max<long long>(1, std::llround(design.clock_ns * 1000));
}

std::map<std::string, std::string> placeholders(const Design& design, bool flat) {
  return {{"top", design.top},
          {"library", files::library},
          {"constraints", files::constraints},
          {"period_ps", std::to_string(period_ps(design))},
          {"abc_script", abc_argument(design.recipe.abc, period_ps(design))},
          {"flatten", flat ? "-flatten" : ""}};
}

/// Lists the input ports that reach the clock pin of a register.
std::string find_clocks(const char* registers, const char* clock_pin) {
  return fmt::format(
      "# The input ports that reach the clock pin of a register.\n"
      "tee -q -o {} select -list {} %ci1:+[{}] i:* %i\n",
      files::clocks, registers, clock_pin);
}

/// `gates` with the memories replaced that are macros, before registers are made of them.
std::string keep_memories(const Design& design, std::string gates) {
  const std::string memories = replace_memories(design.macros);
  if (memories.empty()) return gates;
  const std::string whole = fmt::format("synth -flatten -top {}\n", design.top);
  const auto at = gates.find(whole);
  if (at == std::string::npos)
    throw UserError(
        fmt::format("recipe {}: its script makes registers of all memories; give "
                    "--memories registers",
                    design.recipe.name));
  return gates.replace(at, whole.size(),
                       fmt::format("synth -flatten -top {} -run begin:fine\n{}"
                                   "synth -flatten -run fine:\n",
                                   design.top, memories));
}

/// From the elaborated design to library cells, by the recipe.
std::string synthesise_flat(const Design& design, const Target& target) {
  const Recipe& recipe = design.recipe;
  const auto values = placeholders(design, true);
  if (recipe.gates.empty())  // nobody knows what the user's script leaves of the registers
    return "design -save elaborated\nproc\nflatten\nopt_clean\n" +
           find_clocks("t:$*dff* t:$mem* %u", "CLK") + "design -load elaborated\n" +
           script_lines(recipe.mapping, values);
  std::string script =
      keep_memories(design, script_lines(recipe.gates, values)) + find_clocks("t:$_*DFF*", "C");
  if (!target.has_flip_flops())
    script += fmt::format("# {} has no flip-flop.\nselect -assert-none t:$_*DFF*\n", target.name);
  return script + script_lines(recipe.mapping, values);
}

std::string synthesis_script(const Design& design, const Target& target) {
  return fmt::format(
             "# Flat synthesis: area, cell counts and the netlist for timing analysis.\n"
             "# Recipe: {}\n",
             design.recipe.name) +
         read_and_elaborate(design) + fmt::format("tee -q -o {} stat -json\n", files::modules) +
         synthesise_flat(design, target) + fmt::format("tee -q -o {} stat -json\n", files::cells) +
         fmt::format("tee -q -o {} stat -liberty {}\n", files::area, files::library) +
         "# OpenSTA reads scalar nets and simple assignments only.\n"
         "setundef -zero\n"
         "opt_clean -purge\n"
         "splitnets -ports\n"
         "opt_clean -purge\n" +
         name_macros(design.macros) +
         fmt::format("write_verilog -noattr -noexpr -nohex -nodec {}\n", files::netlist);
}

std::string hierarchy_script(const Design& design) {
  const auto values = placeholders(design, false);
  return "# The same without flattening: what each module contributes.\n" +
         read_and_elaborate(design) + script_lines(design.recipe.gates, values) +
         script_lines(design.recipe.mapping, values) +
         fmt::format("tee -q -o {} stat -json\n", files::hierarchy) + "setundef -zero\n" +
         fmt::format("write_verilog -noattr -noexpr -nohex -nodec {}\n", files::module_netlist);
}

std::string timing_script(const Design& design, const Target& target) {
  const std::string name_clocks =
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
         "set_cmd_units -time ns -capacitance fF\n" + name_clocks +
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
         (design.arcs
              ? measure_arcs()
              : "report_checks -path_delay max -format full -fields {capacitance slew} -digits 4\n"
                "puts \"worst slack [worst_slack]\"\n" +
                    measure_spared(design.macros)) +
         "puts \"timing complete\"\n";
}

std::string run_script(const Design& design) {
  std::string script = fmt::format(
      "#!/bin/sh\n"
      "# Repeats the measurement in this directory: sh run.sh\n"
      "set -e\n"
      "cd \"$(dirname \"$0\")\"\n"
      "gzip -dc {} > {}\n",
      files::library_packed, files::library);
  std::vector<Step> steps{synthesis_step(design.yosys), timing_step()};
  if (design.recipe.can_keep_modules()) steps.push_back(hierarchy_step(design.yosys));
  for (const Step& step : steps)
    script += fmt::format("{} > {} 2>&1\n", fmt::join(step.argv, " "), step.log);
  // A block may have no path of its own.
  return script + fmt::format("grep 'Chip area' {} || true\ngrep 'worst slack' {}{}\n", files::area,
                              files::timing_log, design.arcs ? " || true" : "");
}

}  // namespace

std::string read_and_elaborate(const Design& design) {
  std::string script = declare_macros(design.macros);
  // A block is smaller than the defaults of its module, at which Yosys else elaborates it too.
  const char* const defer = design.arcs ? "-defer " : "";
  for (const auto& source : design.sources)
    script +=
        fmt::format("read_verilog {}{}{}\n", defer, source.ends_with(".sv") ? "-sv " : "", source);
  script += fmt::format("hierarchy -check -top {}", design.top);
  for (const auto& [name, value] : design.parameters)
    script += fmt::format(" -chparam {} {}", name, value);
  return script + "\n" + replace_all_but_spared(design.macros);
}

Step synthesis_step(const std::string& yosys) {
  return {{yosys, files::synthesis_script}, files::synthesis_log};
}
Step hierarchy_step(const std::string& yosys) {
  return {{yosys, files::hierarchy_script}, files::hierarchy_log};
}
Step timing_step() {
  return {{"sta", "-no_init", "-no_splash", "-exit", files::timing_script}, files::timing_log};
}

std::map<std::string, std::string> flow_scripts(const Design& design, const Target& target) {
  std::map<std::string, std::string> scripts{
      {files::constraints,
       fmt::format("set_driving_cell {}\nset_load {}\n", target.driving_cell, target.load_ff)},
      {files::synthesis_script, synthesis_script(design, target)},
      {files::timing_script, timing_script(design, target)},
      {files::run_script, run_script(design)},
  };
  if (!design.macros.empty()) {
    scripts[files::macro_verilog] = macro_verilog(design.macros);
    scripts[files::macro_library] = macro_liberty(design.macros);
  }
  if (design.recipe.can_keep_modules()) scripts[files::hierarchy_script] = hierarchy_script(design);
  return scripts;
}

}  // namespace weft::synth
