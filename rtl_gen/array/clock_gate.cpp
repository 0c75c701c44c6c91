// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/array/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_clock_gate(Design& design, const arch::TensorArray& array) {
  ModuleDoc doc;
  doc.summary = "lets a clock through, or holds it high.";
  doc.description =
      "Stands for the technology's integrated clock gating cell: put one in place of the gate "
      "below "
      "if there is one, with its test enable tied as the scan chain wants it.\n\nGating by OR "
      "needs "
      "no latch and has no glitches: enable_i comes from registers of clk_i alone and settles "
      "while "
      "clk_i is high. A latch or AND gate with a latch is as good.";
  doc.diagram =
      "  clk_i     \\__/--\\__/--\\__/--\\__/--\n"
      "  enable_i  ____/-----\\_____________\n"
      "  clk_o     ------\\__/--------------";
  doc.latency =
      "clk_o falls and rises with clk_i in each cycle in which enable_i is high, so that it rises "
      "at "
      "the end of that cycle; otherwise it stays high.";
  Module& m = design.add_module(array.name + "_clock_gate", doc);
  const Expr clk = m.input("clk_i");
  const Expr enable = m.input("enable_i", 1, "from registers of clk_i");
  const Expr out = m.output("clk_o");
  m.assign(out, clk | ~enable);
  m.finish();
  return m;
}

}  // namespace weft::rtl
