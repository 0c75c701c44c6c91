// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "arch/network/switch_pins.h"
#include "verif/network/endpoint_options.h"
#include "verif/network/flit_format.h"
#include "verif/network/packet_pool.h"
#include "verif/network/under_way.h"
#include "verif/network/violations.h"
#include "verif/random.h"

namespace weft::verif {

class EndpointObserver;

/// The network interfaces that feed a switch: a port each. With credits a flit is sent only when
/// the queue that it goes to has a place. With ready/valid a flit is offered without waiting for
/// ready, and stays until it is taken; of several queues those that were ready last are preferred.
class SourcePorts {
 public:
  /// Everything must outlive this.
  SourcePorts(const arch::Switch& design, const EndpointOptions& options, const FlitFormat& format,
              PacketPool& packets, PacketsUnderWay& under_way);

  /// Puts a packet behind the others of its source. Its vc and queue must be set.
  void offer(std::uint32_t packet);
  /// Sets the pins of one cycle.
  void drive(arch::SwitchInputs& inputs, std::uint64_t now, EndpointObserver* observer);
  /// Takes the credits, or notes what was accepted.
  void take(const arch::SwitchOutputs& outputs, std::uint64_t now, EndpointObserver* observer,
            Violations& violations);

  /// Packets of a port that have not begun.
  [[nodiscard]] std::size_t backlog(int port) const {
    return backlog_[static_cast<std::size_t>(port)];
  }
  /// Places in a queue of an input that nothing was sent for; with credits.
  [[nodiscard]] int credits(int port, int queue) const {
    return credits_[static_cast<std::size_t>(port * layout_.queues + queue)];
  }
  /// Flits that were accepted in all.
  [[nodiscard]] std::uint64_t flits_sent(int port) const {
    return flits_sent_[static_cast<std::size_t>(port)];
  }

  void reset();

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// The packets that take turns flit by flit: those of different VCs.
  struct Lane {
    std::uint32_t packet = none;  ///< the one under way
    int turn = 0;                 ///< list from which the next one is preferred
  };

  [[nodiscard]] std::size_t lane_index(int port, int lane) const {
    return static_cast<std::size_t>(port * lanes_ + lane);
  }
  [[nodiscard]] std::size_t list_index(int port, int lane, int list) const {
    return static_cast<std::size_t>((port * lanes_ + lane) * lists_ + list);
  }
  [[nodiscard]] bool begin_packet(int port, int lane, std::uint64_t now);
  /// The list whose packet is next, or -1; `eager`: whether or not its queue was ready last.
  [[nodiscard]] int pick(int port, int lane, bool eager) const;
  [[nodiscard]] bool may_begin(int port, int lane, int list) const;
  void present(int port, int lane, arch::SwitchInputs& inputs);
  void idle(int port, arch::SwitchInputs& inputs);
  void accepted(int port, std::uint64_t now, EndpointObserver* observer);
  void credit_returned(int port, int queue, std::uint64_t now, Violations& violations);
  [[nodiscard]] bool gate_open(int port, std::uint64_t now);

  arch::PinLayout layout_;
  EndpointOptions options_;
  const FlitFormat* format_;
  PacketPool* packets_;
  PacketsUnderWay* under_way_;
  bool credit_flow_;
  bool choosy_;  ///< whether a packet may begin depends on more than that its queue is open
  int depth_;
  int lanes_;  ///< a port
  int lists_;  ///< a lane
  int words_;  ///< of 64 lists

  PacketQueues lists_of_packets_;
  std::vector<Lane> lane_state_;
  std::vector<int> turn_;               ///< per port: lane that is preferred next
  std::vector<int> presenting_;         ///< per port: lane whose flit stands there, or -1
  std::vector<std::uint64_t> waiting_;  ///< bit a list of a lane: it has packets
  std::vector<std::uint64_t> open_;     ///< the same: its queue has a credit, or was ready last
  std::vector<int> credits_;            ///< [port][queue]
  std::vector<std::size_t> backlog_;    ///< packets in lists, per port
  std::vector<std::size_t> active_;     ///< packets in lists or lanes, per port
  std::vector<std::uint64_t> flits_sent_;
  Random random_;
};

}  // namespace weft::verif
