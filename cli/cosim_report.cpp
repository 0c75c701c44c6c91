// SPDX-License-Identifier: Apache-2.0
#include "cli/cosim_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::cli {
namespace {

std::string verdict(const verif::CosimReport& report) {
  return fmt::format("{}: {} result elements and {} RTL cycles, seed {}\n",
                     report.passed() ? "PASS" : "FAIL", report.totals.elements, report.rtl_cycles,
                     report.seed);
}

template <class Report>
std::string origin(const Report& report) {
  return report.cached ? "in the cache" : fmt::format("built in {:.1f} s", report.build_seconds);
}

std::string counts(const verif::CosimReport& report) {
  const double speed = report.macs_per_second() / 1e6;
  return fmt::format(
      "  {} tiles in {} scenarios; {} wrong values, {} wrong cycles\n"
      "  {}{:.2f} s; the design was {}\n",
      report.transactions, report.scenarios, report.totals.mismatches,
      report.totals.cycle_mismatches,
      speed > 0 ? fmt::format("{:.0f} million MAC/s a core; ", speed) : "", report.run_seconds,
      origin(report));
}

template <class Report>
std::string failure(const Report& report) {
  if (report.passed()) return {};
  return fmt::format("First mismatch:\n  {}\nReproduce it with a waveform:\n  {}\n",
                     report.first_mismatch, report.reproduce);
}

}  // namespace

std::string to_text(const verif::CosimReport& report) {
  std::string text = verdict(report) + counts(report);
  text += fmt::format("  {} of {} corners reached\n", report.coverage.reached(),
                      report.coverage.corners().size());
  return text + failure(report);
}

std::string to_text(const verif::WorkloadReport& report) {
  std::size_t width = 5;
  for (const auto& layer : report.layers) width = std::max(width, layer.name.size());
  std::string text = verdict(report.cosim) + counts(report.cosim);
  text += fmt::format("  {:<{}}  {:>14}  {:>14}  {:>8}\n", "layer", width, "RTL cycles", "estimate",
                      "wrong");
  for (const auto& layer : report.layers) {
    text += fmt::format("  {:<{}}  {:>14}  {:>14}  {:>8}\n", layer.name, width, layer.cycles,
                        layer.estimated, layer.wrong);
  }
  return text + failure(report.cosim);
}

std::string to_text(const digits::DigitsReport& report) {
  return verdict(report.cosim) + counts(report.cosim) +
         fmt::format(
             "  network {}: {} of {} images have the golden model's class\n"
             "  {} of {} images that it was not trained on are right ({:.1f} %)\n",
             report.network, report.identical, report.images, report.held_out_correct,
             report.held_out, 100 * report.accuracy()) +
         failure(report.cosim);
}

std::string to_text(const verif::SwitchCosimReport& report) {
  const verif::SwitchTotals& totals = report.totals;
  std::string text = fmt::format("{}: {} packets, {} flits and {} RTL cycles, seed {}\n",
                                 report.passed() ? "PASS" : "FAIL", totals.packets, totals.flits,
                                 totals.cycles, report.seed);
  text += fmt::format(
      "  {} random packets in {} scenarios; {} wrong values, {} wrong cycles, {} found by the "
      "scoreboard\n"
      "  {:.2f} s; the design was {}\n",
      report.transactions, report.scenarios, totals.mismatches, totals.cycle_mismatches,
      totals.violations, report.run_seconds, origin(report));
  if (report.wait_bound > 0) {
    text += fmt::format("  longest wait of a head under full load: {} cycles; the bound is {}\n",
                        totals.longest_wait, report.wait_bound);
  }
  text += fmt::format("  {} of {} corners reached\n", report.coverage.reached(),
                      report.coverage.possible());
  return text + failure(report);
}

}  // namespace weft::cli
