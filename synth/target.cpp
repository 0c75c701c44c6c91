// SPDX-License-Identifier: Apache-2.0
#include "synth/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "synth/fpga/device.h"
#include "synth/library_files.h"

namespace weft::synth {
namespace {

namespace fs = std::filesystem;

/// A library that a Debian package installs.
struct KnownTarget {
  std::string name;
  std::string path;
  std::string package;
};

const std::vector<KnownTarget>& known() {
  static const std::vector<KnownTarget> targets{
      {"osu018", "/usr/share/qflow/tech/osu018/osu018_stdcells.lib", "qflow-tech-osu018"},
      {"osu035", "/usr/share/qflow/tech/osu035/osu035_stdcells.lib", "qflow-tech-osu035"},
      {"osu050", "/usr/share/qflow/tech/osu050/osu05_stdcells.lib", "qflow-tech-osu050"},
  };
  return targets;
}

std::string find_liberty(const std::string& name_or_path) {
  for (const auto& target : known()) {
    if (target.name != name_or_path) continue;
    if (!fs::exists(target.path))
      throw ToolError(
          fmt::format("the cell library of target {} is not installed (Debian package {})",
                      target.name, target.package));
    return target.path;
  }
  if (!fs::exists(name_or_path)) {
    auto names = known_targets();
    for (const auto& device : fpga_devices()) names.push_back(device.name);
    throw UserError(fmt::format("target '{}' is neither a file nor one of {}{}",
                                base::printable(name_or_path), fmt::join(names, ", "),
                                base::did_you_mean(name_or_path, names)));
  }
  return fs::absolute(name_or_path).lexically_normal().string();
}

/// The names between the commas. A file whose own name has a comma is found as a whole.
std::vector<std::string> split_names(const std::string& names) {
  if (fs::exists(names)) return {names};
  std::vector<std::string> parts;
  std::istringstream stream(names);
  for (std::string part; std::getline(stream, part, ',');)
    if (!part.empty()) parts.push_back(part);
  if (parts.empty()) parts.push_back(names);
  return parts;
}

/// A piece of text to put into the library before the character at `position`.
struct Insertion {
  std::size_t position;
  std::string text;
};

std::string insert_all(const std::string& text, std::vector<Insertion> insertions) {
  std::stable_sort(insertions.begin(), insertions.end(),
                   [](const auto& a, const auto& b) { return a.position < b.position; });
  std::string result;
  std::size_t done = 0;
  for (const auto& [position, addition] : insertions) {
    result.append(text, done, position - done).append(addition);
    done = position;
  }
  return result.append(text, done);
}

void declare_templates(Target& target, std::vector<Insertion>& insertions) {
  const Liberty& library = target.library;
  for (const auto& [id, uses] : library.undeclared) {
    const std::string& kind = id.first;
    const std::string& name = id.second;
    const auto substitute =
        std::find_if(library.templates.begin(), library.templates.end(), [&](const auto& entry) {
          return entry.first.first == kind && entry.first.second.starts_with(name + "_");
        });
    if (substitute == library.templates.end()) {
      target.notes.push_back(fmt::format(
          "the library does not declare the table template {}, used {} times: timing analysis "
          "passes over these tables",
          name, uses));
      continue;
    }
    insertions.push_back(
        {library.first_cell, fmt::format("\n  {} ({}) {}\n", kind, name, substitute->second)});
    target.notes.push_back(fmt::format(
        "the library does not declare the table template {}, used {} times: {} is taken for it",
        name, uses, substitute->first.second));
  }
}

/// Blanks the attributes that have timing analysis assume wires. No layout is known, ABC sees no
/// wires either, and most libraries tell nothing of them: figures would not be comparable.
void drop_wire_loads(Target& target) {
  std::string& text = target.liberty_text;
  for (const std::size_t begin : target.library.default_wire_loads) {
    std::size_t end = std::min(text.find_first_of(";\n", begin), text.size());
    if (end < text.size() && text[end] == ';') ++end;
    text.replace(begin, end - begin, end - begin, ' ');
  }
}

void rule_out(LibertyCell& cell, std::vector<Insertion>& insertions) {
  if (cell.dont_use) return;
  cell.dont_use = true;
  insertions.push_back({cell.body, " dont_use : true;"});
}

/// ABC takes a pad, which drives more than any other cell, for a large buffer.
void rule_out_pads(Target& target, std::vector<Insertion>& insertions) {
  for (auto& [name, cell] : target.library.cells)
    if (cell.is_pad) rule_out(cell, insertions);
}

void rule_out_cells(Target& target, const std::vector<std::string>& patterns,
                    std::vector<Insertion>& insertions) {
  for (const auto& pattern : patterns) {
    std::size_t matches = 0;
    for (auto& [name, cell] : target.library.cells) {
      if (::fnmatch(pattern.c_str(), name.c_str(), 0) != 0) continue;
      ++matches;
      rule_out(cell, insertions);
    }
    if (matches == 0)
      throw UserError(
          fmt::format("dont_use: no cell of {} matches '{}'", target.liberty_path, pattern));
    target.notes.push_back(fmt::format("{} cells {} are not used", matches, pattern));
  }
}

/// The function of a buffer is the name of its input, in parentheses or not.
bool is_function_of(const std::string& function, const std::string& input) {
  std::string bare;
  std::copy_if(function.begin(), function.end(), std::back_inserter(bare),
               [](char c) { return c != '(' && c != ')' && c != ' '; });
  return bare == input;
}

/// The input pin, if the cell is a buffer.
const LibertyPin* buffer_input(const LibertyCell& cell) {
  if (cell.pins.size() != 2 || cell.flip_flops + cell.latches > 0) return nullptr;
  const bool input_first = cell.pins[0].is_input;
  const LibertyPin& input = cell.pins[input_first ? 0 : 1];
  const LibertyPin& output = cell.pins[input_first ? 1 : 0];
  const bool buffer =
      input.is_input && output.is_output && is_function_of(output.function, input.name);
  return buffer ? &input : nullptr;
}

double round_to_two_digits(double value) { return std::stod(fmt::format("{:.1e}", value)); }

void choose_surroundings(Target& target, const TargetOptions& options) {
  target.driving_cell = options.driving_cell;
  if (target.driving_cell.empty()) {
    double smallest = 0;
    for (const auto& [name, cell] : target.library.cells) {
      if (cell.dont_use || cell.area <= 0 || buffer_input(cell) == nullptr) continue;
      if (!target.driving_cell.empty() && cell.area >= smallest) continue;
      target.driving_cell = name;
      smallest = cell.area;
    }
    if (target.driving_cell.empty())
      throw UserError(fmt::format("{}: the library has no buffer to drive the inputs with",
                                  target.liberty_path));
  }
  const auto driver = target.library.cells.find(target.driving_cell);
  if (driver == target.library.cells.end())
    throw UserError(fmt::format("driving cell {}: no such cell in {}", target.driving_cell,
                                target.liberty_path));
  target.load_ff = options.load_ff;
  if (target.load_ff > 0) return;
  const LibertyPin* input = buffer_input(driver->second);
  if (input == nullptr || input->capacitance_ff <= 0)
    throw UserError(
        fmt::format("driving cell {} of {}: not a buffer with an input capacitance; "
                    "name a buffer, or the load as well",
                    target.driving_cell, target.liberty_path));
  constexpr double fan_out = 1.6;
  target.load_ff = round_to_two_digits(fan_out * input->capacitance_ff);
}

}  // namespace

std::vector<std::string> known_targets() {
  std::vector<std::string> names;
  for (const auto& target : known()) names.push_back(target.name);
  return names;
}

bool Target::has_flip_flops() const {
  return std::ranges::any_of(library.cells, [](const auto& entry) {
    const LibertyCell& cell = entry.second;
    return cell.flip_flops > 0 && cell.area > 0 && !cell.dont_use;
  });
}

Target load_target(const std::string& names, const TargetOptions& options) {
  Target target;
  target.name = names;
  std::vector<LibraryFile> files;
  for (const std::string& name : split_names(names)) {
    files.push_back(read_library_file(find_liberty(name)));
    target.liberty_path += (target.liberty_path.empty() ? "" : ", ") + files.back().path;
  }
  MergedLibrary merged = merge_libraries(files);
  target.liberty_text = std::move(merged.text);
  target.notes = std::move(merged.notes);
  target.library = parse_liberty(target.liberty_text, target.liberty_path);
  drop_wire_loads(target);
  std::vector<Insertion> insertions;
  declare_templates(target, insertions);
  rule_out_pads(target, insertions);
  rule_out_cells(target, options.dont_use, insertions);
  target.liberty_text = insert_all(target.liberty_text, std::move(insertions));
  choose_surroundings(target, options);
  return target;
}

}  // namespace weft::synth
