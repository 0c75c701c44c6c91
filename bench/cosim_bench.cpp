// SPDX-License-Identifier: Apache-2.0
//
// How fast a co-simulation is, against the least that a C++ program around the same Verilated model
// can do. Usage: cosim_bench [SIZE [TILES]], for an int8 weight-stationary SIZE x SIZE array. Times
// are CPU seconds of the one thread that simulates, so other load on the machine does not count.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <vector>

#include "testbenches/tensor_array/beat_packing.h"
#include "testbenches/tensor_array/cosim.h"
#include "testbenches/tensor_array/dut_ports.h"
#include "testbenches/tensor_array/emitted_rtl.h"
#include "testbenches/tensor_array/tile_data.h"

namespace weft::verif {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Clock cycles a CPU second of the bare loop, with both streams always busy.
double bare_speed(const arch::TensorArray& array, const DutDescription& dut, const BuiltDut& built,
                  std::uint64_t cycles) {
  Dut instance(built.library, dut);
  BeatPacker packer(array, dut);
  std::vector<SourceBeats> sources(2);
  Random random(1);
  for (int i = 0; i < 64; ++i) {
    packer.append(make_tile(array, TileData::random, 2 * array.rows, random),
                  sources[stationary_source], sources[moving_source]);
  }
  instance.reset(2);
  const double start = cpu_seconds();
  instance.run_bare(cycles, sources);
  return static_cast<double>(cycles) / (cpu_seconds() - start);
}

void measure(int size, std::uint64_t tiles) {
  arch::TensorArray array;
  array.rows = array.cols = size;
  array = arch::resolved(array);
  const ArrayRtl rtl = emitted_rtl(array);
  const DutDescription dut = describe_array(array, rtl.files, rtl.top);
  const BuiltDut built = build_dut(dut);
  const double macs = static_cast<double>(size) * size;
  const auto cycles = static_cast<std::uint64_t>(5e8 / macs);

  const double bare = bare_speed(array, dut, built, cycles);
  CosimOptions options;
  options.transactions = tiles;
  const double start = cpu_seconds();
  const CosimReport report = run_cosim(array, rtl, options);
  const double seconds = cpu_seconds() - start;
  const double whole = static_cast<double>(report.rtl_cycles) / seconds;
  fmt::print("{0}x{0}: build {1:.2f} s{2}; {3}\n", size, built.seconds,
             built.cached ? " (cached)" : "", report.passed() ? "agrees" : report.first_mismatch);
  fmt::print("  bare loop      {:10.0f} cycles/s  {:6.1f} million MAC/s\n", bare,
             bare * macs / 1e6);
  fmt::print(
      "  co-simulation  {:10.0f} cycles/s  {:6.1f} million MAC/s while streaming  {:.0f} % of "
      "the bare loop\n",
      whole, report.macs_per_second() * report.run_seconds / seconds / 1e6, 100 * whole / bare);
}

}  // namespace
}  // namespace weft::verif

int main(int argc, char** argv) {
  try {
    const int size = argc > 1 ? std::atoi(argv[1]) : 16;
    const std::uint64_t tiles = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20000;
    weft::verif::measure(size, tiles);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
