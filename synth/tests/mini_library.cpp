// SPDX-License-Identifier: Apache-2.0
#include "synth/tests/mini_library.h"

#include <fmt/format.h>

#include <vector>

namespace weft::synth {
namespace {

class Writer {
 public:
  explicit Writer(const MiniLibraryOptions& options) : options_(options) {}

  std::string library() const {
    std::string text = fmt::format(
        "library (mini) {{\n"
        "  delay_model : table_lookup;\n"
        "  time_unit : \"{}\";\n"
        "  capacitive_load_unit (1, {});\n"
        "  voltage_unit : \"1V\"; current_unit : \"1uA\"; pulling_resistance_unit : \"1kohm\";\n"
        "  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;\n"
        "  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;\n"
        "  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;\n"
        "  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;\n"
        "  lu_table_template (delay) {{\n"
        "    variable_1 : input_net_transition;\n"
        "    variable_2 : total_output_net_capacitance;\n"
        "    index_1 (\"1, 2\"); index_2 (\"1, 2\");\n"
        "  }}\n"
        "  lu_table_template (check) {{\n"
        "    variable_1 : related_pin_transition;\n"
        "    variable_2 : constrained_pin_transition;\n"
        "    index_1 (\"1, 2\"); index_2 (\"1, 2\");\n"
        "  }}\n",
        options_.time_unit, options_.capacitance_unit);
    text += gate("INV", 1, 0.1, {"A"}, "!A", "negative_unate");
    text += gate("BUF", 2, 0.2, {"A"}, "A", "positive_unate");
    text += gate("NAND", 3, 0.3, {"A", "B"}, "!(A*B)", "negative_unate");
    text += gate("NOR", 3.5, 0.35, {"A", "B"}, "!(A+B)", "negative_unate");
    if (options_.flip_flop) text += flip_flop();
    return text + "}\n";
  }

 private:
  std::string table(const char* name, const char* shape, double ns) const {
    const double value = ns * options_.time_scale;
    const double slew = options_.time_scale;
    // Wide enough a range for any load and slew: values outside are extrapolated from equal ones.
    const double low = 0.001 * options_.capacitance_scale * 1000;
    const double second = shape[0] == 'd' ? low : 0.001 * slew;
    return fmt::format(
        "        {0} ({1}) {{\n"
        "          index_1 (\"{3}, {4}\"); index_2 (\"{5}, {6}\");\n"
        "          values (\"{2}, {2}\", \"{2}, {2}\");\n"
        "        }}\n",
        name, shape, value, 0.001 * slew, 10 * slew, second, second * 1000);
  }

  std::string input(const std::string& name, const std::string& more = "") const {
    return fmt::format("    pin ({}) {{ direction : input; capacitance : {}; {}}}\n", name,
                       2 * options_.capacitance_scale, more);
  }

  std::string output_tables(double ns) const {
    return table("cell_rise", "delay", ns) + table("cell_fall", "delay", ns) +
           table("rise_transition", "delay", 0.01) + table("fall_transition", "delay", 0.01);
  }

  std::string gate(const char* name, double area, double ns, const std::vector<std::string>& inputs,
                   const char* function, const char* sense) const {
    std::string text = fmt::format("  cell ({}) {{\n    area : {};\n", name, area);
    for (const auto& pin : inputs) text += input(pin);
    text += fmt::format("    pin (Y) {{\n      direction : output; function : \"{}\";\n", function);
    text += fmt::format("      max_capacitance : {};\n", 1000 * options_.capacitance_scale);
    for (const auto& pin : inputs)
      text += fmt::format(
          "      timing () {{\n        related_pin : \"{}\"; timing_sense : {};\n{}"
          "      }}\n",
          pin, sense, output_tables(ns));
    return text + "    }\n  }\n";
  }

  std::string flip_flop() const {
    const char* output = options_.inverted_flip_flop ? "QN" : "Q";
    const char* function = options_.inverted_flip_flop ? "IQN" : "IQ";
    std::string text =
        "  cell (DFF) {\n    area : 10;\n"
        "    ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; }\n";
    text += input("CK", "clock : true; ");
    text += fmt::format("    pin (D) {{\n      direction : input; capacitance : {};\n",
                        2 * options_.capacitance_scale);
    text += "      timing () {\n        related_pin : \"CK\"; timing_type : setup_rising;\n" +
            table("rise_constraint", "check", 0.05) + table("fall_constraint", "check", 0.05) +
            "      }\n    }\n";
    text += fmt::format("    pin ({}) {{\n      direction : output; function : \"{}\";\n", output,
                        function);
    text += "      timing () {\n        related_pin : \"CK\"; timing_type : rising_edge;\n" +
            output_tables(0.5) + "      }\n    }\n  }\n";
    return text;
  }

  const MiniLibraryOptions& options_;
};

}  // namespace

std::string mini_library(const MiniLibraryOptions& options) { return Writer(options).library(); }

}  // namespace weft::synth
