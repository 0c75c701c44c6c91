// SPDX-License-Identifier: Apache-2.0
//
// What a link carries over wires with bit errors, in RTL, beside the formula. Usage: link_goodput
// [FLITS [LANES LANE_WIDTH [LATENCY]]], for 64-bit flits; FLITS in each direction.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>

#include "testbenches/link/goodput.h"
#include "testbenches/link/link_rtl.h"
#include "verif/dut_builder.h"

namespace weft::verif {
namespace {

void measure(const arch::Link& link, std::uint64_t flits) {
  LinkEnd end{link, nullptr, describe(link, emitted_rtl(link))};
  end.library = build_dut(end.description).library;
  fmt::print("{} lanes of {} bits, wire of {} cycles, {} flits in each direction\n", link.lanes,
             link.lane_width, link.channel_latency, flits);
  fmt::print("{:>8}  {:>16}  {:>14}  {:>16}  {:>7}\n", "errors", "p  (formula)", "W  (formula)",
             "goodput (formula)", "");
  for (const double rate : {1e-3, 1e-4, 1e-5}) {
    const Goodput g = measure_goodput(end, rate, flits, 1);
    fmt::print("{:8.0e}  {:7.5f} ({:7.5f})  {:6.2f} ({:5.2f})  {:7.5f} ({:7.5f})  {:+6.2f} %  {}\n",
               rate, g.frame_error, g.frame_error_formula, g.frames_per_error,
               g.frames_per_error_formula, g.goodput, g.goodput_formula, 100 * g.deviation(),
               g.problem.empty()
                   ? fmt::format("{} flits, all as sent, in {} cycles", g.flits, g.cycles)
                   : g.problem);
  }
}

}  // namespace
}  // namespace weft::verif

int main(int argc, char** argv) {
  const auto argument = [&](int index, long fallback) {
    return argc > index ? std::strtol(argv[index], nullptr, 10) : fallback;
  };
  try {
    weft::arch::Link link;
    link.lanes = static_cast<int>(argument(2, link.lanes));
    link.lane_width = static_cast<int>(argument(3, link.lane_width));
    link.channel_latency = static_cast<int>(argument(4, link.channel_latency));
    weft::verif::measure(weft::arch::resolved(link),
                         static_cast<std::uint64_t>(argument(1, 1'000'000)));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
