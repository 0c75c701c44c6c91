// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/rtl_module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "arch/timing/array_timing.h"
#include "testbenches/tensor_array/dut_ports.h"

namespace weft::verif {
namespace {

namespace address = models::tensor_array_address;
using sc_core::sc_time;

/// The most clock cycles that the RTL runs ahead at a time.
constexpr std::uint64_t quantum = 65536;

std::span<const std::int32_t> elements_of(const tlm::tlm_generic_payload& payload) {
  return {reinterpret_cast<const std::int32_t*>(payload.get_data_ptr()),
          payload.get_data_length() / sizeof(std::int32_t)};
}

}  // namespace

TensorArrayRtl::TensorArrayRtl(const sc_core::sc_module_name& name, const arch::TensorArray& array,
                               const DutDescription& dut, std::shared_ptr<const DutLibrary> library,
                               const sc_time& clock_period)
    : sc_module(name),
      socket("socket"),
      array_(array),
      period_(clock_period),
      dut_(std::move(library), dut),
      packer_(array, dut),
      groups_(static_cast<std::size_t>(lane_groups(dut.sinks[result_sink]))),
      settle_(static_cast<std::uint64_t>(arch::ArrayTiming(array).latency + array.rows) + 4) {
  const BeatLayout layout = beat_layout(dut.sinks[result_sink]);
  result_stride_ = layout.stride;
  result_fields_ = {layout.fields[tag_field].offset, layout.fields[last_field].offset};
  tag_bytes_ = layout.fields[tag_field].bytes;
  socket.register_b_transport(this, &TensorArrayRtl::b_transport);
  dut_.reset(2);
  SC_HAS_PROCESS(TensorArrayRtl);
  SC_THREAD(simulate);
}

std::uint64_t TensorArrayRtl::cycle_from(const sc_time& time) const {
  return (time.value() + period_.value() - 1) / period_.value();
}

sc_time TensorArrayRtl::end_of(std::uint64_t cycle) const {
  return sc_time::from_value((cycle + 1) * period_.value());
}

// --- Commands, in the initiators' threads

tlm::tlm_response_status TensorArrayRtl::check(const Payload& payload) const {
  const auto macs = static_cast<std::size_t>(array_.macs_per_pe);
  const std::size_t rows = static_cast<std::size_t>(array_.rows) * macs;
  const auto cols = static_cast<std::size_t>(array_.cols);
  const std::uint64_t at = payload.get_address();
  std::size_t bytes = 0;
  if (at == address::results) bytes = cols * sizeof(std::int64_t);
  if (array_.output_stationary()) {
    if (at == address::step) bytes = (rows + cols * macs) * sizeof(std::int32_t);
  } else {
    if (at == address::load_stationary) bytes = rows * cols * sizeof(std::int32_t);
    if (at == address::multiply_moving) bytes = rows * sizeof(std::int32_t);
  }
  if (bytes == 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (at == address::results ? !payload.is_read() : !payload.is_write()) {
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const std::size_t length = payload.get_data_length();
  if (payload.get_data_ptr() == nullptr || length == 0 || length % bytes != 0 ||
      payload.get_streaming_width() < length ||
      (at == address::load_stationary && length != bytes)) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

void TensorArrayRtl::b_transport(Payload& payload, sc_time& delay) {
  payload.set_dmi_allowed(false);
  payload.set_response_status(check(payload));
  if (payload.is_response_error()) return;
  sc_core::wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  payload.is_write() ? write(payload) : read(payload);
}

void TensorArrayRtl::carry_out(Stream& stream) {
  stream.waiting = true;
  work_.notify(sc_core::SC_ZERO_TIME);
  sc_core::wait(stream.done);
}

void TensorArrayRtl::write(Payload& payload) {
  Stream& stationary = streams_[stationary_source];
  Stream& moving = streams_[moving_source];
  auto* extension = payload.get_extension<models::TileExtension>();
  const auto elements = elements_of(payload);
  Stream& own = payload.get_address() == address::load_stationary ? stationary : moving;
  own.owner.lock();
  own.beats = {};
  if (&own == &stationary) {
    packer_.append_load(elements, own.beats);
  } else {
    const auto tags = extension != nullptr ? std::span<const std::uint64_t>(extension->tags)
                                           : std::span<const std::uint64_t>();
    const bool last = extension == nullptr || extension->last;
    if (payload.get_address() == address::multiply_moving) {
      packer_.append_moving(elements, tags, last, own.beats);
    } else {
      const auto macs = static_cast<std::size_t>(array_.macs_per_pe);
      const auto m = static_cast<std::size_t>(array_.rows) * macs;
      const auto s = static_cast<std::size_t>(array_.cols) * macs;
      std::vector<std::int32_t> vectors;
      stationary.beats = {};
      for (std::size_t at = 0; at < elements.size(); at += m + s) {
        const auto vector = elements.subspan(at, m);
        vectors.insert(vectors.end(), vector.begin(), vector.end());
        packer_.append_steps(elements.subspan(at + m, s), stationary.beats);
      }
      packer_.append_moving(vectors, tags, last, own.beats);
      stationary.waiting = true;  // the two streams of a step move together
    }
  }
  carry_out(own);
  if (extension != nullptr) {
    extension->beat_times.clear();
    for (const std::uint64_t cycle : own.accepted) extension->beat_times.push_back(end_of(cycle));
  }
  own.owner.unlock();
}

void TensorArrayRtl::read(Payload& payload) {
  const auto cols = static_cast<std::size_t>(array_.cols);
  const std::size_t count = payload.get_data_length() / (cols * sizeof(std::int64_t));
  auto* extension = payload.get_extension<models::TileExtension>();
  reader_.lock();
  wanted_results_ = count;
  work_.notify(sc_core::SC_ZERO_TIME);
  while (results_.size() < count) sc_core::wait(result_event_);
  wanted_results_ = 0;
  if (extension != nullptr) {
    extension->beat_times.clear();
    extension->result_tags.clear();
    extension->result_last.clear();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const arch::ResultBeat result = std::move(results_.front());
    results_.pop_front();
    std::memcpy(payload.get_data_ptr() + i * cols * sizeof(std::int64_t), result.data.data(),
                cols * sizeof(std::int64_t));
    if (extension == nullptr) continue;
    extension->beat_times.push_back(end_of(result.cycle));
    extension->result_tags.push_back(result.tag);
    extension->result_last.push_back(result.last);
  }
  reader_.unlock();
}

// --- The RTL, in a thread of its own

/// Nothing can come out of the RTL any more until somebody gives it something.
bool TensorArrayRtl::idle() const {
  const auto unused = [](const Stream& stream) { return !stream.waiting && !stream.active; };
  return std::all_of(streams_.begin(), streams_.end(), unused) &&
         (wanted_results_ <= results_.size() || dut_.now() >= busy_until_);
}

/// Lets every other process act at the current time.
void TensorArrayRtl::wait_for_others() {
  do {
    wait(sc_core::SC_ZERO_TIME);
  } while (sc_core::sc_pending_activity_at_current_time());
}

/// The clock cycle up to which nothing outside can happen.
std::uint64_t TensorArrayRtl::horizon() const {
  if (!sc_core::sc_pending_activity_at_future_time()) return dut_.now() + quantum;
  const std::uint64_t next =
      cycle_from(sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity());
  return std::min(next, dut_.now() + quantum);
}

void TensorArrayRtl::start_streams() {
  for (const std::size_t source : {stationary_source, moving_source}) {
    Stream& stream = streams_[source];
    if (!stream.waiting) continue;
    dut_.refill(source, stream.beats, true);
    stream.waiting = false;
    stream.active = true;
  }
}

void TensorArrayRtl::finish_streams() {
  for (const std::size_t source : {stationary_source, moving_source}) {
    Stream& stream = streams_[source];
    if (!stream.active || !dut_.dry(source)) continue;
    const auto accepted = dut_.accepted(source);
    stream.accepted.assign(accepted.begin(), accepted.end());
    stream.active = false;
    stream.done.notify(sc_core::SC_ZERO_TIME);
    busy_until_ = dut_.now() + settle_;
  }
}

void TensorArrayRtl::collect_results() {
  const SinkLog& log = dut_.sink(result_sink);
  for (std::size_t beat = 0; beat < log.count; ++beat) {
    const std::uint8_t* packed = log.beats.data() + beat * result_stride_;
    arch::ResultBeat result;
    result.cycle = log.cycles[beat * groups_];
    std::memcpy(&result.tag, packed + result_fields_[0], tag_bytes_);
    result.last = packed[result_fields_[1]] != 0;
    result.data.resize(static_cast<std::size_t>(array_.cols));
    unpack_elements(packed, array_.accumulator_width, array_.accumulator_signed(), result.data);
    results_.push_back(std::move(result));
  }
  dut_.clear_sink(result_sink);
  if (wanted_results_ > 0 && results_.size() >= wanted_results_) {
    result_event_.notify(sc_core::SC_ZERO_TIME);
  }
}

void TensorArrayRtl::simulate() {
  for (;;) {
    wait_for_others();
    if (idle()) {
      wait(work_);
      continue;
    }
    // Catch up with the time that went by without anything to do.
    const std::uint64_t now = cycle_from(sc_core::sc_time_stamp());
    while (dut_.now() < now) dut_.run(std::min(quantum, now - dut_.now()));
    collect_results();
    start_streams();
    if (idle()) continue;
    dut_.stop_at(result_sink,
                 wanted_results_ > results_.size() ? wanted_results_ - results_.size() : 0);
    const std::uint64_t end = horizon();
    if (end > dut_.now()) dut_.run(end - dut_.now());

    const sc_time reached = sc_time::from_value(dut_.now() * period_.value());
    if (reached > sc_core::sc_time_stamp()) {
      wait(reached - sc_core::sc_time_stamp());
    } else {
      wait(sc_core::sc_time_to_pending_activity());
    }
    finish_streams();
    collect_results();
  }
}

}  // namespace weft::verif
