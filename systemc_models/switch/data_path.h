// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "arch/network/switch.h"
#include "systemc_models/switch/bits.h"
#include "systemc_models/switch/flit_store.h"
#include "systemc_models/switch/output_side.h"

namespace weft::models {

/// An (output, VC).
struct OutputVc {
  int output = 0;
  int vc = 0;
};

/// What waits in a switch and where it wants to go: the queues of all inputs, the output side and
/// the pins. Whenever the flit at the front of a queue changes, the sets below change with it, so
/// that a cycle looks only at outputs that are asked for.
///
/// Flits wait in lists, L of an input: its queues; in a central buffer one an (output, VC), the
/// pools being the queues. List i * L + k belongs to input i.
template <class Mask, class Pins>
class DataPath {
 public:
  DataPath(const arch::Switch& design, const arch::SwitchTiming& timing, int queues, Pins the_pins)
      : pins(std::move(the_pins)),
        side(design, timing),
        vcs_(design.virtual_channels),
        depth_(design.buffer_depth),
        crossbar_(design.organisation == arch::Organisation::crossbar),
        pools_(design.organisation == arch::Organisation::central_buffer),
        whole_packets_(design.switching == arch::Switching::store_and_forward),
        lists_of_input_(lists_of(design, queues)),
        lists_of_output_(lists_of_input_ > vcs_ ? vcs_ : 0),
        collective_list_(lists_of_output_ * design.ports),
        queues_(queues),
        store_((design.flit_width + 63) / 64),
        lists_(as_index(design.ports * lists_of_input_)),
        tails_(lists_.size()),
        packets_(lists_.size()),
        occupied_(as_index(design.ports * queues)),
        owed_(pools_ ? occupied_.size() : 0),
        heads_(as_index(design.ports * vcs_)),
        head_vcs_(as_index(design.ports)),
        continuing_vcs_(head_vcs_.size()),
        multicasts_{0, head_vcs_},
        reductions_{0, head_vcs_} {}

  void reset() {
    pins.reset();
    side.reset();
    store_.clear();
    std::ranges::fill(lists_, FlitStore::List{});
    std::ranges::fill(tails_, 0);
    std::ranges::fill(occupied_, 0);
    std::ranges::fill(owed_, 0);
    std::ranges::fill(heads_, 0);
    std::ranges::fill(head_vcs_, 0);
    std::ranges::fill(continuing_vcs_, 0);
    for (CollectiveHeads* heads : {&multicasts_, &reductions_}) *heads = {0, head_vcs_};
    asked_ = 0;
  }

  Pins pins;
  OutputSide side;

  // --- Sets of what is at the front of queues

  /// Outputs that a unicast packet waits for.
  [[nodiscard]] Mask asked() const { return asked_; }
  /// Inputs with a head for this output in this VC.
  [[nodiscard]] Mask heads(int output, int vc) const { return heads_[output_vc(output, vc)]; }
  /// VCs in which heads for this output wait.
  [[nodiscard]] VcMask head_vcs(int output) const { return head_vcs_[as_index(output)]; }
  /// VCs of this output whose holder, a unicast packet, has a flit.
  [[nodiscard]] VcMask continuing_vcs(int output) const {
    return continuing_vcs_[as_index(output)];
  }
  /// Queues with the head of a collective packet at the front.
  struct CollectiveHeads {
    Mask inputs = 0;
    std::vector<VcMask> vcs;  ///< [input]
  };
  [[nodiscard]] const CollectiveHeads& multicasts() const { return multicasts_; }
  [[nodiscard]] const CollectiveHeads& reductions() const { return reductions_; }

  // --- Queues

  /// The list in which a packet waits.
  [[nodiscard]] int list(int input, int output, int vc, bool collective) const {
    return input * lists_of_input_ + vc +
           (collective ? collective_list_ : output * lists_of_output_);
  }
  [[nodiscard]] int lists_of_input() const { return lists_of_input_; }
  [[nodiscard]] const FlitStore::List& flits(int list) const { return lists_[as_index(list)]; }
  [[nodiscard]] FlitStore& store() { return store_; }
  [[nodiscard]] const FlitStore& store() const { return store_; }
  /// What the packet whose flits a list is sending holds.
  [[nodiscard]] OutputVc packet(int list) const { return packets_[as_index(list)]; }
  /// Whether the tail of the packet at the front of the list is in it (store_and_forward only).
  [[nodiscard]] bool has_tail(int list) const { return tails_[as_index(list)] != 0; }

  /// Flits accepted for a queue (on the pins) that did not depart.
  [[nodiscard]] int occupied(int input, int queue) const { return occupied_[place(input, queue)]; }
  /// Departed flits of a pool whose credit was not given yet.
  [[nodiscard]] int owed(int input, int queue) const {
    return pools_ ? owed_[place(input, queue)] : 0;
  }
  /// The queue, on the pins, of a list of the input.
  [[nodiscard]] int queue(int input, int list) const {
    const int k = list - input * lists_of_input_;
    return pools_ ? k % vcs_ : k;
  }

  /// A flit that enters takes a place. Throws std::logic_error when there is none: it came without
  /// a credit.
  [[gnu::always_inline]] void occupy(int input, int queue) {
    if (crossbar_) return;
    const int count = ++occupied_[place(input, queue)];
    if (count < depth_) return;
    if (count > depth_) throw std::logic_error("a flit entered the switch without a credit");
    if constexpr (Pins::ready_valid) pins.filled(input, queue);
  }

  /// Puts a flit into its list.
  [[gnu::always_inline]] void append(int input, int list, std::uint32_t slot) {
    FlitStore::List& flits = lists_[as_index(list)];
    const bool first = flits.empty();
    store_.push(flits, slot);
    if (whole_packets_ && store_.tag(slot).tail) {
      if (++tails_[as_index(list)] == 1 && !first) announce(input, list);
    }
    if (first) announce(input, list);
  }

  /// The front flit of a list departs: it leaves its queue, whose place is free. The caller
  /// releases it in the store.
  [[gnu::always_inline]] std::uint32_t take(int input, int list) {
    const std::uint32_t slot = withdraw(input, list);
    const int freed = queue(input, list);
    if (crossbar_) {
      if constexpr (Pins::ready_valid) pins.take(input, freed);
      return slot;
    }
    --occupied_[place(input, freed)];
    if (pools_ && !Pins::ready_valid) {
      ++owed_[place(input, freed)];
    } else {
      pins.credit(input, freed);
    }
    return slot;
  }

  /// Takes the front flit out of its list without freeing a place.
  [[gnu::always_inline]] std::uint32_t withdraw(int input, int list) {
    FlitStore::List& flits = lists_[as_index(list)];
    const std::uint32_t slot = store_.pop(flits);
    const FlitTag tag = store_.tag(slot);
    if (whole_packets_ && tag.tail) --tails_[as_index(list)];
    if (!flits.empty() && same_wish(tag, store_.tag(flits.front))) return slot;
    retract(input, list, tag);
    if (!flits.empty()) announce(input, list);
    return slot;
  }

  /// The front flit of a list of unicast packets leaves by an (output, VC).
  [[gnu::always_inline]] void depart(int input, int list, OutputVc to) {
    const FlitTag tag = store_.tag(lists_[as_index(list)].front);
    if (tag.head && !tag.tail) {
      side.hold(to.output, to.vc, {input, list, tag.vc});
      packets_[as_index(list)] = to;
    } else if (tag.tail && !tag.head) {
      side.release(to.output, to.vc);
    }
    const std::uint32_t slot = take(input, list);
    pins.send(to.output, to.vc, tag, store_.words(slot));
    store_.release(slot);
    side.use_credit(to.output, to.vc);
  }

  /// Pools give one credit a cycle; call after the departures of a cycle.
  void give_owed_credits() {
    for (std::size_t k = 0; k < owed_.size(); ++k) {
      if (owed_[k] == 0) continue;
      --owed_[k];
      pins.credit(static_cast<int>(k) / queues_, static_cast<int>(k) % queues_);
    }
  }

 private:
  static int lists_of(const arch::Switch& design, int queues) {
    return design.organisation == arch::Organisation::central_buffer
               ? design.ports * design.virtual_channels
               : queues;
  }
  [[nodiscard]] std::size_t output_vc(int output, int vc) const {
    return as_index(output * vcs_ + vc);
  }
  [[nodiscard]] std::size_t place(int input, int queue) const {
    return as_index(input * queues_ + queue);
  }

  // Whether the sets say the same of two flits that follow each other in a list.
  [[nodiscard]] bool same_wish(const FlitTag& tag, const FlitTag& next) const {
    if (tag.head != next.head || whole_packets_) return false;
    return !tag.head || (tag.op == next.op && tag.output == next.output);
  }

  // Enters the flit at the front of a list into the sets.
  [[gnu::always_inline]] void announce(int input, int list) {
    const FlitTag& tag = store_.tag(lists_[as_index(list)].front);
    if (!tag.unicast()) {
      if (!tag.head) return;
      CollectiveHeads& heads = collective_heads(tag);
      heads.vcs[as_index(input)] |= bit<VcMask>(tag.vc);
      heads.inputs |= bit<Mask>(input);
    } else if (!tag.head) {
      const OutputVc held = packets_[as_index(list)];
      continuing_vcs_[as_index(held.output)] |= bit<VcMask>(held.vc);
      asked_ |= bit<Mask>(held.output);
    } else if (!whole_packets_ || has_tail(list)) {
      heads_[output_vc(tag.output, tag.vc)] |= bit<Mask>(input);
      head_vcs_[as_index(tag.output)] |= bit<VcMask>(tag.vc);
      asked_ |= bit<Mask>(tag.output);
    }
  }

  // Takes it out again.
  [[gnu::always_inline]] void retract(int input, int list, const FlitTag& tag) {
    if (!tag.unicast()) {
      if (!tag.head) return;
      CollectiveHeads& heads = collective_heads(tag);
      heads.vcs[as_index(input)] &= ~bit<VcMask>(tag.vc);
      if (heads.vcs[as_index(input)] == 0) heads.inputs &= ~bit<Mask>(input);
      return;
    }
    int output = tag.output;
    if (tag.head) {
      Mask& heads = heads_[output_vc(output, tag.vc)];
      heads &= ~bit<Mask>(input);
      if (heads == 0) head_vcs_[as_index(output)] &= ~bit<VcMask>(tag.vc);
    } else {
      const OutputVc held = packets_[as_index(list)];
      output = held.output;
      continuing_vcs_[as_index(output)] &= ~bit<VcMask>(held.vc);
    }
    if ((head_vcs_[as_index(output)] | continuing_vcs_[as_index(output)]) == 0)
      asked_ &= ~bit<Mask>(output);
  }

  CollectiveHeads& collective_heads(const FlitTag& tag) {
    return static_cast<arch::PacketOp>(tag.op) == arch::PacketOp::multicast ? multicasts_
                                                                            : reductions_;
  }

  int vcs_;
  int depth_;
  bool crossbar_;
  bool pools_;          // a central buffer
  bool whole_packets_;  // heads wait for their tails
  int lists_of_input_;
  int lists_of_output_;  // of an input for one output; 0: the lists are of VCs alone
  int collective_list_;
  int queues_;

  FlitStore store_;
  std::vector<FlitStore::List> lists_;
  std::vector<int> tails_;         // [list], store_and_forward only
  std::vector<OutputVc> packets_;  // [list]
  std::vector<int> occupied_;      // [input][queue]
  std::vector<int> owed_;          // [input][queue], pools only

  Mask asked_ = 0;
  std::vector<Mask> heads_;             // [output][vc]
  std::vector<VcMask> head_vcs_;        // [output]
  std::vector<VcMask> continuing_vcs_;  // [output]
  CollectiveHeads multicasts_;
  CollectiveHeads reductions_;
};

}  // namespace weft::models
