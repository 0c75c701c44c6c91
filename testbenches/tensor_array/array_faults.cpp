// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/array_faults.h"

namespace weft::verif {
namespace {

constexpr const char* top = "faulty.v";
constexpr const char* loader = "faulty_loader.v";
constexpr const char* drain = "faulty_drain.v";
constexpr const char* skew = "faulty_skew.v";
constexpr const char* grid = "faulty_grid.v";

/// Those that can be planted in any array with internal skew.
std::vector<Fault> common_faults() {
  return {
      {"back pressure is ignored", "flow", top, "advance = result_ready_i | ~result_valid_o",
       "advance = 1'b1"},
      {"back pressure is ignored with the last result", "flow", top,
       "advance = result_ready_i | ~result_valid_o",
       "advance = result_ready_i | ~result_valid_o | result_last_o"},
      {"the array stalls without a result", "flow", top,
       "advance = result_ready_i | ~result_valid_o", "advance = result_ready_i"},
      {"results are aligned in the wrong direction", "timing", top, ".REVERSE (1)", ".REVERSE (0)"},
      {"a lane is skewed a cycle too little", "timing", skew, "line_at[depth(i)-1][i]",
       "line_at[(i == 2 && depth(i) > 1) ? depth(i)-2 : depth(i)-1][i]"},
      {"skew registers move while the array stands", "flow", skew, "if (advance_i) begin", "begin"},
      {"a lane of the skew line is shifted from its neighbour", "wiring", skew,
       "line_at[k][i] = line_at[k-1][i]", "line_at[k][i] = line_at[k-1][(i == 1) ? 0 : i]"},
      {"the multiplicand is not sign-extended", "arithmetic", grid,
       "{multiplicand[STATIONARY_WIDTH-1], multiplicand}", "{1'b0, multiplicand}"},
      {"the Booth digit +2 counts as 0", "arithmetic", grid, "(digit[2] ^ digit[1]) & ~once",
       "(digit[2] & ~digit[1]) & ~once"},
      {"the carry of a digit -1 is lost", "arithmetic", grid, "carry = digit[2];",
       "carry = digit[2] & ~once;"},
      {"the second MAC of a PE multiplies the first one's element", "arithmetic", grid,
       "stationary[m*STATIONARY_WIDTH +: STATIONARY_WIDTH]", "stationary[0 +: STATIONARY_WIDTH]"},
      {"the last column multiplies what was given to the first", "wiring", grid,
       "EDGE] = moving_at[r][c];", "EDGE] = moving_at[r][(c == COLS-1) ? 0 : c];"},
  };
}

std::vector<Fault> stationary_faults() {
  return {
      {"no valid with the last vector", "protocol", top, "moving_valid_i & moving_ready_o}",
       "moving_valid_i & moving_ready_o & ~moving_last_i}"},
      {"results are valid without a vector", "protocol", top, "moving_valid_i & moving_ready_o}",
       "moving_ready_o}"},
      {"result valid a cycle early", "timing", top, "result_valid_o = valid_q[LATENCY-1]",
       "result_valid_o = valid_q[LATENCY-2]"},
      {"tag of the vector behind", "protocol", top,
       "tag_q[LATENCY*TAG_WIDTH-1:(LATENCY-1)*TAG_WIDTH]",
       "tag_q[(LATENCY-1)*TAG_WIDTH-1:(LATENCY-2)*TAG_WIDTH]"},
      {"last is lost", "protocol", top, "{last_q[LATENCY-2:0], moving_last_i}",
       "{last_q[LATENCY-2:0], 1'b0}"},
      {"valid is not reset", "reset", top, "valid_q <= 0;", "valid_q <= valid_q;"},
      {"valid moves while the array stands", "flow", top, "valid_q <= 0; end else if (advance)",
       "valid_q <= 0; end else"},
      {"rows switch a cycle early", "timing", top, "switch_down_line[r/PE_REGISTERS]",
       "switch_down_line[(r > 0 ? r - 1 : 0)/PE_REGISTERS]"},
      {"results are not sign-extended", "width", top, "{sum[PSUM_WIDTH-1]}", "{1'b0}"},
      {"two result columns are swapped", "wiring", top, "deskew[c*PSUM_WIDTH +: PSUM_WIDTH]",
       "deskew[(c < 2 ? 1 - c : c)*PSUM_WIDTH +: PSUM_WIDTH]"},
      {"a result bit is stuck", "storage", top, "deskew[c*PSUM_WIDTH +: PSUM_WIDTH]",
       "deskew[c*PSUM_WIDTH +: PSUM_WIDTH] | (c == 1 ? 8 : 0)"},
      {"partial sums are too narrow", "width", grid, "psum_q[TILE_ROWS-1][c][PSUM_WIDTH-1:0]",
       "{{2{psum_q[TILE_ROWS-1][c][PSUM_WIDTH-3]}}, "
       "psum_q[TILE_ROWS-1][c][PSUM_WIDTH-3:0]}"},
      {"loads do not wait for the tile before", "flow", loader,
       "(~loaded_q | vacant_q) & load_clear", "load_clear"},
      {"loads do not keep their distance to the vectors ahead", "timing", loader,
       "load_clear = (wait_q == 0) & ~switch_now", "load_clear = 1'b1"},
      {"the load guard is a cycle short", "timing", loader, "wait_q <= WAIT;",
       "wait_q <= WAIT - 1'b1;"},
      {"vectors do not wait for their tile", "flow", loader, "(~vacant_q | loaded_q)", "1'b1"},
      {"load beats are accepted while the array stands", "flow", loader,
       "stationary_ready_o = advance_i &", "stationary_ready_o ="},
      {"vectors are accepted while the array stands", "flow", loader,
       "moving_ready_o = advance_i &", "moving_ready_o ="},
      {"tiles switch while one is in use", "storage", loader, "vacant_q & loaded_q", "loaded_q"},
      {"a loaded tile survives reset", "reset", loader, "loaded_q <= 1'b0; group_q <= 1;",
       "loaded_q <= loaded_q; group_q <= 1;"},
      {"a tile in use survives reset", "reset", loader, "vacant_q <= 1'b1; end else if (advance_i)",
       "vacant_q <= vacant_q; end else if (advance_i)"},
      {"the load count survives reset", "reset", loader, "group_q <= 1;", "group_q <= group_q;"},
      {"last counts without valid", "protocol", loader,
       "moving_valid_i & moving_ready_o & moving_last_i", "moving_ready_o & moving_last_i"},
      {"a tile is loaded in a beat too few", "storage", loader,
       "tile_done = load_beat & group_q[BEATS-1]",
       "tile_done = load_beat & (BEATS > 1 ? group_q[BEATS-2] : group_q[0])"},
      {"load beats move rows without valid", "protocol", loader,
       "load_o[r] = load_beat & group_q[r/LOAD_ROWS]",
       "load_o[r] = stationary_ready_o & group_q[r/LOAD_ROWS]"},
      {"the weights of a column are stuck", "storage", grid,
       "active_q[r][c] = switch_at[r][c] ? shadow_q[r][c]",
       "active_q[r][c] = (switch_at[r][c] && c != 1) ? shadow_q[r][c]"},
      {"a PE uses its neighbour's weights", "wiring", grid,
       "dot(moving_at[r][c+EDGE], active_q[r][c])",
       "dot(moving_at[r][c+EDGE], active_q[r][(c == 1) ? 0 : c])"},
      {"the load chain skips to the next row", "wiring", grid, "shadow_q[r-LOAD_ROWS][c]",
       "shadow_q[r-1][c]"},
      {"load lanes are swapped", "wiring", grid,
       "stationary_i[(r*COLS+c)*(MACS*STATIONARY_WIDTH) +:",
       "stationary_i[((LOAD_EDGE-1-r)*COLS+c)*(MACS*STATIONARY_WIDTH) +:"},
      {"the bias of a column is off by one", "arithmetic", grid, "-COLUMN_BIAS[SUM_WIDTH-1:0]",
       "1 - COLUMN_BIAS[SUM_WIDTH-1:0]"},
      {"a row's partial sum does not come from the row above", "wiring", grid,
       "psum_q[t][c] = psum_q[t-1][c]", "psum_q[t][c] = psum_q[(t == 2) ? 0 : t-1][c]"},
  };
}

std::vector<Fault> output_faults() {
  return {
      {"a tile may end while the one before drains", "flow", drain, "(~last_i | (wait_q == 0))",
       "1'b1"},
      {"accumulators are not cleared after reset", "reset", drain, "last_step | clearing_q",
       "last_step"},
      {"the drain is a cycle short", "timing", drain, "wait_q <= WAIT;", "wait_q <= WAIT - 1'b1;"},
      {"clearing after reset shows results", "protocol", drain,
       "shown_q <= {shown_q[DELAY-2:0], last_step}", "shown_q <= {shown_q[DELAY-2:0], ends}"},
      {"the tag is not held while a tile drains", "protocol", drain, ": tag_q;", ": tag_i;"},
      {"the last row is marked from the second on", "protocol", drain, "~draining[ROWS-2]",
       "draining[ROWS-2]"},
      {"rows end their tile together", "timing", drain, "end_q[STAGES+r/PE_REGISTERS]",
       "end_q[STAGES]"},
      {"a tile drains for ever", "storage", drain, "drain_q <= draining << 1;",
       "drain_q <= draining;"},
      {"sums are not cleared between tiles", "storage", grid,
       "last_at[r][c] ? {SUM_WIDTH{1'b0}} : sum_low_q[r][c]", "sum_low_q[r][c]"},
      {"the high bits of sums are not cleared between tiles", "storage", grid,
       "last_at[r][c] ? {HIGH_WIDTH{1'b0}} : sum_high_q[r][c]", "sum_high_q[r][c]"},
      {"a sum's carry into its high bits is lost", "arithmetic", grid,
       "sum_low_q[r][c][DOT_WIDTH]})", "1'b0})"},
      {"the last carry of a sum is lost", "arithmetic", grid, "low[DOT_WIDTH]});", "1'b0});"},
      {"drained rows do not move down", "wiring", grid, "drain_at[r][c] ? drain_low_q[r-1][c]",
       "drain_at[r][c] ? drain_low_q[r][c]"},
      {"operands without a step are accumulated", "protocol", top,
       "(ROWS*(MACS*MOVING_WIDTH)){step}", "(ROWS*(MACS*MOVING_WIDTH)){1'b1}"},
      {"the stationary operand does not wait for the moving one", "flow", top,
       "stationary_ready_o = advance & allowed & moving_valid_i",
       "stationary_ready_o = advance & allowed"},
      {"the moving operand does not wait for the stationary one", "flow", top,
       "moving_ready_o = advance & allowed & stationary_valid_i",
       "moving_ready_o = advance & allowed"},
      {"steps are accepted while the array stands", "flow", top, "= advance & allowed &",
       "= allowed &", 2},
      {"valid on its way to the last column is not reset", "reset", top, "valid_q <= 0;",
       "valid_q <= valid_q;"},
      {"a product's bias is off by one", "arithmetic", grid, "accumulate - PRODUCT_BIAS",
       "accumulate - PRODUCT_BIAS - 1"},
      {"stationary operands change columns on their way down", "wiring", grid,
       "= stationary_at[r][c];", "= stationary_at[r][(c == 1) ? 0 : c];"},
      {"the last step's borrow is lost on the way out", "arithmetic", grid,
       "{HIGH_WIDTH{low[DOT_WIDTH+1]}}", "{HIGH_WIDTH{1'b0}}"},
      {"sums are a bit too narrow", "width", grid, "{high, low[DOT_WIDTH-1:0]}",
       "{high[HIGH_WIDTH-2], high[HIGH_WIDTH-2:0], low[DOT_WIDTH-1:0]}"},
  };
}

}  // namespace

arch::TensorArray array_for_faults(arch::Dataflow dataflow) {
  arch::TensorArray array;
  array.name = "faulty";
  array.dataflow = dataflow;
  array.rows = 5;
  array.cols = 4;
  array.macs_per_pe = 2;
  array.stationary_format.bits = 5;
  array.moving_format.bits = 4;
  if (array.output_stationary()) {
    array.max_depth = 32;  // sums get as wide as the accumulator within a tile
  } else {
    array.load_rows_per_cycle = 2;
    array.accumulator_width = 20;
  }
  return arch::resolved(array);
}

std::vector<Fault> array_faults(arch::Dataflow dataflow) {
  std::vector<Fault> faults =
      dataflow == arch::Dataflow::output_stationary ? output_faults() : stationary_faults();
  const std::vector<Fault> common = common_faults();
  faults.insert(faults.end(), common.begin(), common.end());
  return faults;
}

std::vector<Fault> isolation_faults(arch::Dataflow dataflow) {
  const bool output = dataflow == arch::Dataflow::output_stationary;
  return {
      output ? Fault{"the multiplier ignores that an element is zero", "arithmetic", grid,
                     "& {3{~zero}}", "& {3{1'b1}}"}
             : Fault{"the multiplier ignores that an element is zero", "arithmetic", grid,
                     "zero[m] ? ZERO_PRODUCT :", "1'b0 ? ZERO_PRODUCT :"},
      {"the neighbour is not told that an element is zero", "wiring", grid,
       "EDGE] = zero_at[r][c];", "EDGE] = (c == 1) ? 0 : zero_at[r][c];"},
      {"the flags of a PE's elements are one", "wiring", grid,
       "taken[m*MOVING_WIDTH +: MOVING_WIDTH] = zero[m] ?",
       "taken[m*MOVING_WIDTH +: MOVING_WIDTH] = zero[0] ?"},
      {"elements that are not zero are kept from moving", "storage", grid,
       "taken[m*MOVING_WIDTH +: MOVING_WIDTH] = zero[m] ?",
       "taken[m*MOVING_WIDTH +: MOVING_WIDTH] = ~zero[m] ?"},
      {"one is taken for zero", "arithmetic", grid, "~(|moving[m*MOVING_WIDTH +: MOVING_WIDTH])",
       "~(|moving[m*MOVING_WIDTH+1 +: MOVING_WIDTH-1])"},
  };
}

std::vector<Fault> gating_faults(arch::Dataflow dataflow) {
  if (dataflow == arch::Dataflow::output_stationary)
    return {
        {"the clock of a row stops before its last column has the operands", "timing", top,
         "entered_q[t+COL_HOPS+STAGES:t-1]", "entered_q[t+COL_HOPS+STAGES-2:t-1]"},
        {"the clock of a row starts a cycle late", "timing", top,
         "entered_q[t+COL_HOPS+STAGES:t-1]", "entered_q[t+COL_HOPS+STAGES:t]"},
        {"the first row's clock does not run for a new step", "timing", top,
         "open | (|entered_q[COL_HOPS", "(|entered_q[COL_HOPS"},
        {"a row's clock does not begin with its drain", "timing", top,
         "step_on | drains | (|held_q)", "step_on | (|held_q)"},
        {"a row's clock stops before its last columns have drained", "timing", top,
         "step_on | drains | (|held_q)", "step_on | drains | (|(held_q & ~(3 << (COL_HOPS - 2))))"},
        {"clocks count cycles in which the array stands", "flow", top,
         "entered_q <= 0; end else if (advance)", "entered_q <= 0; end else"},
    };
  return {
      {"the clock of what streams stops a cycle early", "timing", top,
       "valid_q[t+COL_HOPS+STAGES:t-1]", "valid_q[t+COL_HOPS+STAGES-1:t-1]"},
      {"the first row's clock stops a cycle early", "timing", top, "valid_q[COL_HOPS+STAGES:0]",
       "valid_q[COL_HOPS+STAGES-1:0]"},
      {"the clock of what streams starts a cycle late", "timing", top,
       "valid_q[t+COL_HOPS+STAGES:t-1]", "valid_q[t+COL_HOPS+STAGES:t]"},
      {"the first row's clock does not run for a new vector", "timing", top,
       "moving_open | (|valid_q", "(|valid_q"},
      {"the clock of what is held stops a cycle early", "timing", top,
       "held_on[t] = begins | (|held_q)",
       "held_on[t] = begins | (|(held_q & ~(1 << (COL_HOPS - 1))))"},
      {"the clock of what is held does not run for a switch", "timing", top,
       "(|load_open[FIRST +: HEIGHT]) | row_switch[FIRST]", "(|load_open[FIRST +: HEIGHT])"},
      {"clocks count cycles in which the array stands", "flow", top,
       "held_q <= 0; end else if (advance)", "held_q <= 0; end else"},
      {"the clock of what is held does not run for loads", "timing", loader,
       "load_open_o[r] = open & group_q[r/LOAD_ROWS]", "load_open_o[r] = 1'b0"},
  };
}

}  // namespace weft::verif
