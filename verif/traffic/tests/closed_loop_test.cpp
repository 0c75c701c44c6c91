// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "verif/traffic/traffic.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {
namespace {

/// What a network that delivers every packet after `latency` cycles shows of a closed loop.
struct Observed {
  std::vector<Injection> taken;
  int most_open = 0;  ///< requests of a node without response
  double flits = 0;
};

Observed run(std::string_view pattern, double load, std::uint64_t latency, std::uint64_t cycles,
             int nodes = 4) {
  TrafficSpec spec = parse_traffic(pattern);
  spec.load = load;
  const auto traffic = make_traffic(spec, nodes, 41);
  Observed seen;
  std::queue<Injection> under_way;  // in order of the cycles taken, hence of delivery
  std::map<std::uint64_t, Injection> requests;
  std::map<int, int> open;
  std::map<int, std::uint64_t> last;
  std::map<std::uint64_t, std::uint64_t> delivered_at;
  for (std::uint64_t now = 0; now < cycles; ++now) {
    for (int s = 0; s < nodes; ++s) {
      while (traffic->next(s).cycle <= now) {
        const Injection p = traffic->take(s);
        EXPECT_EQ(p.cycle, now) << "created in the past";
        EXPECT_GE(p.cycle, last[s]);
        last[s] = p.cycle;
        EXPECT_NE(p.destination, p.source);
        seen.taken.push_back(p);
        seen.flits += p.flits;
        under_way.push(p);
        const auto request = requests.find(p.id - 1);
        if (request != requests.end()) {
          EXPECT_EQ(p.destination, request->second.source);
          EXPECT_EQ(p.source, request->second.destination);
          EXPECT_EQ(p.cycle, delivered_at[p.id - 1] + 5);
          requests.erase(request);
        } else {
          requests[p.id] = p;
          seen.most_open = std::max(seen.most_open, ++open[s]);
        }
      }
    }
    while (!under_way.empty() && under_way.front().cycle + latency <= now) {
      const Injection p = under_way.front();
      under_way.pop();
      delivered_at[p.id] = now;
      if (!requests.contains(p.id)) --open[p.destination];
      traffic->delivered(p, now);
    }
  }
  return seen;
}

TEST(RequestResponse, EveryRequestIsAnswered) {
  const Observed seen =
      run("request_response:request=1,response=3,window=100,service=5", 0.3, 20, 50000);
  std::size_t responses = 0;
  for (const Injection& p : seen.taken) {
    responses += p.id % 2;
    EXPECT_EQ(p.flits, p.id % 2 == 0 ? 1 : 3);
  }
  // All but those under way at the end.
  EXPECT_NEAR(static_cast<double>(responses), static_cast<double>(seen.taken.size()) / 2, 20);
}

TEST(RequestResponse, OffersTheLoadWhileTheWindowIsOpen) {
  constexpr double cycles = 200000;
  const Observed seen = run("request_response:request=1,response=3,window=1000,service=5", 0.3, 20,
                            static_cast<std::uint64_t>(cycles));
  // Bernoulli trials with probability 0.3/4 and 4 flits each.
  const double p = 0.3 / 4;
  EXPECT_NEAR(seen.flits / 4 / cycles, 0.3, 5 * 4 * std::sqrt(p * (1 - p) / (4 * cycles)) + 1e-3);
}

// Little's law: `window` requests every round trip of latency + service + latency + 1 cycles.
TEST(RequestResponse, TheWindowLimitsTheThroughput) {
  constexpr double cycles = 50000;
  const Observed seen = run("request_response:request=1,response=1,window=3,service=5", 1, 20,
                            static_cast<std::uint64_t>(cycles));
  EXPECT_EQ(seen.most_open, 3);
  const double round_trip = 20 + 5 + 20 + 1;
  EXPECT_NEAR(seen.flits / 2 / 4 / cycles, 3 / round_trip, 0.05 * 3 / round_trip);
}

TEST(RequestResponse, ClassesAndLengthsAreKnown) {
  const auto traffic =
      make_traffic(parse_traffic("request_response:request=2,response=9,request_class=1"), 4, 1);
  EXPECT_EQ(traffic->longest_packet(), 9);
  EXPECT_EQ(traffic->traffic_classes(), 2);
}

}  // namespace
}  // namespace weft::verif
