// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "verif/traffic/traffic.h"

namespace weft::verif {

/// A packet between its creation and its delivery.
struct Packet {
  Injection injection;
  /// Counts the packets of this source, for reductions those to this destination: contributions to
  /// the same reduction have the same ordinal.
  std::uint64_t ordinal = 0;
  std::uint64_t presented = 0;  ///< cycle from which on its head stood on the input
  std::uint64_t injected = 0;   ///< cycle in which its head was accepted
  int vc = 0;                   ///< by which it enters
  int queue = 0;                ///< of the switch's input, for which its flits take credits
  int sent = 0;                 ///< flits that are in the switch or beyond
  int copies = 1;               ///< outputs that have not had all of it
};

/// Things that live for a while, by number. Their memory is used again, so that a long run
/// allocates only while it finds its level.
template <typename T>
class Pool {
 public:
  std::uint32_t make(const T& value) {
    if (free_.empty()) {
      items_.push_back(value);
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    items_[number] = value;
    return number;
  }
  void drop(std::uint32_t number) { free_.push_back(number); }
  void clear() {
    items_.clear();
    free_.clear();
  }
  /// Things that live.
  [[nodiscard]] std::size_t count() const { return items_.size() - free_.size(); }

  T& operator[](std::uint32_t number) { return items_[number]; }
  const T& operator[](std::uint32_t number) const { return items_[number]; }

 private:
  std::vector<T> items_;
  std::vector<std::uint32_t> free_;
};

using PacketPool = Pool<Packet>;

/// Many first-in first-out queues of packet numbers with one store.
class PacketQueues {
 public:
  explicit PacketQueues(std::size_t queues) : ends_(queues) {}

  [[nodiscard]] bool empty(std::size_t queue) const { return ends_[queue].first == none; }
  [[nodiscard]] std::uint32_t front(std::size_t queue) const {
    return links_[ends_[queue].first].packet;
  }
  void push(std::size_t queue, std::uint32_t packet) {
    const std::uint32_t link = links_.make({packet, none});
    Ends& ends = ends_[queue];
    (ends.first == none ? ends.first : links_[ends.last].next) = link;
    ends.last = link;
  }
  std::uint32_t pop(std::size_t queue) {
    const std::uint32_t link = ends_[queue].first;
    const Link popped = links_[link];
    ends_[queue].first = popped.next;
    links_.drop(link);
    return popped.packet;
  }
  /// Takes a packet out of a queue, wherever it stands there; it must.
  void remove(std::size_t queue, std::uint32_t packet) {
    Ends& ends = ends_[queue];
    std::uint32_t before = none;
    std::uint32_t link = ends.first;
    for (; links_[link].packet != packet; link = links_[link].next) before = link;
    const std::uint32_t next = links_[link].next;
    (before == none ? ends.first : links_[before].next) = next;
    if (next == none) ends.last = before;
    links_.drop(link);
  }
  void clear() {
    ends_.assign(ends_.size(), {});
    links_.clear();
  }
  /// The first packet of a queue for which `function(packet)` is true.
  template <typename Function>
  [[nodiscard]] std::optional<std::uint32_t> find(std::size_t queue, Function&& function) const {
    for (std::uint32_t link = ends_[queue].first; link != none; link = links_[link].next) {
      if (function(links_[link].packet)) return links_[link].packet;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Link {
    std::uint32_t packet = 0;
    std::uint32_t next = none;
  };
  struct Ends {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };

  std::vector<Ends> ends_;
  Pool<Link> links_;
};

}  // namespace weft::verif
