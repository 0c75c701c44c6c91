// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/switch/collective.h"

#include <functional>
#include <optional>
#include <string>

#include "arch/network/header.h"
#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/blocks/credit_counter.h"
#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/fifo.h"
#include "rtl_gen/switch/reduction.h"

namespace weft::rtl {

using namespace hdl;

namespace {

ModuleDoc collective_doc(const arch::Switch& device) {
  ModuleDoc doc;
  doc.summary = "control of the packets for several outputs.";
  doc.description =
      "One packet is sent at a time, to all its outputs at once: when each of them takes it. What "
      "is "
      "taken in a cycle departs in the next, so that the allocation knows it from registers. ";
  if (device.in_network_reduction) {
    doc.description +=
        std::string(
            "The packets of a reduction's members are combined flit by flit into the "
            "result FIFO, from which the result is sent") +
        (device.multicast ? " like a multicast" : "") +
        ". A trial a cycle looks for a reduction all of whose members are there.";
    doc.diagram = std::string("  heads of queues ") +
                  (device.multicast ? "--------------------+--> [choice] --> outputs\n"
                                    : "                    +--> [choice] --> outputs\n") +
                  "                  --> [trial] --> [result FIFO] -'";
  }
  doc.latency =
      "a packet that is chosen in cycle c is taken from c + 1 on; what is taken in d departs in d "
      "+ 1.";
  if (device.in_network_reduction) {
    doc.latency += " A result whose parts are taken in d is in the FIFO from d + 1 + STAGES on.";
  }
  return doc;
}

/// A head that asks for the unit: of each input at most one.
struct Candidates {
  Expr present;  ///< PORTS bits: the input has one
  Expr words;    ///< of each input {op (of reductions), VC one-hot (of several), mask}
  Expr width;    ///< of a word
};

class Collective {
 public:
  Collective(Design& design, const Shape& shape);
  const Module& build();

 private:
  void declare_ports();
  Candidates find(const std::string& name, bool reductions);
  void send(const std::optional<Candidates>& multicasts);
  void reduce(const Candidates& reductions);

  /// The word in `words` that `which`, one-hot, selects.
  Expr word_of(const std::string& name, const Expr& which, const Expr& words, const Expr& count,
               const Expr& width);
  /// Instance of an arbiter whose pointer moves behind each grant that is used.
  Expr first(const std::string& name, const Expr& request, const Expr& count, const Expr& used);
  /// Bit `port` of a vector over (port, VC), in the VC.
  [[nodiscard]] Expr in_channel(const Expr& vector, const Expr& port, const Expr& channel) const;
  /// A wire of PORTS bits.
  Expr for_each_port(const std::string& name, const std::string& note,
                     const std::function<Expr(const Expr& port)>& bit);
  /// The head of the result FIFO, and the packets in it that were not chosen yet.
  void declare_results();
  /// Fills them, with what the reduction takes.
  void keep_results(const Expr& moves, const Expr& last, const Expr& members, const Expr& places);
  /// A value that is kept from its first cycle on: `now` while `kept` is low.
  Expr keep(const std::string& name, const Expr& kept, const Expr& now, const std::string& note);

  [[nodiscard]] bool several() const { return shape_.channels > 1; }
  [[nodiscard]] Expr channel_in(const Expr& word) const {
    return several() ? word(sizes_.ports + sizes_.channels - 1, sizes_.ports) : Expr(1);
  }
  [[nodiscard]] Expr mask_in(const Expr& word) const { return word(sizes_.ports - 1, 0); }

  const Shape& shape_;
  const arch::Switch& device_;
  const Module& arbiter_;
  const Module& select_;
  const Module* fifo_;
  const Module* places_;
  Module& m_;
  Sizes sizes_;
  Expr sources_;
  Expr stages_ = 1;
  Expr clk_, rst_n_;
  Expr present_ = 0, head_ = 0, tail_ = 0, op_ = 0, mask_ = 0, open_ = 0, credit_ = 0;
  Expr take_ = 0, blocked_ = 0, claim_ = 0, channel_o_ = 0, last_ = 0;
  Expr busy_o_ = 0, to_ = 0, from_ = 0;
  Expr member_o_ = 0, reference_o_ = 0, op_o_ = 0;
  // What is taken: to be sent, from which source; to be combined, of which members and VC.
  Expr sends_ = 0, source_ = 0, channel_s_ = 1;
  Expr member_ = 0, channel_r_ = 1;
  // Of the results: the packets, then the flits of the one that is sent.
  Expr packet_valid_ = 0, packet_ = 0, packet_chosen_ = 0;
  Expr result_valid_ = 0, result_tail_ = 0, result_sent_ = 0;
};

Collective::Collective(Design& design, const Shape& shape)
    : shape_(shape),
      device_(shape.device),
      arbiter_(add_arbiter(design, device_.name, Arbitration::round_robin)),
      select_(add_crossbar(design, device_.name)),
      fifo_(device_.in_network_reduction ? &add_fifo(design, device_.name) : nullptr),
      places_(device_.in_network_reduction ? &add_credit_counter(design, device_.name) : nullptr),
      m_(design.add_module(device_.name + "_collective", collective_doc(device_))),
      sizes_(m_, shape),
      sources_(!device_.multicast             ? Expr(1)
               : device_.in_network_reduction ? sizes_.ports + 1
                                              : sizes_.ports),
      clk_(m_.input("clk_i")),
      rst_n_(m_.input("rst_ni", 1, "synchronous, active low")) {}

void Collective::declare_ports() {
  m_.port_group("The queues of packets for several outputs: " + lane_order(shape_, "input") + ".");
  present_ = m_.input("present_i", sizes_.lanes, "has a flit");
  head_ = m_.input("head_i", sizes_.lanes, "it is the first of its packet");
  tail_ = m_.input("tail_i", sizes_.lanes, "it is the last of its packet");
  op_ = m_.input("op_i", sizes_.lanes * 3, "of a head: 1 multicast, 4 sum, 5 minimum, 6 maximum");
  mask_ = m_.input("mask_i", sizes_.lanes * sizes_.ports, "of a head: outputs or members");
  take_ = m_.output("take_o", sizes_.lanes, "the flit is taken");
  m_.port_group("The outputs: " + lane_order(shape_, "output") + ".");
  open_ = m_.input("open_i", sizes_.lanes, "takes a head");
  credit_ = m_.input("credit_i", sizes_.lanes, "has a credit");
  blocked_ = m_.output("blocked_o", sizes_.lanes, "takes no head of another packet");
  m_.port_group("What is taken to be sent.");
  claim_ = m_.output("claim_o", sizes_.ports, "the outputs that it goes to");
  if (several()) channel_o_ = m_.output("channel_o", sizes_.channels, "its VC, one-hot");
  last_ = m_.output("last_o", 1, "it ends its packet");
  m_.port_group("What was taken, in the next cycle, in which it departs.");
  busy_o_ = m_.output("busy_o", sizes_.ports, "the inputs that something leaves");
  to_ = m_.output_reg("to_o", sizes_.ports, "the outputs that something goes to");
  const std::string sources = !device_.multicast             ? "it is a result"
                              : device_.in_network_reduction ? "inputs and the result FIFO, one-hot"
                                                             : "inputs, one-hot";
  from_ = m_.output_reg("from_o", sources_, sources);
  if (!device_.in_network_reduction) return;
  member_o_ = m_.output_reg("member_o", sizes_.ports, "whose flits are combined");
  reference_o_ =
      m_.output_reg("reference_o", sizes_.ports, "whose header is the result's, one-hot");
  op_o_ = m_.output_reg("op_o", 2, "0 sum, 1 minimum, 2 maximum");
}

Expr Collective::word_of(const std::string& name, const Expr& which, const Expr& words,
                         const Expr& count, const Expr& width) {
  const Expr word = m_.wire(name, width);
  m_.instance("u_" + name, select_, {{"INPUTS", count}, {"OUTPUTS", 1}, {"WIDTH", width}},
              {{"select_i", which}, {"data_i", words}, {"data_o", word}});
  return word;
}

Expr Collective::first(const std::string& name, const Expr& request, const Expr& count,
                       const Expr& used) {
  const Expr grant = m_.wire(name, count, "one-hot");
  m_.instance("u_" + name, arbiter_, {{"N", count}},
              {{"clk_i", clk_},
               {"rst_ni", rst_n_},
               {"request_i", request},
               {"update_i", used & any(request)},
               {"grant_o", grant}});
  return grant;
}

Expr Collective::in_channel(const Expr& vector, const Expr& port, const Expr& channel) const {
  if (!several()) return vector.at(port);
  return any(vector.part(port * sizes_.channels, sizes_.channels) & channel);
}

Expr Collective::for_each_port(const std::string& name, const std::string& note,
                               const std::function<Expr(const Expr& port)>& bit) {
  const Expr vector = m_.wire(name, sizes_.ports, note);
  m_.generate_for("p", 0, sizes_.ports, name + "_of",
                  [&](Scope& s, const Expr& p) { s.assign(vector.at(p), bit(p)); });
  return vector;
}

Expr Collective::keep(const std::string& name, const Expr& kept, const Expr& now,
                      const std::string& note) {
  const Expr q = m_.reg(name + "_q", width_of(now));
  const Expr value = m_.let(name, mux(kept, q, now), note);
  m_.always_ff(clk_, {q <<= value});
  return value;
}

/// Of each input's queues the first with a head that asks for a multicast, or for a reduction.
Candidates Collective::find(const std::string& name, bool reductions) {
  const Expr channels = sizes_.channels;
  const Expr mask_width = sizes_.ports;
  const Expr op_width = 3;
  const Expr offered = several() ? mask_width + channels : mask_width;
  const Expr width = reductions ? offered + 2 : offered;
  const Expr present = m_.wire(name, sizes_.ports, "inputs that want one");
  const Expr words =
      m_.wire(name + "_words", sizes_.ports * width,
              std::string("{") + (reductions ? "op, " : "") + (several() ? "VC, " : "") + "mask}");
  m_.generate_for("i", 0, sizes_.ports, name + "_of", [&](Scope& s, const Expr& i) {
    const Expr wants = s.wire("wants", channels, "queues");
    const auto judge = [&](Scope& t, const Expr& v) {
      const Expr queue = i * channels + v;
      const Expr op = op_.part(queue * op_width, op_width);
      const Expr asks = reductions ? op_.at(queue * op_width + 2)
                                   : op == static_cast<int>(arch::PacketOp::multicast);
      t.assign(bit_of(wants, v), present_.at(queue) & head_.at(queue) & asks);
    };
    if (!several()) {
      judge(s, 0);
      s.assign(present.at(i), wants);
      const Expr mask = mask_.part(i * mask_width, mask_width);
      s.assign(words.part(i * width, width),
               reductions ? cat({op_.part(i * op_width, 2), mask}) : mask);
      return;
    }
    s.generate_for("v", 0, channels, "vc", judge);
    const Expr chosen = s.let("chosen", wants & -wants, "the first of them");
    s.assign(present.at(i), any(wants));
    const auto of_chosen = [&](const std::string& what, const Expr& vector, const Expr& bits) {
      const Expr result = s.wire(what, bits);
      s.instance("u_" + what, select_, {{"INPUTS", channels}, {"OUTPUTS", 1}, {"WIDTH", bits}},
                 {{"select_i", chosen},
                  {"data_i", vector.part(i * channels * bits, channels * bits)},
                  {"data_o", result}});
      return result;
    };
    const Expr mask = of_chosen("mask", mask_, mask_width);
    if (!reductions) {
      s.assign(words.part(i * width, width), cat({chosen, mask}));
      return;
    }
    const Expr op = of_chosen("op", op_, op_width);
    s.assign(words.part(i * width, width), cat({op(1, 0), chosen, mask}));
    s.unused("unused_op", {op.at(2)}, "known: a reduction");
  });
  return {present, words, width};
}

void Collective::declare_results() {
  packet_valid_ = m_.wire("packet_valid", 1, "a result is complete enough to be chosen");
  packet_ = several() ? m_.wire("packet", sizes_.ports + sizes_.channels, "{VC, mask}")
                      : m_.wire("packet", sizes_.ports, "its mask");
  packet_chosen_ = m_.wire("packet_chosen", 1);
  result_valid_ = m_.wire("result_valid", 1, "the result FIFO has a flit");
  result_tail_ = m_.wire("result_tail", 1, "it is the last of its packet");
  result_sent_ = m_.wire("result_sent", 1, "it is taken");
}

void Collective::send(const std::optional<Candidates>& multicasts) {
  const Expr ports = sizes_.ports;
  const Expr channels = sizes_.channels;
  m_.comment(
      "The packet that is sent, and the choice of the next one while its last flit is taken.");
  const Expr chosen = m_.reg("chosen_q", 1, "a packet is chosen");
  const Expr started = m_.reg("started_q", 1, "its head was taken");
  const Expr mask = m_.reg("mask_q", ports, "its outputs");
  channel_s_ = several() ? m_.reg("channel_q", channels, "its VC") : Expr(1);
  source_ = multicasts ? m_.reg("source_q", sources_, "where it comes from, one-hot; 0: no packet")
                       : Expr(1);
  const Expr ready =
      for_each_port("ready", "outputs that are in the way of nothing", [&](const Expr& p) {
        return ~mask.at(p) |
               mux(started, in_channel(credit_, p, channel_s_), in_channel(open_, p, channel_s_));
      });
  const auto of_source = [&](const std::string& name, const std::string& note, const Expr& vector,
                             const Expr& of_result) {
    if (!multicasts) return of_result;
    const Expr bits = for_each_port(name, note, [&](const Expr& p) {
      return source_.at(p) & in_channel(vector, p, channel_s_);
    });
    return fifo_ == nullptr ? any(bits) : any(bits) | (source_.at(ports) & of_result);
  };
  const Expr there = of_source("source_flit", "the source has a flit", present_, result_valid_);
  const Expr last =
      m_.let("last", of_source("source_tail", "its flit is a tail", tail_, result_tail_));
  sends_ = m_.let("sends", chosen & there & all(ready), "a flit is taken");
  m_.assign(claim_, rep(ports, sends_) & mask);
  if (several()) m_.assign(channel_o_, channel_s_);
  m_.assign(last_, last);
  m_.generate_for("p", 0, ports, "blocked", [&](Scope& s, const Expr& p) {
    s.assign(blocked_.part(p * channels, channels),
             several() ? rep(channels, chosen & mask.at(p)) & channel_s_ : chosen & mask.at(p));
  });
  m_.blank();

  const Expr turn = m_.let("turn", ~chosen | (sends_ & last), "the next packet is chosen");
  Expr grant = packet_valid_, word = packet_, candidates = packet_valid_;
  if (multicasts) {
    candidates = multicasts->present & ~source_(ports - 1, 0);
    Expr words = multicasts->words;
    if (fifo_ != nullptr) {
      candidates = cat({packet_valid_, candidates});
      words = cat({packet_, words});
    }
    candidates = m_.let("candidates", candidates);
    grant = first("chosen", candidates, sources_, turn);
    word = word_of("chosen_word", grant, words, sources_, several() ? ports + channels : ports);
    m_.always_ff(clk_, {If(!rst_n_, {source_ <<= 0}).else_if(turn, {source_ <<= grant})});
  }
  Body chooses{mask <<= mask_in(word)};
  if (several()) chooses.push_back(channel_s_ <<= channel_in(word));
  m_.always_ff(clk_, {If(turn, chooses)});
  m_.always_ff(
      clk_,
      {If(!rst_n_, {chosen <<= 0, started <<= 0})
           .else_({If(turn, {chosen <<= any(candidates)}), If(sends_, {started <<= ~last})})});
  if (fifo_ == nullptr) return;
  m_.assign(packet_chosen_, multicasts ? turn & grant.at(ports) : turn & packet_valid_);
  m_.assign(result_sent_, multicasts ? sends_ & source_.at(ports) : sends_);
}

void Collective::reduce(const Candidates& reductions) {
  const Expr ports = sizes_.ports;
  m_.blank();
  m_.comment(
      "The reduction that is combined: it begins when all members of the reference are there with "
      "the same header. While there is none, another input becomes the reference in each cycle.");
  const Expr busy = m_.reg("reducing_q", 1, "a reduction is under way");
  const Expr reference = m_.reg("reference_q", ports, "the input that is tried, one-hot; 0: none");
  const Expr word = word_of("trial_word", reference, reductions.words, ports, reductions.width);
  const Expr missing = for_each_port("missing", "members that are not there", [&](const Expr& p) {
    return word.at(p) & ~(reductions.present.at(p) &
                          (reductions.words.part(p * reductions.width, reductions.width) == word));
  });
  const Expr active =
      m_.let("reducing", busy | (any(reference & reductions.present) & ~any(missing)));
  const Expr members = keep("members", busy, mask_in(word), "");
  const Expr op = keep("op", busy, word(reductions.width - 1, reductions.width - 2), "");
  channel_r_ = several() ? keep("members_channel", busy, channel_in(word), "their VC") : Expr(1);
  const Expr waits = for_each_port("waits", "members without a flit for it", [&](const Expr& p) {
    const Expr there = in_channel(present_, p, channel_r_);
    return members.at(p) & (device_.multicast ? ~there | (sends_ & source_.at(p)) : ~there);
  });
  const Expr room = m_.wire("room", 1, "a place in the result FIFO");
  const Expr moves = m_.let("moves", active & ~any(waits) & room, "a flit of each member is taken");
  const Expr tails = for_each_port("tails", "the reference's flit is a tail", [&](const Expr& p) {
    return reference.at(p) & in_channel(tail_, p, channel_r_);
  });
  const Expr last = m_.let("last_moves", any(tails));
  member_ = m_.let("taken_member", rep(ports, moves) & members);
  m_.always_ff(clk_, {If(!rst_n_, {member_o_ <<= 0}).else_({member_o_ <<= member_})});
  m_.always_ff(clk_, {reference_o_ <<= reference, op_o_ <<= op});
  const Expr next_trial = m_.let("next_trial", ~active | (moves & last));
  const Expr next = first("next_reference", reductions.present, ports, next_trial);
  m_.always_ff(
      clk_, {If(!rst_n_, {busy <<= 0, reference <<= 0})
                 .else_({busy <<= ~next_trial, If(next_trial & any(next), {reference <<= next})})});
  m_.blank();
  m_.comment("What is taken has a place from then on, and comes to the FIFO when it is combined.");
  const Expr places = m_.localparam("PLACES", spare_results + stages_);
  const Expr unused_room = m_.wire("unused_room", 1);
  const Expr unused_count = m_.wire("unused_count", clog2(places + 1));
  m_.instance("u_places", *places_, {{"INITIAL", places}, {"ROOM", 1}},
              {{"clk_i", clk_},
               {"rst_ni", rst_n_},
               {"take_i", moves},
               {"give_i", result_sent_},
               {"credit_o", room},
               {"room_o", unused_room},
               {"count_o", unused_count}});
  keep_results(moves, last, members, places);
}

void Collective::keep_results(const Expr& moves, const Expr& last, const Expr& members,
                              const Expr& places) {
  const Expr begun = m_.reg("begun_q", 1, "the heads were taken");
  m_.always_ff(clk_, {If(!rst_n_, {begun <<= 0}).else_if(moves, {begun <<= ~last})});
  const Expr word = m_.let("coming_word", several() ? cat({channel_r_, members}) : members);
  const Expr width = width_of(word);
  const Expr coming = m_.reg("coming_q", stages_, "flits that are being combined");
  const Expr heads = m_.reg("coming_heads_q", stages_);
  const Expr tails = m_.reg("coming_tails_q", stages_);
  const Expr words = m_.reg("coming_words_q", stages_ * width, "of their packets");
  m_.always_ff(
      clk_, {If(!rst_n_, {coming <<= 0}).else_({coming <<= cat({coming(stages_ - 2, 0), moves})})});
  m_.always_ff(clk_, {heads <<= cat({heads(stages_ - 2, 0), ~begun}),
                      tails <<= cat({tails(stages_ - 2, 0), last}),
                      words <<= cat({words((stages_ - 1) * width - 1, 0), word})});
  const auto fifo = [&](const std::string& name, const Expr& bits, const Expr& write,
                        const Expr& data, const Expr& read, const Expr& valid, const Expr& head) {
    const Expr full = m_.wire("unused_" + name + "_full", 1, "places are counted");
    m_.instance("u_" + name, *fifo_, {{"DEPTH", places}, {"WIDTH", bits}},
                {{"clk_i", clk_},
                 {"rst_ni", rst_n_},
                 {"write_i", write},
                 {"data_i", data},
                 {"full_o", full},
                 {"read_i", read},
                 {"valid_o", valid},
                 {"data_o", head}});
  };
  const Expr written = m_.let("written", coming.at(stages_ - 1));
  fifo("packets", width, written & heads.at(stages_ - 1), words.part((stages_ - 1) * width, width),
       packet_chosen_, packet_valid_, packet_);
  fifo("results", 1, written, tails.at(stages_ - 1), result_sent_, result_valid_, result_tail_);
}

const Module& Collective::build() {
  declare_ports();
  m_.blank();
  const Expr ports = sizes_.ports;
  const Expr channels = sizes_.channels;
  std::optional<Candidates> multicasts, reductions;
  if (device_.multicast) multicasts = find("multicast", false);
  if (device_.in_network_reduction) {
    stages_ = result_stages(m_, ports);
    reductions = find("reduction", true);
    declare_results();
  }
  send(multicasts);
  if (reductions) reduce(*reductions);
  m_.blank();
  m_.comment("What was taken departs.");
  m_.always_ff(
      clk_, {If(!rst_n_, {to_ <<= 0, from_ <<= 0})
                 .else_({to_ <<= claim_,
                         from_ <<= device_.multicast ? rep(sources_, sends_) & source_ : sends_})});
  Expr busy = member_o_;
  if (device_.multicast) {
    busy = reductions ? from_(ports - 1, 0) | member_o_ : from_;
  }
  m_.assign(busy_o_, busy);
  const auto takes = [&](const Expr& p, const Expr& v) {
    const auto of = [&](const Expr& takes, const Expr& channel) {
      return several() ? takes & channel.at(v) : takes;
    };
    std::optional<Expr> all;
    if (device_.multicast) all = of(sends_ & source_.at(p), channel_s_);
    if (!reductions) return *all;
    const Expr combined = of(member_.at(p), channel_r_);
    return all ? *all | combined : combined;
  };
  m_.blank();
  m_.generate_for("p", 0, ports, "taking", [&](Scope& s, const Expr& p) {
    if (!several()) {
      s.assign(take_.at(p), takes(p, 0));
      return;
    }
    s.generate_for("v", 0, channels, "vc", [&](Scope& t, const Expr& v) {
      t.assign(take_.at(p * channels + v), takes(p, v));
    });
  });
  m_.finish();
  return m_;
}

}  // namespace

const Module& add_collective(Design& design, const Shape& shape) {
  return Collective(design, shape).build();
}

}  // namespace weft::rtl
