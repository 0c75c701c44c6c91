// SPDX-License-Identifier: Apache-2.0
#include "cli/synth_request.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "cli/synth_hierarchy.h"
#include "rtl_gen/emit/emission.h"
#include "verif/build_cache.h"

namespace weft::cli {

SynthesisJob configuration_job(const arch::Config& config, const std::filesystem::path& directory,
                               synth::Request request) {
  request.output_directory =
      directory.empty() ? arch::name_of(config) + "_synth" : directory.string();
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
