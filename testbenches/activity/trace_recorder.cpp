// SPDX-License-Identifier: Apache-2.0
#include "testbenches/activity/trace_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace weft::verif {
namespace {

void append_names(const std::vector<PayloadPort>& ports, std::vector<std::string>& names) {
  for (const PayloadPort& port : ports) {
    if (port.width == 1) names.push_back(port.port);
    for (int bit = 0; port.width > 1 && bit < port.width; ++bit)
      names.push_back(fmt::format("{}[{}]", port.port, bit));
  }
}

/// Puts the bits of all fields one behind the other into the last row of `words`, from bit `at` on.
void append_bits(const BeatLayout& layout, const std::uint8_t* beat, std::uint64_t* row,
                 std::size_t at) {
  for (const FieldLayout& field : layout.fields) {
    for (int done = 0; done < field.width; done += 8) {
      const int bits = std::min(8, field.width - done);
      const std::uint64_t byte =
          beat[field.offset + static_cast<std::size_t>(done) / 8] & ((1U << bits) - 1);
      row[at / 64] |= byte << (at % 64);
      if (at % 64 + static_cast<std::size_t>(bits) > 64) row[at / 64 + 1] |= byte >> (64 - at % 64);
      at += static_cast<std::size_t>(bits);
    }
  }
}

}  // namespace

TraceRecorder::TraceRecorder(const DutDescription& dut)
    : inputs_(beat_layout(dut.inputs)),
      outputs_(beat_layout(dut.outputs)),
      no_input_(inputs_.stride),
      no_output_(outputs_.stride) {
  trace_.inputs.push_back(dut.reset);
  append_names(dut.inputs, trace_.inputs);
  append_names(dut.outputs, trace_.outputs);
}

void TraceRecorder::record(bool reset, const std::uint8_t* in, const std::uint8_t* out) {
  ++trace_.cycles;
  trace_.input_words.resize(trace_.cycles * trace_.input_stride());
  trace_.output_words.resize(trace_.cycles * trace_.output_stride());
  std::uint64_t* const row =
      trace_.input_words.data() + (trace_.cycles - 1) * trace_.input_stride();
  row[0] = reset ? 0 : 1;
  append_bits(inputs_, in, row, 1);
  append_bits(outputs_, out,
              trace_.output_words.data() + (trace_.cycles - 1) * trace_.output_stride(), 0);
}

void TraceRecorder::record_reset(std::size_t cycles) {
  for (std::size_t i = 0; i < cycles; ++i) record(true, no_input_.data(), no_output_.data());
  trace_.lead_cycles = trace_.cycles;
}

synth::PortTrace TraceRecorder::take() {
  synth::PortTrace empty;
  empty.inputs = trace_.inputs;
  empty.outputs = trace_.outputs;
  return std::exchange(trace_, std::move(empty));
}

DutDescription with_plain_pins(const DutDescription& streams) {
  DutDescription pins = streams;
  pins.sources.clear();
  pins.sinks.clear();
  const auto add = [](std::vector<PayloadPort>& ports, std::string name, std::size_t width) {
    ports.push_back({std::move(name), static_cast<int>(width), {}});
  };
  const auto add_payload = [&](std::vector<PayloadPort>& ports, const StreamPorts& stream) {
    add(ports, stream.valid, std::max<std::size_t>(1, stream.valid_delays.size()));
    for (const PayloadPort& port : stream.payload)
      add(ports, port.port, static_cast<std::size_t>(port.width));
  };
  for (const StreamPorts& source : streams.sources) add_payload(pins.inputs, source);
  for (const StreamPorts& sink : streams.sinks) add(pins.inputs, sink.ready, 1);
  for (const StreamPorts& source : streams.sources) add(pins.outputs, source.ready, 1);
  for (const StreamPorts& sink : streams.sinks) add_payload(pins.outputs, sink);
  if (!streams.advance.empty()) add(pins.outputs, streams.advance, 1);
  pins.advance.clear();
  return pins;
}

}  // namespace weft::verif
