// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/cosim_report.h"
#include "cli/design_of.h"
#include "cli/link_cosim.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/whole_number.h"
#include "verif/waveform.h"
#include "workbench/rtl.h"

namespace weft::cli {
namespace {

struct Options {
  std::string config;
  std::string workload;
  std::string json;
  std::string junit;
  std::string trace;
  bool traced = false;
  bool one_scenario = false;
  std::uint64_t scenario = 0;
  verif::CosimOptions cosim;
};

/// Whether the waveform came out whole; says so if not.
bool check_waveform(const std::filesystem::path& path) {
  if (verif::is_whole_waveform(path)) return true;
  fmt::print(stderr, "cannot write '{}': the waveform is incomplete; is the disk full?\n",
             path.string());
  return false;
}

/// What all kinds of co-simulation end with; `cosim` is the part of `result` that says whether the
/// design passed.
template <class Report, class Cosim>
ExitStatus finish(const Report& result, const Cosim& cosim, const Options& options, Step& step) {
  step.done(cosim.passed() ? "pass" : "fail");
  if (options.cosim.trace) fmt::print(stderr, "waveform: {}\n", options.cosim.trace->string());
  if (!options.junit.empty()) {
    base::write_file_atomic(options.junit, verif::to_junit(cosim.tests));
  }
  report(to_text(result), to_json(result), options.json);
  if (options.cosim.trace && !check_waveform(*options.cosim.trace) && cosim.passed()) {
    return exit_usage;
  }
  return cosim.passed() ? exit_pass : exit_mismatch;
}

/// An argument as it must be typed in a shell.
std::string shell_word(const std::string& argument) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+=:,@%";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) return argument;
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

ExitStatus cosim(const arch::Link& link, const arch::Config& config, const Options& options) {
  LinkCosimRequest request;
  request.json = options.json;
  request.junit = options.junit;
  verif::LinkCosimOptions& cosim = request.options;
  cosim.seed = options.cosim.seed;
  cosim.transactions = options.cosim.transactions;
  cosim.build = options.cosim.build;
  cosim.command = "weft cosim " + shell_word(options.config);
  if (!options.workload.empty()) throw UserError("--workload: a link has no workloads");
  if (options.one_scenario) cosim.scenario = options.scenario;
  if (options.traced) {
    cosim.trace = options.trace.empty() ? link.name + ".fst" : options.trace;
    require_writable(cosim.trace->string());
  }
  return cosim_link(link, rtl::emit(config), std::move(request));
}

ExitStatus run_array_cosim(const arch::TensorArray& array, const verif::Rtl& rtl,
                           const Options& options, Step& step) {
  if (options.workload.empty()) {
    const auto result = verif::run_cosim(array, rtl, options.cosim);
    return finish(result, result, options, step);
  }
  if (options.workload == "digits") {
    const auto result =
        digits::run_digits_cosim(array, rtl, workbench::digits_folder(), options.cosim);
    return finish(result, result.cosim, options, step);
  }
  const auto result = verif::run_workload_cosim(array, rtl, load_workload(options.workload),
                                                shell_word(options.workload), options.cosim);
  return finish(result, result.cosim, options, step);
}

ExitStatus run_cosim(Options options) {
  require_writable(options.json);
  require_writable(options.junit);
  const arch::Config config = load_configuration(options.config);
  if (const auto* link = std::get_if<arch::Link>(&config.design)) {
    return cosim(*link, config, options);
  }
  const auto* device = std::get_if<arch::Switch>(&config.design);
  if (device == nullptr || !options.workload.empty()) {
    design_of<arch::TensorArray>(config, "cosim",
                                 options.workload.empty() ? "co-simulation" : "workload");
  }
  const rtl::Emission emission = rtl::emit(config);

  options.cosim.command = "weft cosim " + shell_word(options.config);
  if (options.one_scenario) options.cosim.scenario = options.scenario;
  if (options.traced) {
    options.cosim.trace = options.trace.empty() ? emission.top + ".fst" : options.trace;
    require_writable(options.cosim.trace->string());
  }
  Step step(fmt::format("co-simulating {} (seed {})", emission.top, options.cosim.seed));
  options.cosim.progress = [&step](const std::string& text) { step.update(text); };
  if (device == nullptr) {
    return run_array_cosim(std::get<arch::TensorArray>(config.design), workbench::rtl_of(emission),
                           options, step);
  }
  const auto result = verif::run_switch_cosim(*device, workbench::rtl_of(emission), options.cosim);
  return finish(result, result, options, step);
}

}  // namespace

void add_cosim(CLI::App& app, ExitStatus& status) {
  auto* command =
      app.add_subcommand("cosim", "Compare the RTL with the model, bit for bit, cycle for cycle");
  auto options = std::make_shared<Options>();
  verif::CosimOptions& cosim = options->cosim;
  command->add_option("config", options->config, "Configuration file or preset")->required();
  command->add_option("--seed", cosim.seed, "Seed of all random stimuli")
      ->check(whole_number())
      ->capture_default_str();
  auto* transactions = command
                           ->add_option("--transactions", cosim.transactions,
                                        "Random tiles, packets or flits to run")
                           ->check(whole_number())
                           ->capture_default_str();
  auto* workload =
      command->add_option("--workload", options->workload,
                          "Run the layers of this workload (file or preset) instead, or 'digits'");
  auto* scenario =
      command->add_option("--scenario", options->scenario, "Only this scenario, from a failed run");
  workload->excludes(scenario)->excludes(transactions);
  auto* trace = command->add_option("--trace", options->trace,
                                    "Write a waveform (FST; NAME.fst if no file is given)");
  scenario->check(whole_number());
  trace->expected(0, 1);
  command->add_option("--json", options->json, "Write the result as JSON; '-': standard output");
  command->add_option("--junit", options->junit, "Write the result as JUnit XML");
  command->add_option("--cache", cosim.build.cache,
                      "Folder of built designs (default: $WEFT_CACHE, else ~/.cache/weft)");
  command->callback([options, scenario, trace, &status] {
    options->traced = trace->count() > 0;
    options->one_scenario = scenario->count() > 0;
    status = run_cosim(*options);
  });
}

}  // namespace weft::cli
