// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/network/switch.h"
#include "systemc_models/packet_lists.h"
#include "systemc_models/packet_switch.h"
#include "systemc_models/port_mask.h"
#include "verif/network/packet_pool.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {

/// The network interfaces of SourcePorts, a packet at a time: lanes (VCs) take turns, and within a
/// lane the lists of packets for different queues of the switch's input. Packets are not
/// interleaved.
template <int Words>
class PacketSources {
 public:
  using Mask = models::PortMask<Words>;
  using Packets = Pool<Injection>;

  PacketSources(const arch::Switch& design, bool single_fifo)
      : ports_(design.ports),
        classes_(design.traffic_classes),
        vcs_(design.virtual_channels),
        lanes_(single_fifo || design.organisation == arch::Organisation::crossbar ? 1 : vcs_),
        lists_(!single_fifo && has_queue_an_output(design) ? ports_ : 1),
        packets_(static_cast<std::size_t>(ports_ * lanes_ * lists_)),
        waiting_(static_cast<std::size_t>(ports_ * lanes_)),
        list_turn_(waiting_.size(), 0),
        lane_turn_(static_cast<std::size_t>(ports_), 0),
        vc_turn_(static_cast<std::size_t>(ports_ * classes_), 0) {}

  /// Puts a packet, number `tag` of the caller's, behind the others of its source.
  void create(const Injection& packet, std::uint64_t tag) {
    models::SwitchPacket waiting;
    waiting.tag = tag;
    waiting.input = packet.source;
    waiting.output = packet.destination;
    waiting.flits = packet.flits;
    waiting.vc = choose_vc(packet);
    const int lane = packet.source * lanes_ + (lanes_ > 1 ? waiting.vc : 0);
    const int list = lists_ > 1 ? packet.destination : 0;
    packets_.push(list_index(lane, list), waiting);
    waiting_[static_cast<std::size_t>(lane)].set(list);
    busy_.set(packet.source);
  }

  /// Begins packets in `cycle`, to which the switch has advanced, wherever one can.
  void offer(models::PacketSwitch& packet_switch, std::uint64_t cycle) {
    const std::span<const std::uint64_t> free = packet_switch.free_inputs();
    busy_.for_each([&](int source) {
      const auto s = static_cast<std::size_t>(source);
      if ((free[s / 64] >> (s % 64) & 1U) != 0) begin_one(packet_switch, source, cycle);
    });
  }

 private:
  static bool has_queue_an_output(const arch::Switch& design) {
    return design.organisation == arch::Organisation::virtual_output_queued ||
           design.organisation == arch::Organisation::output_queued;
  }
  [[nodiscard]] std::size_t list_index(int lane, int list) const {
    return static_cast<std::size_t>(lane * lists_ + list);
  }

  int choose_vc(const Injection& packet) {
    const int in_class = vcs_ / classes_;
    int& turn = vc_turn_[static_cast<std::size_t>(packet.source * classes_ + packet.traffic_class)];
    const int vc = packet.traffic_class * in_class + turn;
    turn = turn + 1 == in_class ? 0 : turn + 1;
    return vc;
  }

  void begin_one(models::PacketSwitch& packet_switch, int source, std::uint64_t cycle) {
    int& turn = lane_turn_[static_cast<std::size_t>(source)];
    bool idle = true;
    for (int step = 0; step < lanes_; ++step) {
      const int lane = turn + step < lanes_ ? turn + step : turn + step - lanes_;
      const Mask& waiting = waiting_[static_cast<std::size_t>(source * lanes_ + lane)];
      if (!waiting.any()) continue;
      idle = false;
      if (!begin_in_lane(packet_switch, source * lanes_ + lane, cycle)) continue;
      turn = lane + 1 == lanes_ ? 0 : lane + 1;
      return;
    }
    if (idle) busy_.clear(source);
  }

  bool begin_in_lane(models::PacketSwitch& packet_switch, int lane, std::uint64_t cycle) {
    Mask& waiting = waiting_[static_cast<std::size_t>(lane)];
    int& turn = list_turn_[static_cast<std::size_t>(lane)];
    for (Mask left = waiting; left.any();) {
      const int list = left.first_from(turn);
      left.clear(list);
      const std::size_t index = list_index(lane, list);
      const models::SwitchPacket packet = packets_.front(index);
      if (packet_switch.room(packet.input, packet.output, packet.vc) <= 0) continue;
      packets_.pop(index);
      if (packets_.empty(index)) waiting.clear(list);
      turn = list + 1 == lists_ ? 0 : list + 1;
      packet_switch.offer(packet, cycle);
      return true;
    }
    return false;
  }

  int ports_;
  int classes_;
  int vcs_;
  int lanes_;  ///< a source
  int lists_;  ///< a lane
  models::PacketLists packets_;
  std::vector<Mask> waiting_;   ///< by (source, lane): lists that are not empty
  std::vector<int> list_turn_;  ///< by (source, lane)
  std::vector<int> lane_turn_;  ///< by source
  std::vector<int> vc_turn_;    ///< by (source, class)
  Mask busy_;                   ///< sources that may have packets
};

}  // namespace weft::verif
