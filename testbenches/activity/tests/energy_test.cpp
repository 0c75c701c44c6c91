// SPDX-License-Identifier: Apache-2.0
//
// Energy with the real tools: mapped netlists against the RTL that they come from, and weft's sums
// against OpenSTA's.
#include "synth/power/energy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arch/config.h"
#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "base/tests/run_seed.h"
#include "synth/power/activity.h"
#include "synth/power/netlist.h"
#include "synth/power/power.h"
#include "synth/power/power_library.h"
#include "synth/power/slews.h"
#include "synth/scripts.h"
#include "synth/synth.h"
#include "synth/target.h"
#include "synth/tests/temporary_directory.h"
#include "testbenches/activity/array_activity.h"
#include "testbenches/activity/link_activity.h"
#include "testbenches/activity/switch_activity.h"
#include "testbenches/switch/emitted_switch.h"
#include "testbenches/tensor_array/emitted_rtl.h"

namespace weft::verif {
namespace {

arch::TensorArray array_of(int rows, int cols, int bits) {
  const auto config =
      arch::parse_config(fmt::format("kind: tensor_array\nname: array\nrows: {}\ncols: {}\n"
                                     "stationary_format: int{}\nmoving_format: int{}\n",
                                     rows, cols, bits, bits),
                         "array.yaml");
  return std::get<arch::TensorArray>(config.design);
}

class EnergyTest : public ::testing::Test {
 protected:
  /// The synthesised design.
  synth::Result synthesise(const Rtl& rtl) {
    synth::Request request;
    for (const VerilogFile& file : rtl.files) {
      base::write_file_atomic(directory_ / file.name, file.text);
      request.verilog.push_back(directory_ / file.name);
    }
    request.top = rtl.top;
    request.parameters = rtl.parameters;
    request.output_directory = directory_ / "out";
    request.clock_ns = 8;
    return synth::run(request);
  }

  synth::Activity measure(const synth::Result& synthesis, const char* netlist,
                          const synth::PortTrace& trace) const {
    const auto library = synth::read_power_library(target_.liberty_text, "osu018");
    const auto mapped = synth::read_netlist(base::read_file(synthesis.directory / netlist), netlist,
                                            synthesis.top, library);
    return synth::measure_activity(mapped, "clk_i", trace);
  }

  synth::TemporaryDirectory directory_;
  synth::Target target_ = synth::load_target("osu018");
};

arch::Workload random_layers() {
  arch::Workload workload;
  workload.name = "layers";
  workload.layers.push_back({"one", arch::Gemm{.m = 40, .n = 5, .k = 7}, 3});
  workload.layers.push_back({"two", arch::Gemm{.m = 3, .n = 9, .k = 4}, 2});
  return workload;
}

// Every output bit of every cycle is compared by measure_activity; the trace itself was computed by
// Verilator, and its products were compared with the golden arithmetic.
TEST_F(EnergyTest, TheMappedArrayDoesWhatTheRtlDoes) {
  const arch::TensorArray array = array_of(3, 2, 4);
  const Rtl rtl = emitted_rtl(array);
  RecordingOptions options;
  options.seed = test::run_seed();
  Recording recording = record_workload(array, rtl, random_layers(), options);
  EXPECT_EQ(recording.macs, std::uint64_t{3 * 40 * 5 * 7 + 2 * 3 * 9 * 4});
  EXPECT_EQ(recording.workload_cycles, recording.trace.cycles - recording.trace.lead_cycles);
  const synth::Result synthesis = synthesise(rtl);
  for (const char* netlist : {synth::files::netlist, synth::files::module_netlist}) {
    const synth::Activity activity = measure(synthesis, netlist, recording.trace);
    EXPECT_EQ(activity.cycles, recording.workload_cycles) << netlist;
  }
  // A netlist that is another one is noticed.
  auto text = base::read_file(synthesis.directory / synth::files::netlist);
  const auto at = text.find("  XOR2X1 ");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 9, "  AND2X1 ");
  base::write_file_atomic(synthesis.directory / synth::files::netlist, text);
  EXPECT_THROW(measure(synthesis, synth::files::netlist, recording.trace), ToolError);

  // A part of a workload.
  options.most_cycles = 50;
  recording = record_workload(array, rtl, random_layers(), options);
  EXPECT_EQ(recording.trace.cycles - recording.trace.lead_cycles, 50U);
  EXPECT_GT(recording.workload_cycles, 50U);
}

TEST_F(EnergyTest, EveryDataflowIsRecorded) {
  for (const auto dataflow :
       {arch::Dataflow::input_stationary, arch::Dataflow::output_stationary}) {
    arch::TensorArray array = array_of(2, 3, 4);
    array.dataflow = dataflow;
    const Rtl rtl = emitted_rtl(array);
    RecordingOptions options;
    options.seed = test::run_seed();
    const Recording recording = record_workload(array, rtl, random_layers(), options);
    EXPECT_EQ(recording.macs, std::uint64_t{3 * 40 * 5 * 7 + 2 * 3 * 9 * 4});
    const synth::Activity activity =
        measure(synthesise(rtl), synth::files::netlist, recording.trace);
    EXPECT_EQ(activity.cycles, recording.workload_cycles);
  }
}

TEST_F(EnergyTest, ArraysWithoutSkewRegistersAreRecorded) {
  for (const auto dataflow :
       {arch::Dataflow::weight_stationary, arch::Dataflow::output_stationary}) {
    arch::TensorArray inside = array_of(3, 4, 3);
    inside.dataflow = dataflow;
    arch::TensorArray outside = inside;
    outside.skew = arch::Skew::external;
    RecordingOptions options;
    options.seed = test::run_seed();
    // The products are right, and come as fast but for the skew at the result.
    const Recording expected =
        record_workload(inside, emitted_rtl(inside), random_layers(), options);
    const Rtl rtl = emitted_rtl(outside);
    const Recording recording = record_workload(outside, rtl, random_layers(), options);
    EXPECT_EQ(recording.macs, expected.macs);
    EXPECT_EQ(recording.workload_cycles, expected.workload_cycles);
    const synth::Activity activity =
        measure(synthesise(rtl), synth::files::netlist, recording.trace);
    EXPECT_EQ(activity.cycles, recording.workload_cycles);
  }
}

TEST_F(EnergyTest, TheMappedSwitchDoesWhatTheRtlDoes) {
  const auto config = arch::parse_config(
      "kind: switch\nname: device\nports: 3\nflit_width: 48\nbuffer_depth: 2\n", "switch.yaml");
  const auto& design = std::get<arch::Switch>(config.design);
  const Rtl rtl = emitted_switch(design);
  TrafficSpec traffic = parse_traffic("uniform");
  traffic.load = 0.6;
  RecordingOptions options;
  options.seed = test::run_seed();
  options.lead_cycles = 100;
  options.most_cycles = 2000;
  const Recording recording = record_traffic(design, rtl, traffic, options);
  EXPECT_EQ(recording.trace.cycles - recording.trace.lead_cycles, 2000U);
  // As many come out as go in.
  EXPECT_NEAR(static_cast<double>(recording.flits), 0.6 * 3 * 2000, 0.15 * 0.6 * 3 * 2000);

  synth::EnergyWorkload workload;
  workload.name = recording.workload;
  workload.trace = &recording.trace;
  workload.all_cycles = recording.workload_cycles;
  workload.operations = {{"flit", static_cast<double>(recording.flits)}};
  const synth::Result synthesis = synthesise(rtl);
  const auto library = synth::read_power_library(target_.liberty_text, "osu018");
  const synth::EnergyReport report =
      synth::find_energy(synthesis, target_, library, {&workload, 0});
  EXPECT_EQ(report.activity, "measured: uniform traffic, load 0.6, 2000 of 2000 cycles");
  EXPECT_GT(report.per_cycle(), 0);
  EXPECT_DOUBLE_EQ(report.per(report.operations[0]),
                   report.per_cycle() * 2000 / static_cast<double>(recording.flits));
  // The kinds of cells, and the modules, are all there is.
  EXPECT_NEAR(report.watts(), report.per_cycle() / 8e-9, 1e-9);
  std::uint64_t cells = 0;
  for (const auto& [name, use] : synthesis.by_module) cells += use.cells;
  std::uint64_t counted = 0;
  for (const synth::ModuleEnergy& module : report.modules) {
    counted += module.cells;
    EXPECT_TRUE(synthesis.by_module.contains(module.module)) << module.module;
  }
  EXPECT_EQ(counted, cells);
}

TEST_F(EnergyTest, TheMappedLinkDoesWhatTheRtlDoes) {
  const auto config = arch::parse_config(
      "kind: link\nname: device\nflit_width: 20\nvirtual_channels: 2\nlanes: 4\nlane_width: 4\n"
      "channel_latency: 2\n",
      "link.yaml");
  const auto& link = std::get<arch::Link>(config.design);
  const LinkRtl rtl = emitted_rtl(link);
  RecordingOptions options;
  options.seed = test::run_seed();
  options.lead_cycles = 400;
  options.most_cycles = 3000;
  // A frame has several phits, so a tenth of the cycles is less than the link can carry.
  const Recording recording = record_link(link, rtl, 0.1, options);
  EXPECT_EQ(recording.trace.cycles - recording.trace.lead_cycles, 3000U);
  EXPECT_NEAR(static_cast<double>(recording.flits), 0.1 * 3000, 0.25 * 0.1 * 3000);
  const synth::Activity activity = measure(synthesise({rtl.files, rtl.top, rtl.parameters}),
                                           synth::files::netlist, recording.trace);
  EXPECT_EQ(activity.cycles, 3000U);
  options.lead_cycles = 2;
  EXPECT_THROW(static_cast<void>(record_link(link, rtl, 0.1, options)), ToolError);
}

/// What OpenSTA reports.
struct StaPower {
  double internal = 0, switching = 0, leakage = 0;
};

/// The groups of report_power, in W.
std::map<std::string, StaPower> opensta_power(const synth::Result& synthesis,
                                              const synth::Target& target, double toggles) {
  base::write_file_atomic(synthesis.directory / synth::files::library, target.liberty_text);
  std::string script = base::read_file(synthesis.directory / synth::files::timing_script);
  script.resize(script.find("check_setup"));
  script += fmt::format("set_power_activity -global -activity {} -duty 0.5\n", toggles);
  script += "report_power -digits 8\n";
  base::write_file_atomic(synthesis.directory / "power.tcl", script);
  base::Command command;
  command.argv = {"sta", "-no_init", "-no_splash", "-exit", "power.tcl"};
  command.directory = synthesis.directory;
  command.log = synthesis.directory / "power.log";
  base::check(base::run_process(command));
  std::istringstream lines(base::read_file(command.log));
  std::map<std::string, StaPower> groups;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string group;
    StaPower power;
    if (words >> group >> power.internal >> power.switching >> power.leakage) groups[group] = power;
  }
  return groups;
}

/// A node of an expression as a tree.
struct Tree {
  synth::Expression::Op op;
  int variable = 0;
  std::vector<Tree> parts;
};

Tree tree_of(const synth::Expression& expression) {
  using Op = synth::Expression::Op;
  std::vector<Tree> stack;
  for (const auto& step : expression.steps()) {
    Tree node{step.op, step.variable, {}};
    const std::size_t operands =
        step.op == Op::invert                                                   ? 1
        : step.op == Op::both || step.op == Op::either || step.op == Op::differ ? 2
                                                                                : 0;
    node.parts.assign(stack.end() - static_cast<std::ptrdiff_t>(operands), stack.end());
    stack.resize(stack.size() - operands);
    stack.push_back(std::move(node));
  }
  return stack.back();
}

/// The probability of 1 term by term, every variable being 1 half of the time.
double duty(const Tree& tree) {
  using Op = synth::Expression::Op;
  switch (tree.op) {
    case Op::zero:
      return 0;
    case Op::one:
      return 1;
    case Op::variable:
      return 0.5;
    case Op::invert:
      return 1 - duty(tree.parts[0]);
    case Op::both:
      return duty(tree.parts[0]) * duty(tree.parts[1]);
    case Op::either:
      return 1 - (1 - duty(tree.parts[0])) * (1 - duty(tree.parts[1]));
    case Op::differ:
      return duty(tree.parts[0]) * (1 - duty(tree.parts[1])) +
             duty(tree.parts[1]) * (1 - duty(tree.parts[0]));
  }
  return 0;
}

/// For which part of an output's changes OpenSTA 2.0 takes the table of an input: where the
/// function has the input beside one other term, the part of the time in which that lets it
/// through; else half.
std::optional<double> let_through(const Tree& tree, int input) {
  using Op = synth::Expression::Op;
  const auto is_input = [&](const Tree& part) {
    const Tree& bare = part.op == Op::invert ? part.parts[0] : part;
    return bare.op == Op::variable && bare.variable == input;
  };
  if (tree.op == Op::variable) return tree.variable == input ? std::optional(1.0) : std::nullopt;
  if (tree.op == Op::invert) return let_through(tree.parts[0], input);
  if (tree.parts.size() != 2) return std::nullopt;
  for (const int one : {0, 1}) {
    if (!is_input(tree.parts[static_cast<std::size_t>(one)])) continue;
    const double other = duty(tree.parts[static_cast<std::size_t>(1 - one)]);
    return tree.op == Op::both ? other : 1 - other;
  }
  return std::nullopt;
}

/// The internal power of a cell by the rules of OpenSTA 2.0.17, from weft's tables, slews and
/// loads. It adds up the energies of both edges for every change of a pin, where newer versions and
/// weft take their mean; and does not make the parts of an output's tables add up to 1.
double internal_by_opensta_rules(const synth::NetlistCell& cell, const synth::NetLoads& loads,
                                 const synth::Activity& activity, synth::Net clock, double period) {
  double watts = 0;
  for (const synth::InternalShare& share : synth::internal_shares(cell, loads, activity)) {
    const synth::InternalEnergy& table = *share.table;
    const auto net_of = [&](int pin) { return cell.nets[static_cast<std::size_t>(pin)]; };
    double part = 0.5;
    if (table.related < 0) {
      if (net_of(table.pin) == clock) part = 1;
    } else if (net_of(table.related) == clock) {
      part = 1;
    } else if (const auto& function =
                   cell.type->pins[static_cast<std::size_t>(table.pin)].function) {
      part = let_through(tree_of(*function), table.related).value_or(0.5);
    }
    watts += part * (share.energy.rise + share.energy.fall) *
             activity.nets[net_of(table.pin)].toggles / period;
  }
  return watts;
}

// 4x4 int8 flat, 0.1 toggles a cycle on every net. Tables, slews, loads, voltages, units and
// leakage are all in it; where OpenSTA 2.0.17 counts internal energy otherwise its rules are
// applied.
TEST_F(EnergyTest, OpenStaAgreesForTheSameActivity) {
  constexpr double toggles = 0.1;
  const synth::Result synthesis = synthesise(emitted_rtl(array_of(4, 4, 8)));
  auto groups = opensta_power(synthesis, target_, toggles);
  ASSERT_TRUE(groups.contains("Sequential") && groups.contains("Combinational"));

  const auto library = synth::read_power_library(target_.liberty_text, "osu018");
  const auto netlist =
      synth::read_netlist(base::read_file(synthesis.directory / synth::files::netlist), "netlist.v",
                          synthesis.top, library);
  const auto loads =
      synth::find_loads(netlist, library, "clk_i", target_.driving_cell, target_.load_ff * 1e-15);
  const auto activity = synth::assumed_activity(netlist, "clk_i", toggles);
  const auto energies = synth::cell_energies(netlist, library, loads, activity);
  const synth::Net clock = netlist.inputs[netlist.find_input("clk_i").value()].net;
  const double period = synthesis.clock_ns * 1e-9;
  std::map<std::string, StaPower> ours;
  for (std::size_t c = 0; c < netlist.cells.size(); ++c) {
    const synth::NetlistCell& cell = netlist.cells[c];
    StaPower& group =
        ours[cell.type->storage == synth::Storage::none ? "Combinational" : "Sequential"];
    group.internal += internal_by_opensta_rules(cell, loads, activity, clock, period);
    group.switching += energies[c].switching / period;
    group.leakage += energies[c].leakage;
  }
  for (const char* group : {"Sequential", "Combinational"}) {
    const StaPower& theirs = groups[group];
    std::cout << fmt::format(
        "{}: internal {:.6e} {:.6e}, switching {:.6e} {:.6e}, leakage {:.6e} "
        "{:.6e} (weft, OpenSTA)\n",
        group, ours[group].internal, theirs.internal, ours[group].switching, theirs.switching,
        ours[group].leakage, theirs.leakage);
    EXPECT_NEAR(ours[group].internal, theirs.internal, 0.02 * theirs.internal) << group;
    EXPECT_NEAR(ours[group].switching, theirs.switching, 0.01 * theirs.switching) << group;
    EXPECT_NEAR(ours[group].leakage, theirs.leakage, 0.001 * theirs.leakage) << group;
  }
}

}  // namespace
}  // namespace weft::verif
