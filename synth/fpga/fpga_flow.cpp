// SPDX-License-Identifier: Apache-2.0
#include "synth/fpga/fpga_flow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "base/error.h"
#include "base/tools.h"
#include "synth/fpga/fpga_reports.h"
#include "synth/tool_reports.h"
#include "synth/tool_runner.h"
#include "synth/yosys.h"

namespace weft::synth {
namespace {

/// A selection of all cells of these types.
std::string types(const std::vector<std::string>& cells) {
  return cells.empty() ? "t:none" : fmt::format("t:{}", fmt::join(cells, " t:"));
}

/// Yosys' script. It stops on both sides of the mapping of memories, to see what becomes of them.
std::string mapping_script(const Design& design, const FpgaDevice& device) {
  const std::string synthesis = expand(device.synthesis, {{"top", design.top}});
  return fmt::format("# Mapping to {}.\n", device.summary) + read_and_elaborate(design) +
         fmt::format(
             "{0} -run begin:{1}\n"
             "# The memories that were found, and what is a RAM of them.\n"
             "json -o {2} t:$mem_v2\n"
             "{0} -run {1}:map_ffram\n"
             "tee -q -o {3} select -list {4}\n"
             "tee -q -o {5} select -list {6}\n"
             "{0} -run map_ffram:\n"
             "tee -q -o {7} stat -json\n"
             "write_json {8}\n",
             synthesis, device.ram_label, files::memories, files::block_rams,
             types(device.cells(&FpgaUse::block_rams)), files::lut_rams,
             types(device.cells(&FpgaUse::lut_rams)), files::cells, files::fpga_netlist);
}

class FpgaFlow {
 public:
  FpgaFlow(const Request& request, const std::vector<Source>& sources, const FpgaDevice& device,
           Workspace& workspace)
      : request_(request),
        device_(device),
        workspace_(workspace),
        tools_(request, sources, workspace, result_) {}

  Result run() {
    result_.top = request_.top;
    result_.parameters = request_.parameters;
    result_.target = device_.name;
    result_.clock_ns = request_.clock_ns;
    result_.fpga.emplace();
    write_scripts();
    say(fmt::format("mapping {} to {} (yosys)", request_.top, device_.summary));
    tools_.call_yosys(mapping_);
    tools_.collect_warnings(mapping_);
    count_cells();
    result_.fpga->memories =
        read_memories(workspace_.read(files::memories), workspace_.read(files::block_rams),
                      workspace_.read(files::lut_rams));
    if (request_.place_and_route) place_and_route();
    return std::move(result_);
  }

 private:
  void say(const std::string& text) const {
    if (request_.progress) request_.progress(text);
  }

  void write_scripts() {
    Design design;
    design.sources = tools_.write_sources();
    design.top = request_.top;
    design.parameters = request_.parameters;
    design.yosys = find_yosys(request_.yosys).command;
    mapping_ = {{design.yosys, files::fpga_script}, files::fpga_log};
    std::vector<Step> steps{mapping_};
    if (request_.place_and_route) {
      route_ = {device_.place_and_route, files::route_log};
      // The frequency steers the placer only; a clock that is missed is in the result.
      for (const std::string& argument :
           {std::string("--json"), std::string(files::fpga_netlist), std::string("--asc"),
            std::string(files::routed), std::string("--freq"),
            fmt::format("{:.3f}", 1000 / request_.clock_ns), std::string("--seed"),
            std::string("1"), std::string("--timing-allow-fail")})
        route_.argv.push_back(argument);
      timing_ = {device_.timing, files::icetime_log};
      timing_.argv.insert(timing_.argv.end(), {"-t", files::routed});
      steps.insert(steps.end(), {route_, timing_});
    }
    std::string run =
        "#!/bin/sh\n# Repeats the measurement in this directory: sh run.sh\nset -e\n"
        "cd \"$(dirname \"$0\")\"\n";
    for (const Step& step : steps)
      run += fmt::format("{} > {} 2>&1\n", fmt::join(step.argv, " "), step.log);
    workspace_.write(files::fpga_script, mapping_script(design, device_));
    workspace_.write(files::run_script, run);
    result_.scripts = {files::fpga_script, files::run_script};
  }

  void count_cells() {
    const auto modules = read_stat_json(workspace_.read(files::cells));
    const auto top = modules.find(request_.top);
    if (top == modules.end())
      throw ToolError(fmt::format("yosys gave no cells of {} (its log: {})", request_.top,
                                  workspace_.path(files::fpga_log).string()));
    for (const auto& [type, count] : top->second) {
      FpgaUse& use = *result_.fpga;
      std::uint64_t FpgaUse::*counter = &FpgaUse::others;
      for (const auto& resource : device_.resources)
        if (std::ranges::any_of(resource.cells, [&, &name = type](const std::string& pattern) {
              return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
            }))
          counter = resource.count;
      if (type.starts_with('$'))
        throw UserError(fmt::format("{}: {} has no cell for {} x {}", request_.top, device_.summary,
                                    count, type));
      use.*counter += count;
      result_.by_cell[type] = {count, 0};
      result_.cells += count;
    }
    result_.registers = result_.fpga->flip_flops;
  }

  void place_and_route() {
    say("placing and routing (nextpnr)");
    const auto routed = tools_.call(route_);
    if (routed.end == base::ProcessEnd::exited && routed.code != 0)
      if (const auto reason = misfit(workspace_.read(files::route_log)); !reason.empty())
        throw UserError(fmt::format("{} does not fit {}: {} (nextpnr; its log: {})", request_.top,
                                    device_.summary, reason, routed.log.string()));
    base::check(routed);
    say("analysing timing (icetime)");
    base::check(tools_.call(timing_));
    const RoutedTiming timing = read_icetime(workspace_.read(files::icetime_log),
                                             workspace_.path(files::icetime_log).string());
    result_.critical_path_ns = timing.delay_ns;
    result_.slack_ns = request_.clock_ns - timing.delay_ns;
    result_.fmax_mhz = 1000 / timing.delay_ns;
    result_.path.start = timing.start;
    result_.path.end = timing.end;
    result_.fpga->routed = true;
  }

  const Request& request_;
  const FpgaDevice& device_;
  Workspace& workspace_;
  Step mapping_, route_, timing_;
  Result result_;
  ToolRunner tools_;
};

}  // namespace

std::map<std::string, std::string> fpga_tools(const Request& request, const FpgaDevice& device) {
  std::map<std::string, std::string> banners{{"yosys", find_yosys(request.yosys).banner}};
  if (!request.place_and_route) return banners;
  if (device.place_and_route.empty())
    throw UserError(
        fmt::format("target {} cannot be placed and routed; ice40 and ice40up can", device.name));
  const std::string& router = device.place_and_route.front();
  banners[router] = base::tool_version(router).banner;
  // It tells no version; it comes with the device's timing data.
  (void)base::find_tool(device.timing.front());
  return banners;
}

Result run_fpga_flow(const Request& request, const std::vector<Source>& sources,
                     const FpgaDevice& device, Workspace& workspace) {
  return FpgaFlow(request, sources, device, workspace).run();
}

}  // namespace weft::synth
