// SPDX-License-Identifier: Apache-2.0
#include "synth/memory_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include "base/error.h"
#include "synth/liberty_tree.h"
#include "synth/library_files.h"

namespace weft::synth {
namespace {

/// Units of a library.
struct Units {
  double ns = 1;
  double pj = 1;
};

class MemoryReader {
 public:
  explicit MemoryReader(const LibertyTree& tree) : tree_(tree) {}

  std::vector<LibraryMemory> read() {
    read_units();
    std::vector<LibraryMemory> memories;
    for (const LibertyGroup& group : tree_.library().groups)
      if (group.name == "cell" && group.group("memory") != nullptr)
        memories.push_back(read_cell(group));
    if (memories.empty())
      throw UserError(fmt::format(
          "{}: no cell of it is a memory (a group `memory` with address_width and word_width)",
          tree_.file()));
    return memories;
  }

 private:
  void read_units() {
    const LibertyGroup& library = tree_.library();
    units_.ns = scaled(library.value("time_unit"),
                       {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"ps", 1e-3}});
    const double volts = scaled(library.value("voltage_unit"), {{"v", 1}, {"mv", 1e-3}});
    double pf = 1;
    const LibertyAttribute* const load = library.find("capacitive_load_unit");
    if (load != nullptr && load->values.size() == 2)
      pf = scaled(fmt::format("{}{}", load->values[0], load->values[1]), {{"pf", 1}, {"ff", 1e-3}});
    units_.pj = pf * volts * volts;
  }

  /// A unit such as "10ps" in another; 1 if the library does not say it.
  [[nodiscard]] double scaled(std::string_view text,
                              const std::map<std::string, double>& units) const {
    if (text.empty()) return 1;
    const auto quantity = parse_quantity(text);
    const auto unit = quantity ? units.find(quantity->unit) : units.end();
    if (unit == units.end())
      throw UserError(fmt::format("{}: the unit '{}' is not known", tree_.file(), text));
    return quantity->count * unit->second;
  }

  LibraryMemory read_cell(const LibertyGroup& cell) {
    const LibertyGroup& group = *cell.group("memory");
    LibraryMemory memory;
    memory.cell = cell.arguments.empty() ? "" : std::string(cell.arguments[0]);
    memory.words = std::int64_t{1} << whole(group, "address_width", 1, 40);
    memory.width = whole(group, "word_width", 1, 1 << 20);
    memory.cost.source = memory.cell;
    memory.cost.area_um2 = tree_.number(cell, "area").value_or(0);
    if (memory.cost.area_um2 <= 0)
      tree_.fail(cell.offset, fmt::format("the memory {} has no area", memory.cell));
    read_ports(cell, memory);
    for (const LibertyGroup& port : cell.groups)
      if (port.name == "bus" || port.name == "pin") read_port(port, memory);
    return memory;
  }

  [[nodiscard]] std::int64_t whole(const LibertyGroup& group, const char* name, std::int64_t least,
                                   std::int64_t most) const {
    const double value = tree_.number(group, name).value_or(0);
    const auto number = static_cast<std::int64_t>(value);
    if (static_cast<double>(number) != value || number < least || number > most)
      tree_.fail(group.offset,
                 fmt::format("{} must be a whole number from {} to {}", name, least, most));
    return number;
  }

  void read_ports(const LibertyGroup& cell, LibraryMemory& memory) const {
    std::set<std::string> reads;
    std::set<std::string> writes;
    std::int64_t words_out = 0;
    for (const LibertyGroup& bus : cell.groups) {
      if (bus.name != "bus") continue;
      if (const auto* const group = bus.group("memory_read"))
        reads.insert(std::string(group->value("address")));
      if (const auto* const group = bus.group("memory_write"))
        writes.insert(std::string(group->value("address")));
      if (bus.value("direction") == "output" && width_of(bus) == memory.width) ++words_out;
    }
    if (reads.empty() && writes.empty()) {
      memory.shared_ports = words_out;
      return;
    }
    for (const std::string& address : reads)
      ++(writes.contains(address) ? memory.shared_ports : memory.read_ports);
    for (const std::string& address : writes)
      if (!reads.contains(address)) ++memory.write_ports;
  }

  [[nodiscard]] std::int64_t width_of(const LibertyGroup& bus) const {
    const LibertyGroup* const type = tree_.library().group("type", bus.value("bus_type"));
    return type == nullptr
               ? 0
               : static_cast<std::int64_t>(tree_.number(*type, "bit_width").value_or(0));
  }

  /// Delays and energies of a port, which may stand with ranges of its bits.
  void read_port(const LibertyGroup& port, LibraryMemory& memory) const {
    const bool clock = port.value("clock") == "true";
    MemoryCost& cost = memory.cost;
    double energy = 0;
    const std::function<void(const LibertyGroup&)> visit = [&](const LibertyGroup& part) {
      for (const LibertyGroup& group : part.groups) {
        if (group.name == "timing") read_timing(group, memory);
        if (group.name == "internal_power" && clock)
          energy = std::max(energy, sum_of(group, {"rise_power", "fall_power"}) * units_.pj);
        if (group.name == "pin") visit(group);
      }
    };
    visit(port);
    cost.access_pj = std::max(cost.access_pj, energy);
  }

  void read_timing(const LibertyGroup& timing, LibraryMemory& memory) const {
    MemoryCost& cost = memory.cost;
    const std::string_view type = timing.value("timing_type");
    if (type.starts_with("setup_"))
      cost.setup_ns = std::max(cost.setup_ns,
                               most_of(timing, {"rise_constraint", "fall_constraint"}) * units_.ns);
    const bool edge = type == "rising_edge" || type == "falling_edge";
    if (!edge && !type.empty() && type != "combinational") return;
    memory.clocked |= edge;
    cost.access_ns =
        std::max(cost.access_ns, most_of(timing, {"cell_rise", "cell_fall"}) * units_.ns);
  }

  [[nodiscard]] double most_of(const LibertyGroup& group,
                               const std::vector<const char*>& tables) const {
    double most = 0;
    for (const char* const name : tables)
      if (const auto* const table = group.group(name)) most = std::max(most, tree_.middle(*table));
    return most;
  }

  [[nodiscard]] double sum_of(const LibertyGroup& group,
                              const std::vector<const char*>& tables) const {
    double sum = 0;
    for (const char* const name : tables)
      if (const auto* const table = group.group(name)) sum += tree_.middle(*table);
    return sum;
  }

  const LibertyTree& tree_;
  Units units_;
};

bool has_ports(const LibraryMemory& macro, const MemoryShape& memory) {
  const auto missing_reads = std::max<std::int64_t>(0, memory.read_ports - macro.read_ports);
  const auto missing_writes = std::max<std::int64_t>(0, memory.write_ports - macro.write_ports);
  return missing_reads + missing_writes <= macro.shared_ports;
}

}  // namespace

std::vector<LibraryMemory> read_memory_library(const std::filesystem::path& path) {
  const LibraryFile file = read_library_file(path);
  return MemoryReader(LibertyTree(file.text, file.path)).read();
}

std::optional<MemoryCost> fit_memory(const MemoryShape& memory,
                                     const std::vector<LibraryMemory>& library) {
  const bool clocked = memory.clocked_reads != 0;
  const LibraryMemory* best = nullptr;
  const auto copies = [&](const LibraryMemory& macro) {
    return (memory.width + macro.width - 1) / macro.width;
  };
  const auto rank = [&](const LibraryMemory& macro) {
    return std::pair(macro.clocked != clocked,
                     static_cast<double>(copies(macro)) * macro.cost.area_um2);
  };
  for (const LibraryMemory& macro : library) {
    if (macro.words < memory.words || !has_ports(macro, memory) || (clocked && !macro.clocked))
      continue;
    if (best == nullptr || rank(macro) < rank(*best)) best = &macro;
  }
  if (best == nullptr) return std::nullopt;
  MemoryCost cost = best->cost;
  cost.area_um2 *= static_cast<double>(copies(*best));
  cost.access_pj *= static_cast<double>(copies(*best));
  if (copies(*best) > 1) cost.source = fmt::format("{} x {}", copies(*best), best->cell);
  if (best->clocked && !clocked)
    cost.note = fmt::format(
        "{} reads at a clock edge, the memory of {} words of {} bits in the Verilog does not: it "
        "can only take its place where the address is known a cycle before",
        best->cell, memory.words, memory.width);
  return cost;
}

}  // namespace weft::synth
