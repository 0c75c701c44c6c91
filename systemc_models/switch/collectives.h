// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arch/network/header.h"
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
        results_(words_) {}

  void reset() {
    sending_ = {};
    next_sender_ = 0;
    reducing_ = {};
    trial_ = 0;
    results_.clear();
  }

  /// One cycle: what it sends and takes, and what it so keeps from the others.
  Reserved<Mask> cycle(Path& path) {
    if (sending_.index == none) choose_sender(path);
    const bool sends = sending_.index != none && can_send(path);
    if (reducing_.members == 0) begin_reduction(path);
    const bool reduces = reducing_.members != 0 && can_reduce(path, sends);

    Reserved<Mask> reserved;
    if (sending_.index != none) {
      reserved.held_outputs = sending_.outputs;
      reserved.vc = sending_.vc;
    }
    if (sends) {
      reserved.outputs = sending_.outputs;
      if (sending_.index != design_.ports) reserved.inputs |= bit<Mask>(sending_.index);
    }
    if (reduces) reserved.inputs |= reducing_.members;

    if (sends) send(path);
    if (reduces) reduce(path);
    return reserved;
  }

  /// Whether a packet was chosen and has not left; what follows is about it.
  [[nodiscard]] bool is_sending() const { return sending_.index != none; }
  [[nodiscard]] Mask sending_to() const { return sending_.outputs; }
  [[nodiscard]] int sending_vc() const { return sending_.vc; }
  /// The input where it waits; PORTS: it is a result.
  [[nodiscard]] int sender() const { return sending_.index; }
  /// Whether its head has left.
  [[nodiscard]] bool has_begun() const { return sending_.started; }
  /// Whether its next flit has not come.
  [[nodiscard]] bool lacks_flit(const Path& path) const {
    return sending_.index == design_.ports ? results_.empty() : path.flits(sending_.list).empty();
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

  // A packet that was chosen, until its tail has left.
  struct Sending {
    int index = none;  // the input; PORTS: the results
    int list = 0;      // where it waits, if an input's
    int vc = 0;
    Mask outputs = 0;
    bool started = false;
  };

  // A reduction, until its tail has gone into the results.
  struct Reducing {
    Mask members = 0;
    int reference = 0;
    arch::PacketOp op = arch::PacketOp::sum;
  };

  // The result FIFO.
  class Results {
   public:
    static constexpr std::size_t depth = 4;

    explicit Results(std::size_t words) : words_(words), flits_(depth * words) {}

    void clear() { count_ = 0; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] bool full() const { return count_ == depth; }
    [[nodiscard]] const FlitTag& tag() const { return tags_[front_]; }
    [[nodiscard]] std::span<const std::uint64_t> flit() const {
      return {&flits_[front_ * words_], words_};
    }
    void pop() {
      front_ = (front_ + 1) % depth;
      --count_;
    }
    /// A new flit at the end, to be written.
    std::span<std::uint64_t> push(const FlitTag& tag) {
      const std::size_t place = (front_ + count_) % depth;
      ++count_;
      tags_[place] = tag;
      return {&flits_[place * words_], words_};
    }

   private:
    std::size_t words_;
    std::array<FlitTag, depth> tags_;
    std::vector<std::uint64_t> flits_;
    std::size_t front_ = 0;
    std::size_t count_ = 0;
  };

  [[nodiscard]] std::span<const std::uint64_t> front(const Path& path, int list) const {
    return {path.store().words(path.flits(list).front), words_};
  }

  // --- Sending

  void choose_sender(const Path& path) {
    Mask inputs = path.multicasts().inputs;
    int index = none;
    if (inputs != 0 && next_sender_ < design_.ports) {
      index = first_from(inputs, next_sender_);
    } else if (inputs != 0) {
      index = lowest(inputs);
    }
    // The results stand behind the last input in the cyclic order.
    const bool wrapped = index == none || index < next_sender_;
    if (!results_.empty() && wrapped) index = design_.ports;
    if (index == none) return;
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

  void send(Path& path) {
    if (sending_.index == design_.ports) {
      const bool last = send_to_all(path, results_.tag(), results_.flit().data());
      results_.pop();
      if (last) finish_sending();
      return;
    }
    const std::uint32_t slot = path.take(sending_.index, sending_.list);
    const bool last = send_to_all(path, path.store().tag(slot), path.store().words(slot));
    path.store().release(slot);
    if (last) finish_sending();
  }

  // Whether that was the packet's last flit.
  bool send_to_all(Path& path, const FlitTag& tag, const std::uint64_t* flit) {
    const int vc = sending_.vc;
    for_each_bit(sending_.outputs, [&](int o) {
      path.pins.send(o, vc, tag, flit);
      path.side.use_credit(o, vc);
      if (tag.head && !tag.tail) path.side.hold(o, vc, Holder{});
      if (tag.tail && !tag.head) path.side.release(o, vc);
    });
    sending_.started = true;
    return tag.tail;
  }

  void finish_sending() {
    next_sender_ = sending_.index == design_.ports ? 0 : sending_.index + 1;
    sending_ = {};
  }

  // --- Reducing

  void begin_reduction(const Path& path) {
    const auto& heads = path.reductions();
    if (heads.inputs == 0) return;
    const int reference = first_from(heads.inputs, trial_);
    const int list = candidate(path, reference);
    const Mask members = reader_.mask<Mask>(front(path, list));
    bool complete = (members & ~heads.inputs) == 0;
    for_each_bit(static_cast<Mask>(members & heads.inputs), [&](int i) {
      const int other = candidate(path, i);
      complete = complete && fit(path, list, other);
      lists_[as_index(i)] = other;
    });
    if (complete) {
      const FlitTag& tag = path.store().tag(path.flits(list).front);
      reducing_ = {members, reference, static_cast<arch::PacketOp>(tag.op)};
    } else {
      trial_ = reference + 1 == design_.ports ? 0 : reference + 1;
    }
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

  void reduce(Path& path) {
    const int reference_list = lists_[as_index(reducing_.reference)];
    const FlitTag tag = path.store().tag(path.flits(reference_list).front);
    const auto reference = front(path, reference_list);
    const std::span<std::uint64_t> result = results_.push(tag);
    std::ranges::copy(reference, result.begin());
    if (tag.head) {
      arch::Header header = arch::read_header(design_, result);
      header.op = arch::PacketOp::multicast;
      arch::write_header(design_, header, result);
    }
    for_each_bit(reducing_.members, [&](int i) {
      const std::uint32_t slot = path.take(i, lists_[as_index(i)]);
      if (!tag.head && i != reducing_.reference) {
        combine(reducing_.op, result, {path.store().words(slot), words_});
      }
      path.store().release(slot);
    });
    if (tag.tail) {
      trial_ = reducing_.reference + 1 == design_.ports ? 0 : reducing_.reference + 1;
      reducing_ = {};
    }
  }

  arch::Switch design_;
  const HeadReader& reader_;
  std::size_t words_;
  Sending sending_;
  int next_sender_ = 0;  // m
  Reducing reducing_;
  int trial_ = 0;           // r
  std::vector<int> lists_;  // [input]: where the flits to be reduced wait
  Results results_;
};

}  // namespace weft::models
