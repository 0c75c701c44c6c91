// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/switch_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/network/switch_timing.h"
#include "base/interrupt.h"
#include "testbenches/switch/credit_ledger.h"
#include "testbenches/switch/pin_comparison.h"
#include "testbenches/switch/scenario_traffic.h"
#include "testbenches/switch/wait_monitor.h"
#include "testbenches/switch/waiting_report.h"
#include "verif/network/observers.h"
#include "verif/network/switch_endpoints.h"

namespace weft::verif {
namespace {

/// Cycles without any flit after which a switch that is not empty is taken for dead.
constexpr std::uint64_t patience = 3000;
/// Cycles for which an empty switch is watched.
constexpr std::uint64_t afterwards = 12;
/// Cycles after which a stream through the switch must have reached its full rate.
constexpr std::uint64_t run_up = 40;

/// Whether credits and buffers are enough for a flit in every cycle of a single stream.
bool streams_without_bubbles(const arch::Switch& design) {
  if (design.adaptive() || design.switching == arch::Switching::store_and_forward) return false;
  const arch::SwitchTiming timing(design);
  const bool credit = design.flow_control == arch::FlowControl::credit;
  const int head =
      design.switching == arch::Switching::virtual_cut_through ? design.max_packet_flits : 0;
  const bool input = design.organisation == arch::Organisation::crossbar ||
                     design.buffer_depth >= timing.input_stages + (credit ? 3 : 2);
  return input && (!credit || timing.output_credits >= head + timing.output_stages + 3);
}

}  // namespace

/// One run from a reset on.
class SwitchBench::Experiment {
 public:
  Experiment(SwitchBench& bench, const SwitchScenario& scenario)
      : bench_(bench),
        design_(bench.design_),
        scenario_(scenario),
        layout_(design_),
        endpoints_(design_, scenario.endpoints, scenario.position),
        traffic_(design_, scenario, endpoints_),
        ledger_(design_, endpoints_.targets(), endpoints_.violations()),
        waits_(design_, endpoints_.violations()),
        latency_(static_cast<std::uint64_t>(arch::SwitchTiming(design_).latency)) {
    if (design_.flow_control == arch::FlowControl::credit) observers_.add(ledger_);
    observers_.add(waits_);
    observers_.add(bench.coverage_);
    endpoints_.observe(&observers_);
    waits_.reset(scenario.measure == Measure::waits);
  }

  /// Runs for `cycles`, or to the end if that comes before. False if something was wrong.
  bool run(std::uint64_t cycles) {
    bench_.coverage_.begin(scenario_, endpoints_, cycles != to_the_end);
    reset(*bench_.dut_);
    if (bench_.model_ != nullptr) reset(*bench_.model_);
    std::uint64_t empty = 0;
    bool good = true;
    while (good && endpoints_.now() < cycles && empty < afterwards) {
      base::check_interrupt();
      good = cycle();
      empty = traffic_.exhausted() && endpoints_.drained() ? empty + 1 : 0;
    }
    add_up();
    return good;
  }

  static constexpr std::uint64_t to_the_end = ~std::uint64_t{0};

 private:
  void reset(arch::SwitchSimulation& simulation) const {
    simulation.set_position(scenario_.position.x, scenario_.position.y);
    simulation.reset();
  }

  bool cycle() {
    traffic_.create();
    const arch::SwitchInputs& inputs = endpoints_.drive();
    const arch::SwitchOutputs& got = bench_.dut_->cycle(inputs);
    if (bench_.model_ != nullptr && !agrees(bench_.model_->cycle(inputs), got)) return false;
    const std::uint64_t now = endpoints_.now();
    endpoints_.take(got);
    if (design_.flow_control == arch::FlowControl::credit) ledger_.end_cycle(now);
    bench_.coverage_.end_cycle(inputs, got);
    check_progress(now);
    if (scenario_.measure == Measure::latency) check_latency();
    if (scenario_.measure == Measure::bubbles && no_bubbles_) check_stream(got, now);
    return !endpoints_.violations().any();
  }

  bool agrees(const arch::SwitchOutputs& expected, const arch::SwitchOutputs& got) {
    const auto mismatch = compare_pins(design_, layout_, expected, got);
    if (!mismatch) return true;
    ++(mismatch->time ? bench_.totals_.cycle_mismatches : bench_.totals_.mismatches);
    bench_.first_mismatch_ = fmt::format("cycle {}: {}", endpoints_.now(), mismatch->text);
    return false;
  }

  /// Flits and credits that have moved.
  [[nodiscard]] std::uint64_t activity() const {
    std::uint64_t sum = endpoints_.sinks().credits_returned();
    for (int port = 0; port < design_.ports; ++port) {
      sum += endpoints_.sources().flits_sent(port) + endpoints_.flits_received(port);
    }
    return sum;
  }

  void check_progress(std::uint64_t now) {
    const std::uint64_t activity_now = activity();
    if (activity_now != activity_ || endpoints_.drained()) moved_ = now;
    activity_ = activity_now;
    if (now < moved_ + patience) return;
    endpoints_.violations().add(Violation::lost, [&] {
      std::string text = fmt::format("cycle {}: nothing has moved for {} cycles; ", now, patience);
      text += endpoints_.outstanding() > 0
                  ? fmt::format("{} packets have not come out", endpoints_.outstanding())
                  : "everything has come out, but not all credits";
      if (bench_.model_ != nullptr) text += to_text(bench_.model_->waiting());
      return text;
    });
  }

  void check_latency() {
    for (const Delivery& delivery : endpoints_.delivered()) {
      const bool whole = design_.switching == arch::Switching::store_and_forward;
      const std::uint64_t expected =
          latency_ + (whole ? static_cast<std::uint64_t>(delivery.packet.flits - 1) : 0);
      const std::uint64_t got = delivery.head_out - delivery.injected;
      // Its flits must not wait for places, which a small buffer would make them do.
      if (got == expected || (whole && design_.buffer_depth < delivery.packet.flits)) continue;
      endpoints_.violations().add(Violation::late, [&] {
        return fmt::format(
            "cycle {}: output {}: the head of a packet passed an idle switch in {} cycles instead "
            "of {}",
            delivery.head_out, delivery.output, got, expected);
      });
    }
  }

  void check_stream(const arch::SwitchOutputs& outputs, std::uint64_t now) {
    for (int source = 0; source < design_.ports; ++source) {
      const int output = traffic_.permutation()[static_cast<std::size_t>(source)];
      if (output < 0) continue;
      if (endpoints_.sources().backlog(source) == 0 || traffic_.exhausted()) no_bubbles_ = false;
    }
    if (!no_bubbles_ || now < run_up) return;
    for (const int output : traffic_.permutation()) {
      if (output < 0 || outputs.valid[static_cast<std::size_t>(output)] != 0) continue;
      endpoints_.violations().add(Violation::late, [&] {
        return fmt::format("cycle {}: output {}: a bubble in a stream at full rate", now, output);
      });
    }
  }

  void add_up() {
    SwitchTotals& totals = bench_.totals_;
    totals.cycles += endpoints_.now();
    totals.packets += traffic_.created();
    totals.violations += endpoints_.violations().total();
    totals.longest_wait = std::max(totals.longest_wait, waits_.longest_bounded());
    for (int port = 0; port < design_.ports; ++port)
      totals.flits += endpoints_.flits_received(port);
    if (!endpoints_.violations().any()) return;
    bench_.violations_ = endpoints_.violations();
    bench_.first_mismatch_ = fmt::format("{}: {}", to_string(bench_.violations_.first_kind()),
                                         bench_.violations_.first());
  }

  SwitchBench& bench_;
  const arch::Switch& design_;
  const SwitchScenario& scenario_;
  arch::PinLayout layout_;
  SwitchEndpoints endpoints_;
  ScenarioTraffic traffic_;
  CreditLedger ledger_;
  WaitMonitor waits_;
  Observers observers_;
  std::uint64_t latency_;
  std::uint64_t activity_ = 0;
  std::uint64_t moved_ = 0;  ///< cycle in which it last changed
  bool no_bubbles_ = streams_without_bubbles(design_) && endpoints_.tells_packets_apart();
};

SwitchBench::SwitchBench(const arch::Switch& design, arch::SwitchSimulation& dut,
                         models::CycleSwitch* model)
    : design_(design), dut_(&dut), model_(model), coverage_(design) {}

bool SwitchBench::run(const SwitchScenario& scenario) {
  for (const std::uint64_t cut : scenario.cuts) {
    if (!Experiment(*this, scenario).run(cut)) return false;
  }
  return Experiment(*this, scenario).run(Experiment::to_the_end);
}

}  // namespace weft::verif
