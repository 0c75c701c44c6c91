// SPDX-License-Identifier: Apache-2.0
//
// A second, independent tensor array for the tests of the testbench: weight stationary, signed
// integers, one MAC a PE, at least 2 x 2, a register after every PE, two stationary buffers, one load row a beat,
// internal skew. Written by hand straight from docs/tensor_array.md and for being read, not for area.
//
//   LATENCY = (ROWS - 1) + (COLS - 1) + 2 array cycles
module reference_array #(
    parameter ROWS = 4,
    parameter COLS = 4,
    parameter STATIONARY_WIDTH = 8,
    parameter MOVING_WIDTH = 8,
    parameter ACC_WIDTH = 32,
    parameter TAG_WIDTH = 8
) (
    input  wire                             clk_i,
    input  wire                             rst_ni,
    input  wire                             stationary_valid_i,
    output wire                             stationary_ready_o,
    input  wire [COLS*STATIONARY_WIDTH-1:0] stationary_data_i,
    input  wire                             moving_valid_i,
    output wire                             moving_ready_o,
    input  wire [ROWS*MOVING_WIDTH-1:0]     moving_data_i,
    input  wire [TAG_WIDTH-1:0]             moving_tag_i,
    input  wire                             moving_last_i,
    output wire                             result_valid_o,
    input  wire                             result_ready_i,
    output wire [COLS*ACC_WIDTH-1:0]        result_data_o,
    output wire [TAG_WIDTH-1:0]             result_tag_o,
    output wire                             result_last_o
);

  localparam LATENCY = ROWS + COLS;
  localparam [31:0] LAST_BEAT = ROWS - 1;

  wire advance = result_ready_i | ~result_valid_o;

  // Control: which tile is where.
  reg [31:0] load_count_q;  // load beats of the tile being loaded
  reg        full_q;        // the shadow registers hold a whole tile that is not in use yet
  reg        busy_q;        // the tile in use waits for its last vector

  wire switch = full_q & ~busy_q;
  assign stationary_ready_o = advance & (~full_q | switch);
  assign moving_ready_o     = advance & (busy_q | switch);
  wire load = stationary_valid_i & stationary_ready_o;
  wire move = moving_valid_i & moving_ready_o;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      load_count_q <= 0;
      full_q       <= 1'b0;
      busy_q       <= 1'b0;
    end else if (advance) begin
      if (load) load_count_q <= (load_count_q == LAST_BEAT) ? 0 : load_count_q + 1;
      full_q <= (load & (load_count_q == LAST_BEAT)) | (full_q & ~switch);
      if (move & moving_last_i) busy_q <= 1'b0;
      else if (switch)          busy_q <= 1'b1;
    end
  end

  // Valid, tag and last travel beside the array.
  reg [LATENCY-1:0]           valid_q;
  reg [LATENCY-1:0]           last_q;
  reg [LATENCY*TAG_WIDTH-1:0] tag_q;
  always @(posedge clk_i) begin
    if (!rst_ni) valid_q <= {LATENCY{1'b0}};
    else if (advance) valid_q <= {valid_q[LATENCY-2:0], move};
    if (advance) begin
      last_q <= {last_q[LATENCY-2:0], moving_last_i};
      tag_q  <= {tag_q[(LATENCY-1)*TAG_WIDTH-1:0], moving_tag_i};
    end
  end
  assign result_valid_o = valid_q[LATENCY-1];
  assign result_last_o  = last_q[LATENCY-1];
  assign result_tag_o   = tag_q[(LATENCY-1)*TAG_WIDTH +: TAG_WIDTH];

  // Load and switch go right by a column a cycle, switch also down by a row a cycle.
  reg  [COLS-2:0] load_q;
  wire [COLS-1:0] load_col = {load_q, load};
  always @(posedge clk_i) begin
    if (!rst_ni) load_q <= {(COLS-1){1'b0}};
    else if (advance) load_q <= load_col[COLS-2:0];
  end

  reg  [ROWS+COLS-3:0] switch_q;
  wire [ROWS+COLS-2:0] switch_at = {switch_q, switch};  // [r + c]: what PE (r, c) sees
  always @(posedge clk_i) begin
    if (!rst_ni) switch_q <= {(ROWS+COLS-2){1'b0}};
    else if (advance) switch_q <= switch_at[ROWS+COLS-3:0];
  end

  genvar r, c, d;
  generate
    for (c = 0; c < COLS; c = c + 1) begin : g_col
      // Load data of column c, c cycles late.
      wire [STATIONARY_WIDTH-1:0] load_data[0:c];
      assign load_data[0] = stationary_data_i[c*STATIONARY_WIDTH +: STATIONARY_WIDTH];
      for (d = 0; d < c; d = d + 1) begin : g_load_skew
        reg [STATIONARY_WIDTH-1:0] data_q;
        always @(posedge clk_i) if (advance) data_q <= load_data[d];
        assign load_data[d+1] = data_q;
      end

      for (r = 0; r < ROWS; r = r + 1) begin : g_row
        wire signed [STATIONARY_WIDTH-1:0] above;
        reg  signed [STATIONARY_WIDTH-1:0] shadow_q;
        reg  signed [STATIONARY_WIDTH-1:0] weight_q;
        wire signed [MOVING_WIDTH-1:0]     x;
        wire signed [ACC_WIDTH-1:0]        psum;
        reg  signed [ACC_WIDTH-1:0]        psum_q;

        // Row r joins the load chain from beat r on, so that a tile still in use by the rows below
        // is not overwritten.
        reg [31:0] beat_q;
        always @(posedge clk_i) begin
          if (!rst_ni) beat_q <= 0;
          else if (advance & load_col[c]) beat_q <= (beat_q == LAST_BEAT) ? 0 : beat_q + 1;
          if (advance & load_col[c] & (beat_q + 1 > r)) shadow_q <= above;
        end

        always @(posedge clk_i) begin
          if (advance) begin
            if (switch_at[r+c]) weight_q <= shadow_q;
            psum_q <= psum + weight_q * x;
          end
        end

        if (c < COLS - 1) begin : g_right
          reg signed [MOVING_WIDTH-1:0] x_q;
          always @(posedge clk_i) if (advance) x_q <= x;
        end

        if (r == 0) begin : g_top
          assign above = load_data[c];
          assign psum  = {ACC_WIDTH{1'b0}};
        end else begin : g_below
          assign above = g_row[r-1].shadow_q;
          assign psum  = g_row[r-1].psum_q;
        end

        if (c == 0) begin : g_edge
          // The vector's element of row r, r + 1 cycles after its acceptance.
          wire [MOVING_WIDTH-1:0] element[0:r+1];
          assign element[0] = moving_data_i[r*MOVING_WIDTH +: MOVING_WIDTH];
          for (d = 0; d <= r; d = d + 1) begin : g_skew
            reg [MOVING_WIDTH-1:0] data_q;
            always @(posedge clk_i) if (advance) data_q <= element[d];
            assign element[d+1] = data_q;
          end
          assign x = element[r+1];
        end else begin : g_inner
          assign x = g_col[c-1].g_row[r].g_right.x_q;
        end
      end

      // Column c waits for the last one.
      wire [ACC_WIDTH-1:0] result[0:COLS-1-c];
      assign result[0] = g_row[ROWS-1].psum_q;
      for (d = 0; d < COLS - 1 - c; d = d + 1) begin : g_deskew
        reg [ACC_WIDTH-1:0] data_q;
        always @(posedge clk_i) if (advance) data_q <= result[d];
        assign result[d+1] = data_q;
      end
      assign result_data_o[c*ACC_WIDTH +: ACC_WIDTH] = result[COLS-1-c];
    end
  endgenerate

endmodule
