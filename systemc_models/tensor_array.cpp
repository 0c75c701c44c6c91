// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tensor_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "arch/numerics/integer.h"
#include "systemc_models/base_protocol.h"

namespace weft::models {
namespace {

namespace address = tensor_array_address;
using sc_core::sc_time;

constexpr const char* message_type = "/weft/tensor_array";

std::span<const std::int32_t> elements_of(const tlm::tlm_generic_payload& payload) {
  return {reinterpret_cast<const std::int32_t*>(payload.get_data_ptr()),
          payload.get_data_length() / sizeof(std::int32_t)};
}

bool is_multiplication(std::uint64_t at) {
  return at == address::multiply_moving || at == address::step;
}

}  // namespace

TensorArrayModule::TensorArrayModule(const sc_core::sc_module_name& name,
                                     const arch::TensorArray& array, const sc_time& clock_period)
    : sc_module(name),
      socket("socket"),
      array_(array),
      period_(clock_period),
      engine_(array),
      phases_(this, &TensorArrayModule::on_phase) {
  if (period_ == sc_core::SC_ZERO_TIME) SC_REPORT_FATAL(message_type, "the clock period is zero");
  if (sc_core::sc_get_time_resolution() != sc_time(1, sc_core::SC_PS)) {
    SC_REPORT_FATAL(message_type, "the time resolution must be 1 ps");
  }
  socket.register_b_transport(this, &TensorArrayModule::b_transport);
  socket.register_nb_transport_fw(this, &TensorArrayModule::nb_transport_fw);
  socket.register_transport_dbg(this, &TensorArrayModule::transport_dbg);
}

// --- Commands
// --------------------------------------------------------------------------------------

// Bytes of one beat of the command at an address; 0: there is none. A LoadStationary is
// indivisible.
std::size_t TensorArrayModule::beat_bytes(std::uint64_t at) const {
  const auto macs = static_cast<std::size_t>(array_.macs_per_pe);
  const auto rows = static_cast<std::size_t>(array_.rows) * macs;
  const auto cols = static_cast<std::size_t>(array_.cols);
  const bool output_stationary = array_.output_stationary();
  switch (at) {
    case address::load_stationary:
      return output_stationary ? 0 : rows * cols * sizeof(std::int32_t);
    case address::multiply_moving:
      return output_stationary ? 0 : rows * sizeof(std::int32_t);
    case address::step:
      return output_stationary ? (rows + cols * macs) * sizeof(std::int32_t) : 0;
    case address::results:
      return cols * sizeof(std::int64_t);
    default:
      return 0;
  }
}

tlm::tlm_response_status TensorArrayModule::check(const Payload& payload) const {
  const std::uint64_t at = payload.get_address();
  const std::size_t beat = beat_bytes(at);
  if (beat == 0) {
    SC_REPORT_WARNING(message_type, fmt::format("no command of this array at {:#x}", at).c_str());
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  const tlm::tlm_command command =
      at == address::results ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
  if (payload.get_command() != command) {
    SC_REPORT_WARNING(message_type,
                      fmt::format("address {:#x} takes {} only", at,
                                  command == tlm::TLM_READ_COMMAND ? "reads" : "writes")
                          .c_str());
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  if (payload.get_byte_enable_ptr() != nullptr) {
    SC_REPORT_WARNING(message_type, "byte enables are not supported");
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  }
  const std::size_t length = payload.get_data_length();
  const bool whole = length != 0 && length % beat == 0;
  const bool one = at != address::load_stationary || length == beat;
  if (payload.get_data_ptr() == nullptr || !whole || !one ||
      payload.get_streaming_width() < length) {
    SC_REPORT_WARNING(message_type,
                      fmt::format("address {:#x} takes {}{} bytes without streaming; length {}, "
                                  "streaming width {}{}",
                                  at, at == address::load_stationary ? "" : "multiples of ", beat,
                                  length, payload.get_streaming_width(),
                                  payload.get_data_ptr() == nullptr ? ", no data pointer" : "")
                          .c_str());
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (!elements_fit(payload)) {
    SC_REPORT_WARNING(message_type, "an element or a tag does not fit its format");
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

bool TensorArrayModule::elements_fit(const Payload& payload) const {
  const std::uint64_t at = payload.get_address();
  if (at == address::results) return true;
  if (const auto* extension = payload.get_extension<TileExtension>()) {
    const auto fits = [this](std::uint64_t tag) {
      return arch::to_bits(static_cast<std::int64_t>(tag), array_.tag_width) == tag;
    };
    if (!std::ranges::all_of(extension->tags, fits)) return false;
  }
  // In a beat, moving elements come before stationary ones.
  const std::size_t beat = beat_bytes(at) / sizeof(std::int32_t);
  const std::size_t moving =
      at == address::load_stationary
          ? 0
          : static_cast<std::size_t>(array_.rows) * static_cast<std::size_t>(array_.macs_per_pe);
  const auto elements = elements_of(payload);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const arch::IntFormat& format =
        i % beat < moving ? array_.moving_format : array_.stationary_format;
    if (!arch::representable(elements[i], format)) return false;
  }
  return true;
}

bool TensorArrayModule::can_execute(const Payload& payload) const {
  const std::uint64_t at = payload.get_address();
  if (at == address::load_stationary) return engine_.can_load();
  if (is_multiplication(at)) return engine_.can_multiply();
  return engine_.results().size() >= payload.get_data_length() / beat_bytes(at);
}

// Returns the time at which the command is complete.
sc_time TensorArrayModule::execute(Payload& payload, const sc_time& offered) {
  const TensorArrayEngine::Cycles cycles =
      payload.is_write() ? write(payload, cycle_from(offered)) : read(payload);
  if (auto* extension = payload.get_extension<TileExtension>()) {
    extension->beat_times.clear();
    for (const std::uint64_t cycle : cycles) extension->beat_times.push_back(end_of(cycle));
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  executed_.notify(sc_core::SC_ZERO_TIME);
  return std::max(offered, end_of(cycles.back()));
}

TensorArrayEngine::Cycles TensorArrayModule::write(Payload& payload, std::uint64_t offered) {
  const auto elements = elements_of(payload);
  if (payload.get_address() == address::load_stationary) return engine_.load(elements, offered);
  const auto* extension = payload.get_extension<TileExtension>();
  const bool last = extension == nullptr || extension->last;
  const auto tags =
      extension == nullptr ? std::span<const std::uint64_t>{} : std::span(extension->tags);
  if (payload.get_address() == address::step) return engine_.step(elements, tags, last, offered);
  return engine_.multiply(elements, tags, last, offered);
}

TensorArrayEngine::Cycles TensorArrayModule::read(Payload& payload) {
  const std::size_t bytes = beat_bytes(address::results);
  auto* extension = payload.get_extension<TileExtension>();
  if (extension != nullptr) {
    extension->result_tags.clear();
    extension->result_last.clear();
  }
  TensorArrayEngine::Cycles cycles;
  for (std::size_t at = 0; at < payload.get_data_length(); at += bytes) {
    const arch::ResultBeat result = engine_.take();
    std::memcpy(payload.get_data_ptr() + at, result.data.data(), bytes);
    cycles.push_back(result.cycle);
    if (extension != nullptr) {
      extension->result_tags.push_back(result.tag);
      extension->result_last.push_back(result.last);
    }
  }
  return cycles;
}

// The first clock cycle that starts at a time or later.
std::uint64_t TensorArrayModule::cycle_from(const sc_time& time) const {
  return (time.value() + period_.value() - 1) / period_.value();
}

sc_time TensorArrayModule::end_of(std::uint64_t cycle) const {
  return sc_time::from_value((cycle + 1) * period_.value());
}

// --- Loosely timed
// ---------------------------------------------------------------------------------

void TensorArrayModule::b_transport(Payload& payload, sc_time& delay) {
  payload.set_dmi_allowed(false);
  if (const auto status = check(payload); status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    return;
  }
  const sc_time offered = sc_core::sc_time_stamp() + delay;
  while (!can_execute(payload)) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    if (!can_execute(payload)) sc_core::wait(executed_);
  }
  const sc_time complete = execute(payload, offered);
  const sc_time& now = sc_core::sc_time_stamp();
  delay = complete > now ? complete - now : sc_core::SC_ZERO_TIME;
  execute_pending();  // it may have made a pending non-blocking command possible
}

// --- Approximately timed
// ---------------------------------------------------------------------------

tlm::tlm_sync_enum TensorArrayModule::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                      sc_time& delay) {
  return queue_forward(phases_, payload, phase, delay, message_type);
}

void TensorArrayModule::on_phase(Payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    begin_request(payload);
  } else if (phase == tlm::BEGIN_RESP) {  // complete now
    responses_.push_back(&payload);
    respond();
  } else {  // END_RESP
    responding_ = false;
    responses_.pop_front();
    payload.release();
    respond();
  }
}

void TensorArrayModule::begin_request(Payload& payload) {
  payload.set_dmi_allowed(false);
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, phase, delay);

  if (const auto status = check(payload); status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    phases_.notify(payload, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME);
    return;
  }
  const std::uint64_t at = payload.get_address();
  auto& queue = at == address::load_stationary ? loads_
                : is_multiplication(at)        ? multiplications_
                                               : reads_;
  queue.push_back({&payload, sc_core::sc_time_stamp()});
  execute_pending();
}

// Commands of a kind execute in order; one may make another possible.
void TensorArrayModule::execute_pending() {
  for (bool progress = true; progress;) {
    progress = false;
    for (std::deque<Request>* queue : {&loads_, &multiplications_, &reads_}) {
      if (queue->empty() || !can_execute(*queue->front().payload)) continue;
      const Request request = queue->front();
      queue->pop_front();
      const sc_time complete = execute(*request.payload, request.time);
      const sc_time& now = sc_core::sc_time_stamp();
      phases_.notify(*request.payload, tlm::BEGIN_RESP,
                     complete > now ? complete - now : sc_core::SC_ZERO_TIME);
      progress = true;
    }
  }
}

void TensorArrayModule::respond() {
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

// --- Debug
// -----------------------------------------------------------------------------------------

unsigned TensorArrayModule::transport_dbg(Payload& payload) {
  if (payload.get_command() != tlm::TLM_READ_COMMAND || payload.get_address() != address::results ||
      payload.get_data_ptr() == nullptr) {
    return 0;
  }
  const std::size_t bytes = beat_bytes(address::results);
  std::size_t copied = 0;
  for (const arch::ResultBeat& result : engine_.results()) {
    if (copied + bytes > payload.get_data_length()) break;
    std::memcpy(payload.get_data_ptr() + copied, result.data.data(), bytes);
    copied += bytes;
  }
  return static_cast<unsigned>(copied);
}

}  // namespace weft::models
