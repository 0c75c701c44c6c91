// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/fifo.h"

#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

const Module& add_fifo(Design& design, const std::string& prefix) {
  return module_once(
      design, prefix + "_fifo",
      {.summary = "FIFO of registers whose head stands in a register.",
       .description =
           "The words lie in order from place 0, the head, upwards, and move down by one with each "
           "read; a new word goes to the first free place. So the output needs no multiplexer, and "
           "no pointer has to wrap: any DEPTH is alike.",
       .diagram = "           data_i   data_i   data_i\n"
                  "              v        v        v\n"
                  "           [ 2 ] -> [ 1 ] -> [ 0 ] --> data_o\n"
                  "           used_q   used_q   used_q",
       .latency = "a word written into an empty FIFO in cycle t is the head in cycle t + 1."},
      [](Module& m) {
        const Expr depth = m.parameter("DEPTH", 4, "words, >= 1");
        const Expr width = m.parameter("WIDTH", 8, "bits of a word, >= 1");
        const Expr clk = m.input("clk_i");
        const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
        m.port_group();
        const Expr write = m.input("write_i", 1, "low while full_o");
        const Expr data_i = m.input("data_i", width);
        const Expr full = m.output("full_o");
        m.port_group();
        const Expr read = m.input("read_i", 1, "the head leaves; low while not valid_o");
        const Expr valid = m.output("valid_o");
        const Expr data_o = m.output("data_o", width, "the head");
        m.require(depth >= 1, "DEPTH_must_be_at_least_1");
        m.require(width >= 1, "WIDTH_must_be_at_least_1");
        const Expr used = m.reg("used_q", depth, "places with a word: ones below, zeros above");
        m.assign(full, used.at(depth - 1));
        m.assign(valid, used.at(0));
        const Expr one = m.constant("ONE", depth, 1);
        m.always_ff(clk, {If(!rst_n, {used <<= 0})
                              .else_if(write & ~read, {used <<= (used << 1) | one})
                              .else_if(read & ~write, {used <<= used >> 1})});
        m.comment(
            "What each place does at the end of the cycle: at most one of the three, so that a bit "
            "needs an AND-OR of three and no more. The first free place takes data_i always: "
            "without "
            "write_i, which comes late, what it takes does not count.");
        const auto all_places = [&](const Expr& x) { return rep(depth, x); };
        const Expr first_free = m.let("first_free", ((used << 1) | one) & ~used);
        const Expr stays = m.let("stays", used & all_places(~read));
        const Expr moves = m.let("moves", (used >> 1) & all_places(read), "down, into this place");
        const Expr enters = m.let("enters", mux(read, first_free >> 1, first_free));
        const Expr words = m.reg("words_q", depth * width);
        const Expr above = m.let("above", words >> width);
        const auto place = [&](const Expr& vector, const Expr& k) {
          return vector.part(k * width, width);
        };
        m.generate_for("k", 0, depth, "place", [&](Scope& s, const Expr& k) {
          s.always_ff(clk, {place(words, k) <<= (place(words, k) & rep(width, stays.at(k))) |
                                                (place(above, k) & rep(width, moves.at(k))) |
                                                (data_i & rep(width, enters.at(k)))});
        });
        m.assign(data_o, words(width - 1, 0));
      });
}

const Module& add_output_fifo(Design& design, const std::string& prefix) {
  const Module& fifo = add_fifo(design, prefix);
  return module_once(
      design, prefix + "_output_fifo",
      {.summary = "the end of an output with ready/valid.",
       .description =
           "A FIFO, and the count of its places: a flit takes one when it departs, and gives it "
           "back when the next hop takes it.",
       .latency = "a flit written in cycle t stands on the output in t + 1 if the FIFO is empty. "
                  "A place is taken, or free again, from the next cycle on."},
      [&](Module& m) {
        const Expr depth = m.parameter("DEPTH", 2, "flits, >= 1");
        const Expr width = m.parameter("WIDTH", 8, "bits of a flit, >= 1");
        const Expr clk = m.input("clk_i");
        const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low; control only");
        m.port_group();
        const Expr depart = m.input("depart_i", 1, "a flit departs; low while not room_o");
        const Expr room = m.output("room_o", 1, "a place is free");
        const Expr write = m.input("write_i", 1, "a departed flit arrives");
        const Expr data_i = m.input("data_i", width);
        m.port_group();
        const Expr valid = m.output("valid_o", 1, "holds, with data_o stable, until ready_i");
        const Expr ready = m.input("ready_i");
        const Expr data_o = m.output("data_o", width);
        const Expr taken = m.let("taken", valid & ready);
        const Expr full = m.wire("unused_full", 1, "places are counted");
        const Expr free = m.reg("free_q", depth, "places: a one for each, from bit 0 upwards");
        const Expr one = m.constant("ONE", depth, 1);
        m.assign(room, free.at(0));
        m.always_ff(clk, {If(!rst_n, {free <<= ~lit(depth, 0)})
                              .else_if(depart & ~taken, {free <<= free >> 1})
                              .else_if(taken & ~depart, {free <<= (free << 1) | one})});
        m.instance("u_fifo", fifo, {{"DEPTH", depth}, {"WIDTH", width}},
                   {{"clk_i", clk},
                    {"rst_ni", rst_n},
                    {"write_i", write},
                    {"data_i", data_i},
                    {"full_o", full},
                    {"read_i", taken},
                    {"valid_o", valid},
                    {"data_o", data_o}});
      });
}

}  // namespace weft::rtl
