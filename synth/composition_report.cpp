// SPDX-License-Identifier: Apache-2.0
#include "synth/composition_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "synth/number_text.h"

namespace weft::synth {
namespace {

using Json = nlohmann::ordered_json;

Json tree_to_json(const Share& share, double total) {
  Json json = {{"name", share.name},
               {"module", share.module},
               {"instances", share.instances},
               {"area_um2", share.area_um2},
               {"percent", total > 0 ? 100 * share.area_um2 / total : 0},
               {"divided", share.divided}};
  for (const Share& child : share.children) json["children"].push_back(tree_to_json(child, total));
  return json;
}

Json block_to_json(const Block& block) {
  Json json = {{"module", block.key.module},
               {"parameters", block.key.parameters},
               {"instances", block.instances},
               {"area_um2", block.area_um2},
               {"cells", block.cells},
               {"registers", block.registers},
               {"own_path_ns", block.own_path_ns},
               {"directory", block.directory}};
  if (!block.extended_from.empty()) json["extended_from"] = block.extended_from;
  if (block.held_out) json["held_out_error"] = *block.held_out;
  if (block.context) json["context"] = *block.context;
  return json;
}

Json memory_to_json(const MemoryUse& use) {
  return {{"words", use.shape.words},
          {"width", use.shape.width},
          {"read_ports", use.shape.read_ports},
          {"write_ports", use.shape.write_ports},
          {"clocked_reads", use.shape.clocked_reads != 0},
          {"instances", use.instances},
          {"area_um2", use.cost.area_um2},
          {"access_ns", use.cost.access_ns},
          {"setup_ns", use.cost.setup_ns},
          {"access_pj", use.cost.access_pj},
          {"source", use.cost.source}};
}

Json difference(double composed, double flat) {
  return {{"composed", composed},
          {"flat", flat},
          {"difference_percent", flat > 0 ? 100 * (composed / flat - 1) : 0}};
}

Json comparison(const Result& composed, const Result& flat) {
  return {
      {"area_um2", difference(composed.area_um2, flat.area_um2)},
      {"cells", difference(static_cast<double>(composed.cells), static_cast<double>(flat.cells))},
      {"registers",
       difference(static_cast<double>(composed.registers), static_cast<double>(flat.registers))},
      {"critical_path_ns", difference(composed.critical_path_ns, flat.critical_path_ns)}};
}

std::string short_parameters(const Sizes& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string tree_rows(const Share& share, double total, std::size_t depth) {
  std::string label = std::string(2 * depth, ' ') + share.name;
  if (depth > 0 && !share.module.empty()) label += fmt::format(" ({})", share.module);
  std::string text = fmt::format(
      "  {:<46} {:>9} {:>16} {:>6.1f}{}\n", label, share.instances, area_text(share.area_um2),
      total > 0 ? 100 * share.area_um2 / total : 0, share.divided ? " ~" : "");
  std::vector<const Share*> children;
  for (const Share& child : share.children) children.push_back(&child);
  std::ranges::stable_sort(children, std::greater<>(), &Share::area_um2);
  for (const Share* const child : children) text += tree_rows(*child, total, depth + 1);
  return text;
}

bool has_divided(const Share& share) {
  return share.divided || std::ranges::any_of(share.children, has_divided);
}

std::string block_rows(const Composition& composition) {
  std::string text = fmt::format("  {:<28} {:>9} {:>16} {:>9}  {}\n", "blocks, each once",
                                 "instances", "area um2 of one", "registers", "how");
  for (const Block& block : composition.blocks) {
    std::string how = block.extended_from.empty() ? "measured" : "from " + block.extended_from;
    if (block.held_out) how += fmt::format(", {:+.2f} % at a size between", 100 * *block.held_out);
    if (block.context) how += fmt::format(", {:+.2f} % in context", 100 * *block.context);
    text += fmt::format("  {:<28} {:>9} {:>16} {:>9}  {}\n    {}\n", block.key.module,
                        block.instances, area_text(block.area_um2), grouped(block.registers), how,
                        short_parameters(block.key.parameters));
  }
  return text;
}

std::string memory_rows(const Composition& composition) {
  if (composition.memories.empty()) return "";
  std::string text =
      fmt::format("\n  {:<28} {:>9} {:>16} {:>9} {:>9}  {}\n", "memories, not of cells",
                  "instances", "area um2 of one", "access ns", "pJ", "from");
  for (const MemoryUse& use : composition.memories)
    text += fmt::format("  {:<28} {:>9} {:>16} {:>9.2f} {:>9.1f}  {}\n",
                        fmt::format("{} x {}, {} read, {} write", use.shape.words, use.shape.width,
                                    use.shape.read_ports, use.shape.write_ports),
                        use.instances, area_text(use.cost.area_um2), use.cost.access_ns,
                        use.cost.access_pj, use.cost.source);
  return text;
}

std::string comparison_rows(const Result& composed, const Result& flat) {
  std::string text =
      fmt::format("\n  {:<20} {:>16} {:>16} {:>12}\n", "", "composed", "flat", "difference");
  const auto row = [&](const char* what, double a, double b, int decimals) {
    const auto number = [&](double value) {
      return decimals == 0 ? grouped(value) : fmt::format("{:.{}f}", value, decimals);
    };
    text += fmt::format("  {:<20} {:>16} {:>16} {:>+10.2f} %\n", what, number(a), number(b),
                        b > 0 ? 100 * (a / b - 1) : 0);
  };
  row("area um2", composed.area_um2, flat.area_um2, 0);
  row("cells", static_cast<double>(composed.cells), static_cast<double>(flat.cells), 0);
  row("registers", static_cast<double>(composed.registers), static_cast<double>(flat.registers), 0);
  row("critical path ns", composed.critical_path_ns, flat.critical_path_ns, 3);
  return text;
}

}  // namespace

nlohmann::ordered_json to_json(const Composition& composition) {
  Json json = to_json(composition.result);
  if (!composition.at_once) json.erase("by_cell");
  json["composed"] = !composition.at_once;
  json["tree"] = tree_to_json(composition.tree, composition.result.area_um2);
  for (const Block& block : composition.blocks) json["blocks"].push_back(block_to_json(block));
  json["memories"] = Json::array();
  for (const MemoryUse& use : composition.memories) json["memories"].push_back(memory_to_json(use));
  if (composition.flat) json["comparison"] = comparison(composition.result, *composition.flat);
  return json;
}

std::string to_text(const Composition& composition) {
  const Result& result = composition.result;
  if (composition.at_once)
    return to_text(result) +
           (composition.flat ? comparison_rows(result, *composition.flat) : std::string());
  std::string text = summary(result);
  if (result.longest_path_ns && result.spared_path_ns)
    text += fmt::format(
        "  {:<15}the middle of {:.3f} and {:.3f} ns: borders of blocks hide which inputs come "
        "late\n",
        "", *result.spared_path_ns, *result.longest_path_ns);
  text += fmt::format("\n  {:<46} {:>9} {:>16} {:>6}\n", "modules", "instances", "area um2", "%");
  text += tree_rows(composition.tree, result.area_um2, 0);
  if (has_divided(composition.tree))
    text += "  (~ synthesised with what contains it: that area divided by a count of gates)\n";
  text += "\n" + block_rows(composition) + memory_rows(composition);
  if (composition.flat) text += comparison_rows(result, *composition.flat);
  for (const auto& warning : result.warnings) text += fmt::format("  warning: {}\n", warning);
  text += fmt::format("\n  {:.1f} CPU s, {:.0f} MiB; files and scripts: {}\n", result.cpu_seconds,
                      result.peak_rss_mib, result.directory.string());
  return text;
}

}  // namespace weft::synth
