// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/rtl_switch.h"

#include <algorithm>
#include <cstring>

#include "arch/network/header.h"

namespace weft::verif {
namespace {

/// Names and widths of the ports in the order in which they are packed.
struct Ports {
  std::vector<PayloadPort> inputs;
  std::vector<PayloadPort> outputs;
};

int vc_width(const arch::Switch& design) {
  return std::max(1, arch::index_width(design.virtual_channels));
}

Ports ports_of(const arch::Switch& design) {
  const int ports = design.ports;
  const bool credit = design.flow_control == arch::FlowControl::credit;
  const int queues = arch::PinLayout(design).queues;
  Ports result;
  result.inputs = {{"in_valid_i", ports, {}},
                   {"in_head_i", ports, {}},
                   {"in_tail_i", ports, {}},
                   {"in_flit_i", ports * design.flit_width, {}},
                   {credit ? "out_credit_i" : "out_ready_i",
                    credit ? ports * design.virtual_channels : ports,
                    {}}};
  result.outputs = {{"out_valid_o", ports, {}},
                    {"out_head_o", ports, {}},
                    {"out_tail_o", ports, {}},
                    {"out_flit_o", ports * design.flit_width, {}},
                    {credit ? "in_credit_o" : "in_ready_o", ports * queues, {}}};
  if (design.virtual_channels > 1) {
    result.inputs.push_back({"in_vc_i", ports * vc_width(design), {}});
    result.outputs.push_back({"out_vc_o", ports * vc_width(design), {}});
  }
  if (design.mesh()) {
    const arch::MeshWidths widths(design);
    result.inputs.push_back({"x_i", std::max(1, widths.x), {}});
    result.inputs.push_back({"y_i", std::max(1, widths.y), {}});
  }
  return result;
}

// Indices into the lists above; the last ones need not be there.
enum Field : std::size_t { valid, head, tail, flit, queue, vc };

/// Vectors of equally wide elements, packed without gaps, as Verilog's flat vectors are.
void put(std::uint8_t* vector, std::size_t bit, int width, std::uint64_t value) {
  while (width > 0) {
    const auto shift = static_cast<int>(bit % 8);
    const int bits = std::min(8 - shift, width);
    std::uint8_t& byte = vector[bit / 8];
    const auto mask = static_cast<std::uint8_t>(((1U << bits) - 1) << shift);
    byte = static_cast<std::uint8_t>((byte & ~mask) | (value << shift & mask));
    value >>= bits;
    bit += static_cast<std::size_t>(bits);
    width -= bits;
  }
}

std::uint64_t get(const std::uint8_t* vector, std::size_t bit, int width) {
  std::uint64_t value = 0;
  for (int done = 0; done < width;) {
    const auto shift = static_cast<int>(bit % 8);
    const int bits = std::min(8 - shift, width - done);
    const std::uint64_t part = vector[bit / 8] >> shift & ((1U << bits) - 1);
    value |= part << done;
    done += bits;
    bit += static_cast<std::size_t>(bits);
  }
  return value;
}

/// The same for elements of several 64-bit words; whole bytes are copied.
void put_words(std::uint8_t* vector, std::size_t bit, int width, const std::uint64_t* words) {
  if (bit % 8 == 0 && width % 8 == 0) {
    std::memcpy(vector + bit / 8, words, static_cast<std::size_t>(width) / 8);
    return;
  }
  for (; width > 0; width -= 64, bit += 64) put(vector, bit, std::min(width, 64), *words++);
}

void get_words(const std::uint8_t* vector, std::size_t bit, int width, std::uint64_t* words) {
  if (bit % 8 == 0 && width % 8 == 0) {
    std::memcpy(words, vector + bit / 8, static_cast<std::size_t>(width) / 8);
    return;
  }
  for (; width > 0; width -= 64, bit += 64) *words++ = get(vector, bit, std::min(width, 64));
}

void put_flags(std::uint8_t* vector, const std::vector<std::uint8_t>& flags) {
  for (std::size_t first = 0; first < flags.size(); first += 8) {
    unsigned byte = 0;
    const std::size_t count = std::min<std::size_t>(8, flags.size() - first);
    for (std::size_t i = 0; i < count; ++i) byte |= (flags[first + i] & 1U) << i;
    vector[first / 8] = static_cast<std::uint8_t>(byte);
  }
}

void get_flags(const std::uint8_t* vector, std::vector<std::uint8_t>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = vector[i / 8] >> (i % 8) & 1U;
}

}  // namespace

DutDescription describe_switch(const arch::Switch& design, const SwitchRtl& rtl) {
  const Ports ports = ports_of(design);
  DutDescription dut;
  dut.top = rtl.top;
  dut.files = rtl.files;
  dut.parameters = rtl.parameters;
  dut.inputs = ports.inputs;
  dut.outputs = ports.outputs;
  return dut;
}

RtlSwitch::RtlSwitch(const arch::Switch& design, const DutDescription& description,
                     const std::shared_ptr<const DutLibrary>& library, std::uint64_t seed)
    : layout_(design),
      flit_width_(design.flit_width),
      vc_width_(vc_width(design)),
      mesh_(design.mesh()),
      // Verilator takes seeds of 31 bits, other than 0.
      dut_(library, description, static_cast<std::int32_t>(seed % 0x7FFFFFFE + 1)),
      input_layout_(beat_layout(description.inputs)),
      output_layout_(beat_layout(description.outputs)),
      in_(input_layout_.stride / 8),
      out_(output_layout_.stride / 8),
      outputs_(layout_) {}

void RtlSwitch::reset() {
  dut_.reset(reset_length_, reset_noise_);
  std::fill(in_.begin(), in_.end(), 0);
}

void RtlSwitch::set_position(int x, int y) {
  x_ = x;
  y_ = y;
}

const arch::SwitchOutputs& RtlSwitch::cycle(const arch::SwitchInputs& inputs) {
  auto* in = reinterpret_cast<std::uint8_t*>(in_.data());
  const auto input = [&](std::size_t field) { return in + input_layout_.fields[field].offset; };
  const bool several_vcs = layout_.virtual_channels > 1;
  put_flags(input(valid), inputs.valid);
  put_flags(input(head), inputs.head);
  put_flags(input(tail), inputs.tail);
  put_flags(input(queue), inputs.accept);
  const auto words = static_cast<std::size_t>(layout_.flit_words);
  for (std::size_t p = 0; p < inputs.valid.size(); ++p) {
    put_words(input(flit), p * static_cast<std::size_t>(flit_width_), flit_width_,
              &inputs.flit[p * words]);
    if (several_vcs) {
      put(input(vc), p * static_cast<std::size_t>(vc_width_), vc_width_, inputs.vc[p]);
    }
  }
  if (mesh_) {
    const std::size_t first = several_vcs ? vc + 1 : vc;
    put(input(first), 0, 8 * static_cast<int>(input_layout_.fields[first].bytes),
        static_cast<std::uint64_t>(x_));
    put(input(first + 1), 0, 8 * static_cast<int>(input_layout_.fields[first + 1].bytes),
        static_cast<std::uint64_t>(y_));
  }

  dut_.cycle(in, reinterpret_cast<std::uint8_t*>(out_.data()));

  const auto* out = reinterpret_cast<const std::uint8_t*>(out_.data());
  if (observer_) observer_(in, out);
  const auto output = [&](std::size_t field) { return out + output_layout_.fields[field].offset; };
  get_flags(output(valid), outputs_.valid);
  get_flags(output(head), outputs_.head);
  get_flags(output(tail), outputs_.tail);
  for (std::size_t p = 0; p < outputs_.valid.size(); ++p) {
    get_words(output(queue), p * static_cast<std::size_t>(layout_.queues), layout_.queues,
              &outputs_.queue[p * static_cast<std::size_t>(layout_.queue_words)]);
    if (outputs_.valid[p] == 0) continue;
    get_words(output(flit), p * static_cast<std::size_t>(flit_width_), flit_width_,
              &outputs_.flit[p * words]);
    if (several_vcs) {
      outputs_.vc[p] = static_cast<std::uint8_t>(
          get(output(vc), p * static_cast<std::size_t>(vc_width_), vc_width_));
    }
  }
  return outputs_;
}

}  // namespace weft::verif
