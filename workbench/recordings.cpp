// SPDX-License-Identifier: Apache-2.0
#include "workbench/recordings.h"

#include <cstdint>

#include "testbenches/activity/array_activity.h"
#include "testbenches/activity/link_activity.h"
#include "testbenches/activity/switch_activity.h"
#include "workbench/rtl.h"

namespace weft::workbench {
namespace {

constexpr std::uint64_t traffic_cycles = 20'000;
constexpr std::uint64_t traffic_lead = 1'000;
constexpr std::uint64_t layer_cycles = 200'000;

}  // namespace

verif::Recording record_digits(const arch::TensorArray& array, const rtl::Emission& emission,
                               const verif::RecordingOptions& options) {
  return verif::record_digits(array, rtl_of(emission), digits_folder(), options);
}

verif::Recording record_workload(const arch::TensorArray& array, const rtl::Emission& emission,
                                 const arch::Workload& workload, verif::RecordingOptions options) {
  if (options.most_cycles == 0) options.most_cycles = layer_cycles;
  return verif::record_workload(array, rtl_of(emission), workload, options);
}

verif::Recording record_traffic(const arch::Switch& design, const rtl::Emission& emission,
                                const verif::TrafficSpec& traffic,
                                verif::RecordingOptions options) {
  if (options.most_cycles == 0) options.most_cycles = traffic_cycles;
  options.lead_cycles = traffic_lead;
  return verif::record_traffic(design, rtl_of(emission), traffic, options);
}

verif::Recording record_link(const arch::Link& link, const rtl::Emission& emission, double load,
                             verif::RecordingOptions options) {
  if (options.most_cycles == 0) options.most_cycles = traffic_cycles;
  // Until frames are found, with the wire's delay.
  options.lead_cycles = traffic_lead + 20 * static_cast<std::uint64_t>(link.channel_latency);
  const verif::Rtl rtl = rtl_of(emission);
  return verif::record_link(link, {rtl.files, rtl.top, rtl.parameters}, load, options);
}

synth::EnergyWorkload energy_workload(const verif::Recording& recording) {
  synth::EnergyWorkload workload{
      recording.workload, &recording.trace, recording.workload_cycles, {}};
  const auto count = [](std::uint64_t number) { return static_cast<double>(number); };
  auto& operations = workload.operations;
  if (recording.macs > 0) operations.push_back({"MAC", count(recording.macs)});
  if (recording.flits > 0) operations.push_back({"flit", count(recording.flits)});
  if (recording.macs_per_inference > 0)
    operations.push_back(
        {"inference", count(recording.macs) / count(recording.macs_per_inference)});
  return workload;
}

}  // namespace weft::workbench
