// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/network/link.h"
#include "rtl_gen/hdl/hdl.h"

// The modules of an endpoint, one function each. A module is called `link.name` and a suffix.
// Function and timing: docs/link.md.

namespace weft::rtl {

/// `name_crc`: the CRC of a whole frame, combinational.
hdl::Module& add_link_crc(hdl::Design& design, const arch::Link& link);

/// `name_framer`: when frames are composed; their CRC; and the way onto the lanes.
hdl::Module& add_link_framer(hdl::Design& design, const arch::Link& link, const hdl::Module& crc);

/// `name_deframer`: where frames begin and whether they are right.
hdl::Module& add_link_deframer(hdl::Design& design, const arch::Link& link, const hdl::Module& crc);

/// `name_replay`: the sender's sequence state and the flits not acknowledged.
hdl::Module& add_link_replay(hdl::Design& design, const arch::Link& link);

/// `name_order`: the receiver's sequence state.
hdl::Module& add_link_order(hdl::Design& design, const arch::Link& link);

/// `name_credit`: the sender's credits of one virtual channel.
hdl::Module& add_link_credit(hdl::Design& design, const arch::Link& link);

/// `name_buffer`: the receive buffer of one virtual channel, and the count of what has left it.
hdl::Module& add_link_buffer(hdl::Design& design, const arch::Link& link);

/// `name_init`: init frames; whether the link is up, or has to start again.
hdl::Module& add_link_init(hdl::Design& design, const arch::Link& link);

}  // namespace weft::rtl
