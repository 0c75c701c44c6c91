// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// What the words of a queue memory are kept in.
enum class QueueStorage {
  registers,  ///< smaller and faster for some tens of words, if there is no RAM
  memory,     ///< what synthesis may map to a RAM; simulates in constant time
};

/// `<prefix>_queue_registers` or `<prefix>_queue_memory`: several queues behind one write and one
/// read port.
///
/// Parameters QUEUES, DEPTH (words of each queue), WIDTH, FLAGS >= 1. Ports: clk_i, rst_ni;
/// write_i[QUEUES], one-hot or 0: the queue that data_i[WIDTH] and flags_i[FLAGS] are put into;
/// read_i[QUEUES], one-hot or 0: the queue whose head leaves; data_o[WIDTH]: its word, in the same
/// cycle; 0 or anything without a read. nonempty_o[QUEUES], full_o[QUEUES] and
/// flags_o[QUEUES*FLAGS], the flags of each queue's head (anything if it is empty), are seen of all
/// queues in every cycle. A word written in cycle t can be read from t + 1 on. A full queue must
/// not be written, an empty one not be read.
const hdl::Module& add_queue_memory(hdl::Design& design, const std::string& prefix,
                                    QueueStorage storage = QueueStorage::memory);

}  // namespace weft::rtl
