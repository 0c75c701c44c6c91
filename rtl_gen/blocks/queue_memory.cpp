// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/queue_memory.h"

#include "rtl_gen/blocks/crossbar.h"
#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// Above this many words a memory that can become a RAM is better than registers with enables.
constexpr int most_registers = 32;

ModuleDoc queue_memory_doc(QueueMemoryKind kind) {
  ModuleDoc doc;
  doc.summary = "several queues in one memory.";
  doc.description =
      "Each queue is a ring of DEPTH words with a write and a read pointer of its own; the memory "
      "has one write and one read port. The flags of all words are kept beside it, and those of "
      "each queue's head in a register, so that all heads are seen at once and at the beginning of "
      "a cycle.";
  if (kind.gated_clocks) {
    doc.description +=
        "\n\nA word's clock is high but in the second half of the cycle in which the word is "
        "written: gating by OR has no glitches if write_i settles while clk_i is high.";
  }
  if (kind.ahead) {
    doc.description +=
        "\n\nA word is taken before it is read: its flags make way for those of the next one while "
        "it "
        "keeps its place.";
  }
  doc.diagram = std::string("  data_i -->  memory of QUEUES * DEPTH words  --> data_o\n") +
                "                 ^ free_q       ^ " + (kind.ahead ? "next_q" : "head_q") +
                ", of each queue";
  doc.latency = std::string("a word written in cycle t can be read from cycle t + 1 on. ") +
                (kind.late ? "data_o follows read_i by a cycle." : "Reading is combinational.");
  return doc;
}

class QueueMemory {
 public:
  QueueMemory(Module& m, const Module& crossbar, QueueMemoryKind kind)
      : m_(m),
        crossbar_(crossbar),
        kind_(kind),
        queues_(m.parameter("QUEUES", 2, ">= 1")),
        depth_(m.parameter("DEPTH", 4, "words of a queue, >= 1")),
        width_(m.parameter("WIDTH", 8, "bits of a word, >= 1")),
        flags_(m.parameter("FLAGS", 1, "bits of a word that are seen at the head, >= 1")),
        clk_(m.input("clk_i")),
        rst_n_(m.input("rst_ni", 1, "synchronous, active low; control only")),
        write_(
            (m.port_group(), m.input("write_i", queues_, "one-hot or 0; not into a full queue"))),
        data_i_(m.input("data_i", width_)),
        flags_i_(m.input("flags_i", flags_)),
        full_(m.output("full_o", queues_)),
        take_((m.port_group(),
               kind.ahead ? m.input("take_i", queues_, "the heads are taken; not of empty queues")
                          : Expr(0))),
        read_(m.input("read_i", queues_,
                      kind.ahead ? "one-hot or 0; in the cycle of take_i or later"
                                 : "one-hot or 0; not from an empty queue")),
        data_o_(
            m.output("data_o", width_,
                     kind.late ? "the word that left in the last cycle" : "the word that leaves")),
        nonempty_(m.output("nonempty_o", queues_)),
        flags_o_(m.output("flags_o", queues_ * flags_,
                          "of the head of queue q at [q*FLAGS +: FLAGS]")) {}

  void build() {
    m_.require(queues_ >= 1, "QUEUES_must_be_at_least_1");
    m_.require(depth_ >= 1, "DEPTH_must_be_at_least_1");
    m_.require(width_ >= 1, "WIDTH_must_be_at_least_1");
    m_.require(flags_ >= 1, "FLAGS_must_be_at_least_1");
    words_ = m_.localparam("WORDS", queues_ * depth_);
    place_width_ = m_.localparam("PLACE_WIDTH", mux(depth_ > 1, clog2(depth_), Expr(1)));
    heads_ = m_.wire("heads", queues_ * place_width_, "the place of each queue's next word");
    frees_ = m_.wire("frees", queues_ * place_width_, "the place behind its last word");
    queues();
    if (kind_.gated_clocks) {
      m_.comment("A register and a clock for each word.");
      registers(m_);
      return;
    }
    const Expr most =
        m_.localparam("MOST_REGISTERS", most_registers, "words of registers; more become a memory");
    m_.generate_if(words_ <= most, "of_registers", [&](Scope& s) {
        registers(s);
      }).otherwise("of_memory", [&](Scope& s) { memory(s); });
  }

 private:
  /// Pointers and head flags of each queue.
  void queues() {
    const Expr last = m_.constant("LAST", place_width_, depth_ - 1);
    const Function next = m_.function("next", place_width_, [&](FunctionBuilder& f) {
      const Expr place = f.input("place", place_width_);
      return Body{set(f.result(), mux(place == last, 0, place + 1))};
    });
    m_.generate_for("q", 0, queues_, "queue", [&](Scope& s, const Expr& q) {
      const Expr head = s.reg("head_q", place_width_);
      const Expr free = s.reg("free_q", place_width_);
      const Expr present = s.reg("present_q", 1, "the queue is not empty");
      const Expr head_flags = s.reg("flags_q", flags_, "of the head");
      const Expr put = write_.at(q);
      const Expr get = (kind_.ahead ? take_ : read_).at(q);
      const Expr second = s.let("second", next({head}), "the place behind the head");
      const Expr alone = s.let("alone", ~present | (second == free), "there is no second");
      s.always_ff(clk_, {If(!rst_n_, {head <<= 0, free <<= 0, present <<= 0})
                             .else_({If(put, {free <<= next({free})}), If(get, {head <<= second}),
                                     present <<= put | mux(get, ~alone, present)})});
      const Expr next_flags = s.wire("next_flags", flags_, "of the second");
      s.generate_if(depth_ == 1, "single", [&](Scope& t) {
         t.assign(next_flags, flags_i_);
       }).otherwise("several", [&](Scope& t) {
        const Expr kept = t.reg_array("kept_q", flags_, {depth_}, Storage::memory);
        t.always_ff(clk_, {If(put, {kept.at(free) <<= flags_i_})});
        t.assign(next_flags, mux(alone, flags_i_, kept.at(second)));
      });
      s.comment(
          "The next word comes to the head when the head leaves, or at once if there is none.");
      s.always_ff(clk_, {If(get | ~present, {head_flags <<= next_flags})});
      s.assign(nonempty_.at(q), present);
      s.assign(flags_o_.part(q * flags_, flags_), head_flags);
      Expr next_read = head;
      Expr occupied = present;
      if (kind_.ahead) {
        next_read = s.reg("next_q", place_width_, "the place of the next word to be read");
        const Expr after = s.let("after", next({next_read}));
        occupied = s.reg("occupied_q", 1, "not all words are read");
        s.always_ff(clk_,
                    {If(!rst_n_, {next_read <<= 0, occupied <<= 0})
                         .else_({If(read_.at(q), {next_read <<= after}),
                                 occupied <<= put | mux(read_.at(q), after != free, occupied)})});
      }
      s.assign(full_.at(q), occupied & (next_read == free));
      s.assign(heads_.part(q * place_width_, place_width_), next_read);
      s.assign(frees_.part(q * place_width_, place_width_), free);
    });
  }

  void registers(Scope& scope) {
    const Expr words = scope.wire("words", words_ * width_, "word k of queue q at q*DEPTH + k");
    Expr select = scope.wire("select", words_, "the word that leaves, one-hot");
    scope.generate_for("q", 0, queues_, "words_of", [&](Scope& s, const Expr& q) {
      s.generate_for("k", 0, depth_, "word", [&](Scope& t, const Expr& k) {
        const Expr place = fit(k, place_width_);
        const Expr word = t.reg("word_q", width_);
        const Expr put = write_.at(q) & (frees_.part(q * place_width_, place_width_) == place);
        if (kind_.gated_clocks) {
          const Expr clock = t.let("word_clk", clk_ | ~put);
          t.always_ff(clock, {word <<= data_i_});
        } else {
          t.always_ff(clk_, {If(put, {word <<= data_i_})});
        }
        t.assign(words.part((q * depth_ + k) * width_, width_), word);
        t.assign(select.at(q * depth_ + k),
                 read_.at(q) & (heads_.part(q * place_width_, place_width_) == place));
      });
    });
    if (kind_.late) select = registered(scope, "select_q", select, words_);
    scope.instance("u_read", crossbar_, {{"INPUTS", words_}, {"OUTPUTS", 1}, {"WIDTH", width_}},
                   {{"select_i", select}, {"data_i", words}, {"data_o", data_o_}});
  }

  void memory(Scope& scope) {
    const Expr address_width =
        scope.localparam("ADDRESS_WIDTH", mux(words_ > 1, clog2(words_), Expr(1)));
    const auto address = [&](const std::string& name, const Expr& places, const Expr& queue) {
      const Expr all = scope.wire(name + "_addresses", queues_ * address_width, "of each queue");
      scope.generate_for("q", 0, queues_, name + "_address_of", [&](Scope& s, const Expr& q) {
        const Expr first = s.constant("FIRST", address_width, q * depth_);
        s.assign(all.part(q * address_width, address_width),
                 first + zext(places.part(q * place_width_, place_width_), address_width));
      });
      const Expr result = scope.wire(name + "_address", address_width);
      scope.instance("u_" + name + "_address", crossbar_,
                     {{"INPUTS", queues_}, {"OUTPUTS", 1}, {"WIDTH", address_width}},
                     {{"select_i", queue}, {"data_i", all}, {"data_o", result}});
      return result;
    };
    const Expr write_address = address("write", frees_, write_);
    Expr read_address = address("read", heads_, read_);
    if (kind_.late) read_address = registered(scope, "read_address_q", read_address, address_width);
    const Expr memory = scope.reg_array("memory_q", width_, {words_}, Storage::memory);
    scope.always_ff(clk_, {If(any(write_), {memory.at(write_address) <<= data_i_})});
    scope.assign(data_o_, memory.at(read_address));
  }

  Expr registered(Scope& scope, const std::string& name, const Expr& value, const Expr& width) {
    const Expr q = scope.reg(name, width);
    scope.always_ff(clk_, {q <<= value});
    return q;
  }

  Module& m_;
  const Module& crossbar_;
  QueueMemoryKind kind_;
  Expr queues_, depth_, width_, flags_;
  Expr clk_, rst_n_, write_, data_i_, flags_i_, full_, take_, read_, data_o_, nonempty_, flags_o_;
  Expr words_ = 0, place_width_ = 0;
  Expr heads_ = 0, frees_ = 0;
};

}  // namespace

const Module& add_queue_memory(Design& design, const std::string& prefix, QueueMemoryKind kind) {
  const Module& crossbar = add_crossbar(design, prefix);
  return module_once(design, prefix + "_queue_memory", queue_memory_doc(kind),
                     [&](Module& m) { QueueMemory(m, crossbar, kind).build(); });
}

}  // namespace weft::rtl
