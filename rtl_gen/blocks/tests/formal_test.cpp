// SPDX-License-Identifier: Apache-2.0
// Proofs (Yosys, Z3): what simulation can only sample.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

#include "rtl_gen/blocks/arbiter.h"
#include "rtl_gen/blocks/fifo.h"
#include "rtl_gen/hdl/tests/tool_run.h"

namespace weft::rtl::test {
namespace {

/// Expects that the assertions of module `bench` hold for `cycles` cycles, whatever its inputs are.
void expect_proven(const hdl::Design& design, const std::string& bench, int cycles) {
  const hdl::test::ScratchDirectory scratch;
  for (const auto& [file, text] : design.render()) scratch.write(file, text);
  scratch.write("bench.sv", bench);
  const auto result = hdl::test::run(
      scratch.path(),
      fmt::format("yosys -q -p 'read_verilog {}; read_verilog -sv -formal bench.sv; prep -top "
                  "bench; memory_map; flatten; async2sync; dffunmap; write_smt2 -wires b.smt2' && "
                  "yosys-smtbmc -s z3 --unroll --noprogress -t {} b.smt2",
                  fmt::join(design.file_order(), " "), cycles));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("Status: PASSED"), std::string::npos) << result.output;
}

TEST(Formal, PickIsTheFirstRequestAtOrAfterThePointer) {
  for (const int n : {7, 12}) {
    hdl::Design design;
    add_pick(design, "t");
    expect_proven(design,
                  fmt::format(R"(
module bench (input [{0}-1:0] request, input [3:0] pointer);
  wire [{0}-1:0] grant, behind;
  wire [{0}-1:0] mask = {{{0}{{1'b1}}}} << pointer;
  t_pick #(.N({0})) u_dut (.request_i(request), .behind_i(mask), .grant_o(grant), .behind_o(behind));
  integer k, winner;
  always @* begin
    assume (pointer < {0});
    winner = -1;
    for (k = {0} - 1; k >= 0; k = k - 1) if (request[k]) winner = k;
    for (k = {0} - 1; k >= 0; k = k - 1) if (request[k] && k >= pointer) winner = k;
    for (k = 0; k < {0}; k = k + 1) begin
      assert (grant[k] == (k == winner));
      assert (behind[k] == (winner >= 0 && k > winner));
    end
  end
endmodule
)",
                              n),
                  1);
  }
}

TEST(Formal, FifoKeepsEveryWordInOrder) {
  for (const int depth : {1, 3}) {
    hdl::Design design;
    add_fifo(design, "t");
    expect_proven(design,
                  fmt::format(R"(
module bench (input clk, input write, input read, input [1:0] data);
  reg rst_n = 0;
  always @(posedge clk) rst_n <= 1;
  wire full, valid;
  wire [1:0] head;
  wire puts = write & rst_n & ~full;
  wire gets = read & rst_n & valid;
  t_fifo #(.DEPTH({0}), .WIDTH(2)) u_dut (.clk_i(clk), .rst_ni(rst_n), .write_i(puts),
    .data_i(data), .full_o(full), .read_i(gets), .valid_o(valid), .data_o(head));
  (* anyconst *) reg [4:0] chosen;  // any word: its number, and what it was
  reg [4:0] written = 0, taken = 0;
  reg [1:0] word;
  always @(posedge clk) begin
    written <= written + puts;
    taken <= taken + gets;
    if (puts && written == chosen) word <= data;
    if (rst_n) begin
      if (gets && taken == chosen) assert (head == word);
      assert (valid == (written != taken));
      assert (full == (written - taken == {0}));
    end
  end
endmodule
)",
                              depth),
                  10);
  }
}

}  // namespace
}  // namespace weft::rtl::test
