// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "systemc_models/switch/bits.h"
#include "systemc_models/switch/cycle_switch.h"
#include "systemc_models/switch/data_path.h"

namespace weft::models {

/// Finds out who waits for whom in a switch between two cycles. Made for reports: it looks at
/// everything.
template <class Mask, class Path, class Unit>
class WaitSurvey {
 public:
  /// `collectives`: nullptr when the switch has none.
  WaitSurvey(const arch::Switch& design, const Path& path, const Unit* collectives)
      : design_(design), path_(path), collectives_(collectives) {}

  [[nodiscard]] std::vector<Waiting> all() const {
    std::vector<Waiting> waiting;
    for (int i = 0; i < design_.ports; ++i) {
      for (int k = 0; k < path_.lists_of_input(); ++k) {
        const int list = i * path_.lists_of_input() + k;
        if (!path_.flits(list).empty()) waiting.push_back(at_front(i, list));
      }
    }
    add_gaps(waiting);
    return waiting;
  }

 private:
  Waiting at_front(int input, int list) const {
    const FlitTag& tag = path_.store().tag(path_.flits(list).front);
    Waiting waiting;
    waiting.who = {input, path_.queue(input, list)};
    waiting.vc = tag.vc;
    if (!tag.unicast()) {
      describe_collective(waiting, input, tag);
    } else if (tag.head) {
      describe_head(waiting, list, tag);
    } else {
      const OutputVc held = path_.packet(list);
      waiting.outputs.set(as_index(held.output));
      waiting.vc = held.vc;
      waiting.reason =
          has_credit(held.output, held.vc) ? WaitReason::arbitration : WaitReason::credit;
    }
    return waiting;
  }

  void describe_head(Waiting& waiting, int list, const FlitTag& tag) const {
    waiting.outputs.set(tag.output);
    const bool wants_tail = design_.switching == arch::Switching::store_and_forward;
    if (wants_tail && !path_.has_tail(list)) {
      waiting.reason = WaitReason::own_flits;
    } else if (path_.side.vc_for_head(tag.output, tag.vc) < 0) {
      waiting.reason = WaitReason::credit;
      add_holders(waiting, tag.output, path_.side.vcs_for_head(tag.vc));
    }
  }

  void describe_collective(Waiting& waiting, int input, const FlitTag& tag) const {
    waiting.reason = WaitReason::collective;
    const bool multicast = static_cast<arch::PacketOp>(tag.op) == arch::PacketOp::multicast;
    if (!multicast && (collectives_->reducing() & bit<Mask>(input)) == 0) {
      waiting.reason = WaitReason::members;
      waiting.outputs = ports(collectives_->missing_members(path_, input));
    } else if (multicast && collectives_->sender() == input) {
      describe_sending(waiting);
    }
  }

  // What the multicast or result that is being sent waits for.
  void describe_sending(Waiting& waiting) const {
    waiting.outputs = ports(collectives_->sending_to());
    waiting.vc = collectives_->sending_vc();
    waiting.reason = WaitReason::arbitration;
    for_each_bit(collectives_->sending_to(), [&](int o) {
      if (!has_credit(o, waiting.vc)) waiting.reason = WaitReason::credit;
    });
    if (collectives_->has_begun()) return;
    for_each_bit(collectives_->sending_to(),
                 [&](int o) { add_holders(waiting, o, bit<VcMask>(waiting.vc)); });
  }

  // Packets that have begun and whose next flit has not come; a result that does not move.
  void add_gaps(std::vector<Waiting>& waiting) const {
    for (int o = 0; o < design_.ports; ++o) {
      for_each_bit(path_.side.vcs(o).held, [&](int w) {
        const Holder& holder = path_.side.holder(o, w);
        if (holder.input == Holder::collective || !path_.flits(holder.list).empty()) return;
        Waiting gap{place_of(holder), {}, w, WaitReason::own_flits, {}};
        gap.outputs.set(as_index(o));
        waiting.push_back(gap);
      });
    }
    if (collectives_ == nullptr || !collectives_->is_sending()) return;
    if (collectives_->lacks_flit(path_)) {
      waiting.push_back({sender(),
                         ports(collectives_->sending_to()),
                         collectives_->sending_vc(),
                         WaitReason::own_flits,
                         {}});
    } else if (collectives_->sender() == design_.ports) {
      Waiting result;
      result.who = sender();
      describe_sending(result);
      waiting.push_back(result);
    }
  }

  void add_holders(Waiting& waiting, int output, VcMask vcs) const {
    for_each_bit(static_cast<VcMask>(path_.side.vcs(output).held & vcs), [&](int w) {
      const Holder& holder = path_.side.holder(output, w);
      waiting.reason = WaitReason::held_vc;
      waiting.holders.push_back(holder.input == Holder::collective ? sender() : place_of(holder));
    });
  }

  PacketPlace place_of(const Holder& holder) const {
    return {holder.input, path_.queue(holder.input, holder.list)};
  }

  PacketPlace sender() const {
    const int input = collectives_->sender();
    if (input == design_.ports) return {-1, 0};
    return {input, path_.queue(input, path_.list(input, 0, collectives_->sending_vc(), true))};
  }

  bool has_credit(int output, int vc) const {
    return (path_.side.vcs(output).credit & bit<VcMask>(vc)) != 0;
  }

  static arch::PortSet ports(Mask mask) {
    arch::PortSet set;
    for_each_bit(mask, [&](int p) { set.set(as_index(p)); });
    return set;
  }

  const arch::Switch& design_;
  const Path& path_;
  const Unit* collectives_;
};

}  // namespace weft::models
