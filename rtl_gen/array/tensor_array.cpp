// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/tensor_array.h"

#include <fmt/format.h>

#include <bit>

#include "rtl_gen/array/modules.h"

namespace weft::rtl {

using namespace hdl;

namespace {

/// Whether the grid needs saturation logic: not if no sum can leave the accumulator, by the same
/// bound (EXACT_WIDTH) that the top module checks when it is elaborated at another size.
bool can_saturate(const arch::TensorArray& array) {
  if (array.overflow == arch::Overflow::wrap) return false;
  const int exact = array.moving_format.bits + array.stationary_format.bits +
                    static_cast<int>(std::bit_width(static_cast<unsigned>(array.depth() - 1)));
  return array.output_stationary() || array.accumulator_width < exact;
}

/// Builds the top module: its ports, its parameters and the streams around the grid.
class Top {
 public:
  Top(Design& design, const arch::TensorArray& array);
  void build_stationary(const Module& grid, const Module& loader, const Module& skew);
  void build_output(const Module& grid, const Module& drain, const Module& skew);

 private:
  [[nodiscard]] bool internal() const { return array_.skew == arch::Skew::internal; }
  [[nodiscard]] bool gated() const { return array_.clock_gating == arch::ClockGating::per_row; }
  void declare_advance();
  /// `signal` after 0 .. hops cycles at bits 0 .. hops of the result.
  Expr delayed(const std::string& name, const Expr& signal, const Expr& hops, bool reset);
  /// Lanes on their way into or out of the grid: skewed, or as they are.
  Expr skewed(const std::string& name, const Module& skew, const Expr& data, const Expr& lanes,
              const Expr& width, bool reverse);
  /// When the clocks of the rows run; `valid`: vectors of the last cycles.
  void connect_row_clocks(const Expr& valid);
  /// The same with stationary sums; `open`: a step may enter, `enters`: one does.
  void connect_output_clocks(const Expr& open, const Expr& enters, const Expr& row_drain);
  /// `begins`, or `began` in one of the last COL_HOPS cycles: what began at column 0 still goes on.
  void across_columns(Scope& s, const Expr& on, const Expr& begins, const Expr& began);
  /// Result columns, extended to the accumulator's width.
  void connect_results(const Expr& columns, const Expr& width);

  const arch::TensorArray& array_;
  Module& m_;

 public:
  Expr rows, cols, macs, stationary_width, moving_width, acc_width, tag_width, load_rows,
      pe_registers;
  Expr row_hops, col_hops, stages;
  Expr clk, rst_n;
  Expr stationary_valid, stationary_ready, stationary_data;
  Expr moving_valid, moving_ready, moving_data, moving_tag, moving_last;
  Expr result_valid, result_ready, result_data, result_tag, result_last;
  Expr advance = 0;
  /// With gated clocks: what is known of rows at the beginning of a cycle, and what follows.
  Expr load = 0, load_open = 0, moving_open = 0, row_switch = 0, moving_on = 0, held_on = 0,
       row_on = 0;
};

ModuleDoc top_doc(const arch::TensorArray& array) {
  const char* const article_and_dataflow =
      array.dataflow == arch::Dataflow::weight_stationary   ? "a weight-stationary"
      : array.dataflow == arch::Dataflow::output_stationary ? "an output-stationary"
                                                            : "an input-stationary";
  const bool output = array.output_stationary();
  const bool internal = array.skew == arch::Skew::internal;
  ModuleDoc doc;
  doc.summary = fmt::format("{} systolic tensor array.", article_and_dataflow);
  doc.description = output ? "Each step takes a beat of both operand streams: PE (r, c) adds the "
                             "product of moving elements (r, *) and "
                             "stationary elements (c, *) to its sum. After the step with "
                             "moving_last_i the ROWS result vectors of the tile "
                             "leave, bottom row first."
                           : "A stationary tile of ROWS * MACS x COLS elements is loaded, "
                             "LOAD_ROWS rows a beat, bottom rows first; "
                             "each moving vector of ROWS * MACS elements then gives a result of "
                             "COLS sums. moving_last_i marks the last vector that "
                             "uses a tile.";
  doc.description +=
      "\n\nA beat moves when valid and ready are high; valid never waits for ready. Back pressure "
      "at the result stops the "
      "whole array (advance), and nothing is lost. The tag of a vector returns with its result.";
  if (!internal) {
    doc.description +=
        "\n\nThe systolic edges are exposed: lane r of the moving operand of a beat is sampled "
        "h(r) cycles (with advance_o "
        "high) after the beat, column c of the stationary operand h(c) cycles, and column c of a "
        "result follows column 0 by h(c) "
        "cycles. Tag and last belong to column 0.";
  }
  doc.diagram = output ? "  stationary ---->[ skew ]------.\n"
                         "                                v\n"
                         "  moving --+----->[ skew ]-->[ grid ]-->[ deskew ]--> result\n"
                         "           |                    ^                      |\n"
                         "           '-- last -->[ drain ]+--- tag, valid -------'"
                       : "  stationary --+-->[ skew ]-----.\n"
                         "               '-->[ loader ]-. |\n"
                         "                              v v\n"
                         "  moving --+------>[ skew ]-->[ grid ]-->[ deskew ]--> result\n"
                         "           '-- tag, valid --- delay line -------------'";
  if (!internal) {
    doc.diagram =
        "  stationary, moving (skewed lanes) -->[ grid ]--> result (skewed columns)\n"
        "  valid, tag, last ------------------ delay line -->";
  }
  const std::string column = internal ? "h(ROWS - 1) + h(COLS - 1)" : "h(ROWS - 1)";
  doc.latency = fmt::format(
      "in cycles with advance high, with h(i) = floor(i / PE_REGISTERS): {} {} + STAGES + 2{}.",
      output ? "the first result of a tile follows its last step by"
             : "a result follows its vector by",
      column, output ? ", the others one by one" : "; one vector a cycle");
  return doc;
}

Top::Top(Design& design, const arch::TensorArray& array)
    : array_(array),
      m_(design.add_module(array.name, top_doc(array))),
      rows(m_.parameter("ROWS", array.rows, "PE rows, >= 1")),
      cols(m_.parameter("COLS", array.cols, "PE columns, >= 1")),
      macs(m_.parameter("MACS", array.macs_per_pe, "products of a PE and cycle, >= 1")),
      stationary_width(
          m_.parameter("STATIONARY_WIDTH", array.stationary_format.bits,
                       fmt::format("bits of a stationary element, {}",
                                   array.stationary_format.is_signed ? "signed" : "unsigned"))),
      moving_width(
          m_.parameter("MOVING_WIDTH", array.moving_format.bits,
                       fmt::format("bits of a moving element, {}",
                                   array.moving_format.is_signed ? "signed" : "unsigned"))),
      acc_width(m_.parameter("ACC_WIDTH", array.accumulator_width, "bits of a result element")),
      tag_width(m_.parameter("TAG_WIDTH", array.tag_width, "bits of a tag, >= 1")),
      load_rows(array.output_stationary() ? Expr(1)
                                          : m_.parameter("LOAD_ROWS", array.load_rows_per_cycle,
                                                         "rows of a load beat, >= 1")),
      pe_registers(
          m_.parameter("PE_REGISTERS", array.pe_registers, "PEs between forward registers, >= 1")),
      row_hops(0),
      col_hops(0),
      stages(0),
      clk(m_.input("clk_i")),
      rst_n(m_.input("rst_ni", 1, "synchronous, active low")),
      stationary_valid((m_.port_group(), m_.input("stationary_valid_i"))),
      stationary_ready(m_.output("stationary_ready_o")),
      stationary_data(m_.input("stationary_data_i", load_rows * cols * macs * stationary_width,
                               array.output_stationary()
                                   ? "element (c, m) at c*MACS + m"
                                   : "element (l, c, m) at (l*COLS + c)*MACS + m")),
      moving_valid((m_.port_group(), m_.input("moving_valid_i"))),
      moving_ready(m_.output("moving_ready_o")),
      moving_data(
          m_.input("moving_data_i", rows * macs * moving_width, "element (r, m) at r*MACS + m")),
      moving_tag(m_.input("moving_tag_i", tag_width)),
      moving_last(m_.input("moving_last_i", 1, "ends its tile")),
      result_valid((m_.port_group(), m_.output("result_valid_o", internal() ? Expr(1) : cols,
                                               internal() ? "" : "column c at c"))),
      result_ready(m_.input("result_ready_i")),
      result_data(m_.output("result_data_o", cols * acc_width, "column c at c")),
      result_tag(m_.output("result_tag_o", tag_width)),
      result_last(m_.output(
          "result_last_o", 1,
          array.output_stationary() ? "the last row of its tile" : "the last vector of its tile")) {
  if (!internal()) {
    m_.port_group();
    const Expr advance_o = m_.output("advance_o", 1, "registers move on in this cycle");
    advance = m_.wire("advance", 1);
    m_.assign(advance_o, advance);
  } else {
    advance = m_.wire("advance", 1, "all moves on, or nothing");
  }
  m_.assign(advance, result_ready | ~(internal() ? result_valid : any(result_valid)));
  m_.blank();
  const bool output = array.output_stationary();
  if (!output || !internal() || gated()) {
    row_hops =
        m_.localparam("ROW_HOPS", (rows - 1) / pe_registers, "forward registers to row ROWS - 1");
  }
  col_hops =
      m_.localparam("COL_HOPS", (cols - 1) / pe_registers, "forward registers to column COLS - 1");
  if (!output || gated()) {
    stages = m_.localparam("STAGES", array.multiplier_stages + array.adder_stages,
                           "pipeline registers in a PE");
  }
}

Expr Top::delayed(const std::string& name, const Expr& signal, const Expr& hops, bool reset) {
  Expr line = m_.wire(name + "_line", hops + 1, "[k]: k cycles ago");
  m_.assign(line.at(0), signal);
  m_.generate_if(hops > 0, name + "_delay", [&](Scope& s) {
    const Expr q = s.reg(name + "_q", hops);
    const Stmt shift = q <<= line(hops - 1, 0);
    s.always_ff(clk, reset ? Body{If(!rst_n, {q <<= 0}).else_if(advance, {shift})}
                           : Body{If(advance, {shift})});
    s.assign(line(hops, 1), q);
  });
  return line;
}

Expr Top::skewed(const std::string& name, const Module& skew, const Expr& data, const Expr& lanes,
                 const Expr& width, bool reverse) {
  if (!internal()) return data;
  Expr out = m_.wire(name, lanes * width);
  std::vector<Connection> parameters{{"LANES", lanes}, {"WIDTH", width}, {"STEP", pe_registers}};
  if (reverse) parameters.push_back({"REVERSE", 1});
  m_.instance("u_" + name, skew, parameters,
              {{"clk_i", clk}, {"advance_i", advance}, {"data_i", data}, {"data_o", out}});
  return out;
}

void Top::connect_results(const Expr& columns, const Expr& width) {
  m_.generate_for("c", 0, cols, "column", [&](Scope& s, const Expr& c) {
    const Expr sum = s.let("sum", columns.part(c * width, width));
    const Expr above = array_.accumulator_signed() ? sum.at(width - 1) : bin(1, 0);
    s.assign(result_data.part(c * acc_width, acc_width),
             can_saturate(array_) ? sum : cat({rep(acc_width - width, above), sum}));
  });
}

void Top::build_stationary(const Module& grid, const Module& loader, const Module& skew) {
  const Expr latency =
      m_.localparam("LATENCY", row_hops + stages + 2 + (internal() ? col_hops : Expr(0)),
                    internal() ? "vector to result" : "vector to column 0 of its result");
  Expr psum_width = acc_width;
  if (!can_saturate(array_)) {
    const Expr exact =
        m_.localparam("EXACT_WIDTH", moving_width + stationary_width + clog2(rows * macs),
                      "bits that hold every sum");
    if (array_.overflow == arch::Overflow::saturate) {
      m_.require(acc_width >= exact, "ACC_WIDTH_must_hold_every_sum");
    }
    psum_width = m_.localparam("PSUM_WIDTH", mux(acc_width < exact, acc_width, exact),
                               "bits of a partial sum");
  }
  const bool doubled = array_.stationary_buffers == 2;
  m_.blank();
  load = m_.wire("load", rows);
  const Expr switch_tile = doubled ? m_.wire("switch", 1) : Expr(0);
  std::vector<Connection> ports{{"clk_i", clk},
                                {"rst_ni", rst_n},
                                {"advance_i", advance},
                                {"stationary_valid_i", stationary_valid},
                                {"stationary_ready_o", stationary_ready},
                                {"load_o", load},
                                {"moving_valid_i", moving_valid},
                                {"moving_ready_o", moving_ready},
                                {"moving_last_i", moving_last}};
  if (doubled) ports.push_back({"switch_o", switch_tile});
  if (gated()) {
    load_open = m_.wire("load_open", rows, "rows that a load beat may reach in this cycle");
    moving_open = m_.wire("moving_open", 1, "a vector may enter in this cycle");
    ports.push_back({"load_open_o", load_open});
    ports.push_back({"moving_open_o", moving_open});
  }
  m_.instance("u_loader", loader,
              {{"ROWS", rows}, {"LOAD_ROWS", load_rows}, {"PE_REGISTERS", pe_registers}}, ports);

  m_.comment("Vectors enter as a diagonal: row r waits for the partial sums of the rows above.");
  const Expr lanes = skewed("moving_skew", skew, moving_data, rows, macs * moving_width, false);
  const Expr held = macs * stationary_width;
  Expr columns = stationary_data;
  if (internal()) {
    m_.comment("Load beats follow the vectors across the columns.");
    columns = m_.wire("stationary_skew", load_rows * cols * held);
    m_.generate_for("l", 0, load_rows, "load_lane", [&](Scope& s, const Expr& l) {
      s.instance("u_skew", skew, {{"LANES", cols}, {"WIDTH", held}, {"STEP", pe_registers}},
                 {{"clk_i", clk},
                  {"advance_i", advance},
                  {"data_i", stationary_data.part(l * cols * held, cols * held)},
                  {"data_o", columns.part(l * cols * held, cols * held)}});
    });
  }
  std::vector<Connection> grid_ports{
      {"clk_i", clk}, {"advance_i", advance}, {"load_i", load}, {"stationary_i", columns}};
  if (doubled) {
    m_.comment("The switch goes down the rows with the vectors.");
    const Expr line = delayed("switch_down", switch_tile, row_hops, true);
    row_switch = m_.wire("row_switch", rows);
    m_.generate_for("r", 0, rows, "row", [&](Scope& s, const Expr& r) {
      s.assign(row_switch.at(r), line.at(r / pe_registers));
    });
    grid_ports.push_back({"switch_i", row_switch});
  }
  m_.blank();
  if (gated()) {
    moving_on = m_.wire("moving_on", row_hops + 1, "[t]: a vector or its sums move there");
    held_on = m_.wire("held_on", row_hops + 1, "[t]: stationary elements move there");
    grid_ports.push_back({"moving_on_i", moving_on});
    grid_ports.push_back({"held_on_i", held_on});
  }
  const Expr sums = m_.wire("sums", cols * psum_width, "leave the grid column by column");
  grid_ports.push_back({"moving_i", lanes});
  grid_ports.push_back({"result_o", sums});
  m_.instance("u_grid", grid,
              {{"ROWS", rows},
               {"COLS", cols},
               {"MACS", macs},
               {"STATIONARY_WIDTH", stationary_width},
               {"MOVING_WIDTH", moving_width},
               {"PE_REGISTERS", pe_registers},
               {"LOAD_ROWS", load_rows},
               {"PSUM_WIDTH", psum_width}},
              grid_ports);
  connect_results(skewed("deskew", skew, sums, cols, psum_width, true), psum_width);

  m_.comment("Valid, tag and last beside the array, [k]: k + 1 cycles ago.");
  const Expr length =
      internal() ? latency : m_.localparam("LENGTH", latency + col_hops, "to the last column");
  const Expr valid = m_.reg("valid_q", length);
  const Expr last = m_.reg("last_q", latency);
  const Expr tag = m_.reg("tag_q", latency * tag_width);
  const Expr vector = moving_valid & moving_ready;
  m_.always_ff(clk, {If(!rst_n, {valid <<= 0})
                         .else_if(advance, {valid <<= cat({valid(length - 2, 0), vector})})});
  m_.always_ff(clk,
               {If(advance, {last <<= cat({last(latency - 2, 0), moving_last}),
                             tag <<= cat({tag((latency - 1) * tag_width - 1, 0), moving_tag})})});
  if (internal()) {
    m_.assign(result_valid, valid.at(latency - 1));
  } else {
    m_.generate_for("v", 0, cols, "column_valid", [&](Scope& s, const Expr& v) {
      s.assign(result_valid.at(v), valid.at(latency - 1 + v / pe_registers));
    });
  }
  m_.assign(result_last, last.at(latency - 1));
  m_.assign(result_tag, tag(latency * tag_width - 1, (latency - 1) * tag_width));
  if (gated()) connect_row_clocks(valid);
  m_.finish();
}

void Top::connect_row_clocks(const Expr& valid) {
  m_.comment(
      "The clocks of rows t*PE_REGISTERS and following. A vector moves there from t cycles after "
      "it "
      "was accepted until its last sum is below them, COL_HOPS + STAGES + 1 cycles later. The "
      "first row must be ready for a vector before it is known whether one comes.");
  m_.generate_for("t", 0, row_hops + 1, "row_clocks", [&](Scope& s, const Expr& t) {
    s.generate_if(t == 0, "first_row", [&](Scope& first) {
       first.assign(moving_on.at(t), moving_open | any(valid(col_hops + stages, 0)));
     }).otherwise("lower_row", [&](Scope& lower) {
      lower.assign(moving_on.at(t), any(valid(t + col_hops + stages, t - 1)));
    });
    s.comment("A load beat or a switch moves there for COL_HOPS + 1 cycles.");
    const Expr first = s.localparam("FIRST", t * pe_registers);
    const Expr left = rows - first;
    const Expr height = s.localparam("HEIGHT", mux(left < pe_registers, left, pe_registers));
    const bool doubled = array_.stationary_buffers == 2;
    const auto with_switch = [&](const Expr& loads) {
      return doubled ? any(loads) | row_switch.at(first) : any(loads);
    };
    const Expr begins = s.let("begins", with_switch(load_open.part(first, height)), "or may");
    across_columns(s, held_on.at(t), begins, with_switch(load.part(first, height)));
  });
}

void Top::across_columns(Scope& s, const Expr& on, const Expr& begins, const Expr& began) {
  s.generate_if(col_hops == 0, "one_cycle", [&](Scope& one) {
     one.assign(on, begins);
   }).otherwise("several_cycles", [&](Scope& several) {
    const Expr q = several.reg("held_q", col_hops, "[k]: began k + 1 cycles ago");
    const Expr now = several.let("began", began);
    several.always_ff(
        clk, {If(!rst_n, {q <<= 0}).else_if(advance, {q <<= (q << 1) | zext(now, col_hops)})});
    several.assign(on, begins | any(q));
  });
}

void Top::connect_output_clocks(const Expr& open, const Expr& enters, const Expr& row_drain) {
  m_.comment(
      "The clocks of rows t*PE_REGISTERS and following. A step moves there from t cycles after it "
      "was accepted until all columns have added it, COL_HOPS + STAGES + 1 cycles later; then only "
      "zeros are left there. The first row must be ready before it is known whether a step comes. "
      "The clearing after reset is a step like others.");
  const Expr length =
      m_.localparam("HISTORY", row_hops + col_hops + stages + 1, "cycles that a step is inside");
  const Expr entered = m_.reg("entered_q", length, "[k]: a step k + 1 cycles ago");
  m_.always_ff(clk, {If(!rst_n, {entered <<= 0})
                         .else_if(advance, {entered <<= (entered << 1) | zext(enters, length)})});
  m_.generate_for("t", 0, row_hops + 1, "row_clocks", [&](Scope& s, const Expr& t) {
    const Expr step_on = s.wire("step_on", 1);
    s.generate_if(t == 0, "first_row", [&](Scope& first) {
       first.assign(step_on, open | any(entered(col_hops + stages, 0)));
     }).otherwise("lower_row", [&](Scope& lower) {
      lower.assign(step_on, any(entered(t + col_hops + stages, t - 1)));
    });
    const Expr first = s.localparam("FIRST", t * pe_registers);
    const Expr left = rows - first;
    const Expr height = s.localparam("HEIGHT", mux(left < pe_registers, left, pe_registers));
    const Expr drains = s.let("drains", any(row_drain.part(first, height)));
    across_columns(s, row_on.at(t), step_on | drains, drains);
  });
}

void Top::build_output(const Module& grid, const Module& drain, const Module& skew) {
  const bool doubled = array_.stationary_buffers == 2;
  m_.blank();
  const Expr allowed = m_.wire("allowed", 1, "a step may be taken");
  const Expr offered =
      m_.let("offered", stationary_valid & moving_valid, "both operands of a step");
  const Expr step = m_.let("step", offered & allowed);
  m_.assign(stationary_ready, advance & allowed & moving_valid);
  m_.assign(moving_ready, advance & allowed & stationary_valid);
  m_.blank();
  const Expr row_drain = m_.wire("row_drain", rows);
  const Expr row_last = doubled ? m_.wire("row_last", rows) : Expr(0);
  const Expr valid = m_.wire("valid", 1, "beside column 0 of the last row");
  const Expr last = m_.wire("last", 1);
  const Expr tag = m_.wire("tag", tag_width);
  const Expr open = gated() ? m_.wire("open", 1, "a step may be taken, or sums are cleared") : 0;
  const Expr clearing = gated() ? m_.wire("clearing", 1, "sums are cleared") : 0;
  std::vector<Connection> drain_ports{
      {"clk_i", clk},         {"rst_ni", rst_n},       {"advance_i", advance},
      {"offered_i", offered}, {"last_i", moving_last}, {"tag_i", moving_tag},
      {"allowed_o", allowed}, {"drain_o", row_drain},  {"valid_o", valid},
      {"last_row_o", last},   {"tag_o", tag}};
  if (doubled) drain_ports.push_back({"last_o", row_last});
  if (gated()) {
    drain_ports.push_back({"open_o", open});
    drain_ports.push_back({"clearing_o", clearing});
  }
  m_.instance("u_drain", drain,
              {{"ROWS", rows}, {"PE_REGISTERS", pe_registers}, {"TAG_WIDTH", tag_width}},
              drain_ports);

  m_.comment("Lanes without a step carry zeros, which change no sum.");
  const Expr row_bits = macs * moving_width;
  const Expr moving_gated = m_.wire("moving_gated", rows * row_bits);
  if (internal()) {
    m_.assign(moving_gated, moving_data & rep(rows * row_bits, step));
  } else {
    const Expr line = delayed("step_down", step, row_hops, true);
    m_.generate_for("r", 0, rows, "row", [&](Scope& s, const Expr& r) {
      s.assign(moving_gated.part(r * row_bits, row_bits),
               moving_data.part(r * row_bits, row_bits) & rep(row_bits, line.at(r / pe_registers)));
    });
  }
  const Expr lanes = skewed("moving_skew", skew, moving_gated, rows, row_bits, false);
  const Expr columns =
      skewed("stationary_skew", skew, stationary_data, cols, macs * stationary_width, false);
  const Expr sums = m_.wire("sums", cols * acc_width, "leave the grid column by column");
  std::vector<Connection> grid_ports{
      {"clk_i", clk}, {"advance_i", advance}, {"moving_i", lanes}, {"stationary_i", columns}};
  if (doubled) grid_ports.push_back({"last_i", row_last});
  grid_ports.push_back({"drain_i", row_drain});
  if (gated()) {
    row_on = m_.wire("row_on", row_hops + 1, "[t]: a step or its sums move there");
    grid_ports.push_back({"on_i", row_on});
  }
  grid_ports.push_back({"result_o", sums});
  m_.instance("u_grid", grid,
              {{"ROWS", rows},
               {"COLS", cols},
               {"MACS", macs},
               {"STATIONARY_WIDTH", stationary_width},
               {"MOVING_WIDTH", moving_width},
               {"PE_REGISTERS", pe_registers},
               {"ACC_WIDTH", acc_width}},
              grid_ports);
  m_.assign(result_data, skewed("deskew", skew, sums, cols, acc_width, true));
  if (gated()) connect_output_clocks(open, step | clearing, row_drain);
  m_.blank();
  if (internal()) {
    const Expr valid_line = delayed("valid", valid, col_hops, true);
    m_.assign(result_valid, valid_line.at(col_hops));
    const Expr width = tag_width + 1;
    const Expr beside = m_.let("beside", cat({last, tag}));
    const Expr aligned = m_.wire("beside_aligned", width);
    m_.generate_if(col_hops == 0, "beside_direct", [&](Scope& s) {
        s.assign(aligned, beside);
      }).otherwise("beside_delay", [&](Scope& s) {
      const Expr q = s.reg("beside_q", col_hops * width);
      s.always_ff(clk, {If(advance, {q <<= (q << width) | zext(beside, col_hops * width)})});
      s.assign(aligned, q(col_hops * width - 1, (col_hops - 1) * width));
    });
    m_.assign(cat({result_last, result_tag}), aligned);
  } else {
    const Expr valid_line = delayed("valid", valid, col_hops, true);
    m_.generate_for("v", 0, cols, "column_valid", [&](Scope& s, const Expr& v) {
      s.assign(result_valid.at(v), valid_line.at(v / pe_registers));
    });
    m_.assign(result_last, last);
    m_.assign(result_tag, tag);
  }
  m_.finish();
}

}  // namespace

Design build_tensor_array(const arch::TensorArray& array, const Provenance& provenance) {
  Design design(provenance);
  const Module& skew = add_skew(design, array);
  arch::TensorArray effective = array;
  if (!can_saturate(array)) effective.overflow = arch::Overflow::wrap;
  const Module* const clock_gate =
      array.clock_gating == arch::ClockGating::per_row ? &add_clock_gate(design, array) : nullptr;
  if (array.output_stationary()) {
    const Module& grid = add_output_grid(design, effective, clock_gate);
    const Module& drain = add_drain(design, array);
    Top(design, array).build_output(grid, drain, skew);
  } else {
    const Module& grid = add_stationary_grid(design, effective, clock_gate);
    const Module& loader = add_loader(design, array);
    Top(design, array).build_stationary(grid, loader, skew);
  }
  return design;
}

}  // namespace weft::rtl
