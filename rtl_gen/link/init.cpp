// SPDX-License-Identifier: Apache-2.0
#include "arch/network/link_frame.h"
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

namespace {

constexpr int index_width = 3;
constexpr int value_width = 12;
constexpr int word_width = 1 + index_width + value_width;

}  // namespace

Module& add_link_init(Design& design, const arch::Link& link) {
  const bool several = link.virtual_channels > 1;
  Module& m = design.add_module(
      link.name + "_init",
      {.summary = "brings the link up, and notices when the other end starts again.",
       .description =
           "Both ends tell their parameters, a word a frame. An end that has found all of them "
           "equal to its own says ready; the link is up when both have. An init frame without "
           "ready on a link that is up means that the other end was reset.\n\nAfter reset nothing "
           "is heard for QUIET_FRAMES: what was sent to this end before its reset must not be "
           "taken "
           "for an answer.",
       .diagram = "  quiet --> listening --> ready --> up\n"
                  "    ^                                |\n"
                  "    +------- restart_o --------------+",
       .latency = "a frame of cycle t shows in up_o and word_o in t + 1; restart_o belongs to t."});
  const Expr flit_width = m.parameter("FLIT_WIDTH", link.flit_width);
  const Expr channels = several ? m.parameter("VIRTUAL_CHANNELS", link.virtual_channels) : Expr(1);
  const Expr buffer_depth = m.parameter("BUFFER_DEPTH", link.buffer_depth);
  const Expr sequence_width = m.parameter("SEQUENCE_WIDTH", link.sequence_width);
  const Expr quiet_frames = m.parameter("QUIET_FRAMES", link.quiet_frames, "frames, >= 1");

  const Expr clk = m.input("clk_i");
  const Expr rst_n = m.input("rst_ni", 1, "synchronous, active low");
  m.port_group();
  const Expr compose = m.input("compose_i", 1, "a frame is composed");
  const Expr word_o = m.output("word_o", word_width, "its word, if it is an init frame");
  m.port_group();
  const Expr valid = m.input("valid_i", 1, "a frame has come");
  const Expr init = m.input("init_i", 1, "it is an init frame");
  const Expr word_i = m.input("word_i", word_width);
  m.port_group();
  const Expr up_o = m.output("up_o", 1, "frames carry flits");
  const Expr mismatch_o = m.output("mismatch_o", arch::init_words, "words that differ");
  const Expr restart = m.output("restart_o", 1, "the other end was reset");

  const Expr version = m.localparam("VERSION", arch::link_protocol_version, "of the protocol");
  const Expr count_width = m.localparam("COUNT_WIDTH", clog2(quiet_frames + 1));
  const Expr quiet_start = m.constant("QUIET", count_width, quiet_frames);
  m.blank();
  const Expr quiet = m.reg("quiet_q", count_width, "frames until anything is heard");
  const Expr index = m.reg("index_q", index_width, "of the next word to be sent");
  const Expr got = m.reg("got_q", arch::init_words, "words of the other end that are right");
  const Expr mismatch = m.reg("mismatch_q", arch::init_words);
  const Expr up = m.reg("up_q", 1);
  const Function value = m.function("value", value_width, [&](FunctionBuilder& f) -> Body {
    const Expr i = f.input("i", index_width);
    return {Case(i)
                .when({lit(index_width, 0)}, {set(f.result(), fit(version, value_width))})
                .when({lit(index_width, 1)}, {set(f.result(), fit(flit_width, value_width))})
                .when({lit(index_width, 2)}, {set(f.result(), fit(channels, value_width))})
                .when({lit(index_width, 3)}, {set(f.result(), fit(buffer_depth, value_width))})
                .otherwise({set(f.result(), fit(sequence_width, value_width))})};
  });
  m.blank();
  const Expr ready = m.let("ready", all(got));
  const Expr other_ready = m.let("other_ready", word_i.at(0));
  const Expr other_index = m.let("other_index", word_i(index_width, 1));
  const Expr right =
      m.let("right", word_i(word_width - 1, index_width + 1) == value({other_index}));
  const Expr heard = m.let("heard", valid & ~up & (quiet == 0));
  m.assign(word_o, cat({value({index}), index, ready}));
  m.assign(restart, valid & init & up & ~other_ready);
  m.assign(up_o, up);
  m.assign(mismatch_o, mismatch);
  m.blank();
  m.always_ff(clk, {If(!rst_n, {quiet <<= quiet_start, index <<= 0})
                        .else_if(compose, {If(quiet != 0, {quiet <<= quiet - 1}),
                                           If(index == arch::init_words - 1, {index <<= 0})
                                               .else_({index <<= index + 1})})});
  m.generate_for("i", 0, arch::init_words, "word", [&](Scope& s, const Expr& i) {
    s.always_ff(clk, {If(!rst_n, {got.at(i) <<= 0, mismatch.at(i) <<= 0})
                          .else_if(heard & init & (other_index == fit(i, index_width)),
                                   {got.at(i) <<= right, mismatch.at(i) <<= ~right})});
  });
  m.always_ff(clk,
              {If(!rst_n, {up <<= 0}).else_if(heard & ready & (~init | other_ready), {up <<= 1})});
  m.finish();
  return m;
}

}  // namespace weft::rtl
