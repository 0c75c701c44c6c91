// SPDX-License-Identifier: Apache-2.0
// How fast the packet model of the switch is, with its traffic, sources and sinks: a 16-port switch
// with virtual output queues and iSLIP under uniform traffic. items_per_second is switch cycles,
// packet_time CPU time a packet, of one core.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "arch/network/switch.h"
#include "verif/network/packet_run.h"
#include "verif/traffic/traffic.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {
namespace {

void packets(benchmark::State& state) {
  arch::Switch design;
  design.ports = 16;
  design.buffer_depth = 64;
  design.max_packet_flits = 32;
  design = arch::resolved(design);
  TrafficSpec spec = parse_traffic("uniform");
  const auto flits = static_cast<int>(state.range(0));
  spec.packet_flits = {{flits, 1}};
  spec.load = static_cast<double>(state.range(1)) / 100;
  RunPhases phases;
  phases.measurement = 200'000;
  std::uint64_t cycles = 0;
  for (auto _ : state) {
    cycles += run_packets(design, *make_traffic(spec, design.ports, 1), phases, false).cycles;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(cycles));
  state.counters["packet_time"] =
      benchmark::Counter(static_cast<double>(cycles) * spec.load / flits * design.ports,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(packets)
    ->ArgNames({"flits", "load"})
    ->ArgsProduct({{1, 8, 32}, {30, 60}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::verif

BENCHMARK_MAIN();
