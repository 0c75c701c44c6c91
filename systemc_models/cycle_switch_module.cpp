// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/cycle_switch_module.h"

namespace weft::models {
namespace {

using sc_core::sc_time;

constexpr const char* message_type = "/weft/switch";

}  // namespace

CycleSwitchModule::CycleSwitchModule(const sc_core::sc_module_name& name,
                                     const arch::Switch& design, const sc_time& clock_period,
                                     arch::Position position)
    : sc_module(name),
      in("in", static_cast<std::size_t>(design.ports)),
      out("out", static_cast<std::size_t>(design.ports)),
      design_(design),
      layout_(design),
      period_(clock_period),
      model_(design),
      inputs_(layout_),
      serialisers_(static_cast<std::size_t>(design.ports * design.virtual_channels)),
      next_vc_(in.size()),
      credits_(static_cast<std::size_t>(design.ports * layout_.queues), design.buffer_depth),
      sinks_(serialisers_.size()),
      in_ports_("in_port"),
      out_ports_("out_port") {
  if (period_ == sc_core::SC_ZERO_TIME) SC_REPORT_FATAL(message_type, "the clock period is zero");
  if (sc_core::sc_get_time_resolution() != sc_time(1, sc_core::SC_PS)) {
    SC_REPORT_FATAL(message_type, "the time resolution must be 1 ps");
  }
  model_.set_position(position.x, position.y);
  in_ports_.init(in.size(), [&](const char* port, std::size_t i) {
    return new SwitchInPort(port, design_, static_cast<int>(i), position, [] {});
  });
  out_ports_.init(out.size(), [&](const char* port, std::size_t o) {
    return new SwitchOutPort(
        port, [this, o](int vc) { sinks_[input_vc(static_cast<int>(o), vc)].packet_taken(); });
  });
  for (std::size_t p = 0; p < in.size(); ++p) {
    in[p].bind(in_ports_[p].socket);
    out_ports_[p].socket.bind(out[p]);
  }
  SC_METHOD(clock);
}

std::size_t CycleSwitchModule::input_vc(int input, int vc) const {
  return static_cast<std::size_t>(input * design_.virtual_channels + vc);
}

bool CycleSwitchModule::pulse(const arch::SwitchOutputs& outputs, int input, int queue) const {
  const auto word = static_cast<std::size_t>(input * layout_.queue_words + queue / 64);
  return (outputs.queue[word] >> (queue % 64) & 1) != 0;
}

// Runs a cycle at its end, when everything offered by its beginning is known.
void CycleSwitchModule::clock() {
  next_trigger(period_);
  if (!started_) {
    started_ = true;
    return;
  }
  const sc_time start = sc_core::sc_time_stamp() - period_;
  for (int i = 0; i < design_.ports; ++i) drive(i, start);
  const bool credit = design_.flow_control == arch::FlowControl::credit;
  for (std::size_t k = 0; k < sinks_.size(); ++k) {
    inputs_.accept[k] = credit ? sinks_[k].give_credit() : sinks_[k].ready();
  }
  const arch::SwitchOutputs& outputs = model_.cycle(inputs_);
  for (int p = 0; p < design_.ports; ++p) {
    entered(p, outputs);
    left(p, outputs);
  }
}

// Puts a flit of the next VC that has one, and a credit, on the pins.
void CycleSwitchModule::drive(int input, const sc_time& cycle_start) {
  const auto i = static_cast<std::size_t>(input);
  inputs_.valid[i] = 0;
  for (int k = 0; k < design_.virtual_channels; ++k) {
    const int vc = (next_vc_[i] + k) % design_.virtual_channels;
    const EnteringPacket* packet = in_ports_[i].packet(vc);
    if (packet == nullptr || packet->offered > cycle_start) continue;
    Serialiser& serialiser = serialisers_[input_vc(input, vc)];
    if (serialiser.sent == 0) {
      serialiser.queue = arch::queue_index(design_, packet->outputs.first, vc,
                                           packet->header.op != arch::PacketOp::unicast);
    }
    if (design_.flow_control == arch::FlowControl::credit &&
        credits_[i * static_cast<std::size_t>(layout_.queues) +
                 static_cast<std::size_t>(serialiser.queue)] == 0) {
      continue;
    }
    inputs_.valid[i] = 1;
    inputs_.head[i] = serialiser.sent == 0;
    inputs_.tail[i] = serialiser.sent + 1 == packet->flits;
    inputs_.vc[i] = static_cast<std::uint8_t>(vc);
    const auto words = static_cast<std::size_t>(layout_.flit_words);
    in_ports_[i].copy_flit(vc, serialiser.sent, std::span(inputs_.flit).subspan(i * words, words));
    return;
  }
}

void CycleSwitchModule::entered(int input, const arch::SwitchOutputs& outputs) {
  const auto i = static_cast<std::size_t>(input);
  const bool credit = design_.flow_control == arch::FlowControl::credit;
  int* credits = &credits_[i * static_cast<std::size_t>(layout_.queues)];
  if (inputs_.valid[i] != 0) {
    const int vc = inputs_.vc[i];
    Serialiser& serialiser = serialisers_[input_vc(input, vc)];
    if (credit || pulse(outputs, input, serialiser.queue)) {
      if (credit) --credits[serialiser.queue];
      next_vc_[i] = (vc + 1) % design_.virtual_channels;
      if (inputs_.head[i] != 0) in_ports_[i].head_entered(vc);
      ++serialiser.sent;
      if (inputs_.tail[i] != 0) {
        serialiser.sent = 0;
        in_ports_[i].tail_entered(vc);
      }
    }
  }
  if (!credit) return;
  for (int q = 0; q < layout_.queues; ++q) credits[q] += pulse(outputs, input, q) ? 1 : 0;
}

void CycleSwitchModule::left(int output, const arch::SwitchOutputs& outputs) {
  const auto o = static_cast<std::size_t>(output);
  if (outputs.valid[o] == 0) return;
  const bool credit = design_.flow_control == arch::FlowControl::credit;
  if (!credit && inputs_.accept[o] == 0) return;
  const int vc = credit ? outputs.vc[o] : 0;
  const auto words = static_cast<std::size_t>(layout_.flit_words);
  auto packet = sinks_[input_vc(output, vc)].take(
      outputs.head[o] != 0, outputs.tail[o] != 0, std::span(outputs.flit).subspan(o * words, words),
      static_cast<std::size_t>(design_.flit_width + 7) / 8, sc_core::sc_time_stamp());
  if (!packet) return;
  packet->vc = vc;
  out_ports_[o].send(std::move(*packet));
}

}  // namespace weft::models
