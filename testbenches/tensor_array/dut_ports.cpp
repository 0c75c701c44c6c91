// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/dut_ports.h"

#include <utility>

#include "arch/timing/array_timing.h"

namespace weft::verif {
namespace {

/// Delays of `copies` times `count` lanes: lane i of each belongs to row or column i.
std::vector<int> hops_of(const arch::ArrayTiming& timing, int count, int copies = 1) {
  std::vector<int> delays;
  for (int copy = 0; copy < copies; ++copy) {
    for (int i = 0; i < count; ++i) delays.push_back(timing.hops(i));
  }
  return delays;
}

}  // namespace

DutDescription describe_array(const arch::TensorArray& array, std::vector<VerilogFile> files,
                              std::string top, std::map<std::string, std::string> parameters) {
  const int load_rows = array.output_stationary() ? 1 : array.load_rows_per_cycle;
  PayloadPort stationary{"stationary_data_i",
                         load_rows * array.cols * array.macs_per_pe * array.stationary_format.bits,
                         {}};
  PayloadPort moving{
      "moving_data_i", array.rows * array.macs_per_pe * array.moving_format.bits, {}};
  PayloadPort result{"result_data_o", array.cols * array.accumulator_width, {}};
  std::vector<int> result_valid;

  DutDescription dut;
  if (array.skew == arch::Skew::external) {
    const arch::ArrayTiming timing(array);
    stationary.lane_delays = hops_of(timing, array.cols, load_rows);
    moving.lane_delays = hops_of(timing, array.rows);
    result.lane_delays = hops_of(timing, array.cols);
    result_valid = result.lane_delays;
    dut.advance = "advance_o";
  }
  dut.top = std::move(top);
  dut.files = std::move(files);
  dut.parameters = std::move(parameters);
  dut.sources = {{"stationary", "stationary_valid_i", "stationary_ready_o", {stationary}, {}},
                 {"moving",
                  "moving_valid_i",
                  "moving_ready_o",
                  {moving, {"moving_tag_i", array.tag_width, {}}, {"moving_last_i", 1, {}}},
                  {}}};
  dut.sinks = {{"result",
                "result_valid_o",
                "result_ready_i",
                {result, {"result_tag_o", array.tag_width, {}}, {"result_last_o", 1, {}}},
                result_valid}};
  return dut;
}

}  // namespace weft::verif
