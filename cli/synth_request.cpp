// SPDX-License-Identifier: Apache-2.0
#include "cli/synth_request.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "cli/progress.h"
#include "cli/synth_hierarchy.h"
#include "rtl_gen/emit/emission.h"
#include "verif/build_cache.h"

namespace weft::cli {

std::shared_ptr<const synth::FolderLock> hold_folder(const std::filesystem::path& folder) {
  std::optional<Step> wait;
  auto lock = std::make_shared<const synth::FolderLock>(
      folder, [&](std::string_view text) { wait.emplace(std::string(text)); });
  if (wait) wait->done();
  return lock;
}

SynthesisJob configuration_job(const arch::Config& config, const std::filesystem::path& directory,
                               synth::Request request) {
  request.output_directory =
      directory.empty() ? arch::name_of(config) + "_synth" : directory.string();
  request.held_directory = hold_folder(request.output_directory);
  const std::filesystem::path sources = request.output_directory / "rtl";
  const rtl::Emission emission = rtl::emit(config, {.clock_ns = request.clock_ns});
  rtl::write(emission, sources);
  for (const auto& name : emission.verilog) request.verilog.push_back(sources / name);
  request.top = emission.top;
  if (const auto* array = std::get_if<arch::TensorArray>(&config.design)) {
    request.macs = std::uint64_t{1} * array->rows * array->cols * array->macs_per_pe;
  }
  return {std::move(request), hierarchy_of(emission)};
}

std::filesystem::path synth_cache(const std::filesystem::path& cache) {
  return verif::BuildCache(cache).root() / "synth";
}

}  // namespace weft::cli
