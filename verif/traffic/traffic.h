// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace weft::verif {

struct TrafficSpec;

/// A packet that a node hands to the network.
struct Injection {
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t cycle = never;  ///< in which it is created: its head may enter in this cycle
  int source = 0;
  int destination = 0;
  int flits = 1;
  int traffic_class = 0;
  std::uint64_t id = 0;  ///< unique within a run

  bool operator==(const Injection&) const = default;
};

/// What the nodes of a network send to each other. Nodes are numbered from 0; what lies between
/// them, a switch or a fabric, is not known here.
///
///     while (traffic.next(s).cycle <= now) queue[s].push(traffic.take(s));
///     ...
///     traffic.delivered(packet, now);
class Traffic {
 public:
  virtual ~Traffic() = default;
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  [[nodiscard]] int nodes() const { return static_cast<int>(known_.size()); }
  /// Of the longest packet that can come; no packet has more flits.
  [[nodiscard]] int longest_packet() const { return longest_packet_; }
  /// Classes that occur: 0 .. traffic_classes() - 1.
  [[nodiscard]] int traffic_classes() const { return traffic_classes_; }

  /// The packet that `source` creates next; its cycle is `never` when none is known (for good, or
  /// until something is delivered). It stays until it is taken, except that delivered() can put an
  /// earlier one of the destination in its place. Cycles of one source never decrease.
  [[nodiscard]] const Injection& next(int source) const {
    return *known_[static_cast<std::size_t>(source)].next;
  }
  /// Takes that packet, which must exist.
  Injection take(int source) {
    Known& known = known_[static_cast<std::size_t>(source)];
    const Injection packet = *known.next;
    if (known.next != known.last) {
      ++known.next;
    } else {
      refill(source);
      known.next = packets(source).data();
    }
    return packet;
  }
  /// To be called for each packet whose tail reaches its destination, in order of cycles. Closed
  /// loops answer; whatever they create in consequence has a cycle after `cycle`.
  virtual void delivered(const Injection& /*packet*/, std::uint64_t /*cycle*/) {}
  /// Whether delivered() matters; an open loop need not be told.
  [[nodiscard]] virtual bool closed_loop() const { return false; }

 protected:
  /// `block`: packets of a source that are made at a time; 1 where delivered() can change the next.
  Traffic(int nodes, int longest_packet, int traffic_classes, std::size_t block)
      : block_(block),
        packets_(static_cast<std::size_t>(nodes) * block),
        longest_packet_(longest_packet),
        traffic_classes_(traffic_classes) {
    for (int s = 0; s < nodes; ++s) known_.push_back({&packets(s).front(), &packets(s).back()});
  }

  /// Replaces packets(source), of which the last has just been taken, with those that follow it.
  virtual void refill(int source) = 0;
  /// The block of packets of a source; the first is its next one before any is taken.
  std::span<Injection> packets(int source) {
    return std::span(packets_).subspan(static_cast<std::size_t>(source) * block_, block_);
  }

 private:
  struct Known {
    const Injection* next;
    const Injection* last;  ///< of the block
  };

  std::size_t block_;
  std::vector<Injection> packets_;
  std::vector<Known> known_;  ///< by source
  int longest_packet_;
  int traffic_classes_;
};

/// Traffic between `nodes` nodes; the same seed gives the same packets on every machine. Throws
/// UserError when the pattern does not fit the number of nodes, and for malformed trace files.
[[nodiscard]] std::unique_ptr<Traffic> make_traffic(const TrafficSpec& spec, int nodes,
                                                    std::uint64_t seed);

}  // namespace weft::verif
