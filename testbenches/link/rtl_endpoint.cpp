// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/rtl_endpoint.h"

#include <cstring>

#include "systemc_models/link_bits.h"

namespace weft::verif {
namespace {

/// Positions of the ports in describe().
enum Input { in_valid, in_flit, out_ready, phit_in, in_vc };
enum Output { in_ready, out_valid, out_flit, phit_out, up, mismatch, restart, error, replay };

}  // namespace

RtlEndpoint::RtlEndpoint(const arch::Link& link, const std::shared_ptr<const DutLibrary>& library,
                         const DutDescription& description, std::int32_t seed)
    : link_(link),
      dut_(library, description, seed),
      in_fields_(beat_layout(description.inputs).fields),
      out_fields_(beat_layout(description.outputs).fields),
      in_(beat_layout(description.inputs).stride),
      out_(beat_layout(description.outputs).stride),
      flits_(static_cast<std::size_t>((link.virtual_channels * link.flit_width + 63) / 64)),
      outputs_(link) {}

const arch::LinkOutputs& RtlEndpoint::cycle(const arch::LinkInputs& inputs) {
  const auto put = [this](Input port, const auto* from) {
    std::memcpy(&in_[in_fields_[port].offset], from, in_fields_[port].bytes);
  };
  const auto number = [&put](Input port, std::uint64_t value) { put(port, &value); };
  number(in_valid, inputs.valid ? 1 : 0);
  put(in_flit, inputs.flit.data());
  number(out_ready, inputs.out_ready);
  put(phit_in, inputs.phit.data());
  if (link_.virtual_channels > 1) number(in_vc, static_cast<std::uint64_t>(inputs.vc));

  dut_.cycle(in_.data(), out_.data());
  if (observer_) observer_(in_.data(), out_.data());

  const auto get = [this](Output port, auto* to) {
    std::memcpy(to, &out_[out_fields_[port].offset], out_fields_[port].bytes);
  };
  const auto value = [&get](Output port) {
    std::uint64_t result = 0;
    get(port, &result);
    return result;
  };
  outputs_.in_ready = static_cast<std::uint32_t>(value(in_ready));
  outputs_.out_valid = static_cast<std::uint32_t>(value(out_valid));
  get(out_flit, flits_.data());
  const int words = (link_.flit_width + 63) / 64;
  for (int vc = 0; vc < link_.virtual_channels; ++vc) {
    models::copy_bits(outputs_.out_flit, vc * words * 64, flits_, vc * link_.flit_width,
                      link_.flit_width);
  }
  get(phit_out, outputs_.phit.data());
  outputs_.up = value(up) != 0;
  outputs_.mismatch = static_cast<std::uint32_t>(value(mismatch));
  outputs_.restart = value(restart) != 0;
  outputs_.error = value(error) != 0;
  outputs_.replay = value(replay) != 0;
  return outputs_;
}

}  // namespace weft::verif
