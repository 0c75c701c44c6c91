// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/tensor_array_client.h"

#include <fmt/format.h>

namespace weft::models {

namespace address = tensor_array_address;

TensorArrayClient::TensorArrayClient(tlm::tlm_initiator_socket<>& socket,
                                     const arch::TensorArray& array)
    : socket_(socket),
      rows_(static_cast<std::size_t>(array.rows)),
      cols_(static_cast<std::size_t>(array.cols)),
      macs_(static_cast<std::size_t>(array.macs_per_pe)) {
  keeper_.reset();
}

void TensorArrayClient::load_stationary(std::span<const std::int32_t> stationary) {
  write(address::load_stationary, stationary, {}, false);
}

void TensorArrayClient::multiply_moving(std::span<const std::int32_t> moving,
                                        std::span<const std::uint64_t> tags, bool last) {
  write(address::multiply_moving, moving, tags, last);
}

void TensorArrayClient::step(std::span<const std::int32_t> stationary,
                             std::span<const std::int32_t> moving,
                             std::span<const std::uint64_t> tags, bool last) {
  const std::size_t moving_size = rows_ * macs_;
  const std::size_t stationary_size = cols_ * macs_;
  std::vector<std::int32_t> beats;
  beats.reserve(stationary.size() + moving.size());
  for (std::size_t i = 0; i < moving.size() / moving_size; ++i) {
    const auto m = moving.subspan(i * moving_size, moving_size);
    const auto s = stationary.subspan(i * stationary_size, stationary_size);
    beats.insert(beats.end(), m.begin(), m.end());
    beats.insert(beats.end(), s.begin(), s.end());
  }
  write(address::step, beats, tags, last);
}

TimedResults TensorArrayClient::read_results(std::size_t count) {
  TimedResults results;
  results.data.resize(count * cols_);
  transport(tlm::TLM_READ_COMMAND, address::results,
            reinterpret_cast<unsigned char*>(results.data.data()),
            results.data.size() * sizeof(std::int64_t));
  results.tags = extension_.result_tags;
  results.last = extension_.result_last;
  results.times = extension_.beat_times;
  return results;
}

void TensorArrayClient::write(std::uint64_t at, std::span<const std::int32_t> elements,
                              std::span<const std::uint64_t> tags, bool last) {
  extension_.tags.assign(tags.begin(), tags.end());
  extension_.last = last;
  // A target does not write to the data of a write command.
  auto* data = reinterpret_cast<unsigned char*>(const_cast<std::int32_t*>(elements.data()));
  transport(tlm::TLM_WRITE_COMMAND, at, data, elements.size_bytes());
}

void TensorArrayClient::transport(tlm::tlm_command command, std::uint64_t at, unsigned char* data,
                                  std::size_t length) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(at);
  payload.set_data_ptr(data);
  payload.set_data_length(static_cast<unsigned>(length));
  payload.set_streaming_width(static_cast<unsigned>(length));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload.set_extension(&extension_);

  sc_core::sc_time delay = keeper_.get_local_time();
  socket_->b_transport(payload, delay);
  payload.clear_extension(&extension_);
  if (payload.is_response_error()) {
    SC_REPORT_ERROR(
        "/weft/tensor_array/client",
        fmt::format("{} at {:#x}: {}", command == tlm::TLM_READ_COMMAND ? "read" : "write", at,
                    payload.get_response_string())
            .c_str());
  }
  keeper_.set(delay);
  if (keeper_.need_sync()) keeper_.sync();
}

}  // namespace weft::models
