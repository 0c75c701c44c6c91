// SPDX-License-Identifier: Apache-2.0
// The model against what queueing theory and the contract's own formulas say of such switches.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <random>

#include "arch/network/switch_timing.h"
#include "systemc_models/tests/switch_harness.h"

namespace weft::models {
namespace {

using arch::Organisation;
using testing::SwitchHarness;
using Flit = SwitchHarness::Flit;

arch::Switch switch_of(int ports, Organisation organisation, arch::Allocator allocator,
                       int depth = 64) {
  arch::Switch design;
  design.ports = ports;
  design.organisation = organisation;
  design.allocator = allocator;
  design.buffer_depth = depth;
  design.credits = depth;
  return arch::resolved(design);
}

// Flits a cycle and port when every source always has a single-flit packet for a random output.
double accepted_at_full_load(const arch::Switch& design, int cycles, bool queue_per_output) {
  SwitchHarness harness(design);
  std::mt19937_64 random(1);
  const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(design.ports)); };
  std::vector<int> wanted(design.ports);
  for (int& output : wanted) output = any();
  std::uint64_t received = 0;
  const int warm_up = cycles / 5;
  for (int t = 0; t < cycles + warm_up; ++t) {
    for (int i = 0; i < design.ports; ++i) {
      if (queue_per_output) {
        // A queue for each destination at the source: the first that has a credit, in turn.
        for (int k = 0; k < design.ports; ++k) {
          const int o = (wanted[i] + k) % design.ports;
          if (!harness.can_send(i, o)) continue;
          harness.send(i, {o});
          wanted[i] = (o + 1) % design.ports;
          break;
        }
      } else if (harness.can_send(i, wanted[i])) {
        harness.send(i, {wanted[i]});
        wanted[i] = any();
      }
    }
    harness.cycle([&](int, const Flit&) { received += t >= warm_up ? 1 : 0; });
  }
  return static_cast<double>(received) / cycles / design.ports;
}

TEST(SwitchQueueing, SingleFifosSaturateWhereTheorySays) {
  for (const auto& [ports, limit] : {std::pair(16, 0.602), std::pair(32, 0.594)}) {
    for (const auto allocator : {arch::Allocator::islip, arch::Allocator::wavefront}) {
      const arch::Switch design = switch_of(ports, Organisation::input_queued, allocator);
      EXPECT_NEAR(accepted_at_full_load(design, 20000, false), limit, 0.01) << ports << " ports";
    }
  }
}

TEST(SwitchQueueing, VirtualOutputQueuesReachFullThroughput) {
  for (const auto allocator : {arch::Allocator::islip, arch::Allocator::wavefront}) {
    const arch::Switch design = switch_of(16, Organisation::virtual_output_queued, allocator);
    EXPECT_GE(accepted_at_full_load(design, 20000, true), 0.99);
  }
  const arch::Switch output_queued =
      switch_of(16, Organisation::output_queued, arch::Allocator::round_robin);
  EXPECT_GE(accepted_at_full_load(output_queued, 20000, true), 0.99);
}

// Mean cycles that single-flit packets wait in their queue, which departs in s >= t + 1.
double mean_wait(const arch::Switch& design, double load, int cycles) {
  SwitchHarness harness(design);
  std::mt19937_64 random(2);
  const int idle = arch::SwitchTiming(design).latency;
  double wait = 0;
  std::uint64_t received = 0;
  for (int t = 0; t < cycles; ++t) {
    for (int i = 0; i < design.ports; ++i) {
      if (!std::bernoulli_distribution(load)(random)) continue;
      const int o = static_cast<int>(random() % static_cast<unsigned>(design.ports));
      if (!harness.can_send(i, o)) ADD_FAILURE() << "the buffer is too small for this test";
      harness.send(i, {o, 0, true, true, harness.time});
    }
    harness.cycle([&](int, const Flit& flit) {
      wait += static_cast<double>(harness.time - flit.number) - idle;
      ++received;
    });
  }
  return wait / static_cast<double>(received);
}

// Output queueing: W = (N - 1) / N * load / (2 (1 - load)) (Karol, Hluchyj, Morgan 1987).
TEST(SwitchQueueing, OutputQueuesWaitAsLongAsTheoremsSay) {
  for (const auto organisation : {Organisation::output_queued, Organisation::central_buffer}) {
    for (const int ports : {2, 8}) {
      const arch::Switch design =
          switch_of(ports, organisation, arch::Allocator::round_robin, 1000);
      const double expected = (ports - 1.0) / ports * 0.7 / (2 * (1 - 0.7));
      EXPECT_NEAR(mean_wait(design, 0.7, 300000), expected, 0.03 * expected) << ports << " ports";
    }
  }
}

// The exact chain of two FIFOs of single-flit packets with round-robin outputs: queue lengths,
// destinations of the flits at the front, pointers. By iteration of its distribution; the queues
// are cut off where hardly any probability is left.
double mean_wait_of_two_fifos(double load) {
  constexpr int longest = 40;
  struct State {
    int n0, n1, d0, d1, g0, g1;
  };
  const auto index = [](const State& s) {
    return ((((s.n0 * (longest + 1) + s.n1) * 2 + s.d0) * 2 + s.d1) * 2 + s.g0) * 2 + s.g1;
  };
  std::vector<double> now((longest + 1) * (longest + 1) * 16);
  now[0] = 1;
  double mean_length = 0;
  for (int iteration = 0; iteration < 1500; ++iteration) {
    std::vector<double> next(now.size());
    mean_length = 0;
    for (int k = 0; k < static_cast<int>(now.size()); ++k) {
      const double p = now[k];
      if (p < 1e-16) continue;
      State s{k / 16 / (longest + 1),
              k / 16 % (longest + 1),
              k >> 3 & 1,
              k >> 2 & 1,
              k >> 1 & 1,
              k & 1};
      mean_length += p * (s.n0 + s.n1);
      bool serve0 = s.n0 > 0;
      bool serve1 = s.n1 > 0;
      const auto pointer = [&](int d) -> int& { return d == 0 ? s.g0 : s.g1; };
      if (serve0 && serve1 && s.d0 == s.d1) {
        serve0 = pointer(s.d0) == 0;
        serve1 = !serve0;
      }
      if (serve0) pointer(s.d0) = 1;
      if (serve1) pointer(s.d1) = 0;
      // Arrivals of this cycle can be served in the next one.
      for (int arrivals = 0; arrivals < 4; ++arrivals) {
        const double chance =
            ((arrivals & 1) != 0 ? load : 1 - load) * ((arrivals & 2) != 0 ? load : 1 - load);
        State t = s;
        t.n0 = std::min(longest, s.n0 - serve0 + (arrivals & 1));
        t.n1 = std::min(longest, s.n1 - serve1 + (arrivals >> 1));
        // A flit that comes to the front has any destination.
        const bool new0 = t.n0 > 0 && (serve0 || s.n0 == 0);
        const bool new1 = t.n1 > 0 && (serve1 || s.n1 == 0);
        if (t.n0 == 0) t.d0 = 0;
        if (t.n1 == 0) t.d1 = 0;
        for (int d = 0; d < (1 << (new0 + new1)); ++d) {
          State u = t;
          if (new0) u.d0 = d & 1;
          if (new1) u.d1 = new0 ? d >> 1 : d & 1;
          next[index(u)] += p * chance / (1 << (new0 + new1));
        }
      }
    }
    now = next;
  }
  // Little: a flit is counted in the cycles before its departure, of which the last is no wait.
  return mean_length / (2 * load) - 1;
}

TEST(SwitchQueueing, TwoByTwoWaitsAsItsMarkovChain) {
  const arch::Switch design =
      switch_of(2, Organisation::input_queued, arch::Allocator::islip, 1000);
  for (const double load : {0.3, 0.6}) {
    const double expected = mean_wait_of_two_fifos(load);
    EXPECT_NEAR(mean_wait(design, load, 600000), expected, 0.03 * expected) << "load " << load;
  }
}

// --- The contract's formulas

TEST(SwitchTimingOfModel, AFlitPassesAnIdleSwitchInLatencyCycles) {
  const std::uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  for (int k = 0; k < 200; ++k) {
    const arch::Switch design =
        arch::random_switch(random, {{"routing", arch::Choice{{"destination_table"}, {}}},
                                     {"lookahead_routing", arch::Boolean{{false}}},
                                     {"multicast", arch::Boolean{{false}}},
                                     {"in_network_reduction", arch::Boolean{{false}}},
                                     {"flit_width", arch::IntSet{{64}}},
                                     {"ports", arch::IntRange{2, 20}},
                                     {"buffer_depth", arch::IntRange{1, 8}},
                                     {"max_packet_flits", arch::IntRange{1, 8}}});
    SwitchHarness harness(design);
    for (int flit = 0; flit < 5; ++flit) {
      const auto destination =
          static_cast<int>(random() % static_cast<unsigned>(design.destinations));
      const int input = static_cast<int>(random() % static_cast<unsigned>(design.ports));
      harness.send(input, {destination, 0, true, true, harness.time});
      std::uint64_t latency = 0;
      for (int t = 0; t < 20; ++t) {
        harness.cycle([&](int o, const Flit& left) {
          EXPECT_EQ(o, design.routes[destination]);
          latency = harness.time - left.number;
        });
      }
      EXPECT_EQ(latency, static_cast<std::uint64_t>(arch::SwitchTiming(design).latency))
          << "seed " << seed;
    }
  }
}

// Every pipeline carries a flit a cycle and port, whatever the lengths of packets.
void expect_no_bubble(arch::Switch design, int length) {
  design = arch::resolved(design);
  SwitchHarness harness(design);
  std::vector<int> position(design.ports);
  std::vector<std::uint64_t> received(design.ports);
  std::vector<std::uint64_t> first(design.ports);
  constexpr int cycles = 300;
  for (int t = 0; t < cycles; ++t) {
    std::vector<bool> sends(design.ports);
    for (int i = 0; i < design.ports; ++i) {
      const int o = (i + 1) % design.ports;
      if (!harness.can_send(i, o)) continue;
      harness.send(i, {o, 0, position[i] == 0, position[i] == length - 1});
      sends[i] = true;
    }
    harness.cycle([&](int o, const Flit&) {
      if (received[o]++ == 0) first[o] = harness.time;
    });
    for (int i = 0; i < design.ports; ++i) {
      if (sends[i] && harness.taken(i)) position[i] = (position[i] + 1) % length;
    }
  }
  for (int o = 0; o < design.ports; ++o) {
    EXPECT_EQ(received[o], harness.time - first[o])
        << to_string(design.organisation) << ", " << to_string(design.switching) << ", "
        << to_string(design.flow_control) << ", pipeline " << design.pipeline << ", length "
        << length;
  }
}

TEST(SwitchTimingOfModel, NoBubblesAtFullLoad) {
  for (const auto organisation :
       {Organisation::virtual_output_queued, Organisation::input_queued,
        Organisation::output_queued, Organisation::central_buffer, Organisation::crossbar}) {
    for (const auto switching : {arch::Switching::wormhole, arch::Switching::virtual_cut_through,
                                 arch::Switching::store_and_forward}) {
      for (const auto flow : {arch::FlowControl::credit, arch::FlowControl::ready_valid}) {
        const bool crossbar = organisation == Organisation::crossbar;
        const bool ready = flow == arch::FlowControl::ready_valid;
        if (crossbar && (!ready || switching != arch::Switching::wormhole)) continue;
        if (ready && switching == arch::Switching::virtual_cut_through) continue;
        for (int pipeline = 1; pipeline <= (crossbar ? 2 : 4); ++pipeline) {
          for (int length = 1; length <= 5; ++length) {
            arch::Switch design;
            design.ports = 5;
            design.organisation = organisation;
            design.allocator = arch::Allocator::round_robin;
            design.switching = switching;
            design.flow_control = flow;
            design.pipeline = pipeline;
            design.buffer_depth = 16;
            design.credits = 16;
            design.max_packet_flits = length;
            expect_no_bubble(design, length);
          }
        }
      }
    }
  }
}

// --- Shares and bounds

// Flits of each class through output 0 when all classes of all inputs always want it.
std::vector<int> class_shares(arch::Switch design, int cycles) {
  design = arch::resolved(design);
  SwitchHarness harness(design);
  std::vector<int> counts(design.traffic_classes);
  std::vector<int> next(design.ports);
  const int of_class = design.virtual_channels / design.traffic_classes;
  bool filled = false;
  for (int t = 0; t < cycles + 200; ++t) {
    filled = t >= 200;
    for (int i = 0; i < design.ports; ++i) {
      for (int k = 0; k < design.virtual_channels; ++k) {
        const int v = (next[i] + k) % design.virtual_channels;
        if (!harness.can_send(i, 0, v)) continue;
        harness.send(i, {0, v});
        next[i] = (v + 1) % design.virtual_channels;
        break;
      }
    }
    harness.cycle([&](int, const Flit& flit) { counts[flit.vc / of_class] += filled ? 1 : 0; });
  }
  return counts;
}

TEST(SwitchFairness, WeightedClassesShareAnOutputAsTheirWeights) {
  for (const auto organisation : {Organisation::virtual_output_queued, Organisation::output_queued,
                                  Organisation::central_buffer}) {
    arch::Switch design;
    design.ports = 4;
    design.organisation = organisation;
    design.allocator = arch::Allocator::round_robin;
    design.virtual_channels = 6;
    design.traffic_classes = 3;
    design.class_priority = arch::ClassPriority::weighted;
    design.class_weights = {1, 4, 2};
    design.buffer_depth = 16;
    design.credits = 64;
    // 700 flits are 100 turns of all classes.
    EXPECT_EQ(class_shares(design, 700), (std::vector<int>{100, 400, 200}))
        << to_string(organisation);
    design.class_priority = arch::ClassPriority::strict;
    // Class 0 takes whatever its sources send: they fill their VCs in turn.
    const std::vector<int> strict = class_shares(design, 700);
    EXPECT_EQ(strict[0], 700) << to_string(organisation);
  }
}

// Every queue always has flits. The bounds: round robin and least recently served pass each of the
// ports^2 pairs at most once before a pair's turn comes, twice while pointers settle, four times as
// often where pointers of inputs stay for four acceptances; a wavefront gives three turns to each
// of the other diagonals before that of a pair.
TEST(SwitchFairness, EveryRequestIsServedWithinItsBound) {
  struct Case {
    arch::Allocator allocator;
    arch::Separable separable;
    int iterations;
    int bound;
  };
  constexpr int ports = 7;
  constexpr int pairs = ports * ports + (ports - 1) * (ports - 1);
  using arch::Allocator;
  using arch::Separable;
  for (const Case& c : {Case{Allocator::round_robin, Separable::input_first, 1, pairs},
                        Case{Allocator::round_robin, Separable::output_first, 1, pairs},
                        Case{Allocator::islip, Separable::input_first, 4, 4 * pairs},
                        Case{Allocator::matrix, Separable::input_first, 1, pairs},
                        Case{Allocator::wavefront, Separable::input_first, 1, 3 * (ports - 1)}}) {
    arch::Switch design = switch_of(ports, Organisation::virtual_output_queued, c.allocator, 64);
    design.separable = c.separable;
    design.islip_iterations = c.iterations;
    SwitchHarness harness(design);
    std::mt19937_64 random(3);
    // Random subsets of pairs stop and go, pair (0, 1) always has flits.
    std::map<std::pair<int, int>, std::deque<std::uint64_t>> waiting;  // pair: since when
    std::uint64_t longest = 0;
    for (int t = 0; t < 20000; ++t) {
      for (int i = 0; i < ports; ++i) {
        const int o = random() % 3 == 0 ? 1 : static_cast<int>(random() % ports);
        if (!harness.can_send(i, o)) continue;
        harness.send(i, {o, 0, true, true, static_cast<std::uint64_t>(i)});
        waiting[{i, o}].push_back(harness.time + 1);
      }
      harness.cycle([&](int o, const Flit& flit) {
        auto& queue = waiting[{static_cast<int>(flit.number), o}];
        const std::uint64_t departed = harness.time - 1;
        const std::uint64_t since = queue.front();
        queue.pop_front();
        if (!queue.empty()) queue.front() = std::max(queue.front(), departed + 1);
        longest = std::max(longest, departed - since);
      });
    }
    EXPECT_LE(longest, static_cast<std::uint64_t>(c.bound)) << to_string(c.allocator);
    EXPECT_GT(longest, 0u);
  }
}

}  // namespace
}  // namespace weft::models
