// SPDX-License-Identifier: Apache-2.0
// How fast the cycle-exact model of the switch is: items_per_second is switch cycles, uniform
// traffic with sources and sinks that cost as little as they can. The time is of one core.
//
// recorded_*: what such sources and sinks drive was recorded and is played into the model and into
// the Verilated RTL, with nothing around them. The first run builds the RTL.
#include <benchmark/benchmark.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "arch/network/switch_pins.h"
#include "systemc_models/switch/cycle_switch.h"
#include "testbenches/switch/emitted_switch.h"
#include "testbenches/switch/rtl_switch.h"
#include "verif/dut_builder.h"

namespace weft::models {
namespace {

using arch::Allocator;
using arch::Organisation;

arch::Switch switch_of(int ports, Organisation organisation, Allocator allocator) {
  arch::Switch design;
  design.ports = ports;
  design.organisation = organisation;
  design.allocator = allocator;
  design.buffer_depth = 64;
  return design;
}

// Packets of one length whose heads and gaps were drawn beforehand; a flit without a credit waits.
class Sources {
 public:
  Sources(const arch::Switch& design, double load, int packet_flits)
      : design_(design),
        layout_(design),
        inputs_(layout_),
        packet_flits_(packet_flits),
        credits_(static_cast<std::size_t>(layout_.ports * layout_.queues), design.buffer_depth),
        left_(static_cast<std::size_t>(layout_.ports)),
        output_(left_.size()),
        draws_(drawn_cycles * left_.size()) {
    std::mt19937_64 random(1);
    std::bernoulli_distribution begins(load / (packet_flits - load * (packet_flits - 1)));
    for (std::uint8_t& draw : draws_) {
      draw = begins(random)
                 ? static_cast<std::uint8_t>(random() % static_cast<unsigned>(design.ports))
                 : nothing;
    }
  }

  void run_cycle(CycleSwitch& model) { take(model.cycle(drive())); }

  /// The inputs of the next cycle.
  const arch::SwitchInputs& drive() {
    const std::uint8_t* draws = &draws_[time_++ % drawn_cycles * left_.size()];
    const auto words = static_cast<std::size_t>(layout_.flit_words);
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const bool head = left_[i] == 0;
      inputs_.valid[i] = 0;
      if (head && draws[i] == nothing) continue;
      if (head) output_[i] = draws[i];
      const std::size_t place = i * static_cast<std::size_t>(layout_.queues) + queue(output_[i]);
      if (credits_[place] == 0) continue;
      --credits_[place];
      if (head) left_[i] = packet_flits_;
      --left_[i];
      inputs_.valid[i] = 1;
      inputs_.head[i] = head;
      inputs_.tail[i] = left_[i] == 0;
      inputs_.flit[i * words] = output_[i];
    }
    return inputs_;
  }
  /// What the switch answered to them.
  void take(const arch::SwitchOutputs& outputs) {
    inputs_.accept = outputs.valid;  // the sinks take everything at once
    for (std::size_t k = 0; k < outputs.queue.size(); ++k) {
      const std::size_t input = k / static_cast<std::size_t>(layout_.queue_words);
      const std::size_t first = k % static_cast<std::size_t>(layout_.queue_words) * 64;
      for (std::uint64_t bits = outputs.queue[k]; bits != 0; bits &= bits - 1) {
        ++credits_[input * static_cast<std::size_t>(layout_.queues) + first +
                   static_cast<std::size_t>(std::countr_zero(bits))];
      }
    }
  }

 private:
  static constexpr std::uint8_t nothing = 255;
  static constexpr std::size_t drawn_cycles = 1 << 14;

  [[nodiscard]] std::size_t queue(std::size_t output) const {
    return layout_.queues == 1 ? 0 : output;
  }

  arch::Switch design_;
  arch::PinLayout layout_;
  arch::SwitchInputs inputs_;
  int packet_flits_;
  std::vector<int> credits_;          // [input][queue]
  std::vector<int> left_;             // [input]: flits of the packet under way
  std::vector<std::uint8_t> output_;  // [input]: of the packet under way
  std::vector<std::uint8_t> draws_;   // [cycle][input]: output of a packet that begins
  std::size_t time_ = 0;
};

void cycles(benchmark::State& state, Organisation organisation, Allocator allocator, int iterations,
            int packet_flits) {
  arch::Switch design = switch_of(static_cast<int>(state.range(0)), organisation, allocator);
  design.islip_iterations = iterations;
  design.max_packet_flits = packet_flits;
  design = arch::resolved(design);
  CycleSwitch model(design);
  Sources sources(design, static_cast<double>(state.range(1)) / 100, packet_flits);
  constexpr int warm_up = 10000;
  for (int t = 0; t < warm_up; ++t) sources.run_cycle(model);
  for (auto _ : state) sources.run_cycle(model);
  state.SetItemsProcessed(state.iterations());
}

void sizes_and_loads(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"ports", "load"})->Args({16, 30})->Args({16, 90})->Args({32, 90});
}

constexpr auto voq = Organisation::virtual_output_queued;

BENCHMARK_CAPTURE(cycles, voq_islip1, voq, Allocator::islip, 1, 1)
    ->Apply(sizes_and_loads)
    ->Args({64, 90})
    ->Args({72, 90});
BENCHMARK_CAPTURE(cycles, voq_islip4, voq, Allocator::islip, 4, 1)->Apply(sizes_and_loads);
BENCHMARK_CAPTURE(cycles, voq_wavefront, voq, Allocator::wavefront, 1, 1)->Apply(sizes_and_loads);
BENCHMARK_CAPTURE(cycles, voq_round_robin, voq, Allocator::round_robin, 1, 1)
    ->Apply(sizes_and_loads);
BENCHMARK_CAPTURE(cycles, voq_matrix, voq, Allocator::matrix, 1, 1)->Apply(sizes_and_loads);
BENCHMARK_CAPTURE(cycles, voq_packets_of_8, voq, Allocator::islip, 1, 8)->Apply(sizes_and_loads);
BENCHMARK_CAPTURE(cycles, input_queued, Organisation::input_queued, Allocator::islip, 1, 1)
    ->Apply(sizes_and_loads);
BENCHMARK_CAPTURE(cycles, output_queued, Organisation::output_queued, Allocator::round_robin, 1, 1)
    ->Apply(sizes_and_loads);
BENCHMARK_CAPTURE(cycles, central_buffer, Organisation::central_buffer, Allocator::round_robin, 1,
                  1)
    ->Apply(sizes_and_loads);

arch::Switch compared_switch() {
  arch::Switch design = switch_of(16, voq, Allocator::islip);
  design.name = "compared_switch";
  return arch::resolved(design);
}

// What is driven in each cycle after reset.
std::vector<arch::SwitchInputs> record(double load) {
  constexpr int recorded_cycles = 20000;
  const arch::Switch design = compared_switch();
  CycleSwitch model(design);
  Sources sources(design, load, 1);
  std::vector<arch::SwitchInputs> recording;
  for (int t = 0; t < recorded_cycles; ++t) {
    recording.push_back(sources.drive());
    sources.take(model.cycle(recording.back()));
  }
  return recording;
}

void play(benchmark::State& state, arch::SwitchSimulation& simulation) {
  const auto recording = record(static_cast<double>(state.range(0)) / 100);
  std::uint64_t flits = 0;
  for (auto _ : state) {
    simulation.reset();
    flits = 0;
    for (const arch::SwitchInputs& inputs : recording) {
      for (const std::uint8_t valid : simulation.cycle(inputs).valid) flits += valid;
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(recording.size()));
  state.counters["flits"] = static_cast<double>(flits);  // the same for both
}

void recorded_model(benchmark::State& state) {
  CycleSwitch model(compared_switch());
  play(state, model);
}

void recorded_rtl(benchmark::State& state) {
  const arch::Switch design = compared_switch();
  const auto description = verif::describe_switch(design, verif::emitted_switch(design));
  verif::RtlSwitch rtl(design, description, verif::build_dut(description).library);
  play(state, rtl);
}

void loads(benchmark::internal::Benchmark* bench) {
  bench->ArgName("load")->Arg(30)->Arg(60)->Arg(90)->Arg(100)->Unit(benchmark::kMillisecond);
}

BENCHMARK(recorded_model)->Apply(loads);
BENCHMARK(recorded_rtl)->Apply(loads);

}  // namespace
}  // namespace weft::models

BENCHMARK_MAIN();
