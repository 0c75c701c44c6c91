// SPDX-License-Identifier: Apache-2.0
// Allocators on bit masks choose what transcriptions of their definitions choose, cycle after
// cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "systemc_models/switch/allocator.h"
#include "systemc_models/tests/switch_transcription.h"

namespace weft::models {
namespace {

using testing::MatchingTranscription;

struct Kind {
  arch::Organisation organisation = arch::Organisation::virtual_output_queued;
  arch::Allocator allocator = arch::Allocator::islip;
  arch::Separable separable = arch::Separable::input_first;
  int iterations = 1;
  bool speculative = false;
};

std::vector<Kind> kinds() {
  using arch::Allocator;
  using arch::Organisation;
  using arch::Separable;
  const auto voq = Organisation::virtual_output_queued;
  return {
      {voq, Allocator::round_robin, Separable::input_first},
      {voq, Allocator::round_robin, Separable::input_first, 1, true},
      {voq, Allocator::islip, {}, 2, true},
      {voq, Allocator::wavefront, {}, 1, true},
      {voq, Allocator::matrix, {}, 1, true},
      {voq, Allocator::round_robin, Separable::output_first},
      {voq, Allocator::islip, {}, 1},
      {voq, Allocator::islip, {}, 3},
      {voq, Allocator::wavefront},
      {voq, Allocator::matrix},
      {Organisation::output_queued, Allocator::round_robin},
      {Organisation::central_buffer, Allocator::matrix},
  };
}

template <class Mask>
void compare(int ports, const Kind& kind, std::uint64_t seed) {
  arch::Switch design;
  design.ports = ports;
  design.organisation = kind.organisation;
  design.allocator = kind.allocator;
  design.separable = kind.separable;
  design.islip_iterations = kind.iterations;
  const auto allocator = make_allocator<Mask>(design);
  MatchingTranscription truth(design);
  std::mt19937_64 random(seed);
  Matching matching(static_cast<std::size_t>(ports));
  std::vector<Mask> columns(ports);
  const int cycles = 10 + 200 / ports;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    const double density = std::uniform_real_distribution<>()(random);
    MatchingTranscription::Requests requests(ports, std::vector<bool>(ports));
    std::ranges::fill(columns, 0);
    Mask outputs = 0;
    for (int i = 0; i < ports; ++i) {
      for (int o = 0; o < ports; ++o) {
        if (!std::bernoulli_distribution(density)(random)) continue;
        requests[i][o] = true;
        columns[o] |= bit<Mask>(i);
        outputs |= bit<Mask>(o);
      }
    }
    // What stands in columns without requests does not count.
    for (int o = 0; o < ports; ++o) {
      if ((outputs & bit<Mask>(o)) == 0) columns[o] = low_bits<Mask>(ports);
    }
    // Outputs that cannot be used keep their turns.
    std::vector<bool> can_serve(ports, true);
    Mask usable = low_bits<Mask>(ports);
    for (int o = 0; o < ports && kind.speculative; ++o) {
      can_serve[o] = std::bernoulli_distribution(0.7)(random);
      if (!can_serve[o]) usable &= ~bit<Mask>(o);
    }
    matching.clear();
    allocator->match(columns, outputs, usable, matching);
    MatchingTranscription::Pairs found;
    for (const Grant& grant : matching.grants()) found.emplace_back(grant.input, grant.output);
    MatchingTranscription::Pairs expected = truth.match(requests, can_serve);
    std::ranges::sort(found);
    std::ranges::sort(expected);
    ASSERT_EQ(found, expected) << ports << " ports, cycle " << cycle << ", seed " << seed;
  }
}

TEST(SwitchAllocator, ChoosesAsItsDefinitionSays) {
  std::uint64_t seed = std::random_device()();
  for (std::size_t k = 0; k < kinds().size(); ++k) {
    SCOPED_TRACE(::testing::Message() << "kind " << k);
    for (const int ports : {2, 3, 4, 5, 7, 8, 16, 31, 33, 63, 64}) {
      compare<Mask64>(ports, kinds()[k], ++seed);
      compare<Mask128>(ports, kinds()[k], ++seed);
    }
    for (const int ports : {65, 72, 100, 127, 128}) compare<Mask128>(ports, kinds()[k], ++seed);
  }
}

TEST(SwitchAllocator, StartsAgainAfterReset) {
  for (const Kind& kind : kinds()) {
    arch::Switch design;
    design.ports = 5;
    design.organisation = kind.organisation;
    design.allocator = kind.allocator;
    design.separable = kind.separable;
    design.islip_iterations = kind.iterations;
    const auto allocator = make_allocator<Mask64>(design);
    const std::vector<Mask64> all(5, low_bits<Mask64>(5));
    const auto first_matchings = [&] {
      allocator->reset();
      std::vector<int> inputs;
      for (int cycle = 0; cycle < 7; ++cycle) {
        Matching matching(5);
        allocator->match(all, low_bits<Mask64>(5), low_bits<Mask64>(5), matching);
        for (const Grant& grant : matching.grants()) inputs.push_back(grant.input);
      }
      return inputs;
    };
    EXPECT_EQ(first_matchings(), first_matchings());
  }
}

}  // namespace
}  // namespace weft::models
