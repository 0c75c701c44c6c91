// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/link_module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "arch/network/link_frame.h"

namespace weft::models {
namespace {

using sc_core::sc_time;

constexpr const char* message_type = "/weft/link";

std::size_t bytes_for(int bits) { return static_cast<std::size_t>((bits + 7) / 8); }

}  // namespace

LinkModule::LinkModule(const sc_core::sc_module_name& name, const arch::Link& link,
                       const sc_time& clock_period)
    : sc_module(name),
      user("user"),
      wire_in("wire_in"),
      wire_out("wire_out"),
      link_(link),
      period_(clock_period),
      flit_bytes_(bytes_for(link.flit_width)),
      endpoint_(link),
      inputs_(link),
      writes_(static_cast<std::size_t>(link.virtual_channels)),
      reads_(static_cast<std::size_t>(link.virtual_channels)),
      phit_bytes_(bytes_for(arch::FrameLayout(link).phit_width)) {
  if (period_ == sc_core::SC_ZERO_TIME) SC_REPORT_FATAL(message_type, "the clock period is zero");
  user.register_b_transport(this, &LinkModule::transport_user);
  wire_in.register_b_transport(this, &LinkModule::transport_wire);
  SC_HAS_PROCESS(LinkModule);
  SC_METHOD(run_cycle);
  dont_initialize();
  first_cycle_ends_.notify(period_);
  sensitive << first_cycle_ends_;
}

// --- What is asked

tlm::tlm_response_status LinkModule::check(const Payload& payload) const {
  if (payload.get_address() >= static_cast<std::uint64_t>(link_.virtual_channels)) {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (payload.is_read() == payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_ptr() == nullptr || payload.get_data_length() != flit_bytes_ ||
      payload.get_streaming_width() < flit_bytes_) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const int used = link_.flit_width % 8;
  const bool whole = used == 0 || (payload.get_data_ptr()[flit_bytes_ - 1] >> used) == 0;
  return payload.is_read() || whole ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

std::uint64_t LinkModule::cycle_from(const sc_time& time) const {
  return (time.value() + period_.value() - 1) / period_.value();
}

void LinkModule::transport_user(Payload& payload, sc_time& delay) {
  const tlm::tlm_response_status status = check(payload);
  if (status == tlm::TLM_OK_RESPONSE) {
    sc_core::sc_event done;
    Requests& requests = payload.is_write() ? writes_ : reads_;
    requests[payload.get_address()].push_back(
        {&payload, cycle_from(sc_core::sc_time_stamp() + delay), &done});
    wait(done);
    delay = sc_core::SC_ZERO_TIME;
  }
  payload.set_response_status(status);
}

void LinkModule::transport_wire(Payload& payload, sc_time& delay) {
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  if (payload.get_address() != 0) {
    status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  } else if (!payload.is_write()) {
    status = tlm::TLM_COMMAND_ERROR_RESPONSE;
  } else if (payload.get_byte_enable_ptr() != nullptr) {
    status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  } else if (payload.get_data_ptr() == nullptr || payload.get_data_length() != phit_bytes_.size()) {
    status = tlm::TLM_BURST_ERROR_RESPONSE;
  } else {
    std::vector<std::uint64_t> phit(inputs_.phit.size());
    std::memcpy(phit.data(), payload.get_data_ptr(), phit_bytes_.size());
    phits_[cycle_from(sc_core::sc_time_stamp() + delay)] = std::move(phit);
  }
  payload.set_response_status(status);
}

// --- A cycle

/// Called at the end of cycle `now_`.
void LinkModule::run_cycle() {
  offer_flit();
  inputs_.out_ready = 0;
  for (int vc = 0; vc < link_.virtual_channels; ++vc) {
    if (waiting(reads_, vc)) inputs_.out_ready |= std::uint32_t{1} << vc;
  }
  std::fill(inputs_.phit.begin(), inputs_.phit.end(), 0);
  if (!phits_.empty() && phits_.begin()->first <= now_) {
    inputs_.phit = std::move(phits_.begin()->second);
    phits_.erase(phits_.begin());
  }
  const arch::LinkOutputs& outputs = endpoint_.cycle(inputs_);
  up_ = outputs.up;
  finish_requests(outputs);
  send_phit(outputs);
  ++now_;
  next_trigger(period_);
}

bool LinkModule::waiting(const Requests& requests, int vc) const {
  const auto& queue = requests[static_cast<std::size_t>(vc)];
  return !queue.empty() && queue.front().cycle <= now_;
}

void LinkModule::offer_flit() {
  inputs_.valid = false;
  for (int k = 0; k < link_.virtual_channels && !inputs_.valid; ++k) {
    const int vc = (turn_ + k) % link_.virtual_channels;
    if (!waiting(writes_, vc)) continue;
    inputs_.valid = true;
    inputs_.vc = vc;
    const Payload& payload = *writes_[static_cast<std::size_t>(vc)].front().payload;
    std::fill(inputs_.flit.begin(), inputs_.flit.end(), 0);
    std::memcpy(inputs_.flit.data(), payload.get_data_ptr(), flit_bytes_);
    turn_ = (vc + 1) % link_.virtual_channels;
  }
}

void LinkModule::finish(std::deque<Request>& requests) {
  requests.front().done->notify();
  requests.pop_front();
}

void LinkModule::finish_requests(const arch::LinkOutputs& outputs) {
  if (inputs_.valid && ((outputs.in_ready >> inputs_.vc) & 1) != 0) {
    finish(writes_[static_cast<std::size_t>(inputs_.vc)]);
  }
  const std::size_t words = inputs_.flit.size();
  for (int vc = 0; vc < link_.virtual_channels; ++vc) {
    if ((outputs.out_valid & inputs_.out_ready & (std::uint32_t{1} << vc)) == 0) continue;
    auto& queue = reads_[static_cast<std::size_t>(vc)];
    std::memcpy(queue.front().payload->get_data_ptr(),
                &outputs.out_flit[static_cast<std::size_t>(vc) * words], flit_bytes_);
    finish(queue);
  }
}

void LinkModule::send_phit(const arch::LinkOutputs& outputs) {
  std::memcpy(phit_bytes_.data(), outputs.phit.data(), phit_bytes_.size());
  Payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(0);
  payload.set_data_ptr(phit_bytes_.data());
  payload.set_data_length(static_cast<unsigned>(phit_bytes_.size()));
  payload.set_streaming_width(static_cast<unsigned>(phit_bytes_.size()));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_time delay = sc_core::SC_ZERO_TIME;
  wire_out->b_transport(payload, delay);
  if (!payload.is_response_ok()) {
    SC_REPORT_ERROR(message_type, ("the wire answered " + payload.get_response_string()).c_str());
  }
}

}  // namespace weft::models
