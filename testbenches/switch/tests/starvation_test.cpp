// SPDX-License-Identifier: Apache-2.0
//
// The least examples of switches in which a head is never served, and of what saves it: why
// docs/switch.md promises a bound only where credits cover the round trip.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "arch/network/routing.h"
#include "arch/network/switch_pins.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/switch/cycle_switch.h"

namespace weft::verif {
namespace {

constexpr int cycles = 1000;
constexpr std::array organisations{arch::Organisation::input_queued,
                                   arch::Organisation::virtual_output_queued};

/// Packets of one flit of which there is always one more: from an input, in a VC, to an output.
struct Flow {
  int input, vc, output;
};

/// How many packets of each flow have come out, when next hops return credits at once.
std::vector<int> served(const arch::Switch& design, const std::vector<Flow>& flows) {
  models::CycleSwitch device(design);
  const arch::PinLayout layout(design);
  const auto vcs = static_cast<std::size_t>(design.virtual_channels);
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  constexpr int tag_bit = 16;  // the flow's number, above the header
  std::vector<int> places(flows.size(), design.buffer_depth);
  std::vector<int> counts(flows.size());
  arch::SwitchInputs inputs(layout);
  for (int t = 0; t < cycles; ++t) {
    std::ranges::fill(inputs.valid, 0);
    for (std::size_t k = 0; k < flows.size(); ++k) {
      // Round robin among the flows of an input.
      const std::size_t f = (k + at(t)) % flows.size();
      const std::size_t i = at(flows[f].input);
      if (places[f] == 0 || inputs.valid[i] != 0) continue;
      --places[f];
      inputs.valid[i] = inputs.head[i] = inputs.tail[i] = 1;
      inputs.vc[i] = static_cast<std::uint8_t>(flows[f].vc);
      inputs.flit[i] = static_cast<std::uint64_t>(flows[f].output) | f << tag_bit;
    }
    const arch::SwitchOutputs& outputs = device.cycle(inputs);
    std::ranges::fill(inputs.accept, 0);
    for (std::size_t o = 0; o < at(design.ports); ++o) {
      if (outputs.valid[o] == 0) continue;
      ++counts[outputs.flit[o] >> tag_bit];
      inputs.accept[o * vcs + outputs.vc[o]] = 1;
    }
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const int q = arch::queue_index(design, flows[f].output, flows[f].vc, false);
      places[f] += static_cast<int>(outputs.queue[at(flows[f].input)] >> q & 1);
    }
  }
  return counts;
}

arch::Switch small_switch(int ports, int virtual_channels, arch::Organisation organisation) {
  arch::Switch design;
  design.name = "small";
  design.ports = ports;
  design.virtual_channels = virtual_channels;
  design.flit_width = 32;
  design.max_packet_flits = 1;
  design.organisation = organisation;
  design.allocator = arch::Allocator::round_robin;
  design.buffer_depth = 6;
  return design;
}

arch::Switch two_vcs(arch::Organisation organisation, int credits) {
  arch::Switch design = small_switch(2, 2, organisation);
  design.credits = credits;
  return arch::resolved(design);
}

TEST(SwitchStarvation, OfAVcWhoseCreditComesWhenAnotherInputHasTheTurn) {
  // Both inputs want (output 1, VC 0), which has one credit; whenever it is back it is input 1's
  // turn, as input 0 was served last, in VC 1.
  for (const auto organisation : organisations) {
    const auto counts = served(two_vcs(organisation, 1), {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}});
    EXPECT_LE(counts[0], 1) << to_string(organisation);
    EXPECT_GT(counts[1], cycles / 4);
    EXPECT_GT(counts[2], cycles / 4);
  }
}

TEST(SwitchStarvation, OfNoVcWhoseCreditsCoverTheRoundTrip) {
  for (const auto organisation : organisations) {
    const auto counts = served(two_vcs(organisation, 16), {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}});
    EXPECT_NEAR(counts[0], cycles / 4, 20) << to_string(organisation);
    EXPECT_NEAR(counts[1], cycles / 4, 20);
    EXPECT_NEAR(counts[2], cycles / 2, 20);
  }
}

TEST(SwitchStarvation, OfNoVcOfAnInputThatServesItsOutputsInTurn) {
  // Each input has flits for both outputs, input 0 for output 0 in two VCs: these share its half.
  const auto counts = served(two_vcs(arch::Organisation::virtual_output_queued, 16),
                             {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}});
  EXPECT_NEAR(counts[0], cycles / 4, 20);
  EXPECT_NEAR(counts[1], cycles / 4, 20);
  for (const int half : {counts[2], counts[3], counts[4]}) EXPECT_NEAR(half, cycles / 2, 20);
}

/// Whether a head waits for ever under any choice of flows between three inputs and three outputs.
bool any_starves(const arch::Switch& design) {
  for (unsigned choice = 1; choice < 1U << 9; ++choice) {
    std::vector<Flow> flows;
    for (int k = 0; k < 9; ++k) {
      if ((choice >> k & 1) != 0) flows.push_back({k / 3, 0, k % 3});
    }
    const auto counts = served(design, flows);
    if (*std::ranges::min_element(counts) < cycles / 100) return true;
  }
  return false;
}

TEST(SwitchStarvation, ByScarceCreditsDependsOnTheAllocator) {
  struct Case {
    arch::Allocator allocator;
    arch::Separable separable;
    int iterations;
    bool turns_wait;
  };
  using enum arch::Allocator;
  using enum arch::Separable;
  for (const Case& c :
       {Case{matrix, output_first, 1, true}, Case{islip, output_first, 1, true},
        Case{round_robin, output_first, 1, true}, Case{round_robin, input_first, 1, false},
        Case{islip, output_first, 2, false}, Case{wavefront, output_first, 1, false}}) {
    arch::Switch design = small_switch(3, 1, arch::Organisation::virtual_output_queued);
    design.allocator = c.allocator;
    design.separable = c.separable;
    design.islip_iterations = c.iterations;
    bool starves = false;
    for (const int credits : {1, 2, 3, 16}) {
      design.credits = credits;
      const bool now = any_starves(arch::resolved(design));
      if (credits == 16) {
        EXPECT_FALSE(now) << to_string(c.allocator);
      } else {
        starves = starves || now;
      }
    }
    EXPECT_EQ(starves, !c.turns_wait)
        << to_string(c.allocator) << ' ' << to_string(c.separable) << ' ' << c.iterations;
  }
}

}  // namespace
}  // namespace weft::verif
