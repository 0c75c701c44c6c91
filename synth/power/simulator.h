// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "synth/power/netlist.h"

namespace weft::synth {

/// What the nets of a netlist did: sums over all counted cycles.
struct NetActivity {
  std::uint64_t cycles = 0;
  std::vector<std::uint64_t> toggles;      ///< by net
  std::vector<std::uint64_t> half_cycles;  ///< by net: halves of cycles in which it was 1
};

/// Simulates a mapped netlist, cycle by cycle, 64 independent experiments ("lanes") at once: bit i
/// of every word belongs to lane i. Gates have no delay, so glitches are neither simulated nor
/// counted. Registers take over at the rising edge of the clock; the clock may reach them through
/// gates and latches.
///
///     set input() of every port but the clock; settle(); look at value(); finish_cycle(lanes);
class NetlistSimulator {
 public:
  /// Throws UserError, naming nets or cells: combinational loops; registers of the falling edge;
  /// asynchronous set or reset that is not tied off; cells whose function the library does not
  /// tell. `netlist` must outlive this.
  NetlistSimulator(const Netlist& netlist, std::string_view clock);

  /// The stored bits, one word each, in the order of the cells. They start as 0.
  [[nodiscard]] std::span<std::uint64_t> state();

  void set_input(std::size_t port, std::uint64_t lanes) {
    values_[netlist_->inputs[port].net] = lanes;
  }
  /// With the clock low: all nets follow from inputs and state.
  void settle();
  [[nodiscard]] std::uint64_t value(Net net) const { return values_[net]; }
  /// Counts the changes since the last cycle in `lanes`, then lets the clock rise.
  void finish_cycle(std::uint64_t lanes);

  /// What was counted since clear_activity().
  [[nodiscard]] const NetActivity& activity() const { return activity_; }
  void clear_activity();

 private:
  /// dst = (a ^ flip a) op (b ^ flip b) ^ flip dst, with op "and" or "xor".
  struct Operation {
    std::uint32_t a, b, dst;
    std::uint8_t kind;
  };
  struct Register {
    std::uint32_t state, next;  ///< values
    std::uint32_t low, high;    ///< its clock in both halves of the cycle; equal: the clock itself
  };
  class Compiler;

  void run(const std::vector<Operation>& operations);

  const Netlist* netlist_;
  std::vector<std::uint64_t> values_;  ///< nets, state, then intermediate results
  std::vector<std::uint64_t> former_;  ///< values of the nets when they were last counted
  std::uint32_t state_begin_ = 0;
  std::uint32_t state_end_ = 0;
  Net clock_ = 0;
  std::vector<Operation> low_;   ///< everything, in order of dependence
  std::vector<Operation> high_;  ///< what depends on the clock
  std::vector<Net> clocked_nets_;
  std::vector<Register> registers_;
  NetActivity activity_;
};

}  // namespace weft::synth
