// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "rtl_gen/emit/emission.h"
#include "synth/synth.h"

namespace weft::cli {

void add_gen(CLI::App& app, ExitStatus& /*status*/) {
  struct Options {
    std::string config;
    std::string directory;
    std::string clock = "5ns";
  };
  auto* command = app.add_subcommand("gen", "Generate Verilog from a configuration");
  auto options = std::make_shared<Options>();
  command->add_option("config", options->config, "Configuration file or preset")->required();
  command->add_option("-o,--out", options->directory, "Directory for the files")->required();
  command->add_option("--clock", options->clock, "Clock period for weft.sdc")
      ->capture_default_str();
  command->callback([options] {
    const double clock_ns = synth::parse_period(options->clock);
    const arch::Config config = load_configuration(options->config);
    const rtl::Emission emission = rtl::emit(config, {.clock_ns = clock_ns});
    rtl::write(emission, options->directory);
    print(fmt::format("{}: {} files, {:.1f} KiB, in {}\n", emission.top, emission.files.size(),
                      static_cast<double>(emission.size()) / 1024, options->directory));
    for (const auto& [name, text] : emission.files) print(fmt::format("  {}\n", name));
  });
}

}  // namespace weft::cli
