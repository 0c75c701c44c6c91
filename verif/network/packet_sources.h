// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/network/switch.h"
#include "systemc_models/packet_lists.h"
#include "systemc_models/packet_switch.h"
#include "systemc_models/port_mask.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {

/// The network interfaces of SourcePorts, a packet at a time: lanes (VCs) take turns, and within a
/// lane the lists of packets for different queues of the switch's input. Packets are not
/// interleaved.
template <typename Model>
class PacketSources {
 public:
  using Mask = models::PortMask<Model::words>;

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
  void push(const Injection& packet, std::uint64_t tag) { push(make_packet(packet, tag)); }
  /// The same for the only packet of its source that is created in `cycle`, to which the switch has
  /// advanced; it begins at once if it can.
  [[gnu::always_inline]] void push_alone(const Injection& packet, std::uint64_t tag,
                                         Model& packet_switch, std::uint64_t cycle) {
    const models::SwitchPacket made = make_packet(packet, tag);
    if (!busy_.test(made.input) && packet_switch.is_free(made.input) &&
        packet_switch.has_room(made)) {
      begin(packet_switch, made, cycle);
    } else {
      push(made);
    }
  }

  /// Whether a source whose input is free has packets: they may begin in the next cycle.
  [[nodiscard]] bool waiting(const Model& packet_switch) const {
    return (busy_ & Mask(packet_switch.free_inputs())).any();
  }

  /// Begins packets in `cycle`, to which the switch has advanced, wherever one can.
  void offer(Model& packet_switch, std::uint64_t cycle) {
    (busy_ & Mask(packet_switch.free_inputs())).for_each([&](int source) {
      begin_one(packet_switch, source, cycle);
    });
  }

 private:
  static bool has_queue_an_output(const arch::Switch& design) {
    return design.organisation == arch::Organisation::virtual_output_queued ||
           design.organisation == arch::Organisation::output_queued;
  }
  [[nodiscard]] int lanes() const { return Model::plain ? 1 : lanes_; }
  [[nodiscard]] int lane_of(const models::SwitchPacket& packet) const {
    return lanes() > 1 ? packet.vc : 0;
  }
  [[nodiscard]] int list_of(const models::SwitchPacket& packet) const {
    return lists_ > 1 ? packet.output : 0;
  }
  static std::size_t as_size(int number) { return static_cast<std::size_t>(number); }
  [[nodiscard]] std::size_t lane_index(int source, int lane) const {
    return as_size(source) * as_size(lanes()) + as_size(lane);
  }
  [[nodiscard]] std::size_t list_index(int source, int lane, int list) const {
    return lane_index(source, lane) * as_size(lists_) + as_size(list);
  }

  models::SwitchPacket make_packet(const Injection& packet, std::uint64_t tag) {
    return {tag, packet.source, packet.destination, choose_vc(packet), packet.flits};
  }

  int choose_vc(const Injection& packet) {
    if (Model::plain) return 0;
    const int in_class = vcs_ / classes_;
    int& turn =
        vc_turn_[as_size(packet.source) * as_size(classes_) + as_size(packet.traffic_class)];
    const int vc = packet.traffic_class * in_class + turn;
    turn = turn + 1 == in_class ? 0 : turn + 1;
    return vc;
  }

  void push(const models::SwitchPacket& packet) {
    const int lane = lane_of(packet);
    const int list = list_of(packet);
    packets_.push(list_index(packet.input, lane, list), packet);
    waiting_[lane_index(packet.input, lane)].set(list);
    busy_.set(packet.input);
  }

  [[gnu::always_inline]] void begin(Model& packet_switch, const models::SwitchPacket& packet,
                                    std::uint64_t cycle) {
    const int lane = lane_of(packet);
    const int list = list_of(packet);
    list_turn_[lane_index(packet.input, lane)] = list + 1 == lists_ ? 0 : list + 1;
    if (lanes() > 1) lane_turn_[as_size(packet.input)] = lane + 1 == lanes() ? 0 : lane + 1;
    packet_switch.offer(packet, cycle);
  }

  void begin_one(Model& packet_switch, int source, std::uint64_t cycle) {
    bool idle = true;
    const int turn = lane_turn_[static_cast<std::size_t>(source)];
    for (int step = 0; step < lanes(); ++step) {
      const int lane = turn + step < lanes() ? turn + step : turn + step - lanes();
      if (!waiting_[lane_index(source, lane)].any()) continue;
      idle = false;
      if (begin_in_lane(packet_switch, source, lane, cycle)) return;
    }
    if (idle) busy_.clear(source);
  }

  bool begin_in_lane(Model& packet_switch, int source, int lane, std::uint64_t cycle) {
    Mask& waiting = waiting_[lane_index(source, lane)];
    for (Mask left = waiting; left.any();) {
      const int list = left.first_from(list_turn_[lane_index(source, lane)]);
      left.clear(list);
      const std::size_t index = list_index(source, lane, list);
      const models::SwitchPacket packet = packets_.front(index, source);
      if (!packet_switch.has_room(packet)) continue;
      if (packets_.pop(index)) waiting.clear(list);
      begin(packet_switch, packet, cycle);
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
