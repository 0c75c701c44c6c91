// SPDX-License-Identifier: Apache-2.0
#include "synth/block_wrapper.h"

#include <fmt/format.h>

namespace weft::synth {
namespace {

constexpr const char* instance_name = "u_block";

}  // namespace

std::string wrapper_name(const std::string& module) { return module + "_alone"; }

std::string wrapper_verilog(const Instance& block, const std::string& interface) {
  std::string text = interface;
  const auto header = text.starts_with("module ") ? 0 : text.find("\nmodule ") + 1;
  text.erase(0, header);  // its comments are not about this one
  text.replace(std::string("module ").size(), block.module.size(), wrapper_name(block.module));
  constexpr std::string_view reg = "output reg ";
  for (auto at = text.find(reg); at != std::string::npos; at = text.find(reg, at))
    text.replace(at, reg.size(), "output wire ");
  text.erase(text.rfind("endmodule"));

  const auto connections = [](const auto& items, const auto& name_of) {
    std::string list;
    for (const auto& item : items)
      list += fmt::format("{}.{}({})", list.empty() ? "" : ", ", name_of(item), name_of(item));
    return list;
  };
  const auto parameters =
      connections(block.parameters, [](const auto& parameter) { return parameter.first; });
  const auto ports = connections(block.ports, [](const auto& port) { return port.name; });
  return fmt::format("{}  {} {}{} ({});\nendmodule\n", text, block.module,
                     parameters.empty() ? "" : fmt::format("#({}) ", parameters), instance_name,
                     ports);
}

std::string unwrapped(const std::string& name) {
  const std::string prefix = std::string(instance_name) + ".";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace weft::synth
