// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm.h>

#include <systemc>
#include <vector>

namespace weft::models {

/// What a packet on a switch's sockets can carry beyond the generic payload. The payload itself is
/// a plain write: its data are the packet's flits, one after the other, each in ceil(flit_width /
/// 8) bytes, least significant first; the header in the first says where it goes; the address means
/// nothing. Ignorable: without it the packet travels in VC 0, and nobody is told times.
struct SwitchPacketExtension : tlm::tlm_extension<SwitchPacketExtension> {
  int vc = 0;  ///< virtual channel on this link; it says the class of traffic, too

  // From the switch. A flit that moves in a clock cycle has its time at the end of that cycle.
  sc_core::sc_time head;  ///< when the first flit moved over this link
  sc_core::sc_time tail;  ///< when the last one did

  /// The data of a packet that leaves a switch.
  std::vector<unsigned char> data;

  [[nodiscard]] tlm::tlm_extension_base* clone() const override {
    return new SwitchPacketExtension(*this);
  }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const SwitchPacketExtension&>(other);
  }
};

}  // namespace weft::models
