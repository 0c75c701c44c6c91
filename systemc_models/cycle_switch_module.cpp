// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/cycle_switch_module.h"

namespace weft::models {

using sc_core::sc_time;

CycleSwitchModule::CycleSwitchModule(const sc_core::sc_module_name& name,
                                     const arch::Switch& design, const sc_time& clock_period,
                                     arch::Position position)
    : SwitchModule(name, design, clock_period, position),
      layout_(design),
      model_(design),
      inputs_(layout_),
      serialisers_(as_index(design.ports * design.virtual_channels)),
      next_vc_(in.size()),
      credits_(as_index(design.ports * layout_.queues), design.buffer_depth),
      sinks_(serialisers_.size()) {
  model_.set_position(position.x, position.y);
  SC_METHOD(clock);
}

void CycleSwitchModule::packet_taken(int output, int vc) {
  sinks_[port_vc(output, vc)].packet_taken();
}

bool CycleSwitchModule::pulse(const arch::SwitchOutputs& outputs, int input, int queue) const {
  const auto word = as_index(input * layout_.queue_words + queue / 64);
  return (outputs.queue[word] >> (queue % 64) & 1) != 0;
}

// Runs a cycle at its end, when everything offered by its beginning is known.
void CycleSwitchModule::clock() {
  next_trigger(period());
  if (!started_) {
    started_ = true;
    return;
  }
  const sc_time start = sc_core::sc_time_stamp() - period();
  for (int i = 0; i < design().ports; ++i) drive(i, start);
  for (std::size_t k = 0; k < sinks_.size(); ++k) {
    inputs_.accept[k] = with_credits() ? sinks_[k].give_credit() : sinks_[k].ready();
  }
  const arch::SwitchOutputs& outputs = model_.cycle(inputs_);
  for (int p = 0; p < design().ports; ++p) {
    entered(p, outputs);
    left(p, outputs);
  }
}

// Puts a flit of the next VC that has one, and a credit, on the pins.
void CycleSwitchModule::drive(int input, const sc_time& cycle_start) {
  const auto i = as_index(input);
  inputs_.valid[i] = 0;
  for (int k = 0; k < design().virtual_channels; ++k) {
    const int vc = (next_vc_[i] + k) % design().virtual_channels;
    const EnteringPacket* packet = in_port(input).packet(vc);
    if (packet == nullptr || packet->offered > cycle_start) continue;
    Serialiser& serialiser = serialisers_[port_vc(input, vc)];
    if (serialiser.sent == 0) {
      serialiser.queue = arch::queue_index(design(), packet->outputs.first, vc,
                                           packet->header.op != arch::PacketOp::unicast);
    }
    if (with_credits() &&
        credits_[i * as_index(layout_.queues) + as_index(serialiser.queue)] == 0) {
      continue;
    }
    inputs_.valid[i] = 1;
    inputs_.head[i] = serialiser.sent == 0;
    inputs_.tail[i] = serialiser.sent + 1 == packet->flits;
    inputs_.vc[i] = static_cast<std::uint8_t>(vc);
    const auto words = as_index(layout_.flit_words);
    in_port(input).copy_flit(vc, serialiser.sent,
                             std::span(inputs_.flit).subspan(i * words, words));
    return;
  }
}

void CycleSwitchModule::entered(int input, const arch::SwitchOutputs& outputs) {
  const auto i = as_index(input);
  int* credits = &credits_[i * as_index(layout_.queues)];
  if (inputs_.valid[i] != 0) {
    const int vc = inputs_.vc[i];
    Serialiser& serialiser = serialisers_[port_vc(input, vc)];
    if (with_credits() || pulse(outputs, input, serialiser.queue)) {
      if (with_credits()) --credits[serialiser.queue];
      next_vc_[i] = (vc + 1) % design().virtual_channels;
      if (inputs_.head[i] != 0) in_port(input).head_entered(vc);
      ++serialiser.sent;
      if (inputs_.tail[i] != 0) {
        serialiser.sent = 0;
        in_port(input).tail_entered(vc);
      }
    }
  }
  if (!with_credits()) return;
  for (int q = 0; q < layout_.queues; ++q) credits[q] += pulse(outputs, input, q) ? 1 : 0;
}

void CycleSwitchModule::left(int output, const arch::SwitchOutputs& outputs) {
  const auto o = as_index(output);
  if (outputs.valid[o] == 0) return;
  if (!with_credits() && inputs_.accept[o] == 0) return;
  const int vc = with_credits() ? outputs.vc[o] : 0;
  const auto words = as_index(layout_.flit_words);
  auto packet = sinks_[port_vc(output, vc)].take(
      outputs.head[o] != 0, outputs.tail[o] != 0, std::span(outputs.flit).subspan(o * words, words),
      as_index(design().flit_width + 7) / 8, sc_core::sc_time_stamp());
  if (!packet) return;
  packet->vc = vc;
  out_port(output).send(std::move(*packet));
}

}  // namespace weft::models
