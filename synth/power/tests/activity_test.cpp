// SPDX-License-Identifier: Apache-2.0
#include "synth/power/activity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "base/tests/messages.h"
#include "base/tests/run_seed.h"
#include "synth/power/simulator.h"
#include "synth/power/tests/hand_library.h"

namespace weft::synth {
namespace {

/// q counts the cycles in which d was 1, modulo 4, and is cleared by rst_n = 0: what it holds
/// depends on everything since the reset.
constexpr const char* counter = R"(
module top(clk, rst_n, d, q);
  input clk; input rst_n; input d; output [1:0] q;
  wire s0; wire s1; wire n0; wire n1; wire c;
  XOR a (.A(q[0]), .B(d), .Y(s0));
  AND b (.A(q[0]), .B(d), .Y(c));
  XOR e (.A(q[1]), .B(c), .Y(s1));
  AND f (.A(s0), .B(rst_n), .Y(n0));
  AND g (.A(s1), .B(rst_n), .Y(n1));
  DFF r0 (.CK(clk), .D(n0), .Q(q[0]));
  DFF r1 (.CK(clk), .D(n1), .Q(q[1]));
endmodule
)";

/// Three registers in a row without a reset: forgets within three cycles.
constexpr const char* pipeline = R"(
module top(clk, rst_n, d, q);
  input clk; input rst_n; input d; output [1:0] q;
  wire m;
  DFF r0 (.CK(clk), .D(d), .Q(m));
  DFF r1 (.CK(clk), .D(m), .Q(q[0]));
  DFF r2 (.CK(clk), .D(q[0]), .Q(q[1]));
endmodule
)";

class ActivityTest : public ::testing::Test {
 protected:
  void load(const char* text) { netlist_ = hand_netlist(text, library_); }

  /// `lead` cycles of reset, then random d; q as `next(state, reset, d)` has it, from `state` on.
  template <typename Next>
  PortTrace trace(std::size_t lead, std::size_t cycles, unsigned state, Next&& next) {
    PortTrace trace;
    trace.inputs = {"rst_n", "d"};
    trace.outputs = {"q[0]", "q[1]"};
    trace.cycles = cycles;
    trace.lead_cycles = lead;
    std::mt19937_64 random(test::run_seed());
    for (std::size_t cycle = 0; cycle < cycles; ++cycle) {
      const bool reset = cycle < lead;
      const bool d = (random() & 1U) != 0;
      trace.input_words.push_back((reset ? 0U : 1U) | (d ? 2U : 0U));
      trace.output_words.push_back(state & 3U);
      state = next(state, reset, d);
    }
    return trace;
  }

  static unsigned count(unsigned state, bool reset, bool d) {
    return reset ? 0 : (state + (d ? 1 : 0)) % 4;
  }

  /// The same in one piece, one experiment, straight from the definition.
  Activity serial(const PortTrace& trace) {
    NetlistSimulator simulator(netlist_, "clk");
    for (std::size_t cycle = 0; cycle < trace.cycles; ++cycle) {
      for (std::size_t bit = 0; bit < trace.inputs.size(); ++bit)
        simulator.set_input(netlist_.find_input(trace.inputs[bit]).value(),
                            (trace.input_words[cycle] >> bit & 1U) != 0 ? ~std::uint64_t{0} : 0);
      simulator.settle();
      simulator.finish_cycle(cycle < trace.lead_cycles ? 0 : 1);
    }
    Activity activity;
    const auto cycles = static_cast<double>(simulator.activity().cycles);
    for (std::size_t net = 0; net < netlist_.net_names.size(); ++net)
      activity.nets.push_back(
          {static_cast<double>(simulator.activity().toggles[net]) / cycles,
           static_cast<double>(simulator.activity().half_cycles[net]) / (2 * cycles)});
    return activity;
  }

  void expect_serial(const PortTrace& trace) {
    const Activity measured = measure_activity(netlist_, "clk", trace);
    const Activity expected = serial(trace);
    EXPECT_TRUE(measured.measured);
    EXPECT_EQ(measured.cycles, trace.cycles - trace.lead_cycles);
    for (std::size_t net = 0; net < netlist_.net_names.size(); ++net) {
      EXPECT_DOUBLE_EQ(measured.nets[net].toggles, expected.nets[net].toggles)
          << netlist_.net_names[net];
      EXPECT_DOUBLE_EQ(measured.nets[net].high, expected.nets[net].high) << netlist_.net_names[net];
    }
  }

  std::string error_of(const PortTrace& trace) {
    return test::message_of<ToolError>([&] { measure_activity(netlist_, "clk", trace); });
  }

  PowerLibrary library_ = hand_library();
  Netlist netlist_;
};

TEST_F(ActivityTest, StretchesSideBySideAreAsOneSimulation) {
  load(counter);
  for (const std::size_t cycles : {3U, 4U, 50U, 66U, 67U, 1000U, 5003U})
    expect_serial(trace(2, cycles, 0, count));
  expect_serial(trace(40, 300, 0, count));
}

TEST_F(ActivityTest, DesignsThatForgetTakeFewPasses) {
  load(pipeline);
  const auto shift = [](unsigned state, bool, bool d) {
    // state: q[0], q[1], then what is before q[0]
    return (state >> 2 & 1U) | (state & 1U) << 1 | (d ? 4U : 0U);
  };
  const PortTrace recorded = trace(5, 6405, 0, shift);
  expect_serial(recorded);
  EXPECT_EQ(measure_activity(netlist_, "clk", recorded).passes, 2U);
}

TEST_F(ActivityTest, OutputsMayDependOnFirstValuesButOnNothingElse) {
  load(pipeline);
  const auto shift = [](unsigned state, bool, bool d) {
    return (state >> 2 & 1U) | (state & 1U) << 1 | (d ? 4U : 0U);
  };
  // One cycle of reset, so the registers' first values come out for two cycles more.
  PortTrace recorded = trace(1, 500, 7, shift);
  EXPECT_EQ(error_of(recorded), "no error");
  EXPECT_GT(measure_activity(netlist_, "clk", recorded).undefined_outputs, 0U);
  recorded.output_words[3] ^= 2;  // that is of the first d
  EXPECT_NE(error_of(recorded).find("in cycle 3 of the recording q[1] is"), std::string::npos)
      << error_of(recorded);
}

TEST_F(ActivityTest, ANetlistThatIsNotTheRtlIsRefused) {
  load(counter);
  PortTrace recorded = trace(2, 2000, 0, count);
  recorded.output_words[1234] ^= 1;
  recorded.output_words[1800] ^= 2;
  const bool value = (recorded.output_words[1234] & 1U) != 0;
  EXPECT_EQ(
      error_of(recorded),
      fmt::format("the netlist is not the RTL: in cycle 1234 of the recording q[0] is {}, the "
                  "RTL gives {}",
                  value ? 0 : 1, value ? 1 : 0));
  recorded = trace(2, 100, 0, count);
  recorded.outputs[1] = "z";
  EXPECT_EQ(error_of(recorded), "the netlist has no port z, but the RTL has");
  recorded.lead_cycles = 0;
  EXPECT_THROW(measure_activity(netlist_, "clk", recorded), UserError);
}

TEST_F(ActivityTest, AssumptionsAreTheSameEverywhereButOnTheClock) {
  load(pipeline);
  const Activity activity = assumed_activity(netlist_, "clk", 0.25);
  EXPECT_FALSE(activity.measured);
  for (std::size_t net = 2; net < netlist_.net_names.size(); ++net) {
    EXPECT_EQ(activity.nets[net].toggles, netlist_.net_names[net] == "clk" ? 2 : 0.25);
    EXPECT_EQ(activity.nets[net].high, 0.5);
  }
  EXPECT_EQ(activity.nets[0].toggles, 0);
  EXPECT_EQ(activity.nets[1].high, 1);

  // A gated clock is a clock, what registers make of it is not.
  load(
      "module top(clk, e, q, r); input clk; input e; output q; output r; wire g;"
      " AND a (.A(clk), .B(e), .Y(g)); DFF d (.CK(g), .D(e), .Q(q)); INV i (.A(q), .Y(r));"
      " endmodule");
  const Activity gated = assumed_activity(netlist_, "clk", 0.25);
  for (std::size_t net = 2; net < netlist_.net_names.size(); ++net) {
    const std::string& name = netlist_.net_names[net];
    EXPECT_EQ(gated.nets[net].toggles, name == "clk" || name == "g" ? 2 : 0.25) << name;
  }
}

}  // namespace
}  // namespace weft::synth
