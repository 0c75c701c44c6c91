// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "arch/estimate.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/cosim_report.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "synth/result.h"
#include "workbench/rtl.h"
#include "workbench/synthesis_job.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

/// The tour through the main job, on an array that is small enough to take seconds. Each stop
/// prints what it found, and leaves files in the folder.
class Quickstart {
 public:
  explicit Quickstart(fs::path folder)
      : folder_(std::move(folder)),
        config_(load_configuration("quickstart")),
        array_(std::get<arch::TensorArray>(config_.design)),
        emission_(rtl::emit(config_)),
        rtl_(workbench::rtl_of(emission_)) {}

  ExitStatus run() {
    generate();
    const bool agrees = cosimulate() && classify();
    if (!agrees) return exit_mismatch;
    synthesise();
    estimate();
    conclude();
    return exit_pass;
  }

 private:
  void generate() {
    Step step("1/5 generating Verilog");
    base::make_directories(folder_);
    base::write_file_atomic(folder_ / "quickstart.yaml", arch::canonical_form(config_));
    rtl::write(emission_, folder_ / "rtl");
    step.done(fmt::format("{} files in {}", emission_.files.size(), (folder_ / "rtl").string()));
    print(fmt::format("{}: {} x {} PEs, {} x {}, {}-bit sums\n\n", array_.name, array_.rows,
                      array_.cols, arch::to_string(array_.moving_format),
                      arch::to_string(array_.stationary_format), array_.accumulator_width));
  }

  bool cosimulate() {
    Step step("2/5 co-simulating the Verilog with the model");
    const verif::CosimReport result = verif::run_cosim(array_, rtl_, options(step));
    step.done();
    write_json(verif::to_json(result), (folder_ / "cosim.json").string());
    print(to_text(result) + "\n");
    return result.passed();
  }

  bool classify() {
    Step step("3/5 classifying handwritten digits on the Verilog");
    const digits::DigitsReport result =
        digits::run_digits_cosim(array_, rtl_, workbench::digits_folder(), options(step));
    step.done();
    write_json(digits::to_json(result), (folder_ / "digits.json").string());
    print(to_text(result) + "\n");
    return result.passed();
  }

  void synthesise() {
    Step step("4/5 synthesising for the OSU 180 nm library");
    synth::Request request;
    request.cache_directory = workbench::synth_cache({});
    request.progress = [&step](std::string_view text) { step.update(text); };
    const synth::Result result = synth::run(
        workbench::configuration_job(config_, folder_ / "synth", std::move(request)).request);
    step.done(result.cached ? "found in the cache" : "");
    write_json(synth::to_json(result), (folder_ / "synth.json").string());
    print(fmt::format("{:.0f} um2 per MAC, {} cells, critical path {:.2f} ns ({:.0f} MHz)\n\n",
                      result.area_per_mac_um2, result.cells, result.critical_path_ns,
                      result.fmax_mhz));
  }

  void estimate() {
    Step step("5/5 estimating ResNet-50");
    const arch::Estimate result = arch::estimate(array_, load_workload("resnet50"));
    step.done();
    write_json(arch::to_json(result), (folder_ / "resnet50.json").string());
    print(fmt::format("{} layers, {} cycles an image, {:.1f} % of the array busy\n\n",
                      result.layers.size(), result.total.cycles.total(),
                      100 * result.total.utilization()));
  }

  void conclude() const {
    print(fmt::format(
        "Everything lies in {0}:\n"
        "  quickstart.yaml                       the configuration, every parameter spelled out\n"
        "  rtl/                                  Verilog, manifest.json, weft.f, weft.core, "
        "weft.sdc\n"
        "  synth/                                scripts, logs, netlist; sh run.sh repeats the "
        "run\n"
        "  cosim, digits, synth, resnet50.json   the results\n"
        "\n"
        "Try next: change {0}/quickstart.yaml, for example rows: 16, and\n"
        "  weft cosim {0}/quickstart.yaml\n"
        "  weft synth {0}/quickstart.yaml --clock 4ns\n"
        "  weft explain rows\n"
        "  weft presets\n",
        folder_.string()));
  }

  [[nodiscard]] verif::CosimOptions options(Step& step) const {
    verif::CosimOptions options;
    options.command = "weft cosim quickstart";
    options.progress = [&step](const std::string& text) { step.update(text); };
    return options;
  }

  fs::path folder_;
  arch::Config config_;
  const arch::TensorArray& array_;
  rtl::Emission emission_;
  verif::ArrayRtl rtl_;
};

}  // namespace

void add_quickstart(CLI::App& app, ExitStatus& status) {
  auto* command = app.add_subcommand(
      "quickstart", "The tour: generate, co-simulate and measure a small array, on real data");
  auto folder = std::make_shared<std::string>("weft-quickstart");
  command->add_option("--out", *folder, "Folder for everything")->capture_default_str();
  command->callback([folder, &status] { status = Quickstart(*folder).run(); });
}

}  // namespace weft::cli
