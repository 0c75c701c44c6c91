// SPDX-License-Identifier: Apache-2.0
#include "verif/network/source_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "verif/network/endpoint_observer.h"
#include "verif/network/flit_bits.h"

namespace weft::verif {
namespace {

int lanes_of(const arch::PinLayout& layout, const EndpointOptions& options) {
  // Without a queue a VC there is a single one for everything.
  const bool queues_by_vc = layout.queues % layout.virtual_channels == 0;
  return options.single_fifo || !queues_by_vc ? 1 : layout.virtual_channels;
}

}  // namespace

SourcePorts::SourcePorts(const arch::Switch& design, const EndpointOptions& options,
                         const FlitFormat& format, PacketPool& packets, PacketsUnderWay& under_way)
    : layout_(design),
      options_(options),
      format_(&format),
      packets_(&packets),
      under_way_(&under_way),
      credit_flow_(design.flow_control == arch::FlowControl::credit),
      choosy_(under_way.refuses() || (credit_flow_ && options.single_fifo)),
      depth_(design.buffer_depth),
      lanes_(lanes_of(layout_, options)),
      lists_(options.single_fifo ? 1 : layout_.queues / lanes_),
      words_((lists_ + flit_word_bits - 1) / flit_word_bits),
      lists_of_packets_(static_cast<std::size_t>(layout_.ports * lanes_ * lists_)),
      random_(options.seed, 1) {
  reset();
}

void SourcePorts::reset() {
  const auto ports = static_cast<std::size_t>(layout_.ports);
  const std::size_t lanes = ports * static_cast<std::size_t>(lanes_);
  lists_of_packets_.clear();
  lane_state_.assign(lanes, {});
  turn_.assign(ports, 0);
  presenting_.assign(ports, -1);
  waiting_.assign(lanes * static_cast<std::size_t>(words_), 0);
  open_.assign(lanes * static_cast<std::size_t>(words_), credit_flow_ ? ~std::uint64_t{0} : 0);
  credits_.assign(ports * static_cast<std::size_t>(layout_.queues), depth_);
  backlog_.assign(ports, 0);
  active_.assign(ports, 0);
  flits_sent_.assign(ports, 0);
}

void SourcePorts::offer(std::uint32_t number) {
  const Packet& packet = (*packets_)[number];
  const int port = packet.injection.source;
  const int lane = options_.single_fifo ? 0 : packet.queue % lanes_;
  const int list = options_.single_fifo ? 0 : packet.queue / lanes_;
  lists_of_packets_.push(list_index(port, lane, list), number);
  waiting_[lane_index(port, lane) * static_cast<std::size_t>(words_) +
           static_cast<std::size_t>(list / flit_word_bits)] |= std::uint64_t{1}
                                                               << (list % flit_word_bits);
  ++backlog_[static_cast<std::size_t>(port)];
  ++active_[static_cast<std::size_t>(port)];
}

bool SourcePorts::gate_open(int port, std::uint64_t now) {
  const Gate& gate = options_.send;
  if (gate.always()) return true;
  if (gate.pattern.empty()) return random_.chance(gate.percent);
  return gate.pattern[(now + static_cast<std::uint64_t>(port)) % gate.pattern.size()] != 0;
}

bool SourcePorts::may_begin(int port, int lane, int list) const {
  if (!choosy_) return true;
  const Packet& packet = (*packets_)[lists_of_packets_.front(list_index(port, lane, list))];
  if (credit_flow_ && options_.single_fifo && credits(port, packet.queue) == 0) return false;
  return under_way_->may_enter(packet);
}

int SourcePorts::pick(int port, int lane, bool eager) const {
  const std::size_t base = lane_index(port, lane) * static_cast<std::size_t>(words_);
  const int turn = lane_state_[lane_index(port, lane)].turn;
  const int first = turn / flit_word_bits;
  // The word of the turn comes twice: from the turn on, and at last what lies before it.
  for (int step = 0; step <= words_; ++step) {
    const int word = (first + step) % words_;
    std::uint64_t candidates = waiting_[base + static_cast<std::size_t>(word)];
    if (!eager) candidates &= open_[base + static_cast<std::size_t>(word)];
    const std::uint64_t before = low_ones(turn % flit_word_bits);
    if (step == 0) candidates &= ~before;
    if (step == words_) candidates &= before;
    for (; candidates != 0; candidates &= candidates - 1) {
      const int list = word * flit_word_bits + std::countr_zero(candidates);
      if (may_begin(port, lane, list)) return list;
    }
  }
  return -1;
}

bool SourcePorts::begin_packet(int port, int lane, std::uint64_t now) {
  int list = pick(port, lane, options_.single_fifo);
  if (list < 0 && !credit_flow_) list = pick(port, lane, true);
  if (list < 0) return false;
  const std::size_t index = list_index(port, lane, list);
  const std::uint32_t number = lists_of_packets_.pop(index);
  if (lists_of_packets_.empty(index)) {
    waiting_[lane_index(port, lane) * static_cast<std::size_t>(words_) +
             static_cast<std::size_t>(list / flit_word_bits)] &=
        ~(std::uint64_t{1} << (list % flit_word_bits));
  }
  --backlog_[static_cast<std::size_t>(port)];
  Lane& state = lane_state_[lane_index(port, lane)];
  state.packet = number;
  state.turn = list + 1 == lists_ ? 0 : list + 1;
  (*packets_)[number].presented = now;
  under_way_->enter(number);
  return true;
}

void SourcePorts::present(int port, int lane, arch::SwitchInputs& inputs) {
  const Packet& packet = (*packets_)[lane_state_[lane_index(port, lane)].packet];
  const auto p = static_cast<std::size_t>(port);
  inputs.valid[p] = 1;
  inputs.head[p] = packet.sent == 0 ? 1 : 0;
  inputs.tail[p] = packet.sent + 1 == packet.injection.flits ? 1 : 0;
  inputs.vc[p] = static_cast<std::uint8_t>(packet.vc);
  format_->write(packet, packet.sent,
                 &inputs.flit[p * static_cast<std::size_t>(layout_.flit_words)]);
  presenting_[p] = lane;
}

void SourcePorts::idle(int port, arch::SwitchInputs& inputs) {
  const auto p = static_cast<std::size_t>(port);
  inputs.valid[p] = 0;
  if (!options_.garbage) return;
  const std::uint64_t bits = random_.bits();
  inputs.head[p] = bits & 1U;
  inputs.tail[p] = bits >> 1 & 1U;
  inputs.vc[p] = static_cast<std::uint8_t>((bits >> 8 & 0xFF) %
                                           static_cast<unsigned>(layout_.virtual_channels));
  for (int w = 0; w < layout_.flit_words; ++w) {
    inputs.flit[p * static_cast<std::size_t>(layout_.flit_words) + static_cast<std::size_t>(w)] =
        random_.bits();
  }
}

void SourcePorts::drive(arch::SwitchInputs& inputs, std::uint64_t now, EndpointObserver* observer) {
  for (int port = 0; port < layout_.ports; ++port) {
    const auto p = static_cast<std::size_t>(port);
    if (presenting_[p] >= 0) continue;
    if (active_[p] > 0 && gate_open(port, now)) {
      for (int step = 0; step < lanes_ && presenting_[p] < 0; ++step) {
        const int lane = (turn_[p] + step) % lanes_;
        const Lane& state = lane_state_[lane_index(port, lane)];
        if (state.packet == none) {
          if (!begin_packet(port, lane, now)) continue;
        } else if (credit_flow_ && credits(port, (*packets_)[state.packet].queue) == 0) {
          continue;
        }
        present(port, lane, inputs);
        turn_[p] = options_.interleave || inputs.tail[p] != 0 ? (lane + 1) % lanes_ : lane;
      }
    }
    if (presenting_[p] < 0) {
      idle(port, inputs);
    } else if (credit_flow_) {
      accepted(port, now, observer);
    }
  }
}

void SourcePorts::accepted(int port, std::uint64_t now, EndpointObserver* observer) {
  const auto p = static_cast<std::size_t>(port);
  Lane& state = lane_state_[lane_index(port, presenting_[p])];
  presenting_[p] = -1;
  Packet& packet = (*packets_)[state.packet];
  if (packet.sent == 0) packet.injected = now;
  const int index = packet.sent++;
  ++flits_sent_[p];
  if (credit_flow_) {
    int& credits = credits_[static_cast<std::size_t>(port * layout_.queues + packet.queue)];
    if (--credits == 0 && !options_.single_fifo) {
      const int list = packet.queue / lanes_;
      open_[lane_index(port, packet.queue % lanes_) * static_cast<std::size_t>(words_) +
            static_cast<std::size_t>(list / flit_word_bits)] &=
          ~(std::uint64_t{1} << (list % flit_word_bits));
    }
  }
  if (observer != nullptr) observer->sent(packet, index, now);
  if (packet.sent == packet.injection.flits) {
    state.packet = none;
    --active_[p];
  }
}

void SourcePorts::credit_returned(int port, int queue, std::uint64_t now, Violations& violations) {
  int& credits = credits_[static_cast<std::size_t>(port * layout_.queues + queue)];
  if (credits == depth_) {
    violations.add(Violation::credit, [&] {
      return fmt::format(
          "cycle {}: input {} returns a credit for queue {}, from which nothing is outstanding",
          now, port, queue);
    });
    return;
  }
  if (credits++ == 0 && !options_.single_fifo) {
    const int list = queue / lanes_;
    open_[lane_index(port, queue % lanes_) * static_cast<std::size_t>(words_) +
          static_cast<std::size_t>(list / flit_word_bits)] |= std::uint64_t{1}
                                                              << (list % flit_word_bits);
  }
}

void SourcePorts::take(const arch::SwitchOutputs& outputs, std::uint64_t now,
                       EndpointObserver* observer, Violations& violations) {
  const auto queue_words = static_cast<std::size_t>(layout_.queue_words);
  for (int port = 0; port < layout_.ports; ++port) {
    const auto p = static_cast<std::size_t>(port);
    const std::uint64_t* bits = &outputs.queue[p * queue_words];
    if (credit_flow_) {
      for (std::size_t word = 0; word < queue_words; ++word) {
        for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
          const int queue = static_cast<int>(word) * flit_word_bits + std::countr_zero(left);
          credit_returned(port, queue, now, violations);
          if (observer != nullptr) observer->credit(port, queue, now);
        }
      }
    } else {
      if (!options_.single_fifo) {  // one lane, its lists are the queues
        std::copy_n(bits, queue_words, &open_[p * static_cast<std::size_t>(words_)]);
      }
      if (presenting_[p] < 0) continue;
      const auto queue = static_cast<std::size_t>(
          (*packets_)[lane_state_[lane_index(port, presenting_[p])].packet].queue);
      if ((bits[queue / flit_word_bits] >> (queue % flit_word_bits) & 1U) != 0) {
        accepted(port, now, observer);
      }
    }
  }
}

}  // namespace weft::verif
