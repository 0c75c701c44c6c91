// SPDX-License-Identifier: Apache-2.0
#include "synth/flow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "synth/gzip.h"
#include "synth/scripts.h"
#include "synth/tool_reports.h"
#include "synth/tool_runner.h"
#include "synth/yosys.h"

namespace weft::synth {
namespace {

/// One run: from a request to a result, in a directory.
class Flow {
 public:
  Flow(const Request& request, const std::vector<Source>& sources, const Target& target,
       Workspace& workspace)
      : request_(request),
        target_(target),
        workspace_(workspace),
        tools_(request, sources, workspace, result_) {}

  Result run() {
    write_inputs();
    result_.top = request_.top;
    result_.parameters = request_.parameters;
    result_.target = target_.name;
    result_.driving_cell = target_.driving_cell;
    result_.load_ff = target_.load_ff;
    result_.clock_ns = request_.clock_ns;
    result_.warnings = target_.notes;

    say(fmt::format("synthesising {} flat for {} (yosys, abc)", request_.top, target_.name));
    synthesise();
    say("analysing timing (sta)");
    analyse_timing();
    if (by_module_) measure_modules();
    return std::move(result_);
  }

 private:
  void say(const std::string& text) const {
    if (request_.progress) request_.progress(text);
  }

  void write_inputs() {
    Design design;
    design.sources = tools_.write_sources();
    design.top = request_.top;
    design.parameters = request_.parameters;
    design.clock_ns = request_.clock_ns;
    design.clock_ports = request_.clock_ports;
    design.macros = request_.macros;
    design.arcs = request_.arcs;
    design.recipe = load_recipe(request_.recipe);
    design.yosys = yosys_.command;
    by_module_ = request_.by_module && design.recipe.can_keep_modules();
    result_.recipe = design.recipe.name;
    for (const auto& [name, text] : flow_scripts(design, target_)) {
      workspace_.write(name, text);
      result_.scripts.push_back(name);
    }
    workspace_.write(files::library, target_.liberty_text);
    workspace_.write(files::library_packed, gzip(target_.liberty_text));
  }

  void synthesise() {
    const Step step = synthesis_step(yosys_.command);
    const auto process = tools_.call(step);
    if (!target_.has_flip_flops() &&
        process.output_tail.find("Assertion failed") != std::string::npos)
      throw UserError(
          fmt::format("{}: the design has registers, and no cell of target {} is a "
                      "flip-flop that may be used",
                      request_.top, target_.name));
    tools_.check_yosys(process, step);
    const auto modules = read_stat_json(workspace_.read(files::cells));
    const auto top = modules.find(request_.top);
    if (modules.size() != 1 || top == modules.end())
      throw ToolError(fmt::format("yosys did not flatten {} (its log: {})", request_.top,
                                  workspace_.path(files::synthesis_log).string()));
    count_cells(top->second);
    count_macros();
    const double yosys_area = read_chip_area(workspace_.read(files::area)).value_or(0);
    if (std::abs(yosys_area - result_.area_um2) > 1e-6 * result_.area_um2 + 1e-5)
      throw ToolError(fmt::format("the area is {} by the library and {} by yosys ({})",
                                  result_.area_um2, yosys_area,
                                  workspace_.path(files::area).string()));
    result_.abc_delay_ns = read_abc_delay_ns(workspace_.read(files::synthesis_log)).value_or(0);
    tools_.collect_warnings(step);
    if (result_.registers > 0 && request_.clock_ports.empty() &&
        workspace_.read(files::clocks).empty())
      throw UserError(
          fmt::format("{}: no input is connected to the clock pin of a register; name the clock",
                      request_.top));
  }

  void count_cells(const CellCounts& counts) {
    std::vector<std::string> without_area;
    for (const auto& [name, count] : counts) {
      if (is_macro(name)) continue;
      const auto cell = target_.library.cells.find(name);
      if (cell == target_.library.cells.end() || cell->second.area <= 0) {
        without_area.push_back(fmt::format("{} x {}", count, name));
        continue;
      }
      const double area = static_cast<double>(count) * cell->second.area;
      result_.by_cell[name] = {count, area};
      result_.cells += count;
      result_.area_um2 += area;
      result_.registers += count * static_cast<std::uint64_t>(cell->second.flip_flops);
    }
    if (without_area.empty()) return;
    const bool latches =
        std::any_of(without_area.begin(), without_area.end(),
                    [](const auto& name) { return name.find("LATCH") != std::string::npos; });
    throw UserError(fmt::format(
        "{}: no area can be given: target {} has no cell with an area for {}{}", request_.top,
        target_.name, fmt::join(without_area, ", "),
        latches ? "; the Verilog describes latches: assign the signal in every branch, or use a "
                  "register"
                : ""));
  }

  /// Whether instances of this type are black boxes, which have their module's name until the
  /// netlist is written.
  [[nodiscard]] bool is_macro(const std::string& type) const {
    return std::ranges::any_of(request_.macros, [&](const Macro& macro) {
      return macro.cell == type || macro.module == type;
    });
  }

  void count_macros() {
    if (request_.macros.empty()) return;
    const auto modules = read_stat_json(workspace_.read(files::macro_counts));
    for (const auto& [type, count] : modules.at(request_.top))
      if (is_macro(type)) result_.macros[type] = count;
  }

  void analyse_timing() {
    base::check(tools_.call(timing_step()));
    const Timing timing = read_timing(workspace_.read(files::timing_log),
                                      workspace_.path(files::timing_log).string());
    for (const auto& [from, to, slack] : timing.arcs)
      result_.arcs.push_back({from, to, request_.clock_ns - slack});
    if (timing.spared_slack_ns)
      result_.spared_path_ns = request_.clock_ns - *timing.spared_slack_ns;
    if (timing.unclocked_registers > 0)
      result_.warnings.push_back(
          fmt::format("{} registers have no clock: paths from and to them are not in the "
                      "critical path",
                      timing.unclocked_registers));
    if (timing.loops > 0)
      result_.warnings.push_back(
          fmt::format("{} combinational loops were cut for timing analysis", timing.loops));
    if (!timing.slack_ns) {
      if (result_.cells == 0 || request_.arcs) return;
      throw UserError(fmt::format(
          "{}: no path could be timed; does the library have timing tables for its cells?{} (log: "
          "{})",
          request_.top,
          fmt::format("{}{}", target_.notes.empty() ? "" : "\n", fmt::join(target_.notes, "\n")),
          workspace_.path(files::timing_log).string()));
    }
    result_.slack_ns = *timing.slack_ns;
    result_.critical_path_ns = request_.clock_ns - *timing.slack_ns;
    if (result_.critical_path_ns > 0) result_.fmax_mhz = 1000 / result_.critical_path_ns;
    result_.path.stages = timing.stages;
    if (timing.stages.empty()) return;
    const std::string netlist = workspace_.read(files::netlist);
    result_.path.start = readable_end(netlist, timing.stages.front());
    result_.path.end = readable_end(netlist, timing.stages.back());
  }

  /// A port's own name, or the net that the register drives: netlist instances are only numbered.
  std::string readable_end(const std::string& netlist, const Stage& stage) const {
    const auto cell = target_.library.cells.find(stage.cell);
    if (cell == target_.library.cells.end()) return stage.pin;
    const std::string instance = stage.pin.substr(0, stage.pin.rfind('/'));
    for (const auto& pin : cell->second.pins) {
      if (!pin.is_output) continue;
      auto net = connected_net(netlist, stage.cell, instance, pin.name);
      if (!net.empty()) return net;
    }
    return stage.pin;
  }

  void measure_modules() {
    const auto elaborated = read_stat_json(workspace_.read(files::modules));
    if (elaborated.size() == 1) {  // nothing was flattened
      result_.by_module[request_.top] = {1, result_.cells, result_.registers, result_.area_um2};
      return;
    }
    say("synthesising by module (yosys, abc)");
    tools_.call_yosys(hierarchy_step(yosys_.command));
    const auto modules = read_stat_json(workspace_.read(files::hierarchy));
    add_instances(modules, request_.top, 1);
  }

  void add_instances(const std::map<std::string, CellCounts>& modules, const std::string& name,
                     std::uint64_t instances) {
    const auto module = modules.find(name);
    if (module == modules.end()) return;
    ModuleUse& use = result_.by_module[base_module_name(name)];
    use.instances += instances;
    for (const auto& [type, count] : module->second) {
      const auto cell = target_.library.cells.find(type);
      if (cell == target_.library.cells.end()) {
        add_instances(modules, type, instances * count);
        continue;
      }
      const std::uint64_t total = instances * count;
      use.cells += total;
      use.registers += total * static_cast<std::uint64_t>(cell->second.flip_flops);
      use.area_um2 += static_cast<double>(total) * cell->second.area;
    }
  }

  const Request& request_;
  const Target& target_;
  Workspace& workspace_;
  Yosys yosys_ = find_yosys(request_.yosys);
  bool by_module_ = true;
  Result result_;
  ToolRunner tools_;
};

}  // namespace

std::vector<Source> read_sources(const std::vector<std::filesystem::path>& paths) {
  std::vector<Source> sources;
  for (const auto& path : paths) {
    std::string name = path.filename().string();
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_') c = '_';
    name = fmt::format("{}/{}", files::sources, name);
    const auto taken = [&](const std::string& candidate) {
      return std::any_of(sources.begin(), sources.end(),
                         [&](const Source& source) { return source.name == candidate; });
    };
    const std::string stem = name;
    for (int i = 2; taken(name); ++i)
      name = fmt::format("{}_{}{}", stem, i, path.extension() == ".sv" ? ".sv" : ".v");
    sources.push_back({path, name, base::read_file(path)});
  }
  return sources;
}

Result run_flow(const Request& request, const std::vector<Source>& sources, const Target& target,
                Workspace& workspace) {
  return Flow(request, sources, target, workspace).run();
}

}  // namespace weft::synth
