// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/link_rtl.h"

#include "arch/network/link_frame.h"
#include "rtl_gen/link/link.h"

namespace weft::verif {

LinkRtl emitted_rtl(const arch::Link& link) {
  LinkRtl rtl;
  rtl.top = link.name;
  for (const auto& [name, text] : rtl::build_link(link, {}).render()) {
    rtl.files.push_back({name, text});
  }
  return rtl;
}

LinkRtl emitted_rtl(const arch::Link& emitted, const arch::Link& link) {
  LinkRtl rtl = emitted_rtl(emitted);
  const auto set = [&rtl](const char* name, int value) {
    rtl.parameters[name] = std::to_string(value);
  };
  set("FLIT_WIDTH", link.flit_width);
  if (link.virtual_channels > 1) set("VIRTUAL_CHANNELS", link.virtual_channels);
  set("LANES", link.lanes);
  set("LANE_WIDTH", link.lane_width);
  set("REPLAY_DEPTH", link.replay_depth);
  set("SEQUENCE_WIDTH", link.sequence_width);
  set("BUFFER_DEPTH", link.buffer_depth);
  set("RETRY_TIMEOUT", link.retry_timeout);
  set("REALIGN_FRAMES", link.realign_frames);
  set("QUIET_FRAMES", link.quiet_frames);
  return rtl;
}

DutDescription describe(const arch::Link& link, const LinkRtl& rtl) {
  const arch::FrameLayout frame(link);
  const int channels = link.virtual_channels;
  DutDescription dut;
  dut.top = rtl.top;
  dut.files = rtl.files;
  dut.parameters = rtl.parameters;
  dut.inputs = {{"in_valid_i", 1, {}},
                {"in_flit_i", link.flit_width, {}},
                {"out_ready_i", channels, {}},
                {"phit_i", frame.phit_width, {}}};
  if (channels > 1) dut.inputs.push_back({"in_vc_i", frame.vc.width, {}});
  dut.outputs = {{"in_ready_o", channels, {}},
                 {"out_valid_o", channels, {}},
                 {"out_flit_o", channels * link.flit_width, {}},
                 {"phit_o", frame.phit_width, {}},
                 {"up_o", 1, {}},
                 {"mismatch_o", arch::init_words, {}},
                 {"restart_o", 1, {}},
                 {"error_o", 1, {}},
                 {"replay_o", 1, {}}};
  return dut;
}

}  // namespace weft::verif
