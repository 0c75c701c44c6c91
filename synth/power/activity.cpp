// SPDX-License-Identifier: Apache-2.0
#include "synth/power/activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "synth/power/clock_network.h"
#include "synth/power/simulator.h"

namespace weft::synth {
namespace {

constexpr std::size_t lanes = 64;
using Block = std::array<std::uint64_t, lanes>;

/// Makes bit i of word j what was bit j of word i.
void transpose(Block& block) {
  std::uint64_t mask = 0x00000000FFFFFFFF;
  for (unsigned width = 32; width != 0; width /= 2, mask ^= mask << width) {
    for (unsigned i = 0; i < lanes; i = (i + width + 1) & ~width) {
      const std::uint64_t swap = (block[i] >> width ^ block[i + width]) & mask;
      block[i] ^= swap << width;
      block[i + width] ^= swap;
    }
  }
}

/// Which of the netlist's ports each bit of the trace is.
template <typename Find>
std::vector<std::size_t> match_ports(const std::vector<std::string>& names, Find&& find) {
  std::vector<std::size_t> result;
  for (const std::string& name : names) {
    const std::optional<std::size_t> port = find(name);
    if (!port) throw ToolError(fmt::format("the netlist has no port {}, but the RTL has", name));
    result.push_back(*port);
  }
  return result;
}

/// A bit of a trace: cycle * stride + word, and the bits of that word.
struct Difference {
  std::size_t word = 0;
  std::uint64_t bits = 0;
};

/// A netlist and the trace that drives it.
class Replay {
 public:
  /// The first `cycles` of `trace`.
  Replay(const Netlist& netlist, std::string_view clock, const PortTrace& trace, std::size_t cycles)
      : netlist_(netlist),
        trace_(trace),
        cycles_(cycles),
        simulator_(netlist, clock),
        inputs_(
            match_ports(trace.inputs, [&](const auto& name) { return netlist.find_input(name); })),
        outputs_(match_ports(trace.outputs,
                             [&](const auto& name) { return netlist.find_output(name); })) {
    const std::size_t work = cycles - trace.lead_cycles;
    length_ = std::max<std::size_t>(1, (work + lanes - 1) / lanes);
    used_ = (work + length_ - 1) / length_;
  }

  /// Simulates everything. Registers hold 0 to begin with, or for another `seed` than 0 values that
  /// are drawn from it. Returns the passes.
  std::size_t run(std::uint64_t seed, const std::function<void(std::string_view)>& progress) {
    const auto state = simulator_.state();
    std::mt19937_64 random(seed);
    for (std::uint64_t& bit : state)
      bit = seed != 0 && (random() & 1U) != 0 ? ~std::uint64_t{0} : 0;
    rows_.fill(0);
    for (std::size_t cycle = 0; cycle + 1 < trace_.lead_cycles; ++cycle) {
      rows_.fill(cycle);
      set_inputs();
      simulator_.settle();
      simulator_.finish_cycle(0);
    }
    std::vector<std::uint64_t> begin(state.begin(), state.end());
    for (std::size_t passes = 1;; ++passes) {
      if (progress)
        progress(fmt::format("simulating {} cycles of the netlist, pass {}",
                             cycles_ - trace_.lead_cycles, passes));
      std::copy(begin.begin(), begin.end(), state.begin());
      const auto end = pass();
      bool same = true;
      for (std::size_t bit = 0; bit < begin.size(); ++bit) {
        const std::uint64_t next = (begin[bit] & 1U) | end[bit] << 1;
        same = same && ((next ^ begin[bit]) & used_lanes()) == 0;
        begin[bit] = next;
      }
      if (same) return passes;
    }
  }

  /// Where the outputs of the last pass differed from the trace.
  [[nodiscard]] const std::vector<Difference>& differences() const { return differences_; }
  /// The outputs of the last pass, laid out as the trace's.
  [[nodiscard]] const std::vector<std::uint64_t>& outputs() const { return output_words_; }
  [[nodiscard]] const NetActivity& activity() const { return simulator_.activity(); }

 private:
  [[nodiscard]] std::uint64_t used_lanes() const {
    return used_ == lanes ? ~std::uint64_t{0} : (std::uint64_t{1} << used_) - 1;
  }

  /// Simulates all stretches once, from the state in which the simulator is. Returns the state that
  /// each stretch hands to the next. A stretch begins with the last cycle of the one before, which
  /// is not counted: it gives the values that the first cycle's changes are counted from.
  std::vector<std::uint64_t> pass() {
    simulator_.clear_activity();
    differences_.clear();
    output_words_.assign(trace_.output_words.size(), 0);
    std::vector<std::uint64_t> handed;
    for (std::size_t step = 0; step <= length_; ++step) {
      if (step % 256 == 0) base::check_interrupt();
      if (step == length_) handed.assign(simulator_.state().begin(), simulator_.state().end());
      std::uint64_t live = 0;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t cycle = trace_.lead_cycles + lane * length_ + step - 1;
        rows_[lane] = std::min(cycle, cycles_ - 1);
        if (step > 0 && cycle < cycles_) live |= std::uint64_t{1} << lane;
      }
      set_inputs();
      simulator_.settle();
      if (step > 0) compare_outputs(live);
      simulator_.finish_cycle(live);
    }
    return handed;
  }

  void set_inputs() {
    Block block;
    for (std::size_t word = 0; word < trace_.input_stride(); ++word) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        block[lane] = trace_.input_words[rows_[lane] * trace_.input_stride() + word];
      transpose(block);
      for (std::size_t bit = 0; bit < lanes && 64 * word + bit < inputs_.size(); ++bit)
        simulator_.set_input(inputs_[64 * word + bit], block[bit]);
    }
  }

  void compare_outputs(std::uint64_t live) {
    Block block;
    for (std::size_t word = 0; word < trace_.output_stride(); ++word) {
      block.fill(0);
      for (std::size_t bit = 0; bit < lanes && 64 * word + bit < outputs_.size(); ++bit)
        block[bit] = simulator_.value(netlist_.outputs[outputs_[64 * word + bit]].net);
      transpose(block);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if ((live >> lane & 1U) == 0) continue;
        const std::size_t at = rows_[lane] * trace_.output_stride() + word;
        output_words_[at] = block[lane];
        const std::uint64_t wrong = block[lane] ^ trace_.output_words[at];
        if (wrong != 0) differences_.push_back({at, wrong});
      }
    }
  }

  const Netlist& netlist_;
  const PortTrace& trace_;
  std::size_t cycles_;
  NetlistSimulator simulator_;
  std::vector<std::size_t> inputs_;
  std::vector<std::size_t> outputs_;
  std::size_t length_ = 0;  ///< cycles of a stretch
  std::size_t used_ = 0;    ///< stretches
  std::array<std::size_t, lanes> rows_{};
  std::vector<Difference> differences_;
  std::vector<std::uint64_t> output_words_;
};

/// Removes the bits that another simulation has otherwise than the first one.
void excuse(std::vector<Difference>& differences, const std::vector<std::uint64_t>& one,
            const std::vector<std::uint64_t>& other) {
  for (Difference& difference : differences)
    difference.bits &= ~(one[difference.word] ^ other[difference.word]);
  std::erase_if(differences, [](const Difference& difference) { return difference.bits == 0; });
}

/// Removes the bits that depend on what registers hold before they are first written.
void excuse_undefined(const Netlist& netlist, std::string_view clock, const PortTrace& trace,
                      const std::vector<std::uint64_t>& outputs,
                      std::vector<Difference>& differences) {
  if (differences.empty()) return;
  const auto last = std::ranges::max_element(differences, {}, &Difference::word);
  Replay replay(netlist, clock, trace, last->word / trace.output_stride() + 1);
  // Each time half of such bits come out the same by chance.
  constexpr std::uint64_t most_seeds = 30;
  for (std::uint64_t seed = 1; seed <= most_seeds && !differences.empty(); ++seed) {
    replay.run(seed, {});
    excuse(differences, outputs, replay.outputs());
  }
}

void require_same(const PortTrace& trace, const std::vector<Difference>& differences) {
  if (differences.empty()) return;
  // Stretches side by side are not in order of time.
  const auto first = std::ranges::min_element(differences, {}, &Difference::word);
  const std::size_t cycle = first->word / trace.output_stride();
  const std::size_t bit = 64 * (first->word % trace.output_stride()) +
                          static_cast<std::size_t>(std::countr_zero(first->bits));
  const bool expected = (trace.output_words[first->word] >> (bit % 64) & 1U) != 0;
  throw ToolError(fmt::format(
      "the netlist is not the RTL: in cycle {} of the recording {} is {}, the RTL gives {}", cycle,
      trace.outputs[bit], expected ? 0 : 1, expected ? 1 : 0));
}

}  // namespace

Activity assumed_activity(const Netlist& netlist, std::string_view clock, double toggles) {
  Activity activity;
  activity.nets.assign(netlist.net_names.size(), {toggles, 0.5});
  activity.nets[0] = {0, 0};
  activity.nets[1] = {0, 1};
  const auto clocks = clock_network(netlist, clock);
  for (Net net = 0; net < clocks.size(); ++net)
    if (clocks[net]) activity.nets[net].toggles = 2;
  return activity;
}

Activity measure_activity(const Netlist& netlist, std::string_view clock, const PortTrace& trace,
                          const std::function<void(std::string_view)>& progress) {
  if (trace.lead_cycles == 0 || trace.cycles <= trace.lead_cycles)
    throw UserError("a recorded workload must have cycles in reset and others behind them");
  Replay replay(netlist, clock, trace, trace.cycles);
  Activity activity;
  activity.measured = true;
  activity.passes = replay.run(0, progress);
  const NetActivity& counted = replay.activity();
  activity.cycles = counted.cycles;
  activity.workload_cycles = trace.cycles - trace.lead_cycles;
  const auto cycles = static_cast<double>(counted.cycles);
  for (std::size_t net = 0; net < netlist.net_names.size(); ++net)
    activity.nets.push_back({static_cast<double>(counted.toggles[net]) / cycles,
                             static_cast<double>(counted.half_cycles[net]) / (2 * cycles)});

  auto differences = replay.differences();
  for (const Difference& difference : differences)
    activity.undefined_outputs += static_cast<std::size_t>(std::popcount(difference.bits));
  excuse_undefined(netlist, clock, trace, replay.outputs(), differences);
  require_same(trace, differences);
  return activity;
}

}  // namespace weft::synth
