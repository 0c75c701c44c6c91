// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arch/network/header.h"
#include "arch/network/switch_timing.h"
#include "systemc_models/switch/data_path.h"
#include "systemc_models/switch/head_reader.h"
#include "systemc_models/switch/reduction_operator.h"
#include "systemc_models/switch/request_filter.h"

namespace weft::models {

/// The unit for multicast and reduction (docs/switch.md, "Collectives").
template <class Mask, class Path>
class Collectives {
 public:
  Collectives(const arch::Switch& design, const HeadReader& reader)
      : design_(design),
        reader_(reader),
        words_(as_index((design.flit_width + 63) / 64)),
        lists_(as_index(design.ports)),
        results_(words_, arch::SwitchTiming(design)),
        leaving_result_(words_) {}

  void reset() {
    sending_ = {};
    next_sender_ = 0;
    reducing_ = {};
    reference_ = none;
    next_reference_ = 0;
    results_.clear();
    to_send_ = {};
    to_reduce_ = {};
    now_ = 0;
  }

  /// One cycle: what was taken in the last one departs, and more is taken. Returns what it so keeps
  /// from the others.
  Reserved<Mask> cycle(Path& path) {
    ++now_;
    Reserved<Mask> reserved;
    if (to_send_.index != none) {
      reserved.outputs = to_send_.outputs;
      if (to_send_.index != design_.ports) reserved.inputs |= bit<Mask>(to_send_.index);
      depart_sent(path);
    }
    if (to_reduce_.members != 0) {
      reserved.inputs |= to_reduce_.members;
      depart_reduced(path);
    }
    if (sending_.index != none) {
      reserved.held_outputs = sending_.outputs;
      reserved.vc = sending_.vc;
    }

    const bool sends = sending_.index != none && can_send(path);
    if (reducing_.members == 0) begin_reduction(path);
    const bool reduces = reducing_.members != 0 && can_reduce(path, sends);
    if (sends) take_to_send(path);
    if (sending_.index == none) choose_sender(path);
    if (reduces) take_to_reduce(path);
    if (reducing_.members == 0) choose_reference(path);
    return reserved;
  }

  /// Whether a packet was chosen and not all of it was taken; what follows is about it.
  [[nodiscard]] bool is_sending() const { return sending_.index != none; }
  [[nodiscard]] Mask sending_to() const { return sending_.outputs; }
  [[nodiscard]] int sending_vc() const { return sending_.vc; }
  /// The input where it waits; PORTS: it is a result.
  [[nodiscard]] int sender() const { return sending_.index; }
  /// Whether its head was taken.
  [[nodiscard]] bool has_begun() const { return sending_.started; }
  /// Whether its next flit has not come.
  [[nodiscard]] bool lacks_flit(const Path& path) const {
    return sending_.index == design_.ports ? !results_.ready(now_)
                                           : path.flits(sending_.list).empty();
  }
  /// Flits that were taken to go to an (output, VC) and have not departed.
  [[nodiscard]] int taken(int output, int vc) const {
    return to_send_.index != none && to_send_.vc == vc &&
                   (to_send_.outputs & bit<Mask>(output)) != 0
               ? 1
               : 0;
  }

  /// The inputs whose flits are being reduced.
  [[nodiscard]] Mask reducing() const { return reducing_.members; }
  /// The members that the reduction first in line at an input waits for.
  [[nodiscard]] Mask missing_members(const Path& path, int input) const {
    const auto& heads = path.reductions();
    const int list = candidate(path, input);
    const Mask members = reader_.mask<Mask>(front(path, list));
    Mask missing = 0;
    for_each_bit(members, [&](int i) {
      const bool is_there =
          (heads.inputs & bit<Mask>(i)) != 0 && fit(path, list, candidate(path, i));
      if (!is_there) missing |= bit<Mask>(i);
    });
    return missing;
  }

 private:
  static constexpr int none = -1;

  // A packet that was chosen, until its tail was taken.
  struct Sending {
    int index = none;  // the input; PORTS: the results
    int list = 0;      // where it waits, if an input's
    int vc = 0;
    Mask outputs = 0;
    bool started = false;
  };

  // A reduction, until its tail was taken; also what is taken of it in a cycle.
  struct Reducing {
    Mask members = 0;
    int reference = 0;
    arch::PacketOp op = arch::PacketOp::sum;
  };

  // The result FIFO, with what is on its way there.
  class Results {
   public:
    Results(std::size_t words, const arch::SwitchTiming& timing)
        : words_(words),
          stages_(static_cast<std::uint64_t>(timing.result_stages)),
          places_(as_index(timing.result_places)),
          flits_(places_.size() * words) {}

    void clear() { count_ = 0; }
    [[nodiscard]] bool full() const { return count_ == places_.size(); }
    /// Whether the first flit has arrived.
    [[nodiscard]] bool ready(std::uint64_t cycle) const {
      return count_ != 0 && places_[front_].from <= cycle;
    }
    [[nodiscard]] const FlitTag& tag() const { return places_[front_].tag; }
    [[nodiscard]] std::span<const std::uint64_t> flit() const {
      return {&flits_[front_ * words_], words_};
    }
    void pop() {
      front_ = (front_ + 1) % places_.size();
      --count_;
    }
    /// A new flit at the end, whose parts are taken in a cycle.
    void push(const FlitTag& tag, std::uint64_t taken) {
      newest_ = (front_ + count_) % places_.size();
      ++count_;
      places_[newest_] = {tag, taken + stages_ + 1};
    }
    /// What the last push() is to be, to be written.
    std::span<std::uint64_t> newest() { return {&flits_[newest_ * words_], words_}; }
    [[nodiscard]] const FlitTag& newest_tag() const { return places_[newest_].tag; }

   private:
    struct Place {
      FlitTag tag;
      std::uint64_t from = 0;  // the cycle from which it is in the FIFO
    };

    std::size_t words_;
    std::uint64_t stages_;  // L
    std::vector<Place> places_;
    std::vector<std::uint64_t> flits_;
    std::size_t front_ = 0;
    std::size_t count_ = 0;
    std::size_t newest_ = 0;
  };

  [[nodiscard]] std::span<const std::uint64_t> front(const Path& path, int list) const {
    return {path.store().words(path.flits(list).front), words_};
  }

  // --- Sending

  // What is taken from an input in this cycle still stands in its queue: that input must wait.
  void choose_sender(const Path& path) {
    Mask inputs = path.multicasts().inputs;
    if (to_send_.index != none && to_send_.index != design_.ports) {
      inputs &= ~bit<Mask>(to_send_.index);
    }
    int index = none;
    if (inputs != 0 && next_sender_ < design_.ports) {
      index = first_from(inputs, next_sender_);
    } else if (inputs != 0) {
      index = lowest(inputs);
    }
    // The results stand behind the last input in the cyclic order.
    const bool wrapped = index == none || index < next_sender_;
    if (results_.ready(now_) && wrapped) index = design_.ports;
    if (index == none) return;
    next_sender_ = index == design_.ports ? 0 : index + 1;
    if (index == design_.ports) {
      sending_ = {index, 0, results_.tag().vc, reader_.mask<Mask>(results_.flit()), false};
      return;
    }
    const int vc = lowest(path.multicasts().vcs[as_index(index)]);
    const int list = path.list(index, 0, vc, true);
    sending_ = {index, list, vc, reader_.mask<Mask>(front(path, list)), false};
  }

  [[nodiscard]] bool can_send(const Path& path) const {
    if (lacks_flit(path)) return false;
    bool can = true;
    for_each_bit(sending_.outputs, [&](int o) {
      const OutputSide::Vcs& vcs = path.side.vcs(o);
      const VcMask usable = sending_.started ? vcs.credit : vcs.credit & ~vcs.held;
      can = can && (usable & bit<VcMask>(sending_.vc)) != 0;
    });
    return can;
  }

  void take_to_send(Path& path) {
    to_send_ = sending_;
    FlitTag tag;
    if (sending_.index == design_.ports) {
      tag = results_.tag();
      leaving_tag_ = tag;
      std::ranges::copy(results_.flit(), leaving_result_.begin());
      results_.pop();
    } else {
      tag = path.store().tag(path.flits(sending_.list).front);
    }
    for_each_bit(sending_.outputs, [&](int o) {
      path.side.use_credit(o, sending_.vc);
      if (tag.head && !tag.tail) path.side.hold(o, sending_.vc, Holder{});
      if (tag.tail && !tag.head) path.side.release(o, sending_.vc);
    });
    sending_.started = true;
    if (tag.tail) sending_ = {};
  }

  void depart_sent(Path& path) {
    const auto to_all = [&](const FlitTag& tag, const std::uint64_t* flit) {
      for_each_bit(to_send_.outputs, [&](int o) { path.pins.send(o, to_send_.vc, tag, flit); });
    };
    if (to_send_.index == design_.ports) {
      to_all(leaving_tag_, leaving_result_.data());
    } else {
      const std::uint32_t slot = path.take(to_send_.index, to_send_.list);
      to_all(path.store().tag(slot), path.store().words(slot));
      path.store().release(slot);
    }
    to_send_ = {};
  }

  // --- Reducing

  void begin_reduction(const Path& path) {
    const auto& heads = path.reductions();
    if (reference_ == none || (heads.inputs & bit<Mask>(reference_)) == 0) return;
    const int list = candidate(path, reference_);
    const Mask members = reader_.mask<Mask>(front(path, list));
    bool complete = (members & ~heads.inputs) == 0;
    for_each_bit(static_cast<Mask>(members & heads.inputs), [&](int i) {
      const int other = candidate(path, i);
      complete = complete && fit(path, list, other);
      lists_[as_index(i)] = other;
    });
    if (!complete) return;
    const FlitTag& tag = path.store().tag(path.flits(list).front);
    reducing_ = {members, reference_, static_cast<arch::PacketOp>(tag.op)};
  }

  void choose_reference(const Path& path) {
    const Mask inputs = path.reductions().inputs;
    if (inputs == 0) return;
    reference_ = first_from(inputs, next_reference_);
    next_reference_ = reference_ + 1 == design_.ports ? 0 : reference_ + 1;
  }

  // The list of an input with the head of a reduction first in line.
  [[nodiscard]] int candidate(const Path& path, int input) const {
    const int vc = lowest(path.reductions().vcs[as_index(input)]);
    return path.list(input, 0, vc, true);
  }

  // Whether the heads at the front of two lists are of the same reduction.
  [[nodiscard]] bool fit(const Path& path, int list, int other) const {
    const FlitTag& a = path.store().tag(path.flits(list).front);
    const FlitTag& b = path.store().tag(path.flits(other).front);
    return a.op == b.op && a.vc == b.vc &&
           reader_.mask<Mask>(front(path, list)) == reader_.mask<Mask>(front(path, other));
  }

  [[nodiscard]] bool can_reduce(const Path& path, bool sends) const {
    if (results_.full()) return false;
    if (sends && sending_.index != design_.ports &&
        (reducing_.members & bit<Mask>(sending_.index)) != 0) {
      return false;
    }
    bool can = true;
    for_each_bit(reducing_.members,
                 [&](int i) { can = can && !path.flits(lists_[as_index(i)]).empty(); });
    return can;
  }

  void take_to_reduce(const Path& path) {
    to_reduce_ = reducing_;
    const int list = lists_[as_index(reducing_.reference)];
    const FlitTag tag = path.store().tag(path.flits(list).front);
    results_.push(tag, now_);
    if (tag.tail) reducing_ = {};
  }

  // The lists are still those of the reduction that was under way in the last cycle.
  void depart_reduced(Path& path) {
    const std::span<std::uint64_t> result = results_.newest();
    const FlitTag& tag = results_.newest_tag();
    std::ranges::copy(front(path, lists_[as_index(to_reduce_.reference)]), result.begin());
    if (tag.head) {
      arch::Header header = arch::read_header(design_, result);
      header.op = arch::PacketOp::multicast;
      arch::write_header(design_, header, result);
    }
    for_each_bit(to_reduce_.members, [&](int i) {
      const std::uint32_t slot = path.take(i, lists_[as_index(i)]);
      if (!tag.head && i != to_reduce_.reference) {
        combine(to_reduce_.op, result, {path.store().words(slot), words_});
      }
      path.store().release(slot);
    });
    to_reduce_ = {};
  }

  arch::Switch design_;
  const HeadReader& reader_;
  std::size_t words_;
  Sending sending_;
  int next_sender_ = 0;  // m
  Reducing reducing_;
  int reference_ = none;
  int next_reference_ = 0;  // r
  std::vector<int> lists_;  // [input]: where the flits to be reduced wait
  Results results_;
  // Taken in the last cycle, to depart in the next.
  Sending to_send_;
  FlitTag leaving_tag_;
  std::vector<std::uint64_t> leaving_result_;
  Reducing to_reduce_;
  std::uint64_t now_ = 0;
};

}  // namespace weft::models
