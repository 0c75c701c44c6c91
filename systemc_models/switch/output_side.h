// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/switch/bits.h"

namespace weft::models {

/// The packet that holds an (output, VC): of an input's queue, or of the unit for collectives.
struct Holder {
  static constexpr int collective = -1;

  int input = collective;
  int list = 0;  ///< its queue, a number of DataPath's
  int vc = 0;    ///< on the input
};

/// Credits, holders and class turns of the outputs.
class OutputSide {
 public:
  /// Sets of virtual channels of one output.
  struct Vcs {
    VcMask held = 0;    ///< by a packet
    VcMask credit = 0;  ///< at least one credit
    VcMask room = 0;    ///< the room that a new packet needs
  };

  OutputSide(const arch::Switch& design, const arch::SwitchTiming& timing)
      : vcs_(design.virtual_channels),
        vcs_of_class_(design.virtual_channels / design.traffic_classes),
        any_vc_(design.vc_allocation == arch::VcAllocation::any),
        credits_at_reset_(timing.output_credits),
        room_(room_for_packet(design, timing)),
        weights_(design.class_priority == arch::ClassPriority::weighted &&
                         design.traffic_classes > 1
                     ? design.class_weights
                     : std::vector<int>{}),
        sets_(as_index(design.ports)),
        credits_(sets_.size() * as_index(vcs_)),
        holders_(credits_.size()),
        turns_(sets_.size()) {
    reset();
  }

  void reset() {
    const auto all = low_bits<VcMask>(vcs_);
    std::ranges::fill(sets_, Vcs{0, all, all});
    std::ranges::fill(credits_, credits_at_reset_);
    if (weighted()) std::ranges::fill(turns_, Turn{0, weights_[0]});
  }

  [[nodiscard]] const Vcs& vcs(int output) const { return sets_[as_index(output)]; }
  [[nodiscard]] int credits(int output, int vc) const { return credits_[index(output, vc)]; }
  [[nodiscard]] const Holder& holder(int output, int vc) const {
    return holders_[index(output, vc)];
  }

  /// A flit departs; it uses one credit.
  void use_credit(int output, int vc) { set_credits(output, vc, -1); }
  void return_credit(int output, int vc) { set_credits(output, vc, 1); }

  void hold(int output, int vc, Holder holder) {
    holders_[index(output, vc)] = holder;
    sets_[as_index(output)].held |= bit<VcMask>(vc);
  }
  void release(int output, int vc) { sets_[as_index(output)].held &= ~bit<VcMask>(vc); }

  /// The VCs of the input side whose head flits may leave by this output.
  [[nodiscard]] VcMask open_to_heads(int output) const {
    const VcMask free = free_vcs(output);
    if (!any_vc_) return free;
    VcMask open = 0;
    for (auto of_class = low_bits<VcMask>(vcs_of_class_); of_class < bit<VcMask>(vcs_);
         of_class <<= vcs_of_class_) {
      if ((free & of_class) != 0) open |= of_class;
    }
    return open;
  }

  /// The VC that a head of input VC `vc` gets, or -1.
  [[nodiscard]] int vc_for_head(int output, int vc) const {
    const VcMask free = free_vcs(output) & vcs_for_head(vc);
    return free == 0 ? -1 : lowest(free);
  }
  /// The VCs of which it may get one.
  [[nodiscard]] VcMask vcs_for_head(int vc) const {
    return any_vc_ ? vcs_of_class(class_of(vc)) : bit<VcMask>(vc);
  }

  [[nodiscard]] int class_of(int vc) const { return vc / vcs_of_class_; }

  /// Of the VCs with a request for this output (at least one), those of the most urgent class.
  [[nodiscard]] VcMask most_urgent(int output, VcMask requests) const {
    const int vc = weighted() ? first_from(requests, turns_[as_index(output)].turn * vcs_of_class_)
                              : lowest(requests);
    return requests & vcs_of_class(class_of(vc));
  }

  /// A flit of a class departed: the classes' turns.
  void served(int output, int of_class) {
    if (!weighted()) return;
    Turn& turn = turns_[as_index(output)];
    if (turn.turn == of_class) {
      --turn.left;
    } else {
      turn = {of_class, weights_[as_index(of_class)] - 1};
    }
    if (turn.left == 0) {
      turn.turn = turn.turn + 1 == static_cast<int>(weights_.size()) ? 0 : turn.turn + 1;
      turn.left = weights_[as_index(turn.turn)];
    }
  }

 private:
  struct Turn {
    int turn = 0;  // the class whose turn it is
    int left = 0;  // flits that it has left
  };

  // Credits that a head needs.
  static int room_for_packet(const arch::Switch& design, const arch::SwitchTiming& timing) {
    if (design.switching == arch::Switching::wormhole ||
        design.flow_control == arch::FlowControl::ready_valid) {
      return 1;
    }
    return std::min(design.max_packet_flits, timing.output_credits);
  }

  [[nodiscard]] bool weighted() const { return !weights_.empty(); }
  [[nodiscard]] std::size_t index(int output, int vc) const { return as_index(output * vcs_ + vc); }
  [[nodiscard]] VcMask vcs_of_class(int c) const {
    return low_bits<VcMask>(vcs_of_class_) << (c * vcs_of_class_);
  }
  [[nodiscard]] VcMask free_vcs(int output) const {
    const Vcs& sets = sets_[as_index(output)];
    return sets.room & ~sets.held;
  }

  void set_credits(int output, int vc, int change) {
    const int credits = credits_[index(output, vc)] += change;
    Vcs& sets = sets_[as_index(output)];
    const VcMask others = ~bit<VcMask>(vc);
    sets.credit = (sets.credit & others) | static_cast<VcMask>(credits > 0) << vc;
    sets.room = (sets.room & others) | static_cast<VcMask>(credits >= room_) << vc;
  }

  int vcs_;
  int vcs_of_class_;
  bool any_vc_;
  int credits_at_reset_;
  int room_;
  std::vector<int> weights_;  // empty: strict, or one class
  std::vector<Vcs> sets_;     // [output]
  std::vector<int> credits_;  // [output][vc]
  std::vector<Holder> holders_;
  std::vector<Turn> turns_;
};

}  // namespace weft::models
