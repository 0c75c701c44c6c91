// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/switch_stimuli.h"

#include <algorithm>

#include "testbenches/switch/wait_monitor.h"
#include "verif/random.h"

namespace weft::verif {
namespace {

/// `on` cycles yes, `off` cycles no.
Gate bursts(std::size_t on, std::size_t off) {
  Gate gate;
  gate.pattern.assign(on, 1);
  gate.pattern.insert(gate.pattern.end(), off, 0);
  return gate;
}

Gate by_chance(unsigned percent) {
  Gate gate;
  gate.percent = percent;
  return gate;
}

}  // namespace

SwitchStimuli::SwitchStimuli(const arch::Switch& design, std::uint64_t seed)
    : design_(design), seed_(seed) {
  direct();
}

std::uint64_t SwitchStimuli::packets(int a_port) const {
  // Long packets need not be so many.
  constexpr int flits_a_port = 120;
  const int most = std::max(6, 2 * flits_a_port / (design_.max_packet_flits + 1));
  return static_cast<std::uint64_t>(std::min(a_port, most) * design_.ports);
}

std::uint64_t SwitchStimuli::packets_for_wait() const {
  constexpr std::uint64_t most_cycles = 5000;
  const std::uint64_t bound = wait_bound(design_, 0);
  // Of random length, one flit a cycle.
  return 3 * std::min(bound, most_cycles) /
         static_cast<std::uint64_t>(design_.max_packet_flits + 1);
}

SwitchScenario& SwitchStimuli::add(const char* name) {
  SwitchScenario scenario;
  scenario.name = name;
  scenario.packets = packets(24);
  directed_.push_back(scenario);
  return directed_.back();
}

void SwitchStimuli::direct() {
  const auto ports = static_cast<std::uint64_t>(design_.ports);

  SwitchScenario& idle = add("latency of single packets");
  idle.measure = Measure::latency;
  idle.packets = 2 * ports;
  idle.lengths = Lengths::every;

  SwitchScenario& straight = add("back to back, every length");
  straight.spread = Spread::permutation;
  straight.lengths = Lengths::every;
  straight.measure = Measure::bubbles;
  SwitchScenario& singles = add("back to back, single flits");
  singles.spread = Spread::permutation;
  singles.lengths = Lengths::single;
  singles.measure = Measure::bubbles;
  singles.packets *= 4;

  // Waits are bounded for packets that come in one piece.
  const auto add_waits = [this](const char* name) -> SwitchScenario& {
    SwitchScenario& scenario = add(name);
    scenario.measure = Measure::waits;
    scenario.endpoints.interleave = false;
    return scenario;
  };
  add_waits("full load").lengths = Lengths::every;
  SwitchScenario& flits = add_waits("full load, single flits");
  flits.lengths = Lengths::single;
  flits.packets *= 2;
  add("full load, longest packets").lengths = Lengths::longest;
  SwitchScenario& crowd = add_waits("all to one");
  crowd.spread = Spread::all_to_one;
  crowd.packets = std::max(crowd.packets, packets_for_wait());
  add("one to all").spread = Spread::one_to_all;
  add("hotspot").spread = Spread::hotspot;

  SwitchScenario& behind = add("single flits behind tails, next hop toggling");
  behind.lengths = Lengths::alternating;
  behind.endpoints.accept = bursts(1, 1);
  add("next hop takes two of three").endpoints.accept = bursts(2, 1);
  add("next hop takes one of four").endpoints.accept = bursts(1, 3);
  add("next hop in bursts").endpoints.accept = bursts(8, 13);
  SwitchScenario& blocked = add("next hop stands for long");
  blocked.endpoints.accept = bursts(40, 160);
  SwitchScenario& late = add("late credits");
  late.endpoints.credit_delay = 11;
  SwitchScenario& erratic = add("next hop at random");
  erratic.endpoints.accept = by_chance(40);

  SwitchScenario& gaps = add("gaps between flits");
  gaps.endpoints.send = by_chance(50);
  SwitchScenario& gaps_and_pressure = add("gaps and a slow next hop");
  gaps_and_pressure.endpoints.send = by_chance(70);
  gaps_and_pressure.endpoints.accept = by_chance(60);
  SwitchScenario& sparse = add("light load");
  sparse.load = 15;
  SwitchScenario& fifo = add("one FIFO a source");
  fifo.endpoints.single_fifo = true;
  SwitchScenario& sticky = add("packets in one piece");
  sticky.endpoints.interleave = false;

  if (design_.traffic_classes > 1) {
    SwitchScenario& last_class = add("least urgent class alone");
    last_class.mix_classes = false;
    last_class.traffic_class = design_.traffic_classes - 1;
  }
  const auto collective = [&](const char* name, Collectives kind, unsigned percent) -> auto& {
    SwitchScenario& scenario = add(name);
    scenario.collectives = kind;
    scenario.collective_percent = percent;
    return scenario;
  };
  if (design_.multicast) {
    collective("multicasts", Collectives::multicast, 100);
    collective("multicasts among unicasts", Collectives::multicast, 30).endpoints.accept =
        by_chance(70);
  }
  if (design_.in_network_reduction) {
    collective("reductions", Collectives::reduction, 100).lengths = Lengths::every;
    collective("reductions with gaps", Collectives::reduction, 100).endpoints.send = by_chance(60);
    collective("reductions among unicasts", Collectives::reduction, 25).endpoints.accept =
        bursts(3, 9);
  }
  if (design_.multicast && design_.in_network_reduction) {
    collective("multicasts and reductions", Collectives::both, 100);
    collective("collectives among unicasts", Collectives::both, 40).endpoints.accept =
        by_chance(60);
  }

  SwitchScenario& cut = add("reset in mid-traffic");
  cut.cuts = {3, 40};
  cut.packets /= 2;
  SwitchScenario& long_cut = add("reset of several cycles behind a stalled next hop");
  long_cut.endpoints.accept = bursts(1, 60);
  long_cut.cuts = {55, 7};
  long_cut.reset_length = 5;
  long_cut.packets /= 2;
  if (design_.multicast || design_.in_network_reduction) {
    SwitchScenario& collectives = add("reset among collectives");
    collectives.collectives = Collectives::both;
    collectives.collective_percent = 60;
    collectives.cuts = {17, 31};
    collectives.packets /= 2;
  }
  for (std::uint64_t index = 0; index < directed_.size(); ++index) {
    SwitchScenario& scenario = directed_[index];
    Random random(seed_, index);
    scenario.seed = random.bits();
    if (design_.mesh()) {
      scenario.position.x =
          static_cast<int>(random.below(static_cast<std::uint64_t>(design_.mesh_columns)));
      scenario.position.y =
          static_cast<int>(random.below(static_cast<std::uint64_t>(design_.mesh_rows)));
    }
  }
}

SwitchScenario SwitchStimuli::random_scenario(std::uint64_t index) const {
  Random random(seed_, index);
  SwitchScenario scenario;
  scenario.name = "random";
  scenario.seed = random.bits();
  scenario.packets = packets(static_cast<int>(random.between(10, 40)));
  const auto gate = [&random] {
    switch (random.below(4)) {
      case 0:
        return by_chance(static_cast<unsigned>(random.between(5, 95)));
      case 1:
        return bursts(random.below(6) + 1, random.below(12) + 1);
      default:
        return Gate{};
    }
  };
  scenario.endpoints.send = gate();
  scenario.endpoints.accept = gate();
  if (random.chance(30)) {
    scenario.endpoints.credit_delay = static_cast<unsigned>(random.below(20));
  }
  scenario.endpoints.single_fifo = random.chance(25);
  scenario.endpoints.interleave = random.chance(70);
  scenario.spread = random.pick({Spread::uniform, Spread::uniform, Spread::permutation,
                                 Spread::hotspot, Spread::all_to_one, Spread::one_to_all});
  scenario.lengths = random.pick({Lengths::random, Lengths::random, Lengths::single,
                                  Lengths::longest, Lengths::every, Lengths::alternating});
  scenario.load = random.chance(60) ? 100 : static_cast<unsigned>(random.between(5, 99));
  scenario.mix_classes = random.chance(80);
  scenario.traffic_class =
      static_cast<int>(random.below(static_cast<std::uint64_t>(design_.traffic_classes)));
  if (random.chance(60)) {
    scenario.collectives =
        random.pick({Collectives::multicast, Collectives::reduction, Collectives::both});
    scenario.collective_percent = static_cast<unsigned>(random.between(1, 100));
  }
  scenario.position.x =
      static_cast<int>(random.below(static_cast<std::uint64_t>(design_.mesh_columns)));
  scenario.position.y =
      static_cast<int>(random.below(static_cast<std::uint64_t>(design_.mesh_rows)));
  if (random.chance(10)) {
    scenario.reset_length = random.below(4) + 1;
    scenario.cuts = {random.below(300)};
  }
  return scenario;
}

SwitchScenario SwitchStimuli::scenario(std::uint64_t index) const {
  SwitchScenario scenario = index < directed() ? directed_[index] : random_scenario(index);
  scenario.endpoints.payload = true;
  scenario.endpoints.garbage = true;
  scenario.endpoints.seed = scenario.seed;
  // Reductions in different VCs would wait for each other in one FIFO.
  if (design_.in_network_reduction && design_.virtual_channels > 1) {
    scenario.endpoints.single_fifo = false;
  }
  return scenario;
}

}  // namespace weft::verif
