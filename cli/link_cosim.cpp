// SPDX-License-Identifier: Apache-2.0
#include "cli/link_cosim.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "verif/waveform.h"

namespace weft::cli {
namespace {

verif::LinkRtl link_rtl(const rtl::Emission& emission) {
  verif::LinkRtl rtl;
  rtl.top = emission.top;
  for (const auto& name : emission.verilog) rtl.files.push_back({name, emission.files.at(name)});
  return rtl;
}

std::string to_text(const verif::LinkCosimReport& report) {
  const auto& [there, back] = report.totals;
  std::string text = fmt::format(
      "{}: {} flits and every pin of both ends in {} cycles, seed {}\n"
      "  {} scenarios; {} damaged frames, {} replays, {} restarts\n"
      "  {:.2f} s; the design was {}\n"
      "  {} of {} corners reached\n",
      report.passed() ? "PASS" : "FAIL", there.flits + back.flits, report.cycles, report.seed,
      report.scenarios, there.errors + back.errors, there.replays + back.replays, report.restarts,
      report.run_seconds,
      report.cached ? "in the cache" : fmt::format("built in {:.1f} s", report.build_seconds),
      report.coverage.reached(), report.coverage.possible());
  if (!report.passed()) {
    text += fmt::format("First mismatch:\n  {}\nReproduce it with a waveform:\n  {}\n",
                        report.first_mismatch, report.reproduce);
  }
  return text;
}

}  // namespace

ExitStatus cosim_link(const arch::Link& link, const rtl::Emission& emission,
                      LinkCosimRequest request) {
  verif::LinkCosimOptions& options = request.options;
  Step step(fmt::format("co-simulating {} (seed {})", link.name, options.seed));
  options.progress = [&step](const std::string& text) { step.update(text); };
  const verif::LinkCosimReport result = verif::run_cosim(link, link_rtl(emission), options);
  step.done(result.passed() ? "pass" : "fail");
  if (!request.junit.empty()) base::write_file_atomic(request.junit, to_junit(result.tests));
  report(to_text(result), to_json(result), request.json);
  if (!result.passed()) return exit_mismatch;
  for (const auto& waveform : result.waveforms) {
    fmt::print(stderr, "waveform: {}\n", waveform.string());
    if (verif::is_whole_waveform(waveform)) continue;
    fmt::print(stderr, "cannot write '{}': the waveform is incomplete; is the disk full?\n",
               waveform.string());
    return exit_usage;
  }
  return exit_pass;
}

}  // namespace weft::cli
