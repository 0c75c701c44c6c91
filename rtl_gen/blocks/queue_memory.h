// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// `<prefix>_queue_memory`: several queues in one memory with one write and one read port.
///
/// Parameters QUEUES, DEPTH (words of each queue), WIDTH, FLAGS >= 1. Ports: clk_i, rst_ni;
/// write_i[QUEUES], one-hot or 0: the queue that data_i[WIDTH] and flags_i[FLAGS] are put into;
/// read_i[QUEUES], one-hot or 0: the queue whose head leaves; data_o[WIDTH]: its word, in the same
/// cycle; 0 or anything without a read. nonempty_o[QUEUES], full_o[QUEUES] and
/// flags_o[QUEUES*FLAGS], the flags of each queue's head (anything if it is empty), are seen of all
/// queues in every cycle. A word written in cycle t can be read from t + 1 on. A full queue must
/// not be written, an empty one not be read.
const hdl::Module& add_queue_memory(hdl::Design& design, const std::string& prefix);

}  // namespace weft::rtl
