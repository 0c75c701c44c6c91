// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tests/switch_traffic.h"

#include <algorithm>

namespace weft::models::testing {

SwitchTraffic::SwitchTraffic(const arch::Switch& design, arch::Position position, SwitchLoad load,
                             std::uint64_t seed)
    : design_(design),
      layout_(design),
      position_(position),
      load_(load),
      seed_(seed),
      random_(seed),
      inputs_(layout_),
      current_(design.ports, std::vector<std::optional<Current>>(design.virtual_channels)),
      reductions_(design.ports),
      credits_(design.ports, std::vector<int>(layout_.queues, design.buffer_depth)),
      waiting_(design.ports, std::vector<int>(design.virtual_channels)) {}

const arch::SwitchInputs& SwitchTraffic::drive() {
  const bool credits = design_.flow_control == arch::FlowControl::credit;
  for (int i = 0; i < design_.ports; ++i) {
    begin_packets(i);
    inputs_.valid[i] = 0;
    std::vector<int> vcs;
    for (int v = 0; v < design_.virtual_channels; ++v) {
      const auto& current = current_[i][v];
      if (!current) continue;
      if (credits && credits_[i][queue_of(*current, i, v)] == 0) continue;
      vcs.push_back(v);
    }
    if (vcs.empty() || !chance(load_.send)) continue;
    const int v = vcs[below(static_cast<int>(vcs.size()))];
    const Current& current = *current_[i][v];
    inputs_.valid[i] = 1;
    inputs_.head[i] = current.sent == 0;
    inputs_.tail[i] = current.sent + 1 == current.packet.flits;
    inputs_.vc[i] = static_cast<std::uint8_t>(v);
    std::ranges::copy(current.flit, inputs_.flit.begin() + i * layout_.flit_words);
  }
  for (int o = 0; o < design_.ports; ++o) {
    for (int w = 0; w < design_.virtual_channels; ++w) {
      const bool accept = (!credits || waiting_[o][w] > 0) && chance(load_.accept);
      inputs_.accept[o * design_.virtual_channels + w] = accept;
      if (credits && accept) --waiting_[o][w];
    }
  }
  return inputs_;
}

void SwitchTraffic::observe(const arch::SwitchOutputs& outputs) {
  const bool credits = design_.flow_control == arch::FlowControl::credit;
  for (int i = 0; i < design_.ports; ++i) {
    const auto pulse = [&](int q) {
      return (outputs.queue[i * layout_.queue_words + q / 64] >> (q % 64) & 1) != 0;
    };
    if (inputs_.valid[i] != 0) {
      const int v = inputs_.vc[i];
      std::optional<Current>& current = current_[i][v];
      const int q = queue_of(*current, i, v);
      if (credits || pulse(q)) {
        on_sent(i, v, q, inputs_.head[i] != 0, inputs_.tail[i] != 0, current->flit.data());
        if (credits) --credits_[i][q];
        if (++current->sent == current->packet.flits) {
          current.reset();
        } else {
          fill(*current);
        }
      }
    }
    if (!credits) continue;
    for (int q = 0; q < layout_.queues; ++q) credits_[i][q] += pulse(q) ? 1 : 0;
  }
  for (int o = 0; o < design_.ports; ++o) {
    if (outputs.valid[o] == 0) continue;
    if (credits) {
      ++waiting_[o][outputs.vc[o]];
    } else if (inputs_.accept[o] == 0) {
      continue;
    }
    on_received(o, outputs.vc[o], outputs.head[o] != 0, outputs.tail[o] != 0,
                &outputs.flit[o * layout_.flit_words]);
  }
}

void SwitchTraffic::stop() {
  load_.start = 0;
  last_reduction_ = *std::ranges::max_element(reductions_);
}

bool SwitchTraffic::all_sent() const {
  const bool reduced = !design_.in_network_reduction ||
                       std::ranges::all_of(reductions_, [this](std::uint64_t number) {
                         return number >= last_reduction_;
                       });
  return reduced && std::ranges::all_of(current_, [](const auto& of_input) {
           return std::ranges::none_of(of_input,
                                       [](const auto& current) { return current.has_value(); });
         });
}

void SwitchTraffic::begin_packets(int input) {
  for (int v = 0; v < design_.virtual_channels; ++v) {
    std::optional<Current>& current = current_[input][v];
    if (current) continue;
    const bool stopped = last_reduction_ != ~std::uint64_t{0};
    if (!stopped && !chance(load_.start)) continue;
    const bool collective = design_.collectives() && chance(load_.collective);
    std::optional<Packet> packet;
    if (stopped) {
      packet = next_reduction(input, v);
      if (!packet) continue;
    } else if (collective && design_.in_network_reduction && chance(0.5)) {
      packet = next_reduction(input, v);
    }
    if (collective && !packet && design_.multicast) packet = multicast();
    if (!packet) packet = unicast();
    current = Current{*packet, 0, std::vector<std::uint64_t>(layout_.flit_words)};
    fill(*current);
  }
}

SwitchTraffic::Packet SwitchTraffic::unicast() {
  Packet packet;
  packet.header.route = any_route();
  packet.header.next = design_.lookahead_routing ? below(design_.ports) : 0;
  packet.flits = 1 + below(load_.longest_packet);
  return packet;
}

std::uint64_t SwitchTraffic::any_route() {
  const arch::MeshWidths widths(design_);
  switch (design_.routing) {
    case arch::Routing::destination_table:
    case arch::Routing::up_down:
      return below(design_.destinations);
    case arch::Routing::address: {
      const int p = below(design_.ports);
      if (design_.address_bases[p] > design_.address_limits[p]) return any_route();
      return std::uniform_int_distribution<std::uint64_t>(design_.address_bases[p],
                                                          design_.address_limits[p])(random_);
    }
    case arch::Routing::source: {
      std::uint64_t route = 0;
      for (int hop = 0; hop < design_.max_hops; ++hop) {
        route = route << arch::index_width(design_.ports) | below(design_.ports);
      }
      return route;
    }
    case arch::Routing::dimension_order:
    case arch::Routing::west_first:
    case arch::Routing::odd_even:
      break;
  }
  const std::uint64_t x = below(design_.mesh_columns);
  const std::uint64_t y = below(design_.mesh_rows);
  const std::uint64_t local = below(arch::local_ports(design_));
  return x | y << widths.x | local << (widths.x + widths.y);
}

SwitchTraffic::Packet SwitchTraffic::multicast() {
  Packet packet;
  packet.header.op = arch::PacketOp::multicast;
  while (packet.header.mask.none()) {
    for (int o = 0; o < design_.ports; ++o) packet.header.mask[o] = chance(0.3);
  }
  packet.flits = 1 + below(load_.longest_packet);
  return packet;
}

// Reductions come in one order at all inputs; each follows from its number.
SwitchTraffic::Packet SwitchTraffic::reduction(std::uint64_t number) const {
  std::mt19937_64 random(seed_ * 7919 + number);
  Packet packet;
  const arch::PacketOp ops[] = {arch::PacketOp::sum, arch::PacketOp::min, arch::PacketOp::max};
  packet.header.op = ops[random() % 3];
  while (packet.header.mask.none()) {
    for (int o = 0; o < design_.ports; ++o) packet.header.mask[o] = random() % 2;
  }
  packet.flits = 1 + static_cast<int>(random() % static_cast<unsigned>(load_.longest_packet));
  return packet;
}

// All in one VC, as their order must be the same everywhere.
std::optional<SwitchTraffic::Packet> SwitchTraffic::next_reduction(int input, int vc) {
  if (!design_.in_network_reduction) return std::nullopt;
  if (vc != static_cast<int>(seed_ % static_cast<unsigned>(design_.virtual_channels))) {
    return std::nullopt;
  }
  for (std::uint64_t& number = reductions_[input]; number < last_reduction_;) {
    const Packet packet = reduction(number++);
    if (packet.header.mask[input]) return packet;
  }
  return std::nullopt;
}

// The next flit: random bits, and the header in a head.
void SwitchTraffic::fill(Current& current) {
  const int last_bits = design_.flit_width % 64;
  for (std::uint64_t& word : current.flit) word = random_();
  if (last_bits != 0) current.flit.back() &= (std::uint64_t{1} << last_bits) - 1;
  if (current.sent == 0) arch::write_header(design_, current.packet.header, current.flit);
}

int SwitchTraffic::queue_of(const Current& current, int input, int vc) const {
  const arch::Header& header = current.packet.header;
  const bool collective = header.op != arch::PacketOp::unicast;
  const int output = collective ? 0 : arch::route(design_, header, input, position_).first;
  return arch::queue_index(design_, output, vc, collective);
}

}  // namespace weft::models::testing
