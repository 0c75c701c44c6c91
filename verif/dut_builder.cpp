// SPDX-License-Identifier: Apache-2.0
#include "verif/dut_builder.h"

#include <fmt/format.h>

#include <chrono>

#include "base/sha256.h"
#include "verif/build_cache.h"
#include "verif/shim_writer.h"
#include "verif/simulator.h"

namespace weft::verif {
namespace {

/// Everything that determines the code of a DUT, each part preceded by its length so that no two
/// different inputs give the same text.
std::string fingerprint(const DutDescription& dut, const std::string& shim,
                        const BuildOptions& options, const std::string& identity) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    text += fmt::format("{}:{}\n", part.size(), part);
  };
  add(identity);
  add(options.lint ? "lint" : "no lint");
  add(shim);
  add(dut.top);
  for (const VerilogFile& file : dut.files) {
    add(file.name);
    add(file.text);
  }
  for (const auto& [name, value] : dut.parameters) add(fmt::format("{}={}", name, value));
  return base::sha256(text);
}

}  // namespace

BuiltDut build_dut(const DutDescription& description, const BuildOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const BuildCache cache(options.cache);
  const Simulator simulator(options);
  const std::string shim = write_shim(description);
  BuiltDut built;
  built.digest = fingerprint(description, shim, options, simulator.identity());
  const BuildCache::Entry entry =
      cache.get(built.digest, "dut.so", [&](const std::filesystem::path& directory) {
        simulator.probe(cache);
        simulator.build(description, shim, cache, directory);
      });
  built.library = std::make_shared<const DutLibrary>(entry.file);
  built.cached = entry.cached;
  built.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return built;
}

}  // namespace weft::verif
