// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files.h"
#include "base/tests/messages.h"
#include "synth/synth.h"
#include "synth/tests/mini_library.h"
#include "synth/tests/temporary_directory.h"

namespace weft::synth {

/// q_o <= ~(a_q & b_q): the longest path is a register, one NAND and the setup time, whatever the
/// period. The choice of gates is ABC's, but with the delays of the mini library nothing else is as
/// fast or as small.
inline constexpr const char* nand_verilog = R"(
module nand_stage (input clk_i, input a_i, input b_i, output reg q_o);
  reg a_q, b_q;
  always @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    q_o <= ~(a_q & b_q);
  end
endmodule
)";
inline constexpr double nand_stage_ns = mini_clock_to_output_ns + mini_nand_ns + mini_setup_ns;

/// Synthesis of a module in a directory of its own.
class SynthFixture : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            const std::string& text) const {
    base::write_file_atomic(directory_ / name, text);
    return directory_ / name;
  }
  /// Results go to a directory whose name needs quoting.
  [[nodiscard]] Request request(const std::string& top, const std::string& verilog) const {
    Request request;
    request.verilog = {write(top + ".v", verilog)};
    request.top = top;
    request.output_directory = output_directory();
    return request;
  }
  /// The name of a mini library.
  [[nodiscard]] std::string mini(const MiniLibraryOptions& options = {}) const {
    return write("mini.lib", mini_library(options)).string();
  }
  [[nodiscard]] std::filesystem::path output_directory() const { return directory_ / "out put"; }
  [[nodiscard]] std::string read(const std::string& name) const {
    return base::read_file(output_directory() / name);
  }
  [[nodiscard]] bool exists(const std::string& name) const {
    return std::filesystem::exists(output_directory() / name);
  }
  /// What synthesis refuses the request with.
  template <typename Error>
  [[nodiscard]] static std::string message(const Request& request) {
    return test::message_of<Error>([&] { run(request); });
  }

  TemporaryDirectory directory_;
};

}  // namespace weft::synth
