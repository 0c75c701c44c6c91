// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/scenario_traffic.h"

#include <algorithm>

#include "arch/network/header.h"
#include "verif/network/flit_bits.h"

namespace weft::verif {
namespace {

/// Packets that wait at a source which is to be busy all the time.
constexpr std::size_t busy_backlog = 6;

}  // namespace

ScenarioTraffic::ScenarioTraffic(const arch::Switch& design, const SwitchScenario& scenario,
                                 SwitchEndpoints& endpoints)
    : design_(design),
      scenario_(scenario),
      endpoints_(&endpoints),
      random_(scenario.seed, 3),
      unicasts_(static_cast<std::size_t>(design.ports)),
      lengths_(static_cast<std::size_t>(design.ports)) {
  add_unicasts();
  add_groups();
  for (int output = 0; output < design.ports; ++output) {
    if (!unicasts_[static_cast<std::size_t>(output)].empty()) outputs_.push_back(output);
  }
  chosen_ = outputs_[random_.below(outputs_.size())];
  permutation_.assign(static_cast<std::size_t>(design.ports), -1);
  const std::size_t shift = random_.below(outputs_.size());
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    permutation_[i] = outputs_[(i + shift) % outputs_.size()];
  }
}

void ScenarioTraffic::add_unicast(const arch::Header& header) {
  const int number = endpoints_->targets().add(header);
  unicasts_[static_cast<std::size_t>(endpoints_->targets()[number].choice(0).first)].push_back(
      number);
}

void ScenarioTraffic::add_unicasts() {
  if (design_.mesh()) {
    add_mesh_headers();
  } else {
    add_table_headers(random_);
  }
}

void ScenarioTraffic::add_mesh_headers() {
  const arch::MeshWidths widths(design_);
  for (int x = 0; x < design_.mesh_columns; ++x) {
    for (int y = 0; y < design_.mesh_rows; ++y) {
      for (int local = 0; local < arch::local_ports(design_); ++local) {
        const bool here = x == scenario_.position.x && y == scenario_.position.y;
        // The local port matters only at the end of the way.
        if (!here && local != (x + y) % arch::local_ports(design_)) continue;
        arch::Header header;
        header.route = static_cast<std::uint64_t>(x) | static_cast<std::uint64_t>(y) << widths.x |
                       static_cast<std::uint64_t>(local) << (widths.x + widths.y);
        add_unicast(header);
      }
    }
  }
}

void ScenarioTraffic::add_table_headers(Random& random) {
  constexpr int some = 3;  // destinations behind a port, where there are more than can be tried
  const int port_width = arch::index_width(design_.ports);
  for (int port = 0; port < design_.ports; ++port) {
    arch::Header header;
    if (design_.lookahead_routing) {
      header.next = port;
      for (int i = 0; i < some; ++i) {
        header.route = random.below(static_cast<std::uint64_t>(design_.destinations));
        add_unicast(header);
      }
    } else if (design_.routing == arch::Routing::source) {
      for (int i = 0; i < some; ++i) {
        header.route = static_cast<std::uint64_t>(port) |
                       (random.bits() & low_ones((design_.max_hops - 1) * port_width))
                           << port_width;
        add_unicast(header);
      }
    } else if (design_.routing == arch::Routing::address) {
      const std::uint64_t base = design_.address_bases[static_cast<std::size_t>(port)];
      const std::uint64_t limit = design_.address_limits[static_cast<std::size_t>(port)];
      if (base > limit) continue;
      const std::uint64_t size = limit - base;
      for (const std::uint64_t address :
           {base, limit,
            base + (size == ~std::uint64_t{0} ? random.bits() : random.bits() % (size + 1))}) {
        header.route = address;
        add_unicast(header);
      }
    }
  }
  if (design_.lookahead_routing || (design_.routing != arch::Routing::destination_table &&
                                    design_.routing != arch::Routing::up_down)) {
    return;
  }
  // All destinations, or the first, the last and some between.
  constexpr int most = 200;
  const int step = std::max(1, design_.destinations / most);
  for (int d = 0; d < design_.destinations; d += step) {
    add_unicast({.route = static_cast<std::uint64_t>(d)});
  }
  add_unicast({.route = static_cast<std::uint64_t>(design_.destinations - 1)});
}

void ScenarioTraffic::add_groups() {
  const auto ports = static_cast<std::size_t>(design_.ports);
  const auto random_mask = [&] {
    arch::PortSet mask;
    switch (random_.below(4)) {
      case 0:  // all
        for (std::size_t p = 0; p < ports; ++p) mask.set(p);
        break;
      case 1:  // one or two
        mask.set(random_.below(ports));
        mask.set(random_.below(ports));
        break;
      default:
        for (std::size_t p = 0; p < ports; ++p) mask[p] = random_.chance(50);
        if (mask.none()) mask.set(random_.below(ports));
    }
    return mask;
  };
  constexpr int groups = 6;
  const bool both = scenario_.collectives == Collectives::both;
  const bool multicasts = both || scenario_.collectives == Collectives::multicast;
  bool reductions = both || scenario_.collectives == Collectives::reduction;
  if (multicasts && design_.multicast && !endpoints_->mixes_collectives()) reductions = false;
  // A contribution behind a packet that is held back for another one behind a contribution ...
  if ((multicasts || scenario_.collective_percent < 100) && !endpoints_->tells_packets_apart()) {
    reductions = false;
  }
  for (int i = 0; i < groups; ++i) {
    arch::Header header;
    if (multicasts && design_.multicast) {
      header.op = arch::PacketOp::multicast;
      header.mask = random_mask();
      multicasts_.push_back(endpoints_->targets().add(header));
    }
    if (reductions && design_.in_network_reduction) {
      header.op = random_.pick({arch::PacketOp::sum, arch::PacketOp::min, arch::PacketOp::max});
      header.mask = random_mask();
      reductions_.push_back(endpoints_->targets().add(header));
    }
  }
}

bool ScenarioTraffic::wants_packet(int source) {
  if (scenario_.measure == Measure::latency) return endpoints_->drained();
  if (scenario_.spread == Spread::one_to_all && source != chosen_) return false;
  if (scenario_.spread == Spread::permutation &&
      permutation_[static_cast<std::size_t>(source)] < 0) {
    return false;
  }
  if (endpoints_->sources().backlog(source) >= busy_backlog) return false;
  if (scenario_.load >= 100) return true;
  // A packet brings more than one flit.
  return random_.below(100 * static_cast<std::uint64_t>(design_.max_packet_flits + 1)) <
         2 * scenario_.load;
}

int ScenarioTraffic::draw_output(int source) {
  switch (scenario_.spread) {
    case Spread::permutation:
      return permutation_[static_cast<std::size_t>(source)];
    case Spread::all_to_one:
      return chosen_;
    case Spread::hotspot:
      if (random_.chance(50)) return chosen_;
      break;
    case Spread::uniform:
    case Spread::one_to_all:
      break;
  }
  return outputs_[random_.below(outputs_.size())];
}

int ScenarioTraffic::draw_length(int source) {
  const int turn = lengths_[static_cast<std::size_t>(source)]++;
  const int most = design_.max_packet_flits;
  switch (scenario_.lengths) {
    case Lengths::single:
      return 1;
    case Lengths::longest:
      return most;
    case Lengths::every:
      return 1 + turn % most;
    case Lengths::alternating:
      return turn % 2 == 0 ? most : 1;
    case Lengths::random:
      break;
  }
  return static_cast<int>(random_.between(1, most));
}

int ScenarioTraffic::draw_class() {
  if (!scenario_.mix_classes) return scenario_.traffic_class;
  return static_cast<int>(random_.below(static_cast<std::uint64_t>(design_.traffic_classes)));
}

void ScenarioTraffic::offer(int source, int destination, int flits, int traffic_class) {
  endpoints_->offer({.cycle = endpoints_->now(),
                     .source = source,
                     .destination = destination,
                     .flits = flits,
                     .traffic_class = traffic_class,
                     .id = created_++});
}

void ScenarioTraffic::create_collective(int source) {
  const int flits = draw_length(source);
  const int traffic_class = draw_class();
  const std::size_t kinds = multicasts_.size() + reductions_.size();
  const std::size_t pick = random_.below(kinds);
  if (pick < multicasts_.size()) {
    offer(source, multicasts_[pick], flits, traffic_class);
    return;
  }
  // All members at once: so every source has all groups in the same order.
  const int group = reductions_[pick - multicasts_.size()];
  const arch::PortSet members = endpoints_->targets()[group].header.mask;
  for (int member = 0; member < design_.ports; ++member) {
    if (members[static_cast<std::size_t>(member)]) offer(member, group, flits, traffic_class);
  }
}

void ScenarioTraffic::create_at(int source) {
  const bool collectives = !multicasts_.empty() || !reductions_.empty();
  if (collectives && random_.chance(scenario_.collective_percent)) {
    create_collective(source);
    return;
  }
  const std::vector<int>& targets = unicasts_[static_cast<std::size_t>(draw_output(source))];
  offer(source, targets[random_.below(targets.size())], draw_length(source), draw_class());
}

void ScenarioTraffic::create() {
  for (int source = 0; source < design_.ports; ++source) {
    while (!exhausted() && wants_packet(source)) {
      create_at(source);
      if (scenario_.load < 100 || scenario_.measure == Measure::latency) break;
    }
  }
}

}  // namespace weft::verif
