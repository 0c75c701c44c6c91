// SPDX-License-Identifier: Apache-2.0
#include "synth/fpga/fpga_use.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace weft::synth {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* places[] = {"block RAM", "LUT RAM", "registers"};

Json memory_to_json(const FpgaMemory& memory) {
  return {{"name", memory.name},
          {"words", memory.words},
          {"width", memory.width},
          {"asynchronous_read", memory.asynchronous_read},
          {"place", memory.place}};
}

FpgaMemory memory_from_json(const Json& json) {
  return {json.at("name").get<std::string>(), json.at("words").get<std::uint64_t>(),
          json.at("width").get<std::uint64_t>(), json.at("asynchronous_read").get<bool>(),
          json.at("place").get<std::string>()};
}

}  // namespace

std::uint64_t FpgaUse::memory_bits(const std::string& place) const {
  std::uint64_t bits = 0;
  for (const FpgaMemory& memory : memories)
    if (memory.place == place) bits += memory.bits();
  return bits;
}

Json to_json(const FpgaUse& use) {
  Json memories = Json::array();
  for (const FpgaMemory& memory : use.memories) memories.push_back(memory_to_json(memory));
  Json bits = Json::object();
  for (const char* place : places) bits[place] = use.memory_bits(place);
  return {{"luts", use.luts},     {"carries", use.carries},       {"flip_flops", use.flip_flops},
          {"dsps", use.dsps},     {"block_rams", use.block_rams}, {"lut_rams", use.lut_rams},
          {"others", use.others}, {"memory_bits", bits},          {"memories", memories},
          {"routed", use.routed}};
}

FpgaUse fpga_use_from_json(const Json& json) {
  FpgaUse use;
  json.at("luts").get_to(use.luts);
  json.at("carries").get_to(use.carries);
  json.at("flip_flops").get_to(use.flip_flops);
  json.at("dsps").get_to(use.dsps);
  json.at("block_rams").get_to(use.block_rams);
  json.at("lut_rams").get_to(use.lut_rams);
  json.at("others").get_to(use.others);
  for (const Json& memory : json.at("memories")) use.memories.push_back(memory_from_json(memory));
  json.at("routed").get_to(use.routed);
  return use;
}

std::string to_text(const FpgaUse& use) {
  std::string text;
  const auto row = [&](const char* name, std::uint64_t count) {
    text += fmt::format("  {:<15}{}\n", name, count);
  };
  row("LUTs", use.luts);
  row("carry cells", use.carries);
  row("flip-flops", use.flip_flops);
  row("DSP blocks", use.dsps);
  row("block RAMs", use.block_rams);
  if (use.lut_rams > 0) row("LUT RAM cells", use.lut_rams);
  if (use.others > 0) row("other cells", use.others);
  if (use.memories.empty()) return text;
  text += fmt::format("  {:<15}", "memories");
  const char* separator = "";
  for (const char* place : places) {
    if (use.memory_bits(place) == 0) continue;
    text += fmt::format("{}{} bits in {}", separator, use.memory_bits(place), place);
    separator = ", ";
  }
  std::uint64_t asynchronous = 0;
  for (const FpgaMemory& memory : use.memories)
    if (memory.asynchronous_read) asynchronous += memory.bits();
  if (asynchronous > 0)
    text +=
        fmt::format("; {} bits are read without a clock, which no block RAM does", asynchronous);
  return text + "\n";
}

}  // namespace weft::synth
