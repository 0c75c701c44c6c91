// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/cosim_session.h"

#include <fmt/format.h>

#include "testbenches/tensor_array/dut_ports.h"

namespace weft::verif {

CosimSession::CosimSession(const arch::TensorArray& array, const ArrayRtl& rtl,
                           const CosimOptions& options)
    : options_(options) {
  const DutDescription description = describe_array(array, rtl.files, rtl.top, rtl.parameters);
  BuildOptions build = options.build;
  build.trace = options.trace.has_value();
  if (options.progress) options.progress(fmt::format("building {}", rtl.top));
  const BuiltDut built = build_dut(description, build);
  report_.seed = options.seed;
  report_.tests.suite = array.name;
  report_.build_seconds = built.seconds;
  report_.cached = built.cached;
  report_.digest = built.digest;
  start_ = told_ = Clock::now();
  bench_ = std::make_unique<ArrayBench>(array, description, built.library, options.seed);
  if (options.trace) bench_->trace(*options.trace);
}

CosimReport& CosimSession::report() {
  report_.totals = bench_->scoreboard().totals();
  report_.rtl_cycles = bench_->cycles();
  report_.macs = bench_->macs();
  report_.run_seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  return report_;
}

void CosimSession::fail(TestReport::Case& test, const std::string& text,
                        const std::string& arguments) {
  report_.first_mismatch = text;
  report_.reproduce =
      fmt::format("{} --seed {} {} --trace", options_.command, options_.seed, arguments);
  test.failure = text + "\n" + report_.reproduce;
}

void CosimSession::progress(const std::function<std::string()>& text) {
  if (!options_.progress || Clock::now() - told_ < std::chrono::seconds(1)) return;
  told_ = Clock::now();
  options_.progress(text());
}

}  // namespace weft::verif
