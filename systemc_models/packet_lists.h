// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "systemc_models/packet_switch.h"

namespace weft::models {

/// Many first-in first-out lists of packets in one store, which grows as needed and is used again.
class PacketLists {
 public:
  explicit PacketLists(std::size_t lists) : ends_(lists) {}

  [[nodiscard]] bool empty(std::size_t list) const { return ends_[list].first == none; }
  /// The first packet; the list must not be empty.
  [[nodiscard]] const SwitchPacket& front(std::size_t list) const {
    return nodes_[ends_[list].first].packet;
  }
  [[gnu::always_inline]] void push(std::size_t list, const SwitchPacket& packet) {
    std::uint32_t node = free_;
    if (node == none) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({packet, none});
    } else {
      free_ = nodes_[node].next;
      nodes_[node] = {packet, none};
    }
    Ends& ends = ends_[list];
    (ends.first == none ? ends.first : nodes_[ends.last].next) = node;
    ends.last = node;
  }
  void pop(std::size_t list) {
    const std::uint32_t node = ends_[list].first;
    ends_[list].first = nodes_[node].next;
    nodes_[node].next = free_;
    free_ = node;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Node {
    SwitchPacket packet;
    std::uint32_t next = none;
  };
  struct Ends {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };

  std::vector<Ends> ends_;
  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
};

}  // namespace weft::models
