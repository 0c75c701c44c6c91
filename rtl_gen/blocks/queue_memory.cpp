// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/queue_memory.h"

#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/fifo.h"
#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

namespace {

struct QueuePorts {
  explicit QueuePorts(Module& m)
      : queues(m.parameter("QUEUES", 2, ">= 1")),
        depth(m.parameter("DEPTH", 4, "words of a queue, >= 1")),
        width(m.parameter("WIDTH", 8, "bits of a word, >= 1")),
        flags(m.parameter("FLAGS", 1, "bits of a word that are seen at the head, >= 1")),
        clk(m.input("clk_i")),
        rst_n(m.input("rst_ni", 1, "synchronous, active low; control only")),
        write((m.port_group(), m.input("write_i", queues, "one-hot or 0; not into a full queue"))),
        data_i(m.input("data_i", width)),
        flags_i(m.input("flags_i", flags)),
        full(m.output("full_o", queues)),
        read((m.port_group(), m.input("read_i", queues, "one-hot or 0; not from an empty queue"))),
        data_o(m.output("data_o", width, "the word that leaves")),
        nonempty(m.output("nonempty_o", queues)),
        flags_o(
            m.output("flags_o", queues * flags, "of the head of queue q at [q*FLAGS +: FLAGS]")) {
    m.require(queues >= 1, "QUEUES_must_be_at_least_1");
    m.require(depth >= 1, "DEPTH_must_be_at_least_1");
    m.require(width >= 1, "WIDTH_must_be_at_least_1");
    m.require(flags >= 1, "FLAGS_must_be_at_least_1");
  }
  Expr queues, depth, width, flags, clk, rst_n, write, data_i, flags_i, full, read, data_o,
      nonempty, flags_o;
};

constexpr const char* contract =
    "a word written in cycle t can be read from cycle t + 1 on; reading is combinational.";

const Module& add_of_registers(Design& design, const std::string& prefix) {
  const Module& fifo = add_fifo(design, prefix);
  const Module& crossbar = add_crossbar(design, prefix);
  return module_once(
      design, prefix + "_queue_registers",
      {.summary = "several queues with one way in and one way out.",
       .diagram = "  data_i -+-> queue 0 --> |  |\n"
                  "          +-> queue 1 --> |  | --> data_o\n"
                  "          +-> queue 2 --> |  |",
       .latency = contract},
      [&](Module& m) {
        const QueuePorts p(m);
        const Expr heads = m.wire("heads", p.queues * p.width);
        m.generate_for("q", 0, p.queues, "queue", [&](Scope& s, const Expr& q) {
          const Expr head = s.wire("head", p.width + p.flags);
          s.instance("u_fifo", fifo, {{"DEPTH", p.depth}, {"WIDTH", p.width + p.flags}},
                     {{"clk_i", p.clk},
                      {"rst_ni", p.rst_n},
                      {"write_i", p.write.at(q)},
                      {"data_i", cat({p.data_i, p.flags_i})},
                      {"full_o", p.full.at(q)},
                      {"read_i", p.read.at(q)},
                      {"valid_o", p.nonempty.at(q)},
                      {"data_o", head}});
          s.assign(p.flags_o.part(q * p.flags, p.flags), head(p.flags - 1, 0));
          s.assign(heads.part(q * p.width, p.width), head(p.width + p.flags - 1, p.flags));
        });
        m.instance("u_select", crossbar, {{"INPUTS", p.queues}, {"OUTPUTS", 1}, {"WIDTH", p.width}},
                   {{"select_i", p.read}, {"data_i", heads}, {"data_o", p.data_o}});
      });
}

const Module& add_of_memory(Design& design, const std::string& prefix) {
  const Module& crossbar = add_crossbar(design, prefix);
  return module_once(
      design, prefix + "_queue_memory",
      {.summary = "several queues in one memory.",
       .description =
           "Each queue is a ring of DEPTH words with a write and a read pointer of its own; the "
           "memory has one write and one read port. The flags of all words are kept beside it, so "
           "that those of each queue's head are seen at once.",
       .diagram = "  data_i -->  memory of QUEUES * DEPTH words  --> data_o\n"
                  "                 ^ free_q       ^ head_q, a pair of each queue",
       .latency = contract},
      [&](Module& m) {
        const QueuePorts p(m);
        const Expr words = m.localparam("WORDS", p.queues * p.depth);
        const Expr address_width =
            m.localparam("ADDRESS_WIDTH", mux(words > 1, clog2(words), Expr(1)));
        const Expr place_width =
            m.localparam("PLACE_WIDTH", mux(p.depth > 1, clog2(p.depth), Expr(1)));
        const Expr count_width = m.localparam("COUNT_WIDTH", clog2(p.depth + 1));
        const Expr last = m.constant("LAST", place_width, p.depth - 1);
        const Expr full_count = m.constant("FULL", count_width, p.depth);
        const Function next = m.function("next", place_width, [&](FunctionBuilder& f) {
          const Expr place = f.input("place", place_width);
          return Body{set(f.result(), mux(place == last, 0, place + 1))};
        });
        const Expr write_addresses = m.wire("write_addresses", p.queues * address_width);
        const Expr read_addresses = m.wire("read_addresses", p.queues * address_width);
        m.generate_for("q", 0, p.queues, "queue", [&](Scope& s, const Expr& q) {
          const Expr first = s.constant("FIRST", address_width, q * p.depth);
          const Expr head = s.reg("head_q", place_width);
          const Expr free = s.reg("free_q", place_width, "the place behind the last word");
          const Expr count = s.reg("count_q", count_width);
          const Expr put = p.write.at(q);
          const Expr get = p.read.at(q);
          s.always_ff(p.clk, {If(!p.rst_n, {head <<= 0, free <<= 0, count <<= 0})
                                  .else_({If(put, {free <<= next({free})}),
                                          If(get, {head <<= next({head})}),
                                          If(put & ~get, {count <<= count + 1})
                                              .else_if(get & ~put, {count <<= count - 1})})});
          s.assign(p.nonempty.at(q), count != 0);
          s.assign(p.full.at(q), count == full_count);
          s.generate_if(p.depth == 1, "single", [&](Scope& t) {
             const Expr kept = t.reg("flags_q", p.flags);
             t.always_ff(p.clk, {If(put, {kept <<= p.flags_i})});
             t.assign(p.flags_o.part(q * p.flags, p.flags), kept);
           }).otherwise("several", [&](Scope& t) {
            const Expr kept = t.reg_array("flags_q", p.flags, {p.depth}, Storage::memory);
            t.always_ff(p.clk, {If(put, {kept.at(free) <<= p.flags_i})});
            t.assign(p.flags_o.part(q * p.flags, p.flags), kept.at(head));
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
                     {{"INPUTS", p.queues}, {"OUTPUTS", 1}, {"WIDTH", address_width}},
                     {{"select_i", queue}, {"data_i", from}, {"data_o", result}});
          return result;
        };
        const Expr write_address = selected("write_address", p.write, write_addresses);
        const Expr read_address = selected("read_address", p.read, read_addresses);
        const Expr memory = m.reg_array("memory_q", p.width, {words}, Storage::memory);
        m.always_ff(p.clk, {If(any(p.write), {memory.at(write_address) <<= p.data_i})});
        m.assign(p.data_o, memory.at(read_address));
      });
}

}  // namespace

const Module& add_queue_memory(Design& design, const std::string& prefix, QueueStorage storage) {
  return storage == QueueStorage::registers ? add_of_registers(design, prefix)
                                            : add_of_memory(design, prefix);
}

}  // namespace weft::rtl
