// SPDX-License-Identifier: Apache-2.0
//
// Inputs that contend for one output have their turns, whenever the next hop takes flits: what
// docs/switch.md promises, of the model and of what the generator emits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch_pins.h"
#include "arch/network/switch_timing.h"
#include "base/tests/run_seed.h"
#include "systemc_models/switch/cycle_switch.h"
#include "testbenches/switch/emitted_switch.h"
#include "testbenches/switch/rtl_switch.h"
#include "verif/dut_builder.h"

namespace weft::verif {
namespace {

constexpr int hot = 1;  ///< the output to which all packets go

/// When the next hop takes flits, and how long packets are.
struct Contention {
  int credits = 1;      ///< that are in use; each is back after the round trip
  int round_trip = 1;   ///< cycles from a departure until its credit can be used
  int ready_every = 1;  ///< with ready/valid: cycles from one in which the next hop is ready to the
                        ///< next
  std::function<int()> length;
};

/// All inputs always have packets for one output. The most packets that an input sends between two
/// of another one, which includes those at the end of the run.
int most_in_between(arch::SwitchSimulation& device, const arch::Switch& design,
                    const Contention& contention) {
  const arch::PinLayout layout(design);
  const bool credit = design.flow_control == arch::FlowControl::credit;
  const int n = design.ports;
  const int queue = arch::queue_index(design, hot, 0, false);
  const int output_stages = arch::SwitchTiming(design).output_stages;
  const auto words = static_cast<std::size_t>(layout.flit_words);
  struct Source {
    int places = 0;
    int left = 0;  // flits of its packet
    bool head = true;
    bool offers = false;
  };
  std::vector<Source> sources(static_cast<std::size_t>(n));
  for (Source& source : sources) source = {design.buffer_depth, contention.length(), true, false};
  std::vector<std::vector<int>> since(static_cast<std::size_t>(n),
                                      std::vector<int>(static_cast<std::size_t>(n)));
  std::deque<int> returning;  // cycles
  int withheld = design.credits - contention.credits;
  int most = 0;
  device.reset();
  arch::SwitchInputs inputs(layout);
  const int cycles = 20 * n * std::max({contention.round_trip, contention.ready_every, 4});
  for (int t = 0; t < cycles; ++t) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      Source& source = sources[i];
      source.offers = source.places > 0 || !credit;
      inputs.valid[i] = source.offers;
      inputs.head[i] = source.head;
      inputs.tail[i] = source.left == 1;
      inputs.flit[i * words] = hot | i << 16;
    }
    std::ranges::fill(inputs.accept, 0);
    auto& accept = inputs.accept[static_cast<std::size_t>(hot)];
    if (!credit) {
      accept = t % contention.ready_every == 0;
    } else if (!returning.empty() && returning.front() == t) {
      accept = 1;
      returning.pop_front();
    }
    const arch::SwitchOutputs& outputs = device.cycle(inputs);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      Source& source = sources[i];
      const auto word =
          i * static_cast<std::size_t>(layout.queue_words) + static_cast<std::size_t>(queue / 64);
      const bool pulse = (outputs.queue[word] >> (queue % 64) & 1) != 0;
      if (source.offers && (credit || pulse)) {
        source.head = source.left == 1;
        source.left = source.head ? contention.length() : source.left - 1;
        if (credit) --source.places;
      }
      if (credit && pulse) ++source.places;
    }
    if (outputs.valid[hot] == 0 || (!credit && accept == 0)) continue;
    if (withheld > 0) {
      --withheld;
    } else if (credit) {
      returning.push_back(t - 1 - output_stages + contention.round_trip - 1);
    }
    if (outputs.head[hot] == 0) continue;
    const std::size_t served = outputs.flit[hot * words] >> 16 & 0xff;
    std::ranges::fill(since[served], 0);
    for (std::size_t other = 0; other < sources.size(); ++other) {
      if (other != served) most = std::max(most, ++since[other][served]);
    }
  }
  return most;
}

/// Packets of an input in a row.
int turns(const arch::Switch& design) {
  return design.allocator == arch::Allocator::wavefront ? 3 : 1;
}

void expect_turns(arch::SwitchSimulation& device, const arch::Switch& design,
                  std::mt19937_64& random) {
  const int n = design.ports;
  const auto any = [&] { return 1 + static_cast<int>(random() % static_cast<unsigned>(3 * n)); };
  int packet = 0;
  // The second and further packets last as long as the turns of the first diagonal.
  const auto late = [&] { return ++packet <= n ? 1 : 3; };
  const auto fixed = [](int flits) { return [=] { return flits; }; };
  const std::vector<std::function<int()>> lengths{fixed(1),     fixed(2), fixed(3), fixed(n),
                                                  fixed(3 * n), late,     any};
  const bool credit = design.flow_control == arch::FlowControl::credit;
  const int round_trip = arch::SwitchTiming(design).credit_round_trip;
  for (std::size_t l = 0; l < lengths.size(); ++l) {
    for (int k = 1; k <= (credit ? round_trip : 2 * n); ++k) {
      packet = 0;
      const Contention contention{k, round_trip, k, lengths[l]};
      EXPECT_LE(most_in_between(device, design, contention), turns(design))
          << n << " ports, " << to_string(design.allocator) << ' ' << to_string(design.organisation)
          << (design.speculative_allocation ? " speculative" : "") << ", " << k
          << (credit ? " credits" : " cycles until ready") << ", length " << l;
    }
  }
}

arch::Switch contended(int ports, arch::Allocator allocator) {
  arch::Switch design;
  design.name = "contended";
  design.ports = ports;
  design.flit_width = 32;
  design.allocator = allocator;
  design.max_packet_flits = 3 * ports;
  design.buffer_depth = 4;
  design.credits = arch::SwitchTiming(arch::resolved(design)).credit_round_trip;
  return design;
}

constexpr std::array allocators{arch::Allocator::wavefront, arch::Allocator::islip,
                                arch::Allocator::round_robin, arch::Allocator::matrix};

TEST(SwitchFairness, EveryInputOfTheModelHasItsTurn) {
  std::mt19937_64 random(weft::test::run_seed());
  for (int ports = 2; ports <= 9; ++ports) {
    for (const arch::Allocator allocator : allocators) {
      for (const auto organisation :
           {arch::Organisation::virtual_output_queued, arch::Organisation::input_queued}) {
        for (const bool speculative : {false, true}) {
          for (const auto flow : {arch::FlowControl::credit, arch::FlowControl::ready_valid}) {
            arch::Switch design = contended(ports, allocator);
            design.organisation = organisation;
            design.speculative_allocation = speculative;
            design.flow_control = flow;
            design.islip_iterations = allocator == arch::Allocator::islip ? 1 + ports % 3 : 1;
            design = arch::resolved(design);
            models::CycleSwitch model(design);
            expect_turns(model, design, random);
          }
        }
      }
    }
  }
}

void expect_turns_of_rtl(const arch::Switch& unresolved, std::mt19937_64& random) {
  const arch::Switch design = arch::resolved(unresolved);
  const DutDescription description = describe_switch(design, emitted_switch(design));
  BuildOptions options;
  options.quick = true;
  RtlSwitch rtl(design, description, build_dut(description, options).library);
  expect_turns(rtl, design, random);
}

TEST(SwitchFairness, EveryInputOfTheRtlHasItsTurn) {
  std::mt19937_64 random(weft::test::run_seed());
  setenv("WEFT_CACHE", WEFT_BINARY_DIR "/test-cache", 1);
  for (int ports = 2; ports <= 9; ++ports) {
    expect_turns_of_rtl(contended(ports, arch::Allocator::wavefront), random);
    arch::Switch speculative =
        contended(ports, allocators[static_cast<std::size_t>(ports) % allocators.size()]);
    speculative.speculative_allocation = true;
    expect_turns_of_rtl(speculative, random);
  }
}

}  // namespace
}  // namespace weft::verif
