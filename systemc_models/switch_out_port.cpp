// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/switch_out_port.h"

#include <utility>

namespace weft::models {
namespace {

constexpr const char* message_type = "/weft/switch";

// In the queue of phases: the target completed the transaction without a response phase.
const tlm::tlm_phase completed = tlm::END_RESP;

}  // namespace

SwitchOutPort::SwitchOutPort(const sc_core::sc_module_name& name,
                             std::function<void(int vc)> on_taken)
    : sc_module(name),
      socket("socket"),
      on_taken_(std::move(on_taken)),
      phases_(this, &SwitchOutPort::on_phase) {
  socket.register_nb_transport_bw(this, &SwitchOutPort::nb_transport_bw);
}

void SwitchOutPort::send(LeavingPacket packet) {
  Payload& payload = pool_.allocate();
  auto* extension = new SwitchPacketExtension;
  extension->vc = packet.vc;
  extension->head = packet.head;
  extension->tail = packet.tail;
  extension->data = std::move(packet.data);
  payload.set_auto_extension(extension);
  const auto length = static_cast<unsigned>(extension->data.size());
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(0);
  payload.set_data_ptr(extension->data.data());
  payload.set_data_length(length);
  payload.set_streaming_width(length);
  requests_.push_back(&payload);
  request();
}

void SwitchOutPort::request() {
  if (requesting_ || requests_.empty()) return;
  requesting_ = true;
  Payload& payload = *requests_.front();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED) {
    phases_.notify(payload, completed, delay);
  } else if (status == tlm::TLM_UPDATED) {
    phases_.notify(payload, phase, delay);
  }
}

tlm::tlm_sync_enum SwitchOutPort::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    SC_REPORT_FATAL(message_type, "phase outside the base protocol");
  }
  phases_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

void SwitchOutPort::on_phase(Payload& payload, const tlm::tlm_phase& phase) {
  end_request(payload);  // a response implies it
  if (phase == tlm::END_REQ) return;
  if (phase == tlm::BEGIN_RESP) {
    tlm::tlm_phase end = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, end, delay);
  }
  complete(payload);
}

void SwitchOutPort::end_request(Payload& payload) {
  if (!requesting_ || requests_.front() != &payload) return;  // it has ended before
  requesting_ = false;
  requests_.pop_front();
  on_taken_(payload.get_extension<SwitchPacketExtension>()->vc);
  request();
}

void SwitchOutPort::complete(Payload& payload) {
  if (payload.is_response_error()) {
    SC_REPORT_ERROR(message_type,
                    ("the next hop answered " + payload.get_response_string()).c_str());
  }
  payload.release();
}

}  // namespace weft::models
