// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rtl_gen/hdl/hdl.h"

namespace weft::rtl {

/// What a queue memory is made of.
struct QueueMemoryKind {
  /// The word that leaves is seen in the cycle after read_i, so that choosing the queue and reading
  /// it are two steps; its place must not be written anew before that cycle.
  bool late = false;
  /// Each word has a clock of its own instead of an enable for each bit. write_i and what it is
  /// made of must come from registers of clk_i, and be stable before the clock falls.
  bool gated_clocks = false;
  /// A head is taken before it is read: take_i brings the flags of the next one to the head, read_i
  /// follows in the same or a later cycle, in the order of take_i in its queue.
  bool ahead = false;
};

/// `<prefix>_queue_memory`: several queues in one memory with one write and one read port. A design
/// has one kind under a prefix.
///
/// Parameters QUEUES, DEPTH (words of each queue), WIDTH, FLAGS >= 1. Ports: clk_i, rst_ni;
/// write_i[QUEUES], one-hot or 0: the queue that data_i[WIDTH] and flags_i[FLAGS] are put into;
/// take_i[QUEUES] (ahead; else it is read_i): the queues whose heads are taken;
/// read_i[QUEUES], one-hot or 0: the queue whose head leaves; data_o[WIDTH]: its word, in the same
/// cycle (late: in the next); 0 or anything without a read. nonempty_o[QUEUES], full_o[QUEUES] and
/// flags_o[QUEUES*FLAGS], the flags of each queue's head (anything if it is empty), are seen of all
/// queues in every cycle. A word written in cycle t can be read from t + 1 on. A full queue must
/// not be written, an empty one not be read.
const hdl::Module& add_queue_memory(hdl::Design& design, const std::string& prefix,
                                    QueueMemoryKind kind = {});

}  // namespace weft::rtl
