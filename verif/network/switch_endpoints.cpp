// SPDX-License-Identifier: Apache-2.0
#include "verif/network/switch_endpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "verif/network/flit_bits.h"

namespace weft::verif {

SwitchEndpoints::SwitchEndpoints(const arch::Switch& design, const EndpointOptions& options,
                                 arch::Position position)
    : design_(design),
      layout_(design),
      vcs_in_class_(design.virtual_channels / design.traffic_classes),
      targets_(design, position),
      options_(options),
      format_(design, targets_, options.payload, options.seed),
      under_way_(design, targets_, format_, packets_),
      sources_(design, options, format_, packets_, under_way_),
      sinks_(design, options),
      inputs_(layout_),
      stalled_(layout_) {
  reset();
}

void SwitchEndpoints::reset() {
  const auto ports = static_cast<std::size_t>(layout_.ports);
  packets_.clear();
  under_way_.clear();
  sources_.reset();
  sinks_.reset();
  inputs_ = arch::SwitchInputs(layout_);
  std::fill(stalled_.valid.begin(), stalled_.valid.end(), 0);
  arrivals_.assign(ports * static_cast<std::size_t>(layout_.virtual_channels), {});
  vc_turn_.assign(ports * static_cast<std::size_t>(design_.traffic_classes), 0);
  ordinals_.assign(ports, 0);
  reduction_ordinals_.clear();
  flits_received_.assign(ports, 0);
  delivered_.clear();
  violations_.clear();
  now_ = 0;
}

int SwitchEndpoints::choose_vc(const Injection& packet) {
  const int first = packet.traffic_class * vcs_in_class_;
  // All members must send in the same one.
  if (targets_[packet.destination].reduction()) return first + packet.destination % vcs_in_class_;
  std::uint32_t& turn = vc_turn_[static_cast<std::size_t>(packet.source * design_.traffic_classes +
                                                          packet.traffic_class)];
  const int vc = first + static_cast<int>(turn);
  turn = turn + 1 == static_cast<std::uint32_t>(vcs_in_class_) ? 0 : turn + 1;
  return vc;
}

bool SwitchEndpoints::offer(const Injection& injection) {
  if (options_.backlog_limit > 0 && sources_.backlog(injection.source) >= options_.backlog_limit) {
    return false;
  }
  const SwitchTargets::Entry& target = targets_[injection.destination];
  if (!target.reachable) {
    throw std::logic_error(
        fmt::format("a packet to port {}, to which no route leads", injection.destination));
  }
  const auto source = static_cast<std::size_t>(injection.source);
  Packet packet;
  packet.injection = injection;
  packet.vc = choose_vc(injection);
  if (target.reduction()) {
    const auto destination = static_cast<std::size_t>(injection.destination);
    if (reduction_ordinals_.size() <= destination) reduction_ordinals_.resize(destination + 1);
    auto& ordinals = reduction_ordinals_[destination];
    ordinals.resize(static_cast<std::size_t>(layout_.ports));
    packet.ordinal = ordinals[source]++;
  } else {
    packet.ordinal = ordinals_[source]++;
  }
  const bool collective = target.op() != arch::PacketOp::unicast;
  const int output = collective ? 0 : target.choice(injection.source).first;
  packet.queue = arch::queue_index(design_, output, packet.vc, collective);
  sources_.offer(packets_.make(packet));
  return true;
}

const arch::SwitchInputs& SwitchEndpoints::drive() {
  sources_.drive(inputs_, now_, observer_);
  sinks_.drive(inputs_, now_);
  return inputs_;
}

void SwitchEndpoints::take(const arch::SwitchOutputs& outputs) {
  delivered_.clear();
  sources_.take(outputs, now_, observer_, violations_);
  const bool holds = design_.flow_control == arch::FlowControl::ready_valid;
  for (int output = 0; output < layout_.ports; ++output) {
    if (holds) check_held(output, outputs);
    if (outputs.valid[static_cast<std::size_t>(output)] != 0 && sinks_.takes(inputs_, output)) {
      receive(output, outputs);
    }
  }
  ++now_;
}

std::string SwitchEndpoints::place(int output, int vc) const {
  return fmt::format("cycle {}: output {}{}", now_, output,
                     layout_.virtual_channels > 1 ? fmt::format(", VC {}", vc) : "");
}

std::string SwitchEndpoints::name(const Packet& packet) const {
  return fmt::format("packet {} of input {} (VC {}, {} flits, created in cycle {})",
                     packet.injection.id, packet.injection.source, packet.vc,
                     packet.injection.flits, packet.injection.cycle);
}

void SwitchEndpoints::check_held(int output, const arch::SwitchOutputs& outputs) {
  const auto o = static_cast<std::size_t>(output);
  const auto words = static_cast<std::size_t>(layout_.flit_words);
  const auto same_flit = [&] {
    return outputs.head[o] == stalled_.head[o] && outputs.tail[o] == stalled_.tail[o] &&
           std::equal(&outputs.flit[o * words], &outputs.flit[o * words] + words,
                      &stalled_.flit[o * words]);
  };
  if (stalled_.valid[o] != 0 && (outputs.valid[o] == 0 || !same_flit())) {
    violations_.add(Violation::protocol, [&] {
      return fmt::format("{}: the flit was {} before it was taken", place(output, 0),
                         outputs.valid[o] == 0 ? "withdrawn" : "changed");
    });
  }
  stalled_.valid[o] = outputs.valid[o] != 0 && !sinks_.takes(inputs_, output) ? 1 : 0;
  if (stalled_.valid[o] != 0) {
    stalled_.head[o] = outputs.head[o];
    stalled_.tail[o] = outputs.tail[o];
    std::copy_n(&outputs.flit[o * words], words, &stalled_.flit[o * words]);
  }
}

void SwitchEndpoints::receive_head(Arrival& arrival, int output, int vc,
                                   const std::uint64_t* flit) {
  if (arrival.packet != none || arrival.unknown) {
    violations_.add(Violation::protocol,
                    [&] { return fmt::format("{}: a head within a packet", place(output, vc)); });
  }
  const auto number = under_way_.arrive(output, vc, flit);
  arrival = {.head_out = now_, .unknown = !number};
  if (number) {
    arrival.packet = *number;
    return;
  }
  const bool early = under_way_.overtakes(output, vc, flit);
  violations_.add(early ? Violation::reordered : Violation::unknown, [&] {
    return fmt::format("{}: the head {:x}{}", place(output, vc),
                       fmt::join(flit, flit + layout_.flit_words, "_"),
                       early ? " has overtaken others of its stream"
                             : " belongs to no packet that is on its way to there");
  });
}

void SwitchEndpoints::receive(int output, const arch::SwitchOutputs& outputs) {
  const auto o = static_cast<std::size_t>(output);
  const std::uint64_t* flit = &outputs.flit[o * static_cast<std::size_t>(layout_.flit_words)];
  const int vc = outputs.vc[o];
  ++flits_received_[o];
  if (vc >= layout_.virtual_channels) {
    violations_.add(Violation::wrong_vc, [&] {
      return fmt::format("{}: there are only {}", place(output, vc), layout_.virtual_channels);
    });
    return;
  }
  sinks_.received(output, vc, now_, violations_);
  Arrival& arrival = arrivals_[o * static_cast<std::size_t>(layout_.virtual_channels) +
                               static_cast<std::size_t>(vc)];
  const bool tail = outputs.tail[o] != 0;
  if (outputs.head[o] != 0) {
    receive_head(arrival, output, vc, flit);
  } else if (arrival.packet == none && !arrival.unknown) {
    violations_.add(Violation::protocol, [&] {
      return fmt::format("{}: a flit without a head before it", place(output, vc));
    });
    arrival.unknown = true;
  }
  if (arrival.packet == none) {
    if (tail) arrival = {};
    return;
  }
  const Packet& packet = packets_[arrival.packet];
  const int index = arrival.flits++;
  const bool vc_is_right = design_.vc_allocation == arch::VcAllocation::keep
                               ? vc == packet.vc
                               : vc / vcs_in_class_ == packet.vc / vcs_in_class_;
  if (!vc_is_right) {
    violations_.add(Violation::wrong_vc, [&] {
      return fmt::format("{}: {} came in VC {}", place(output, vc), name(packet), packet.vc);
    });
  }
  if (index > 0 && !format_.leaves_as(packet, index, flit)) {
    violations_.add(Violation::corrupted, [&] {
      std::vector<std::uint64_t> right(static_cast<std::size_t>(layout_.flit_words));
      format_.write(packet, index, right.data());
      return fmt::format("{}: flit {} of {}: {:x}{}", place(output, vc), index, name(packet),
                         fmt::join(flit, flit + layout_.flit_words, "_"),
                         targets_[packet.injection.destination].reduction()
                             ? " is not the combination of what its group sent"
                             : fmt::format(" instead of {:x}", fmt::join(right, "_")));
    });
  }
  if (observer_ != nullptr) observer_->received(packet, index, output, vc, now_);
  if (tail != (index + 1 == packet.injection.flits)) {
    violations_.add(Violation::lost, [&] {
      return fmt::format("{}: {} {} with flit {}", place(output, vc), name(packet),
                         tail ? "ends" : "does not end", index);
    });
  }
  if (tail || index + 1 == packet.injection.flits) deliver(arrival, output, vc);
}

void SwitchEndpoints::deliver(Arrival& arrival, int output, int vc) {
  Packet& packet = packets_[arrival.packet];
  const bool last = --packet.copies == 0;
  delivered_.push_back({.packet = packet.injection,
                        .injected = packet.injected,
                        .head_out = arrival.head_out,
                        .tail_out = now_,
                        .output = output,
                        .vc = vc,
                        .last = last});
  if (last) {
    under_way_.leave(packet);
    packets_.drop(arrival.packet);
  }
  arrival = {};
}

bool SwitchEndpoints::drained() const {
  if (outstanding() > 0) return false;
  if (design_.flow_control == arch::FlowControl::ready_valid) return true;
  for (int port = 0; port < layout_.ports; ++port) {
    for (int queue = 0; queue < layout_.queues; ++queue) {
      if (sources_.credits(port, queue) != design_.buffer_depth) return false;
    }
    for (int vc = 0; vc < layout_.virtual_channels; ++vc) {
      if (sinks_.held(port, vc) > 0) return false;
    }
  }
  return true;
}

}  // namespace weft::verif
