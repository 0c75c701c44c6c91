// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/blocks/crossbar.h"

#include "rtl_gen/blocks/module_once.h"

namespace weft::rtl {

using namespace hdl;

const Module& add_crossbar(Design& design, const std::string& prefix) {
  return module_once(
      design, prefix + "_crossbar",
      {.summary = "joins inputs to outputs.",
       .description = "Each output is the OR of the inputs under their selects, which are one-hot.",
       .latency = "combinational."},
      [](Module& m) {
        const Expr inputs = m.parameter("INPUTS", 4, ">= 1");
        const Expr outputs = m.parameter("OUTPUTS", 4, ">= 1");
        const Expr width = m.parameter("WIDTH", 8, "bits of a word, >= 1");
        m.grows({.parameter = "OUTPUTS", .degree = 1, .samples = {4, 12}});
        m.grows({.parameter = "WIDTH", .degree = 1, .samples = {16, 80}});
        const Expr select = m.input("select_i", inputs * outputs,
                                    "input i to output o at [i*OUTPUTS + o]; one-hot for each o");
        const Expr data_i = m.input("data_i", inputs * width, "input i at [i*WIDTH +: WIDTH]");
        const Expr data_o =
            m.output("data_o", outputs * width, "output o at [o*WIDTH +: WIDTH]; 0 without input");
        m.require(inputs >= 1, "INPUTS_must_be_at_least_1");
        m.require(outputs >= 1, "OUTPUTS_must_be_at_least_1");
        m.require(width >= 1, "WIDTH_must_be_at_least_1");
        m.generate_for("o", 0, outputs, "output_port", [&](Scope& s, const Expr& o) {
          s.generate_for("i", 0, inputs, "leg", [&](Scope& t, const Expr& i) {
            const Expr gated = t.let(
                "gated", data_i.part(i * width, width) & rep(width, select.at(i * outputs + o)));
            const Expr sum = t.wire("sum", width, "of the inputs up to i");
            t.generate_if(i == 0, "first", [&](Scope& u) {
               u.assign(sum, gated);
             }).otherwise("next", [&](Scope& u) {
              u.assign(sum, at_iteration(sum, {i - 1}) | gated);
            });
            t.generate_if(i == inputs - 1, "last",
                          [&](Scope& u) { u.assign(data_o.part(o * width, width), sum); });
          });
        });
      });
}

}  // namespace weft::rtl
