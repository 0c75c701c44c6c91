// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arch/network/link_frame.h"
#include "rtl_gen/link/modules.h"

namespace weft::rtl {

using namespace hdl;

Module& add_link_crc(Design& design, const arch::Link& link) {
  Module& m = design.add_module(
      link.name + "_crc",
      {.summary = fmt::format("CRC-{} of all bits of a frame at once.",
                              link.crc_width == 16 ? "16-CCITT" : "32C (Castagnoli)"),
       .description =
           "crc_o is the inverted sum of data_i[i] * x^(i + CRC_WIDTH) modulo the generator "
           "polynomial. The weights x^(i + CRC_WIDTH) are constants, each made of the one before, "
           "and vanish in synthesis; what stays is a balanced tree of XORs for each bit.",
       .diagram = "  node[0]   node[1]   node[2]   node[3] ...     data_i[i] ? weight : 0\n"
                  "      \\       /           \\       /\n"
                  "    node[DATA_WIDTH]   node[DATA_WIDTH+1] ...",
       .latency = "combinational."});
  const Expr data_width = m.parameter("DATA_WIDTH", 96, "bits that are protected, >= 1");
  const Expr data = m.input("data_i", data_width);
  const Expr crc = m.output("crc_o", link.crc_width);
  const Expr width = m.localparam("CRC_WIDTH", link.crc_width);
  const Expr polynomial = m.constant(
      "POLYNOMIAL", width,
      hex(link.crc_width, static_cast<std::int64_t>(arch::crc_polynomial(link.crc_width))),
      "without x^CRC_WIDTH");

  Expr weight = 0;
  m.generate_for("i", 0, data_width, "term", [&](Scope& s, const Expr& i) {
    weight = s.wire("weight", width, "x^(i + CRC_WIDTH)");
    s.generate_if(i == 0, "first", [&](Scope& t) {
       t.assign(weight, polynomial);
     }).otherwise("next", [&](Scope& t) {
      const Expr lower = t.let("lower", at_iteration(weight, {i - 1}));
      t.assign(weight, (lower << 1) ^ (polynomial & rep(width, lower.at(width - 1))));
    });
  });
  Expr sum = 0;
  m.generate_for("k", 0, 2 * data_width - 1, "node", [&](Scope& s, const Expr& k) {
    sum = s.wire("sum", width);
    s.generate_if(k < data_width, "leaf", [&](Scope& t) {
       t.assign(sum, at_iteration(weight, {k}) & rep(width, data.at(k)));
     }).otherwise("inner", [&](Scope& t) {
      t.assign(sum, at_iteration(sum, {2 * (k - data_width)}) ^
                        at_iteration(sum, {2 * (k - data_width) + 1}));
    });
  });
  m.assign(crc, ~at_iteration(sum, {2 * data_width - 2}));
  m.finish();
  return m;
}

}  // namespace weft::rtl
