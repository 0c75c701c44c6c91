// SPDX-License-Identifier: Apache-2.0
//
// Statistical bounds are five standard deviations of what is measured, from the theory of the
// process, so that a load or a share that is wrong by a few per mille fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "verif/traffic/traffic.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {
namespace {

TrafficSpec specification(std::string_view pattern, double load, Distribution flits = {{1, 1}}) {
  TrafficSpec spec = parse_traffic(pattern);
  spec.load = load;
  spec.packet_flits = std::move(flits);
  return spec;
}

/// The packets of one source up to a cycle.
std::vector<Injection> packets(Traffic& traffic, int source, std::uint64_t until) {
  std::vector<Injection> result;
  while (traffic.next(source).cycle < until) result.push_back(traffic.take(source));
  return result;
}

/// The only destination of each node.
std::vector<int> permutation(std::string_view pattern, int nodes) {
  const auto traffic = make_traffic(specification(pattern, 1), nodes, 3);
  std::vector<int> to;
  for (int s = 0; s < nodes; ++s) {
    to.push_back(traffic->next(s).destination);
    for (const Injection& p : packets(*traffic, s, 50)) EXPECT_EQ(p.destination, to.back());
  }
  return to;
}

std::string problem_of(const TrafficSpec& spec, int nodes) {
  try {
    (void)make_traffic(spec, nodes, 1);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(OpenLoop, OffersTheLoad) {
  const Distribution mixed{{1, 0.5}, {5, 0.25}, {32, 0.25}};
  constexpr std::uint64_t cycles = 400000;
  for (const char* pattern : {"uniform", "uniform:self=0", "diagonal", "hotspot:share=0.3",
                              "tornado", "all_to_all", "bursty", "transpose:burst=3"}) {
    for (const double load : {0.02, 0.37, 0.9, 1.0}) {
      for (const Distribution& lengths : {Distribution{{1, 1}}, Distribution{{4, 1}}, mixed}) {
        const TrafficSpec spec = specification(pattern, load, lengths);
        const auto traffic = make_traffic(spec, 4, 11);
        double flits = 0;
        for (int s = 0; s < 4; ++s) {
          for (const Injection& p : packets(*traffic, s, cycles)) flits += p.flits;
        }
        const double squares = [&] {
          double sum = 0;
          for (const Share& s : lengths) sum += s.share * s.value * s.value;
          return sum;
        }();
        // Flits a burst vary with its packets; bursts come at most as irregularly as a Poisson
        // process. A burst that runs over the end adds its flits' variance, too.
        const double burst = std::max(1.0, spec.parameters.at("burst"));
        const double nodes_cycles = 4.0 * cycles;
        const double sigma = std::sqrt(load * squares / mean(lengths) * 2 * burst / nodes_cycles);
        EXPECT_NEAR(flits / nodes_cycles, load, 5 * sigma)
            << pattern << " load " << load << " mean length " << mean(lengths);
      }
    }
  }
}

// With one flit a packet the cycles with and without packet are Bernoulli trials: exact bounds.
TEST(OpenLoop, BernoulliTrialsAreIndependent) {
  constexpr std::uint64_t cycles = 1000000;
  const double p = 0.3;
  const auto traffic = make_traffic(specification("uniform", p), 2, 17);
  std::vector<bool> created(cycles);
  for (const Injection& packet : packets(*traffic, 1, cycles)) created[packet.cycle] = true;
  const auto share = [](double count) { return count / cycles; };
  EXPECT_NEAR(share(static_cast<double>(std::count(created.begin(), created.end(), true))), p,
              5 * std::sqrt(p * (1 - p) / cycles));
  for (const std::uint64_t lag : {1, 2, 7}) {
    double both = 0;
    for (std::uint64_t t = lag; t < cycles; ++t) both += created[t] && created[t - lag] ? 1 : 0;
    EXPECT_NEAR(share(both), p * p, 5 * std::sqrt(p * p * (1 - p * p) * 2 / cycles)) << lag;
  }
}

TEST(OpenLoop, FullLoadIsAPacketEveryCycle) {
  const auto traffic = make_traffic(specification("uniform", 1), 2, 1);
  for (std::uint64_t t = 0; t < 1000; ++t) EXPECT_EQ(traffic->take(0).cycle, t);
}

TEST(OpenLoop, NoLoadIsNothing) {
  for (const char* pattern : {"uniform", "bursty"}) {
    EXPECT_EQ(make_traffic(specification(pattern, 0), 2, 1)->next(0).cycle, Injection::never);
  }
}

TEST(OpenLoop, DestinationsHaveTheirShares) {
  constexpr int nodes = 6;
  const auto expect_shares = [&](const char* pattern, int source, std::vector<double> shares) {
    const auto traffic = make_traffic(specification(pattern, 1), nodes, 23);
    std::vector<double> seen(nodes, 0);
    constexpr int draws = 200000;
    for (const Injection& p : packets(*traffic, source, draws)) {
      seen[static_cast<std::size_t>(p.destination)] += 1.0 / draws;
    }
    for (std::size_t d = 0; d < nodes; ++d) {
      EXPECT_NEAR(seen[d], shares[d], 5 * std::sqrt(shares[d] * (1 - shares[d]) / draws))
          << pattern << " to " << d;
    }
  };
  const double u = 1.0 / 6;
  expect_shares("uniform", 2, {u, u, u, u, u, u});
  expect_shares("uniform:self=0", 2, {0.2, 0.2, 0, 0.2, 0.2, 0.2});
  expect_shares("diagonal", 5, {1.0 / 3, 0, 0, 0, 0, 2.0 / 3});
  expect_shares("diagonal:share=0.9", 0, {0.9, 0.1, 0, 0, 0, 0});
  const double rest = 0.75 / 6;
  expect_shares("hotspot:node=4,share=0.25", 1, {rest, rest, rest, rest, 0.25 + rest, rest});
}

TEST(OpenLoop, Permutations) {
  using Nodes = std::vector<int>;
  EXPECT_EQ(permutation("bit_complement", 8), (Nodes{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(permutation("bit_complement", 5), (Nodes{4, 3, 2, 1, 0}));
  EXPECT_EQ(permutation("transpose", 9), (Nodes{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(permutation("tornado", 8), (Nodes{3, 4, 5, 6, 7, 0, 1, 2}));
  EXPECT_EQ(permutation("tornado", 5), (Nodes{2, 3, 4, 0, 1}));
  EXPECT_EQ(permutation("neighbour", 4), (Nodes{1, 2, 3, 0}));
  // The bits of the number rotate to the left.
  EXPECT_EQ(permutation("shuffle", 8), (Nodes{0, 2, 4, 6, 1, 3, 5, 7}));
  Nodes sorted = permutation("random_permutation", 40);
  Nodes identity(40);
  for (int i = 0; i < 40; ++i) identity[static_cast<std::size_t>(i)] = i;
  EXPECT_NE(sorted, identity);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, identity);
}

TEST(OpenLoop, AllToAllVisitsEveryOtherNode) {
  const auto traffic = make_traffic(specification("all_to_all", 0.5), 4, 1);
  for (const int d : {3, 0, 1, 3, 0, 1}) EXPECT_EQ(traffic->take(2).destination, d);
}

TEST(OpenLoop, BurstsAreBackToBackToOneNode) {
  const auto traffic =
      make_traffic(specification("bursty:burst=10,self=0", 0.2, {{1, 0.5}, {4, 0.5}}), 8, 29);
  const auto all = packets(*traffic, 0, 2000000);
  // A pause of no cycles is invisible where the destination stays, and so is a new burst: count
  // where the destination changes or a gap shows.
  double bursts = 1;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const bool gap =
        all[i].cycle != all[i - 1].cycle + static_cast<std::uint64_t>(all[i - 1].flits);
    const bool moved = all[i].destination != all[i - 1].destination;
    bursts += gap || moved ? 1 : 0;
  }
  const double per_burst = static_cast<double>(all.size()) / bursts;
  // Pauses last 100 cycles on average: one of 101 has no length, and of those one of 7 is hidden.
  EXPECT_NEAR(per_burst, 10 * (1 + 1.0 / 101 / 7), 5 * 10 / std::sqrt(bursts));
}

TEST(OpenLoop, ClassesHaveTheirShares) {
  TrafficSpec spec = specification("uniform", 1);
  spec.classes = {{0, 0.25}, {3, 0.75}};
  const auto traffic = make_traffic(spec, 2, 31);
  EXPECT_EQ(traffic->traffic_classes(), 4);
  constexpr int draws = 100000;
  double urgent = 0;
  for (const Injection& p : packets(*traffic, 0, draws)) urgent += p.traffic_class == 0 ? 1 : 0;
  EXPECT_NEAR(urgent / draws, 0.25, 5 * std::sqrt(0.25 * 0.75 / draws));
}

TEST(OpenLoop, TheSeedDecidesEverything) {
  const TrafficSpec spec = specification("hotspot:burst=4", 0.4, {{1, 0.5}, {7, 0.5}});
  const auto run = [&](std::uint64_t seed, bool backwards) {
    const auto traffic = make_traffic(spec, 5, seed);
    std::vector<std::vector<Injection>> all(5);
    for (int i = 0; i < 5; ++i) {
      const int s = backwards ? 4 - i : i;
      all[static_cast<std::size_t>(s)] = packets(*traffic, s, 3000);
    }
    return all;
  };
  EXPECT_EQ(run(1, false), run(1, false));
  EXPECT_EQ(run(1, false), run(1, true)) << "depends on the order in which sources are asked";
  EXPECT_NE(run(1, false), run(2, false));
}

TEST(OpenLoop, IdentitiesAreUnique) {
  const auto traffic = make_traffic(specification("uniform", 1), 3, 1);
  std::vector<std::uint64_t> ids;
  for (int s = 0; s < 3; ++s) {
    for (const Injection& p : packets(*traffic, s, 100)) ids.push_back(p.id);
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(OpenLoop, SaysWhatDoesNotFit) {
  EXPECT_EQ(problem_of(specification("transpose", 0.5), 8),
            "traffic transpose: 8 nodes are not a square");
  EXPECT_EQ(problem_of(specification("shuffle", 0.5), 9),
            "traffic shuffle: the number of nodes, 9, is odd");
  EXPECT_EQ(problem_of(specification("hotspot:node=8", 0.5), 8),
            "traffic hotspot: node = 8 is outside 0..7");
  EXPECT_EQ(problem_of(specification("uniform", 1.5), 8),
            "load 1.5 is outside 0..1 flits/node/cycle");
}

}  // namespace
}  // namespace weft::verif
