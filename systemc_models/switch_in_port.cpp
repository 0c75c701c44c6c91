// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/switch_in_port.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <exception>

#include "systemc_models/base_protocol.h"

namespace weft::models {
namespace {

using sc_core::sc_time;

constexpr const char* message_type = "/weft/switch";
static_assert(std::endian::native == std::endian::little, "flits are copied byte by byte");

void warn(const std::string& text) { SC_REPORT_WARNING(message_type, text.c_str()); }

}  // namespace

SwitchInPort::SwitchInPort(const sc_core::sc_module_name& name, const arch::Switch& design,
                           int input, arch::Position position, std::function<void()> on_packet)
    : sc_module(name),
      socket("socket"),
      design_(design),
      input_(input),
      position_(position),
      flit_bytes_(static_cast<std::size_t>(design.flit_width + 7) / 8),
      on_packet_(std::move(on_packet)),
      packets_(static_cast<std::size_t>(design.virtual_channels)),
      phases_(this, &SwitchInPort::on_phase) {
  socket.register_b_transport(this, &SwitchInPort::b_transport);
  socket.register_nb_transport_fw(this, &SwitchInPort::nb_transport_fw);
}

// --- Packets

tlm::tlm_response_status SwitchInPort::read(Payload& payload, EnteringPacket& packet) const {
  if (payload.get_command() != tlm::TLM_WRITE_COMMAND) {
    warn("an input takes writes only");
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  if (payload.get_byte_enable_ptr() != nullptr) {
    warn("byte enables are not supported");
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  }
  const std::size_t length = payload.get_data_length();
  const std::size_t longest = flit_bytes_ * static_cast<std::size_t>(design_.max_packet_flits);
  if (payload.get_data_ptr() == nullptr || length == 0 || length % flit_bytes_ != 0 ||
      length > longest || payload.get_streaming_width() < length) {
    warn(
        fmt::format("a packet is 1 to {} flits of {} bytes without streaming; length {}, "
                    "streaming width {}{}",
                    design_.max_packet_flits, flit_bytes_, length, payload.get_streaming_width(),
                    payload.get_data_ptr() == nullptr ? ", no data pointer" : ""));
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const auto* extension = payload.get_extension<SwitchPacketExtension>();
  packet.vc = extension == nullptr ? 0 : extension->vc;
  packet.flits = static_cast<int>(length / flit_bytes_);
  packet.payload = &payload;
  if (packet.vc < 0 || packet.vc >= design_.virtual_channels) {
    warn(fmt::format("VC {} is outside 0..{}", packet.vc, design_.virtual_channels - 1));
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  return read_header(packet);
}

tlm::tlm_response_status SwitchInPort::read_header(EnteringPacket& packet) const {
  std::vector<std::uint64_t> head((flit_bytes_ + 7) / 8);
  std::memcpy(head.data(), packet.payload->get_data_ptr(), flit_bytes_);
  packet.header = arch::read_header(design_, head);
  switch (packet.header.op) {
    case arch::PacketOp::unicast:
      break;
    case arch::PacketOp::multicast:
      if (design_.multicast) return tlm::TLM_OK_RESPONSE;
      [[fallthrough]];
    default:
      if (design_.in_network_reduction && packet.header.op >= arch::PacketOp::sum &&
          packet.header.op <= arch::PacketOp::max) {
        return tlm::TLM_OK_RESPONSE;
      }
      warn(fmt::format("op {} is not one of this switch", static_cast<int>(packet.header.op)));
      return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  try {
    packet.outputs = arch::route(design_, packet.header, input_, position_);
  } catch (const std::exception&) {
    packet.outputs.first = design_.ports;  // nowhere
  }
  if (packet.outputs.first >= 0 && packet.outputs.first < design_.ports) {
    return tlm::TLM_OK_RESPONSE;
  }
  warn(fmt::format("the route field {:#x} leads to no port", packet.header.route));
  return tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

void SwitchInPort::copy_flit(int vc, int flit, std::span<std::uint64_t> words) const {
  const unsigned char* data = packet(vc)->payload->get_data_ptr();
  words.back() = 0;
  std::memcpy(words.data(), data + static_cast<std::size_t>(flit) * flit_bytes_, flit_bytes_);
  // A flit has no bits above its width.
  if (const int used = design_.flit_width % 64; used != 0) {
    words.back() &= (std::uint64_t{1} << used) - 1;
  }
}

void SwitchInPort::head_entered(int vc) {
  auto* extension = packet(vc)->payload->get_extension<SwitchPacketExtension>();
  if (extension != nullptr) extension->head = sc_core::sc_time_stamp();
}

void SwitchInPort::tail_entered(int vc) {
  const EnteringPacket packet = *packets_[static_cast<std::size_t>(vc)];
  packets_[static_cast<std::size_t>(vc)].reset();
  if (auto* extension = packet.payload->get_extension<SwitchPacketExtension>()) {
    extension->tail = sc_core::sc_time_stamp();
  }
  packet.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  if (packet.entered != nullptr) {
    packet.entered->notify();
  } else {
    responses_.push_back(packet.payload);
    respond();
  }
  if (waiting_ && is_free(waiting_->vc)) {
    const EnteringPacket next = *waiting_;
    waiting_.reset();
    accept(next);
    end_request(*next.payload);
  }
  freed_.notify();
}

void SwitchInPort::accept(const EnteringPacket& packet) {
  packets_[static_cast<std::size_t>(packet.vc)] = packet;
  on_packet_();
}

// --- Blocking transport

void SwitchInPort::b_transport(Payload& payload, sc_time& delay) {
  payload.set_dmi_allowed(false);
  EnteringPacket packet;
  if (const auto status = read(payload, packet); status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    return;
  }
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  while (!is_free(packet.vc)) sc_core::wait(freed_);
  sc_core::sc_event entered;
  packet.offered = sc_core::sc_time_stamp();
  packet.entered = &entered;
  accept(packet);
  sc_core::wait(entered);
}

// --- Non-blocking transport

tlm::tlm_sync_enum SwitchInPort::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                 sc_time& delay) {
  return queue_forward(phases_, payload, phase, delay, message_type);
}

void SwitchInPort::on_phase(Payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    begin_request(payload);
  } else {  // END_RESP
    responding_ = false;
    responses_.pop_front();
    payload.release();
    respond();
  }
}

void SwitchInPort::begin_request(Payload& payload) {
  payload.set_dmi_allowed(false);
  if (waiting_) {
    SC_REPORT_FATAL(message_type, "a request began before the last one's END_REQ");
  }
  EnteringPacket packet;
  if (const auto status = read(payload, packet); status != tlm::TLM_OK_RESPONSE) {
    end_request(payload);
    payload.set_response_status(status);
    responses_.push_back(&payload);
    respond();
    return;
  }
  packet.offered = sc_core::sc_time_stamp();
  if (is_free(packet.vc)) {
    accept(packet);
    end_request(payload);
  } else {
    waiting_ = packet;
  }
}

void SwitchInPort::end_request(Payload& payload) {
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, phase, delay);
}

void SwitchInPort::respond() {
  if (responding_ || responses_.empty()) return;
  responding_ = true;
  Payload& payload = *responses_.front();
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    phases_.notify(payload, tlm::END_RESP, delay);
  }
}

}  // namespace weft::models
