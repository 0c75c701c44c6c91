// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/calendar.h"
#include "systemc_models/next_hop_room.h"
#include "systemc_models/packet_lists.h"
#include "systemc_models/packet_matcher.h"
#include "systemc_models/packet_switch.h"
#include "systemc_models/port_mask.h"

namespace weft::models {

/// The constants of a switch as the packet model needs them. The model's clock lets a head that is
/// offered in cycle t depart from t + 1 on; `shift` is to be added for the cycle of docs/switch.md.
struct PacketSwitchConstants {
  explicit PacketSwitchConstants(const arch::Switch& design);

  /// Cycles in which a packet leaves a queue that cannot hold all of it: flit k + depth can depart
  /// room_delay + 1 cycles after flit k.
  [[nodiscard]] int stretched(int flits) const {
    if (flits <= depth || room_delay < depth) return flits;
    return (flits - 1) / depth * (room_delay + 1) + (flits - 1) % depth + 1;
  }

  int shift = 0;
  int tail_delay = 0;    ///< from a grant in the model's clock until the flit stands on the output
  int depth = 0;         ///< flits that a queue holds
  int room_delay = 0;    ///< from a departure until its place can be used
  bool whole_packets;    ///< a packet can be granted when its tail is there
  bool lists_by_output;  ///< an input has a list of packets for every output
  bool room_by_output;   ///< these lists have room of their own
  bool one_an_input;     ///< an input sends one flit a cycle
};

/// The packet model for switches of up to 64 * Words ports. `Plain`: with virtual output queues,
/// one VC, without store and forward, and with next hops that always have credits.
template <int Words, bool Plain>
class PacketSwitchModel final : public PacketSwitch {
 public:
  static constexpr int words = Words;
  static constexpr bool plain = Plain;

  PacketSwitchModel(const arch::Switch& design, int sink_round_trip)
      : ports_(design.ports),
        vc_count_(design.virtual_channels),
        vcs_of_class_(design.virtual_channels / design.traffic_classes),
        weights_(design.class_priority == arch::ClassPriority::weighted ? design.class_weights
                                                                        : std::vector<int>()),
        constants_(design),
        ample_room_(constants_.room_delay == 0 ? std::numeric_limits<int>::min()
                                               : constants_.room_delay + design.max_packet_flits),
        list_of_input_(Plain ? row : as_size(lists_by_output() ? ports_ * vcs() : vcs())),
        list_of_output_(as_size(lists_by_output() ? vcs() : 0)),
        matcher_(design),
        next_hop_(design, sink_round_trip),
        lists_(as_size(ports_) * list_of_input_),
        heads_(as_size(ports_ * vcs())),
        requests_(as_size(ports_)),
        vc_pointer_(as_size(ports_ * ports_), 0),
        turn_(as_size(ports_), {0, weights_.empty() ? 0 : weights_.front()}),
        links_(as_size(ports_)) {
    room_of_input_ = Plain ? row : as_size(constants_.room_by_output ? ports_ * vcs() : vcs());
    room_of_output_ = as_size(constants_.room_by_output ? vcs() : 0);
    room_.assign(as_size(ports_) * room_of_input_, constants_.depth);
    free_inputs_ = free_links_.words();
    for (int p = 0; p < ports_; ++p) {
      free_links_.set(p);
      idle_inputs_.set(p);
      idle_outputs_.set(p);
    }
  }

  void advance(std::uint64_t cycle, std::vector<PacketDeparture>& departures) override {
    advance_with(cycle, [&](const PacketDeparture& departure) { departures.push_back(departure); });
  }
  /// The same, with a function that is called for each departure.
  template <typename OnDeparture>
  void advance_with(std::uint64_t cycle, OnDeparture&& on_departure) {
    now_ = cycle;
    calendar_.take(cycle, [this](Due& due) { happen(due); });
    allocate(on_departure);
  }

  [[nodiscard]] std::uint64_t next(std::uint64_t cycle) const override {
    return retry_ ? cycle + 1 : calendar_.next(cycle);
  }

  [[nodiscard]] bool is_free(int input) const { return free_links_.test(input); }
  /// Whether the packet may begin as far as its queue is concerned.
  [[nodiscard]] bool has_room(const SwitchPacket& packet) const {
    return room_[place_of(packet)] > 0;
  }
  [[gnu::always_inline]] void offer(const SwitchPacket& packet, std::uint64_t cycle) override {
    const std::size_t p = place_of(packet);
    room_[p] -= packet.flits;
    // A single flit has room, and its link is free again in the next cycle.
    if (packet.flits > 1 || whole_packets()) take_link(packet, p, cycle);
    if (!whole_packets()) arrive(packet);
  }

  void give_room(int output, int vc, int flits, std::uint64_t cycle) override {
    const auto shift = static_cast<std::uint64_t>(constants_.shift);  // into the model's clock
    next_hop_.give(as_size(output * vcs() + vc), flits, cycle - shift);
    retry_ = true;
  }

 private:
  using Mask = PortMask<Words>;

  /// A transfer through the crossbar that ends beyond the horizon of the calendar.
  struct LongTransfer {
    int input = 0;
    int output = 0;
    std::uint64_t end = 0;
  };
  struct Return {
    std::size_t place = 0;
    int input = 0;
    int flits = 0;
  };
  /// What becomes free in a cycle.
  struct Due {
    Mask inputs, outputs, links;
    Mask packets;  ///< inputs whose links are to be looked at
    std::vector<Return> room;
    std::vector<LongTransfer> transfers;

    void clear() {
      inputs = outputs = links = packets = {};
      room.clear();
      transfers.clear();
    }
  };
  /// The packet that enters by an input.
  struct Link {
    SwitchPacket packet;  ///< with store and forward
    std::size_t place = 0;
    int lacking = 0;         ///< flits that have no room yet
    std::uint64_t next = 0;  ///< when the flit after those that have could enter
  };
  struct Turn {
    int traffic_class = 0;
    int left = 0;
  };

  /// Distance of the inputs in lists_ and room_ of a plain switch.
  static constexpr std::size_t row = std::size_t{64} * Words;

  [[nodiscard]] int vcs() const { return Plain ? 1 : vc_count_; }
  [[nodiscard]] bool lists_by_output() const { return Plain || constants_.lists_by_output; }
  [[nodiscard]] bool one_an_input() const { return Plain || constants_.one_an_input; }
  [[nodiscard]] bool whole_packets() const { return !Plain && constants_.whole_packets; }
  [[nodiscard]] bool unlimited() const { return Plain || next_hop_.unlimited(); }
  static std::size_t as_size(int number) { return static_cast<std::size_t>(number); }
  [[nodiscard]] std::size_t list(int input, int output, int vc) const {
    if constexpr (Plain) return as_size(input) * row + as_size(output);
    return as_size(input) * list_of_input_ + as_size(output) * list_of_output_ + as_size(vc);
  }
  [[nodiscard]] std::size_t place_of(const SwitchPacket& packet) const {
    if constexpr (Plain) return list(packet.input, packet.output, 0);
    return room_index(packet.input, packet.output, packet.vc);
  }
  /// Inputs with the head of a packet for an output in a VC.
  Mask& heads(int output, int vc) { return heads_[as_size(output * vcs() + vc)]; }

  void take_link(const SwitchPacket& packet, std::size_t place, std::uint64_t cycle) {
    // Flits of other VCs take the link while this packet waits for room: it is busy for its flits
    // alone.
    const int lacking = vcs() == 1 ? std::max(0, -room_[place]) : 0;
    Link& link = links_[as_size(packet.input)];
    if (whole_packets()) link.packet = packet;
    link.place = place;
    link.lacking = lacking;
    link.next = cycle + static_cast<std::uint64_t>(packet.flits - lacking);
    free_links_.clear(packet.input);
    if (lacking == 0) schedule_link(packet.input);
  }

  [[nodiscard]] std::uint64_t within_horizon(std::uint64_t cycle) const {
    return std::min(cycle, now_ + Calendar<Due>::horizon);
  }
  void schedule_link(int input) {
    const std::uint64_t end = links_[as_size(input)].next;
    Due& due = calendar_.at(within_horizon(end));
    // With store and forward there is more to do than to free the link.
    (whole_packets() || end > now_ + Calendar<Due>::horizon ? due.packets : due.links).set(input);
  }

  void happen(Due& due) {
    idle_inputs_ |= due.inputs;
    idle_outputs_ |= due.outputs;
    free_links_ |= due.links;
    due.packets.for_each([this](int input) {
      const Link& link = links_[as_size(input)];
      if (link.next > now_) {
        schedule_link(input);
        return;
      }
      free_links_.set(input);
      if (whole_packets()) arrive(link.packet);
    });
    for (const Return& r : due.room) return_room(r.place, r.input, r.flits);
    for (const LongTransfer& t : due.transfers) occupy(t.input, t.output, t.end);
  }

  void return_room(std::size_t place, int input, int flits) {
    room_[place] += flits;
    Link& link = links_[as_size(input)];
    if (link.lacking == 0 || link.place != place) return;
    const int enter = std::min(link.lacking, flits);
    link.lacking -= enter;
    link.next = std::max(link.next, now_) + static_cast<std::uint64_t>(enter);
    if (link.lacking == 0) schedule_link(input);
  }

  /// The packet can be granted from the next call of allocate() on.
  [[gnu::always_inline]] void arrive(const SwitchPacket& packet) {
    const std::size_t l = list(packet.input, packet.output, packet.vc);
    if (lists_.push(l, packet)) add_head(packet);
  }
  void add_head(const SwitchPacket& packet) {
    if constexpr (!Plain) heads(packet.output, packet.vc).set(packet.input);
    requests_[as_size(packet.output)].set(packet.input);
    requested_.set(packet.output);
    // Without a branch, which would be the toss of a coin.
    const unsigned idle = static_cast<unsigned>(idle_inputs_.test(packet.input)) &
                          static_cast<unsigned>(idle_outputs_.test(packet.output));
    retry_ |= idle != 0;
  }
  void remove_head(const SwitchPacket& packet) {
    if constexpr (Plain) {
      Mask& requests = requests_[as_size(packet.output)];
      requests.clear(packet.input);
      requested_.assign(packet.output, requests.any());
      return;
    }
    heads(packet.output, packet.vc).clear(packet.input);
    for (int vc = 0; vc < vcs(); ++vc) {
      if (heads(packet.output, vc).test(packet.input)) return;
    }
    Mask& requests = requests_[as_size(packet.output)];
    requests.clear(packet.input);
    if (!requests.any()) requested_.clear(packet.output);
  }

  template <typename OnDeparture>
  void allocate(OnDeparture& on_departure) {
    retry_ = false;
    const Mask outputs = idle_outputs_ & requested_;
    if (!outputs.any()) return;
    const auto grant = [&](int input, int output) __attribute__((always_inline)) {
      const SwitchPacket packet = leave(input, output);
      on_departure(depart(packet));
      return static_cast<int>(packet.flits);
    };
    const std::uint64_t cycle = now_ + static_cast<std::uint64_t>(constants_.shift);
    if (vcs() == 1 && unlimited()) {
      matcher_.match(
          cycle, idle_inputs_, outputs,
          [this](int output) -> const Mask& { return requests_[as_size(output)]; }, grant);
    } else {
      eligible_.resize(heads_.size());
      candidates_.resize(requests_.size());
      outputs.for_each([this](int output) { find_candidates(output); });
      matcher_.match(
          cycle, idle_inputs_, outputs,
          [this](int output) -> const Mask& { return candidates_[as_size(output)]; }, grant);
    }
    // A matching need not be maximal, and the same inputs may have more to send at once.
    Mask left = idle_outputs_ & requested_;
    while (!retry_ && left.any()) {
      const int output = left.first_from(0);
      left.clear(output);
      retry_ = (requests_[as_size(output)] & idle_inputs_).any();
    }
  }

  /// The inputs that may send to an output: those with a packet of its most urgent class for which
  /// the next hop has room; by VC in eligible_, together in candidates_.
  void find_candidates(int output) {
    Mask& all = candidates_[as_size(output)];
    const int classes = vcs() / vcs_of_class_;
    for (int step = 0; step < classes; ++step) {
      const int first = weights_.empty() ? 0 : turn_[as_size(output)].traffic_class;
      const int traffic_class = (first + step) % classes;
      all = {};
      for (int vc = 0; vc < vcs(); ++vc) {
        Mask& mine = eligible_[as_size(output * vcs() + vc)];
        mine = {};
        if (vc / vcs_of_class_ != traffic_class) continue;
        mine = heads(output, vc);
        if (!unlimited()) {
          const Mask wanted = mine;
          wanted.for_each([&](int input) {
            const int flits = lists_.front(list(input, output, vc), input).flits;
            if (!next_hop_.may_begin(as_size(output * vcs() + vc), flits, now_)) mine.clear(input);
          });
        }
        all |= mine;
      }
      if (all.any()) return;
    }
  }

  int pick_vc(int input, int output) {
    if (vcs() == 1) return 0;
    int& pointer = vc_pointer_[as_size(input * ports_ + output)];
    for (int step = 0; step < vcs(); ++step) {
      const int vc = (pointer + step) % vcs();
      if (!eligible_[as_size(output * vcs() + vc)].test(input)) continue;
      pointer = (vc + 1) % vcs();
      return vc;
    }
    return 0;  // not reached: the input was a candidate
  }

  /// Takes the packet of a grant out of its queue.
  [[gnu::always_inline]] SwitchPacket leave(int input, int output) {
    const int vc = pick_vc(input, output);
    const std::size_t l = list(input, output, vc);
    SwitchPacket packet = lists_.front(l, input);
    packet.output = output;  // as it is; what follows need not wait for the list's memory
    if (vcs() == 1) packet.vc = 0;
    const bool more = !lists_.pop(l);
    if (!more || !lists_by_output()) remove_head(packet);
    if (more && !lists_by_output()) add_head(lists_.front(l, input));
    return packet;
  }

  [[gnu::always_inline]] PacketDeparture depart(const SwitchPacket& packet) {
    const int cycles = constants_.stretched(packet.flits);
    std::uint64_t end = now_ + static_cast<std::uint64_t>(cycles);
    if (!unlimited()) {
      const auto place = as_size(packet.output * vcs() + packet.vc);
      end = std::max(end, next_hop_.begin(place, packet.flits, now_) + 1);
    }
    if (!Plain && !weights_.empty()) count_turn(packet);
    // What is busy in this cycle only is idle when it is looked at next.
    if (end > now_ + 1) {
      if (one_an_input()) idle_inputs_.clear(packet.input);
      idle_outputs_.clear(packet.output);
      occupy(packet.input, packet.output, end);
    }
    const std::size_t p = place_of(packet);
    if (room_[p] >= ample_room_) {
      return_room(p, packet.input, packet.flits);
    } else {
      calendar_.at(now_ + static_cast<std::uint64_t>(constants_.room_delay))
          .room.push_back({p, packet.input, packet.flits});
    }
    const auto delay = static_cast<std::uint64_t>(constants_.tail_delay);
    return {packet, now_ + delay, end - 1 + delay};
  }

  [[gnu::always_inline]] void occupy(int input, int output, std::uint64_t end) {
    const std::uint64_t cycle = within_horizon(end);
    Due& due = calendar_.at(cycle);
    if (cycle < end) {
      due.transfers.push_back({input, output, end});
      return;
    }
    if (one_an_input()) due.inputs.set(input);
    due.outputs.set(output);
  }

  void count_turn(const SwitchPacket& packet) {
    Turn& turn = turn_[as_size(packet.output)];
    const int traffic_class = packet.vc / vcs_of_class_;
    const auto weight = [this](int c) { return weights_[as_size(c)]; };
    for (int flit = 0; flit < packet.flits; ++flit) {
      if (traffic_class != turn.traffic_class) turn = {traffic_class, weight(traffic_class)};
      if (--turn.left > 0) continue;
      turn.traffic_class = (turn.traffic_class + 1) % static_cast<int>(weights_.size());
      turn.left = weight(turn.traffic_class);
    }
  }

  int ports_;
  int vc_count_;
  int vcs_of_class_;
  std::vector<int> weights_;  ///< by class; empty with strict priority
  PacketSwitchConstants constants_;
  /// A queue with so much room is not filled before its credits come: they can be given at once.
  int ample_room_;
  std::size_t list_of_input_;   ///< distance of the inputs in lists_
  std::size_t list_of_output_;  ///< distance of the outputs
  PacketMatcher<Words> matcher_;
  NextHopRoom next_hop_;

  std::uint64_t now_ = 0;
  bool retry_ = false;  ///< a grant is possible in the next cycle, for all that is known
  Calendar<Due> calendar_;
  PacketLists lists_;
  std::vector<Mask> heads_;     ///< by (output, VC)
  std::vector<Mask> requests_;  ///< by output, in any VC
  Mask requested_;              ///< outputs with requests
  Mask free_links_;             ///< inputs at which a packet may begin
  Mask idle_inputs_;            ///< from which no packet is under way
  Mask idle_outputs_;
  std::vector<Mask> eligible_;    ///< by (output, VC), in a call of allocate()
  std::vector<Mask> candidates_;  ///< by output, in a call of allocate()
  std::vector<int> vc_pointer_;   ///< p[i][o]
  std::vector<Turn> turn_;        ///< by output
  std::vector<Link> links_;       ///< by input
};

/// Throws UserError for a design that the packet model does not cover.
void require_packet_switch(const arch::Switch& design);

/// Calls function(std::in_place_type<Model>) with the model that fits the design and returns what
/// it returns. Throws as make_packet_switch() does.
template <typename Function>
auto dispatch_packet_switch(const arch::Switch& design, int sink_round_trip, Function&& function) {
  require_packet_switch(design);
  static_assert(arch::most_ports <= 128);
  const bool plain = design.organisation == arch::Organisation::virtual_output_queued &&
                     design.virtual_channels == 1 &&
                     design.switching != arch::Switching::store_and_forward &&
                     NextHopRoom(design, sink_round_trip).unlimited();
  if (design.ports <= 64) {
    if (plain) return function(std::in_place_type<PacketSwitchModel<1, true>>);
    return function(std::in_place_type<PacketSwitchModel<1, false>>);
  }
  return function(std::in_place_type<PacketSwitchModel<2, false>>);
}

}  // namespace weft::models
