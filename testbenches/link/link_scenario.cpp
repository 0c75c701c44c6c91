// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/link_scenario.h"

#include <algorithm>

#include "arch/network/link_frame.h"
#include "arch/network/link_timing.h"
#include "verif/random.h"

namespace weft::verif {
namespace {

/// Flits that wrap the sequence numbers at least twice, or fewer where frames take many cycles.
std::uint64_t directed_flits(const arch::Link& link) {
  const auto enough = std::max<std::uint64_t>(200, std::uint64_t{5} << (link.sequence_width - 1));
  const auto phits = static_cast<std::uint64_t>(arch::FrameLayout(link).phits);
  constexpr std::uint64_t most_cycles = 20'000;
  return std::min(enough, 50 + most_cycles / phits);
}

/// The bit error rate at which this part of the frames is bad, and at most 1e-3.
double error_rate(const arch::Link& link, double bad_frames) {
  return std::min(1e-3, bad_frames / arch::FrameLayout(link).bits);
}

/// How many frames old a frame may be that comes again: its acknowledgement and credits must still
/// be known as old (docs/link.md).
int oldest_harmless(const arch::Link& link) {
  return std::min({8, (1 << (link.sequence_width - 1)) - 1, (link.buffer_depth - 1) / 2});
}

std::vector<LinkScenario> directed_scenarios(const arch::Link& link) {
  std::vector<LinkScenario> list;
  const auto add = [&](const std::string& name, auto&& change) {
    LinkScenario scenario;
    scenario.name = name;
    for (LinkDirection& direction : scenario.directions) {
      direction.flits = directed_flits(link);
      direction.latency = std::max(1, link.channel_latency);
    }
    change(scenario);
    list.push_back(std::move(scenario));
  };
  const auto everywhere = [](LinkScenario& scenario, auto&& change) {
    for (LinkDirection& direction : scenario.directions) change(direction);
  };
  const int phits = arch::FrameLayout(link).phits;
  const auto frames = [phits](int count) {
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(phits);
  };
  const auto start = frames(4 * (link.quiet_frames + 50));  // both ends are up by then

  add("full load, perfect wire", [](LinkScenario&) {});
  add("one direction only", [](LinkScenario& s) { s.directions[1].flits = 0; });
  add("sparse flits, reluctant users",
      [&](LinkScenario& s) { everywhere(s, [](LinkDirection& d) { d.load = 30, d.ready = 30; }); });
  add("users that stop for long", [&](LinkScenario& s) {
    everywhere(s, [&](LinkDirection& d) {
      d.ready = 50, d.ready_run = frames(arch::LinkTiming(link).credit_round_trip + 3);
    });
  });
  add("bit errors", [&](LinkScenario& s) {
    everywhere(s, [&](LinkDirection& d) { d.faults.bit_errors = error_rate(link, 0.1); });
  });
  add("bit errors, one direction only", [&](LinkScenario& s) {
    s.directions[0].faults.bit_errors = error_rate(link, 0.2);
    s.directions[0].load = 50;
    s.directions[1].flits = 0;
  });
  add("bursts", [&](LinkScenario& s) {
    everywhere(s, [&](LinkDirection& d) {
      d.faults.bursts = 0.05 / phits, d.faults.burst_bits = link.crc_width;
    });
  });
  add("lost frames", [&](LinkScenario& s) {
    everywhere(s, [](LinkDirection& d) { d.faults.lost_frames = 0.1, d.load = 60; });
  });
  add("acknowledgements lost", [](LinkScenario& s) {
    s.directions[1].flits = 0;
    s.directions[1].faults.lost_frames = 0.7;
  });
  add("repeated frames", [&](LinkScenario& s) {
    everywhere(s, [](LinkDirection& d) { d.faults.repeated_frames = 0.1, d.ready = 70; });
  });
  if (const int age = oldest_harmless(link); age > 1) {
    add("old frames again", [&](LinkScenario& s) {
      everywhere(s, [&](LinkDirection& d) {
        d.faults.repeated_frames = 0.1, d.faults.repeated_age = age;
        d.ready = 30, d.ready_run = frames(6);
      });
    });
  }
  add("lost and repeated frames", [&](LinkScenario& s) {
    everywhere(s, [](LinkDirection& d) {
      d.faults.lost_frames = 0.1, d.faults.repeated_frames = 0.1, d.load = 80;
    });
  });
  // One in 2^CRC_WIDTH candidates out of alignment passes its CRC: too often for 16 bits.
  if (link.crc_width == 32) {
    add("phits lost and inserted", [&](LinkScenario& s) {
      everywhere(s, [&](LinkDirection& d) {
        d.faults.slips = 0.1 / static_cast<double>(frames(link.realign_frames * 8));
      });
    });
  }
  add("one direction cut for longer than the retry timer", [&](LinkScenario& s) {
    constexpr int cuts = 6;
    for (int i = 0; i < cuts; ++i) {
      s.events.push_back({LinkEvent::Kind::cut, start + frames(i * (2 * link.retry_timeout + 60)),
                          i % 2, frames(link.retry_timeout + 2 + 4 * i)});
    }
    everywhere(s, [&](LinkDirection& d) {
      d.flits += static_cast<std::uint64_t>(cuts * (link.retry_timeout + 60));
    });
  });
  add("ends reset", [&](LinkScenario& s) {
    const auto spacing = 3 * start;
    s.events = {{LinkEvent::Kind::reset, start + 7, 0, 3},
                {LinkEvent::Kind::reset, start + spacing, 1, 1},
                {LinkEvent::Kind::reset, start + 2 * spacing, 0, start / 3},
                {LinkEvent::Kind::reset, start + 3 * spacing, 1, 5},
                {LinkEvent::Kind::reset, start + 3 * spacing + 2, 0, 5}};
    everywhere(s, [&](LinkDirection& d) {
      d.faults.bit_errors = error_rate(link, 0.05);
      d.flits += 5 * spacing / frames(4);
    });
  });
  add("reset while coming up", [&](LinkScenario& s) {
    const auto quiet = frames(link.quiet_frames);
    s.events = {{LinkEvent::Kind::reset, quiet - quiet / 4, 0, 2},
                {LinkEvent::Kind::reset, 2 * quiet, 1, 2}};
  });
  return list;
}

}  // namespace

LinkScenarios::LinkScenarios(const arch::Link& link, std::uint64_t seed)
    : link_(link), seed_(seed), directed_(directed_scenarios(link)) {}

LinkScenario LinkScenarios::scenario(std::uint64_t index) const {
  LinkScenario scenario = index < directed_.size() ? directed_[index] : random_scenario(index);
  scenario.seed = Random(seed_, index).bits();
  return scenario;
}

LinkScenario LinkScenarios::random_scenario(std::uint64_t index) const {
  Random random(seed_, index);
  const int phits = arch::FrameLayout(link_).phits;
  LinkScenario scenario;
  scenario.name = "random traffic, random faults";
  for (LinkDirection& direction : scenario.directions) {
    direction.flits = random.below(2 * directed_flits(link_));
    direction.load = static_cast<unsigned>(random.pick({100, 100, 70, 30, 5}));
    direction.ready = static_cast<unsigned>(random.pick({100, 100, 80, 50, 20}));
    direction.ready_run = random.pick<std::uint64_t>({1, 1, 2, 7, 40});
    direction.latency = static_cast<int>(
        1 + random.below(2 * static_cast<std::uint64_t>(link_.channel_latency) + 2));
    ChannelFaults& faults = direction.faults;
    if (random.chance(50)) faults.bit_errors = error_rate(link_, random.pick({0.01, 0.1, 0.3}));
    if (random.chance(30)) faults.lost_frames = random.pick({0.01, 0.1, 0.3});
    if (random.chance(30)) faults.repeated_frames = random.pick({0.01, 0.1, 0.3});
    if (random.chance(50)) faults.repeated_age = std::max(1, oldest_harmless(link_));
    if (random.chance(30)) {
      faults.bursts = random.pick({0.01, 0.1}) / phits;
      faults.burst_bits =
          static_cast<int>(1 + random.below(static_cast<std::uint64_t>(link_.crc_width)));
    }
    if (link_.crc_width == 32 && random.chance(10)) {
      faults.slips = 0.02 / (phits * link_.realign_frames);
    }
  }
  const std::uint64_t span = static_cast<std::uint64_t>(phits) *
                             (static_cast<std::uint64_t>(link_.quiet_frames) * 4 + 400);
  for (const auto kind : {LinkEvent::Kind::reset, LinkEvent::Kind::cut}) {
    while (random.chance(30)) {
      scenario.events.push_back({kind, random.below(span), static_cast<int>(random.below(2)),
                                 1 + random.below(span / 4)});
    }
  }
  return scenario;
}

}  // namespace weft::verif
