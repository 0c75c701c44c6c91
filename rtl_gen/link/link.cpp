// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/link/link.h"

#include "arch/network/link_frame.h"
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

namespace {

struct Parts {
  const Module& framer;
  const Module& deframer;
  const Module& replay;
  const Module& order;
  const Module& credit;
  const Module& buffer;
  const Module& init;
};

ModuleDoc top_doc() {
  ModuleDoc doc;
  doc.summary = "one end of a link that loses nothing over wires that damage frames.";
  doc.description =
      "A flit waits in the replay buffer until the other end has acknowledged it; a frame with a "
      "wrong CRC is dropped, and everything from the oldest flit missing is sent again. Every "
      "frame "
      "carries the whole state that the other end must know: the number expected next, whether a "
      "replay is wanted, how many flits have left a receive buffer. A frame that is lost costs "
      "nothing but time.";
  doc.diagram =
      "  in -->[ replay ]-->[ fields ]-->[ framer ]--> phit_o\n"
      "            ^  [ credit ]^  ^ [ init ]\n"
      "            |      ^     |  |    ^\n"
      "  out <--[ buffer ]<--[ order ]<--[ deframer ]<-- phit_i";
  doc.latency =
      "a flit taken in cycle t is in a frame composed in t + 1 at the earliest, whose phit j is on "
      "phit_o in t + 3 + j; a frame whose last phit is on phit_i in u has its flit on out_flit_o "
      "in "
      "u + 3.";
  return doc;
}

/// Names of the top module. What one virtual channel does not need stays 0.
struct TopNames {
  Expr flit_width = 0, channels = 1, lanes = 0, lane_width = 0, replay_depth = 0,
       sequence_width = 0, buffer_depth = 0, retry_timeout = 0, realign_frames = 0,
       quiet_frames = 0;
  Expr vc_width = 0, credit_width = 0, sequence_fields = 0, fields_width = 0, phits = 0,
       item_width = 0;
  Expr clk = 0, rst_n = 0, in_valid = 0, in_vc = 0, in_flit = 0, in_ready = 0, out_valid = 0,
       out_flit = 0, out_ready = 0, phit_i = 0, phit_o = 0, up = 0, mismatch = 0, restart = 0,
       error = 0, replay = 0;
  Expr link_rst_n = 0;                                 ///< also low when the other end restarts
  Expr compose_now = 0, fields = 0;                    ///< of the frame to be sent
  Expr send = 0, item = 0, sequence = 0, retried = 0;  ///< from the replay buffer
  Expr expected = 0, request = 0, word = 0, credit = 0, turn = 0;
  Expr frame_valid = 0, is_init = 0, is_data = 0, process = 0, deliver = 0;  ///< frame received
  Expr got_request = 0, got_retried = 0, got_acknowledge = 0, got_sequence = 0, got_credit = 0,
       got_credit_vc = 0, got_vc = 0, got_flit = 0;
  Expr take = 0, credits = 0, room = 0;
};

/// The top module.
class Top : TopNames {
 public:
  Top(Design& design, const arch::Link& link, const Parts& parts)
      : link_(link),
        parts_(parts),
        several_(link.virtual_channels > 1),
        m_(design.add_module(link.name, top_doc())) {}

  void build() {
    declare_ports();
    declare_sizes();
    declare_wires();
    compose();
    m_.blank();
    receive();
    m_.blank();
    keep_sequence();
    m_.blank();
    connect_channels();
    m_.finish();
  }

 private:
  void declare_ports();
  void declare_sizes();
  void declare_wires();
  void compose();
  void receive();
  void keep_sequence();
  void connect_channels();
  /// Credits and buffer of VC `v`, at `[v]` of the ports; `freed`: what has left the buffer.
  void connect_channel(Scope& s, const Expr& v, const Expr& freed);

  const arch::Link& link_;
  const Parts& parts_;
  bool several_;
  Module& m_;
};

void Top::declare_ports() {
  flit_width = m_.parameter("FLIT_WIDTH", link_.flit_width, "bits of a flit, 16..4095");
  if (several_) {
    channels = m_.parameter("VIRTUAL_CHANNELS", link_.virtual_channels, ">= 2");
  }
  lanes = m_.parameter("LANES", link_.lanes, "lanes of the wire, >= 1");
  lane_width = m_.parameter("LANE_WIDTH", link_.lane_width, "bits that a lane carries in a cycle");
  replay_depth = m_.parameter("REPLAY_DEPTH", link_.replay_depth,
                              "flits kept until acknowledged, a power of two");
  sequence_width =
      m_.parameter("SEQUENCE_WIDTH", link_.sequence_width, "bits, > clog2(REPLAY_DEPTH)");
  buffer_depth = m_.parameter("BUFFER_DEPTH", link_.buffer_depth, "flits of each receive buffer");
  retry_timeout =
      m_.parameter("RETRY_TIMEOUT", link_.retry_timeout, "frames without progress until a replay");
  realign_frames = m_.parameter("REALIGN_FRAMES", link_.realign_frames,
                                "bad frames in a row that end the alignment");
  quiet_frames = m_.parameter("QUIET_FRAMES", link_.quiet_frames,
                              "frames after reset in which nothing is heard");

  clk = m_.input("clk_i");
  rst_n = m_.input("rst_ni", 1, "synchronous, active low; control only");
  m_.port_group("Flits to the other end: one moves when valid and its channel's ready are high.");
  in_valid = m_.input("in_valid_i");
  if (several_) in_vc = m_.input("in_vc_i", clog2(channels));
  in_flit = m_.input("in_flit_i", flit_width);
  in_ready = m_.output("in_ready_o", channels, "a function of registers");
  m_.port_group("Flits from the other end, of each channel the oldest.");
  out_valid = m_.output("out_valid_o", channels, "holds, with the flit stable, until ready");
  out_flit = m_.output("out_flit_o", channels * flit_width);
  out_ready = m_.input("out_ready_i", channels);
  m_.port_group("The wire.");
  phit_o = m_.output("phit_o", lanes * lane_width, "lane l at [l*LANE_WIDTH +: LANE_WIDTH]");
  phit_i = m_.input("phit_i", lanes * lane_width);
  m_.port_group("Status.");
  up = m_.output("up_o", 1, "the link is initialised");
  mismatch = m_.output("mismatch_o", arch::init_words,
                       "the other end has another protocol version, FLIT_WIDTH, number of virtual "
                       "channels, BUFFER_DEPTH, SEQUENCE_WIDTH");
  restart = m_.output("restart_o", 1, "the other end was reset: all flits inside are dropped");
  error = m_.output("error_o", 1, "a frame did not pass its CRC");
  replay = m_.output("replay_o", 1, "frames will be sent again");
}

void Top::declare_sizes() {
  m_.require(flit_width >= 16 && flit_width <= 4095, "FLIT_WIDTH_must_be_16_to_4095");
  if (several_) m_.require(channels >= 2, "VIRTUAL_CHANNELS_must_be_at_least_2");
  m_.require(lanes >= 1 && lane_width >= 1, "LANES_and_LANE_WIDTH_must_be_at_least_1");
  m_.require(buffer_depth >= 1 && buffer_depth <= 4095, "BUFFER_DEPTH_must_be_1_to_4095");
  m_.require(realign_frames >= 2 && quiet_frames >= 1,
             "REALIGN_FRAMES_must_be_at_least_2_and_QUIET_FRAMES_1");
  if (several_) vc_width = m_.localparam("VC_WIDTH", clog2(channels));
  const Expr crc_width = m_.localparam("CRC_WIDTH", link_.crc_width);
  credit_width = m_.localparam("CREDIT_WIDTH", clog2(buffer_depth) + 1);
  sequence_fields =
      m_.localparam("SEQUENCE_FIELDS", 4 + 2 * sequence_width, "bits of a frame's sequence state");
  const Expr before_flit = sequence_fields + credit_width;
  fields_width = m_.localparam("FIELDS_WIDTH",
                               (several_ ? before_flit + 2 * vc_width : before_flit) + flit_width,
                               "of a frame behind its CRC");
  phits = m_.localparam("PHITS",
                        (crc_width + fields_width + lanes * lane_width - 1) / (lanes * lane_width),
                        "cycles of a frame");
  item_width =
      m_.localparam("ITEM_WIDTH", several_ ? vc_width + flit_width : flit_width, "of a kept flit");
}

void Top::declare_wires() {
  link_rst_n = m_.let("link_rst_n", rst_n & ~restart, "what was sent before counts no more");
  m_.blank();
  compose_now = m_.wire("compose", 1, "a frame is composed in this cycle");
  send = m_.wire("send", 1, "it has a flit");
  item = m_.wire("item", item_width, "this one");
  sequence = m_.wire("number", sequence_width, "its number, or that of the next flit");
  retried = m_.wire("retried", 1);
  expected = m_.wire("expected", sequence_width);
  request = m_.wire("request", 1);
  word = m_.wire("word", 16, "parameters of this end");
  credit = m_.wire("credit", credit_width, "what has left the channel whose turn it is");
  if (several_) turn = m_.reg("turn_q", vc_width, "channel whose credits the next frame carries");
}

void Top::compose() {
  m_.comment("Until the link is up all state is as after reset: the other fields are 0.");
  const Expr flit = m_.let(
      "flit", mux(up, item(flit_width - 1, 0) & rep(flit_width, send), zext(word, flit_width)));
  const Expr kind = m_.let("kind", cat({~up, up & send}), "0 idle, 1 data, 2 init");
  fields = m_.wire("fields", fields_width);
  std::vector<Expr> parts{flit};
  if (several_) {
    parts.push_back(item(item_width - 1, flit_width) & rep(vc_width, up & send));
    parts.push_back(turn);
  }
  for (const Expr& part : {credit, sequence, expected, retried, request, kind}) {
    parts.push_back(part);
  }
  m_.assign(fields, cat(parts));
  m_.instance("u_framer", parts_.framer,
              {{"FIELDS_WIDTH", fields_width},
               {"LANES", lanes},
               {"LANE_WIDTH", lane_width},
               {"PHITS", phits}},
              {{"clk_i", clk},
               {"rst_ni", rst_n},
               {"compose_o", compose_now},
               {"fields_i", fields},
               {"phit_o", phit_o}});
}

void Top::receive() {
  frame_valid = m_.wire("frame_valid", 1, "a frame has come");
  const Expr got = m_.wire("got", fields_width);
  m_.instance("u_deframer", parts_.deframer,
              {{"FIELDS_WIDTH", fields_width},
               {"LANES", lanes},
               {"LANE_WIDTH", lane_width},
               {"PHITS", phits},
               {"REALIGN_FRAMES", realign_frames}},
              {{"clk_i", clk},
               {"rst_ni", rst_n},
               {"phit_i", phit_i},
               {"valid_o", frame_valid},
               {"error_o", error},
               {"fields_o", got}});
  const auto field = [this](const std::string& name, const Expr& width) {
    return m_.wire("got_" + name, width);
  };
  const Expr got_kind = field("kind", 2);
  got_request = field("request", 1);
  got_retried = field("retried", 1);
  got_acknowledge = field("acknowledge", sequence_width);
  got_sequence = field("sequence", sequence_width);
  got_credit = field("credit", credit_width);
  if (several_) {
    got_credit_vc = field("credit_vc", vc_width);
    got_vc = field("vc", vc_width);
  }
  got_flit = field("flit", flit_width);
  const Expr carried =
      several_ ? cat({got_flit, got_vc, got_credit_vc, got_credit}) : cat({got_flit, got_credit});
  m_.assign(carried, got(fields_width - 1, sequence_fields));
  m_.blank();
  m_.assign(cat({got_sequence, got_acknowledge, got_retried, got_request, got_kind}),
            got(sequence_fields - 1, 0));
  is_init = m_.let("is_init", got_kind == 2);
  is_data = m_.let("is_data", got_kind == 1);
  process = m_.let("applies", frame_valid & up & ~is_init, "its state counts");

  std::vector<Connection> sizes{{"FLIT_WIDTH", flit_width}};
  if (several_) sizes.push_back({"VIRTUAL_CHANNELS", channels});
  sizes.push_back({"BUFFER_DEPTH", buffer_depth});
  sizes.push_back({"SEQUENCE_WIDTH", sequence_width});
  sizes.push_back({"QUIET_FRAMES", quiet_frames});
  m_.instance("u_init", parts_.init, sizes,
              {{"clk_i", clk},
               {"rst_ni", link_rst_n},
               {"compose_i", compose_now},
               {"word_o", word},
               {"valid_i", frame_valid},
               {"init_i", is_init},
               {"word_i", got_flit(15, 0)},
               {"up_o", up},
               {"mismatch_o", mismatch},
               {"restart_o", restart}});
}

void Top::keep_sequence() {
  take = m_.wire("take", channels, "a flit of that channel comes");
  credits = m_.wire("credits", channels);
  room = m_.wire("room", 1, "in the replay buffer");
  deliver = m_.wire("deliver", 1, "the frame's flit is the next one");
  m_.instance("u_replay", parts_.replay,
              {{"REPLAY_DEPTH", replay_depth},
               {"WIDTH", item_width},
               {"SEQUENCE_WIDTH", sequence_width},
               {"RETRY_TIMEOUT", retry_timeout}},
              {{"clk_i", clk},
               {"rst_ni", link_rst_n},
               {"write_i", several_ ? any(take) : take},
               {"data_i", several_ ? cat({in_vc, in_flit}) : in_flit},
               {"room_o", room},
               {"compose_i", compose_now & up},
               {"send_o", send},
               {"data_o", item},
               {"sequence_o", sequence},
               {"retried_o", retried},
               {"process_i", process},
               {"acknowledge_i", got_acknowledge},
               {"request_i", got_request},
               {"replay_o", replay}});
  m_.instance("u_order", parts_.order, {{"SEQUENCE_WIDTH", sequence_width}},
              {{"clk_i", clk},
               {"rst_ni", link_rst_n},
               {"process_i", process},
               {"data_i", is_data},
               {"sequence_i", got_sequence},
               {"retried_i", got_retried},
               {"deliver_o", deliver},
               {"expected_o", expected},
               {"request_o", request}});
}

void Top::connect_channel(Scope& s, const Expr& v, const Expr& freed) {
  const auto own = [this, &v](const Expr& bits) { return several_ ? bits.at(v) : bits; };
  const auto here = [this, &v](const Expr& event, const Expr& vc) {
    return several_ ? event & (vc == fit(v, vc_width)) : event;
  };
  s.assign(own(in_ready), up & room & own(credits));
  s.assign(own(take), here(in_valid, in_vc) & own(in_ready));
  s.instance("u_credit", parts_.credit, {{"BUFFER_DEPTH", buffer_depth}},
             {{"clk_i", clk},
              {"rst_ni", link_rst_n},
              {"take_i", own(take)},
              {"update_i", here(process, got_credit_vc)},
              {"freed_i", got_credit},
              {"credit_o", own(credits)}});
  s.instance("u_buffer", parts_.buffer,
             {{"FLIT_WIDTH", flit_width}, {"BUFFER_DEPTH", buffer_depth}},
             {{"clk_i", clk},
              {"rst_ni", link_rst_n},
              {"write_i", here(deliver, got_vc)},
              {"flit_i", got_flit},
              {"valid_o", own(out_valid)},
              {"flit_o", several_ ? out_flit.part(v * flit_width, flit_width) : out_flit},
              {"ready_i", own(out_ready)},
              {"freed_o", freed}});
}

void Top::connect_channels() {
  if (!several_) {
    connect_channel(m_, 0, credit);
    return;
  }
  const Expr last = m_.constant("LAST_VC", vc_width, channels - 1);
  m_.always_ff(clk, {If(!link_rst_n, {turn <<= 0})
                         .else_if(compose_now & up,
                                  {If(turn == last, {turn <<= 0}).else_({turn <<= turn + 1})})});
  Expr report = 0;
  m_.generate_for("v", 0, channels, "channel", [&](Scope& s, const Expr& v) {
    const Expr freed = s.wire("freed", credit_width);
    connect_channel(s, v, freed);
    report = s.wire("report", credit_width, "of channels 0 .. v, the one whose turn it is");
    const Expr own = s.let("own_report", freed & rep(credit_width, turn == fit(v, vc_width)));
    s.generate_if(v == 0, "first", [&](Scope& t) {
       t.assign(report, own);
     }).otherwise("next", [&](Scope& t) { t.assign(report, own | at_iteration(report, {v - 1})); });
  });
  m_.assign(credit, at_iteration(report, {channels - 1}));
}

}  // namespace

Design build_link(const arch::Link& link, const Provenance& provenance) {
  Design design(provenance);
  const Module& crc = add_link_crc(design, link);
  const Parts parts{add_link_framer(design, link, crc), add_link_deframer(design, link, crc),
                    add_link_replay(design, link),      add_link_order(design, link),
                    add_link_credit(design, link),      add_link_buffer(design, link),
                    add_link_init(design, link)};
  Top(design, link, parts).build();
  return design;
}

}  // namespace weft::rtl
