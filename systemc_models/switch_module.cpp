// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/switch_module.h"

namespace weft::models {
namespace {

constexpr const char* message_type = "/weft/switch";

}  // namespace

SwitchModule::SwitchModule(const sc_core::sc_module_name& name, const arch::Switch& design,
                           const sc_core::sc_time& clock_period, arch::Position position)
    : sc_module(name),
      in("in", static_cast<std::size_t>(design.ports)),
      out("out", static_cast<std::size_t>(design.ports)),
      design_(design),
      period_(clock_period),
      in_ports_("in_port"),
      out_ports_("out_port") {
  if (period_ == sc_core::SC_ZERO_TIME) SC_REPORT_FATAL(message_type, "the clock period is zero");
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
    SC_REPORT_FATAL(message_type, "the time resolution must be 1 ps");
  }
  in_ports_.init(in.size(), [&](const char* port, std::size_t i) {
    return new SwitchInPort(port, design_, static_cast<int>(i), position,
                            [this] { packet_offered(); });
  });
  out_ports_.init(out.size(), [&](const char* port, std::size_t o) {
    return new SwitchOutPort(port, [this, o](int vc) { packet_taken(static_cast<int>(o), vc); });
  });
  for (std::size_t p = 0; p < in.size(); ++p) {
    in[p].bind(in_ports_[p].socket);
    out_ports_[p].socket.bind(out[p]);
  }
}

}  // namespace weft::models
