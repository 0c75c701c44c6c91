// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/network/header.h"
#include "systemc_models/packet_switch.h"

namespace weft::models {

/// Many first-in first-out lists of packets in one store, which grows as needed and is used again.
/// All packets of a list come from the same input, which is not kept.
class PacketLists {
 public:
  explicit PacketLists(std::size_t lists) : ends_(lists) {}

  [[nodiscard]] bool empty(std::size_t list) const { return ends_[list].first == none; }
  /// The first packet, which came from `input`; the list must not be empty.
  [[nodiscard]] SwitchPacket front(std::size_t list, int input) const {
    const Node& node = nodes_[ends_[list].first];
    return {node.tag, input, node.output, node.vc, node.flits};
  }
  /// Returns whether the packet is the first.
  [[gnu::always_inline]] bool push(std::size_t list, const SwitchPacket& packet) {
    const std::uint32_t number = free_ != none ? free_ : grow();
    Node& node = nodes_[number];
    free_ = node.next;
    node = {packet.tag, none, static_cast<std::uint16_t>(packet.flits),
            static_cast<std::uint8_t>(packet.output), static_cast<std::uint8_t>(packet.vc)};
    Ends& ends = ends_[list];
    const bool first = ends.first == none;
    (first ? ends.first : nodes_[ends.last].next) = number;
    ends.last = number;
    return first;
  }
  /// Returns whether the list is empty now.
  bool pop(std::size_t list) {
    Ends& ends = ends_[list];
    const std::uint32_t number = ends.first;
    Node& node = nodes_[number];
    ends.first = node.next;
    node.next = free_;
    free_ = number;
    return ends.first == none;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static_assert(arch::most_ports <= 256);
  struct Node {
    std::uint64_t tag = 0;
    std::uint32_t next = none;
    std::uint16_t flits = 0;
    std::uint8_t output = 0;
    std::uint8_t vc = 0;
  };
  struct Ends {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };

  std::uint32_t grow() {
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::vector<Ends> ends_;
  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
};

}  // namespace weft::models
