// SPDX-License-Identifier: Apache-2.0
#include "workbench/synthesis_figures.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/sha256.h"
#include "base/tools.h"
#include "rtl_gen/emit/emission.h"
#include "synth/compose.h"
#include "synth/fpga/device.h"
#include "synth/power/energy.h"
#include "synth/power/power_library.h"
#include "synth/scripts.h"
#include "synth/synth.h"
#include "synth/target.h"
#include "workbench/recordings.h"
#include "workbench/synthesis_job.h"

namespace weft::workbench {
namespace {

bool on_fpga(const Conditions& conditions) {
  return synth::find_fpga(conditions.target) != nullptr;
}

synth::Target target_of(const Conditions& conditions) {
  return synth::load_target(conditions.target, {.dont_use = conditions.dont_use});
}

SynthesisJob job_of(const arch::Config& config, const Conditions& conditions,
                    const std::filesystem::path& directory) {
  synth::Request request;
  request.target = conditions.target;
  request.target_options.dont_use = conditions.dont_use;
  request.recipe.name = conditions.recipe;
  request.clock_ns = conditions.clock_ns;
  request.cache_directory = synth_cache(conditions.cache);
  return configuration_job(config, directory, std::move(request));
}

void add_figures(const synth::Result& result, Figures& figures) {
  figures["registers"] = static_cast<double>(result.registers);
  if (result.fpga) {
    figures["luts"] = static_cast<double>(result.fpga->luts);
    figures["dsps"] = static_cast<double>(result.fpga->dsps);
    figures["block_rams"] = static_cast<double>(result.fpga->block_rams);
    figures["lut_rams"] = static_cast<double>(result.fpga->lut_rams);
    return;
  }
  figures["area_um2"] = result.area_um2;
  figures["critical_path_ns"] = result.critical_path_ns;
  figures["fmax_mhz"] = result.fmax_mhz;
  figures["cells"] = static_cast<double>(result.cells);
  if (result.macs > 0)
    figures["area_per_mac_um2"] = result.area_um2 / static_cast<double>(result.macs);
}

/// Energy over all recordings: each counts with the time and the operations that it has.
class EnergySum {
 public:
  void add(const synth::EnergyReport& report) {
    const auto cycles = static_cast<double>(report.cycles);
    cycles_ += cycles;
    joules_ += cycles * report.per_cycle();
    leakage_ = report.flat.registers.leakage + report.flat.logic.leakage;
    period_ = report.period();
    for (const synth::Operation& operation : report.operations)
      operations_[operation.name] += operation.count;
  }

  void add_figures(Figures& figures) const {
    constexpr double pico = 1e12;
    constexpr double milli = 1e3;
    figures["energy_per_cycle_pj"] = pico * joules_ / cycles_;
    figures["power_mw"] = milli * joules_ / cycles_ / period_;
    figures["leakage_mw"] = milli * leakage_;
    for (const auto& [operation, count] : operations_) {
      std::string name = operation;
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      figures[fmt::format("energy_per_{}_pj", name)] = pico * joules_ / count;
    }
  }

 private:
  double cycles_ = 0;
  double joules_ = 0;
  double leakage_ = 0;  ///< W
  double period_ = 0;   ///< s
  std::map<std::string, double> operations_;
};

Figures with_energy(const arch::Config& config, const Conditions& conditions, Figurist& figurist,
                    const std::filesystem::path& directory) {
  const synth::Target target = target_of(conditions);
  // Before anything takes time: it may turn out that the library tells no energies.
  const synth::PowerLibrary library =
      synth::read_power_library(target.liberty_text, target.liberty_path);
  verif::RecordingOptions recorder;
  recorder.seed = conditions.seed;
  recorder.build = build_options(conditions);
  const auto recordings = figurist.record(config, rtl::emit(config), recorder);

  const SynthesisJob job = job_of(config, conditions, directory);
  const synth::Result result = synth::run(job.request);
  EnergySum sum;
  for (const verif::Recording& recording : recordings) {
    const synth::EnergyWorkload workload = energy_workload(recording);
    sum.add(synth::find_energy(result, target, library, {.workload = &workload, .assumed = 0}));
  }
  Figures figures;
  add_figures(result, figures);
  sum.add_figures(figures);
  return figures;
}

Figures without_energy(const arch::Config& config, const Conditions& conditions,
                       const std::filesystem::path& directory) {
  const SynthesisJob job = job_of(config, conditions, directory);
  Figures figures;
  if (on_fpga(conditions)) {
    add_figures(synth::run(job.request), figures);
  } else {
    // What runs beside a point is for others to decide.
    const synth::CompositionOptions options{.jobs = 1};
    add_figures(synth::compose(job.request, *job.hierarchy, options).result, figures);
  }
  return figures;
}

/// SHA-256 of a library as it is used; read once in a process.
std::string library_digest(const Conditions& conditions) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::vector<std::string>>, std::string> known;
  const std::lock_guard lock(mutex);
  std::string& digest = known[{conditions.target, conditions.dont_use}];
  if (digest.empty()) digest = base::sha256(target_of(conditions).liberty_text);
  return digest;
}

}  // namespace

std::vector<Metric> synthesis_metrics(const Conditions& conditions, const Figurist& figurist) {
  std::vector<Metric> result;
  const auto add = [&](const char* name, const char* unit, const char* doc) {
    result.push_back({name, unit, doc, Depth::synth});
  };
  if (on_fpga(conditions)) {
    if (conditions.energy) {
      throw UserError(
          fmt::format("energy: {} is an FPGA; of cell libraries it is known", conditions.target));
    }
    add("luts", "", "Look-up tables of logic.");
    add("registers", "bits", "Flip-flops.");
    add("dsps", "", "Multipliers of the FPGA.");
    add("block_rams", "", "Memory blocks of the FPGA.");
    add("lut_rams", "", "Cells whose look-up tables are memory.");
    return result;
  }
  add("area_um2", "um2", "Sum of the cells' areas.");
  add("critical_path_ns", "ns", "The shortest clock period.");
  add("fmax_mhz", "MHz", "1000 / critical_path_ns.");
  add("cells", "", "Library cells.");
  add("registers", "bits", "Flip-flops.");
  if (conditions.energy) {
    add("energy_per_cycle_pj", "pJ", "Mean of all cycles that were recorded, with leakage.");
    add("power_mw", "mW", "The same at the clock that was asked for.");
    add("leakage_mw", "mW", "Of that, what flows without any activity.");
  }
  for (const Metric& metric : figurist.metrics(Depth::synth)) result.push_back(metric);
  return result;
}

Figures synthesise(const arch::Config& config, const Conditions& conditions, Figurist& figurist,
                   const std::filesystem::path& directory) {
  const Figures found = conditions.energy ? with_energy(config, conditions, figurist, directory)
                                          : without_energy(config, conditions, directory);
  Figures figures;
  for (const Metric& metric : synthesis_metrics(conditions, figurist)) {
    if (const auto figure = found.find(metric.name); figure != found.end()) figures.insert(*figure);
  }
  return figures;
}

nlohmann::json relevant_to_synthesis(const Conditions& conditions) {
  nlohmann::json key{{"flow", synth::flow_version},
                     {"dont_use", conditions.dont_use},
                     {"recipe", conditions.recipe},
                     {"clock_ns", conditions.clock_ns},
                     {"energy", conditions.energy}};
  std::vector<const char*> tools{"yosys", "berkeley-abc"};
  if (on_fpga(conditions)) {
    key["device"] = conditions.target;
  } else {
    key["library"] = library_digest(conditions);
    tools.push_back("sta");
  }
  if (conditions.energy) tools.push_back("verilator_bin");
  for (const char* tool : tools) key["tools"][tool] = base::tool_version(tool).banner;
  return key;
}

}  // namespace weft::workbench
