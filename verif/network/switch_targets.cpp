// SPDX-License-Identifier: Apache-2.0
#include "verif/network/switch_targets.h"

#include "base/error.h"
#include "verif/network/flit_bits.h"

namespace weft::verif {
namespace {

SwitchTargets::HeaderWords head_flit(const arch::Switch& design, const arch::Header& header) {
  static_assert(arch::most_ports + 3 <= 3 * flit_word_bits,
                "op and port set are the longest header");
  SwitchTargets::HeaderWords words{};
  arch::write_header(design, header, words);
  return words;
}

}  // namespace

SwitchTargets::SwitchTargets(const arch::Switch& design, arch::Position position)
    : design_(design), position_(position) {
  for (int port = 0; port < design.ports; ++port) {
    try {
      arch::Header header;
      header.route = arch::route_to(design, port, position);
      if (design.lookahead_routing) header.next = port;
      entries_.push_back(make(header));
    } catch (const UserError&) {
      entries_.emplace_back();
    }
  }
}

SwitchTargets::Entry SwitchTargets::make(const arch::Header& header) const {
  Entry entry;
  entry.reachable = true;
  entry.header = header;
  entry.entering = head_flit(design_, header);
  arch::Header leaving = arch::forwarded(design_, header);
  if (entry.reduction()) leaving.op = arch::PacketOp::multicast;
  entry.leaving = head_flit(design_, leaving);
  if (header.op == arch::PacketOp::unicast) {
    const int inputs = design_.mesh() ? design_.ports : 1;
    for (int input = 0; input < inputs; ++input) {
      entry.choices.push_back(arch::route(design_, header, input, position_));
    }
  }
  return entry;
}

int SwitchTargets::add(const arch::Header& header) {
  for (int number = 0; number < size(); ++number) {
    if (reachable(number) && (*this)[number].header == header) return number;
  }
  entries_.push_back(make(header));
  return size() - 1;
}

}  // namespace weft::verif
