// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/queue_memory.h"

#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

const Module& add_queue_memory(Design& design, const std::string& prefix) {
  const Module& crossbar = add_crossbar(design, prefix);
  return module_once(
      design, prefix + "_queue_memory",
      {.summary = "several queues in one memory.",
       .description =
           "Each queue is a ring of DEPTH words with a write and a read pointer of its own; the "
           "memory has one write and one read port. The flags of all words are kept beside it, so "
           "that those of each queue's head are seen at once.",
       .diagram = "  data_i -->  memory of QUEUES * DEPTH words  --> data_o\n"
                  "                 ^ write_q      ^ read_q, a pair of each queue",
       .latency = "a word written in cycle t can be read from cycle t + 1 on; reading is "
                  "combinational."},
      [&](Module& m) {
        const Expr queues = m.parameter("QUEUES", 2, ">= 1");
        const Expr depth = m.parameter("DEPTH", 4, "words of a queue, >= 1");
        const Expr width = m.parameter("WIDTH", 8, "bits of a word, >= 1");
        const Expr flags =
            m.parameter("FLAGS", 1, "bits of a word that are seen at the head, >= 1");
        const Expr clk = m.input("clk_i");
        const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
        m.port_group();
        const Expr write = m.input("write_i", queues, "one-hot or 0; not into a full queue");
        const Expr data_i = m.input("data_i", width);
        const Expr flags_i = m.input("flags_i", flags);
        const Expr full = m.output("full_o", queues);
        m.port_group();
        const Expr read = m.input("read_i", queues, "one-hot or 0; not from an empty queue");
        const Expr data_o = m.output("data_o", width, "the word that leaves");
        const Expr nonempty = m.output("nonempty_o", queues);
        const Expr flags_o =
            m.output("flags_o", queues * flags, "of the head of queue q at [q*FLAGS +: FLAGS]");
        m.require(queues >= 1, "QUEUES_must_be_at_least_1");
        m.require(depth >= 1, "DEPTH_must_be_at_least_1");
        m.require(width >= 1, "WIDTH_must_be_at_least_1");
        m.require(flags >= 1, "FLAGS_must_be_at_least_1");
        const Expr words = m.localparam("WORDS", queues * depth);
        const Expr address_width =
            m.localparam("ADDRESS_WIDTH", mux(words > 1, clog2(words), Expr(1)));
        const Expr place_width = m.localparam("PLACE_WIDTH", mux(depth > 1, clog2(depth), Expr(1)));
        const Expr count_width = m.localparam("COUNT_WIDTH", clog2(depth + 1));
        const Expr last = m.constant("LAST", place_width, depth - 1);
        const Expr full_count = m.constant("FULL", count_width, depth);
        const Function next = m.function("next", place_width, [&](FunctionBuilder& f) {
          const Expr place = f.input("place", place_width);
          return Body{set(f.result(), mux(place == last, 0, place + 1))};
        });
        const Expr write_addresses = m.wire("write_addresses", queues * address_width);
        const Expr read_addresses = m.wire("read_addresses", queues * address_width);
        m.generate_for("q", 0, queues, "queue", [&](Scope& s, const Expr& q) {
          const Expr first = s.constant("FIRST", address_width, q * depth);
          const Expr head = s.reg("head_q", place_width);
          const Expr free = s.reg("free_q", place_width, "the place behind the last word");
          const Expr count = s.reg("count_q", count_width);
          const Expr put = write.at(q);
          const Expr get = read.at(q);
          s.always_ff(
              clk, {If(!rst_n, {head <<= 0, free <<= 0, count <<= 0})
                        .else_({If(put, {free <<= next({free})}), If(get, {head <<= next({head})}),
                                If(put & ~get, {count <<= count + 1})
                                    .else_if(get & ~put, {count <<= count - 1})})});
          s.assign(nonempty.at(q), count != 0);
          s.assign(full.at(q), count == full_count);
          s.generate_if(depth == 1, "single", [&](Scope& t) {
             const Expr kept = t.reg("flags_q", flags);
             t.always_ff(clk, {If(put, {kept <<= flags_i})});
             t.assign(flags_o.part(q * flags, flags), kept);
           }).otherwise("several", [&](Scope& t) {
            const Expr kept = t.reg_array("flags_q", flags, {depth}, Storage::memory);
            t.always_ff(clk, {If(put, {kept.at(free) <<= flags_i})});
            t.assign(flags_o.part(q * flags, flags), kept.at(head));
          });
          const auto address = [&](const Expr& addresses, const Expr& place) {
            s.assign(addresses.part(q * address_width, address_width),
                     first + zext(place, address_width));
          };
          address(write_addresses, free);
          address(read_addresses, head);
        });
        const auto selected = [&](const std::string& name, const Expr& queue, const Expr& from) {
          const Expr result = m.wire(name, address_width);
          m.instance("u_" + name, crossbar,
                     {{"INPUTS", queues}, {"OUTPUTS", 1}, {"WIDTH", address_width}},
                     {{"select_i", queue}, {"data_i", from}, {"data_o", result}});
          return result;
        };
        const Expr write_address = selected("write_address", write, write_addresses);
        const Expr read_address = selected("read_address", read, read_addresses);
        const Expr memory = m.reg_array("memory_q", width, {words}, Storage::memory);
        m.always_ff(clk, {If(any(write), {memory.at(write_address) <<= data_i})});
        m.assign(data_o, memory.at(read_address));
      });
}

}  // namespace weft::rtl
