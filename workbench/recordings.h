// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/network/link.h"
#include "arch/network/switch.h"
#include "arch/tensor_array.h"
#include "arch/workload/layer.h"
#include "rtl_gen/emit/emission.h"
#include "synth/power/energy.h"
#include "testbenches/activity/recording.h"
#include "verif/traffic/traffic_spec.h"

/// What designs do while their energy is measured (docs/energy.md): the generated Verilog runs, and
/// its ports are recorded. Cycles of workloads and traffic are limited unless the options do it.
namespace weft::workbench {

/// @throws see verif::record_digits.
[[nodiscard]] verif::Recording record_digits(const arch::TensorArray& array,
                                             const rtl::Emission& emission,
                                             const verif::RecordingOptions& options);
/// @throws see verif::record_workload.
[[nodiscard]] verif::Recording record_workload(const arch::TensorArray& array,
                                               const rtl::Emission& emission,
                                               const arch::Workload& workload,
                                               verif::RecordingOptions options);
/// @throws see verif::record_traffic.
[[nodiscard]] verif::Recording record_traffic(const arch::Switch& design,
                                              const rtl::Emission& emission,
                                              const verif::TrafficSpec& traffic,
                                              verif::RecordingOptions options);

/// @throws see verif::record_link.
[[nodiscard]] verif::Recording record_link(const arch::Link& link, const rtl::Emission& emission,
                                           double load, verif::RecordingOptions options);

/// The recording as find_energy() takes it, the most frequent operation first. Refers to
/// `recording`.
[[nodiscard]] synth::EnergyWorkload energy_workload(const verif::Recording& recording);

}  // namespace weft::workbench
