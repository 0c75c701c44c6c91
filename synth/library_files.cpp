// SPDX-License-Identifier: Apache-2.0
#include "synth/library_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "synth/gzip.h"
#include "synth/liberty_tree.h"

namespace weft::synth {
namespace {

/// Attributes that say what the numbers of the tables mean.
constexpr std::string_view units_and_thresholds[] = {
    "time_unit",
    "capacitive_load_unit",
    "voltage_unit",
    "current_unit",
    "pulling_resistance_unit",
    "leakage_power_unit",
    "input_threshold_pct_rise",
    "input_threshold_pct_fall",
    "output_threshold_pct_rise",
    "output_threshold_pct_fall",
    "slew_lower_threshold_pct_rise",
    "slew_lower_threshold_pct_fall",
    "slew_upper_threshold_pct_rise",
    "slew_upper_threshold_pct_fall",
    "slew_derate_from_library",
};

/// Attributes that say where the cells were measured.
constexpr std::string_view operating_point[] = {"nom_voltage", "nom_temperature", "nom_process"};

/// `text` without what may differ between equal things: white space, line continuations, letter
/// case, zeros behind a decimal point ("1.0000, PF" is "1,pf").
std::string normalised(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (std::isspace(c) != 0 || c == '\\' || c == '"') {
      ++i;
    } else if (std::isdigit(c) != 0) {
      char* end = nullptr;
      const std::string rest(text.substr(i, 32));
      result += fmt::format("{:g}", std::strtod(rest.c_str(), &end));
      i += static_cast<std::size_t>(end - rest.c_str());
    } else {
      result += static_cast<char>(std::tolower(c));
      ++i;
    }
  }
  return result;
}

/// The attribute's value as text; empty if the library doesn't say.
std::string value_of(const LibertyGroup& library, std::string_view name) {
  const LibertyAttribute* attribute = library.find(name);
  return attribute == nullptr ? "" : fmt::format("{}", fmt::join(attribute->values, ","));
}

void check_units(const LibertyTree& first, const LibertyTree& other) {
  std::vector<std::string> differences;
  for (const auto name : units_and_thresholds) {
    const std::string expected = value_of(first.library(), name);
    const std::string found = value_of(other.library(), name);
    if (normalised(expected) != normalised(found))
      differences.push_back(fmt::format("{} is {}, in {} {}", name,
                                        found.empty() ? "not given" : found, first.file(),
                                        expected.empty() ? "not given" : expected));
  }
  if (differences.empty()) return;
  throw UserError(fmt::format("{}: the files of one target must measure in the same way: {}",
                              other.file(), fmt::join(differences, "; ")));
}

void compare_operating_points(const LibertyTree& first, const LibertyTree& other,
                              std::vector<std::string>& notes) {
  for (const auto name : operating_point) {
    const std::string expected = value_of(first.library(), name);
    const std::string found = value_of(other.library(), name);
    if (!expected.empty() && !found.empty() && normalised(expected) != normalised(found))
      notes.push_back(
          fmt::format("{} is {} in {} and {} in {}: delays of different conditions are "
                      "mixed",
                      name, expected, first.file(), found, other.file()));
  }
}

/// Replaces the piece of `text` that `part`, a view of it, stands for.
struct Renaming {
  std::string_view part;
  std::string name;
};

std::string rename_all(std::string_view text, std::vector<Renaming> renamings) {
  std::ranges::sort(renamings, {}, [](const Renaming& r) { return r.part.data(); });
  std::string result;
  const char* done = text.data();
  for (const auto& [part, name] : renamings) {
    result.append(done, part.data()).append(name);
    done = part.data() + part.size();
  }
  return result.append(done, text.data() + text.size());
}

class Merger {
 public:
  explicit Merger(const LibraryFile& file) : first_(file.text, file.path) {
    for (const LibertyGroup& group : first_.library().groups) {
      if (group.arguments.empty()) continue;
      if (group.name == "cell") add_cell(group.arguments[0], first_.file());
      if (group.name.ends_with("_template"))
        templates_[std::string(group.arguments[0])] = body(first_, group);
    }
    for (const LibertyAttribute& attribute : first_.library().attributes)
      if (attribute.name == "define") defined_.insert(normalised(attribute.values[0]));
  }

  void add(const LibraryFile& file) {
    const LibertyTree tree(file.text, file.path);
    check_units(first_, tree);
    compare_operating_points(first_, tree, merged_.notes);
    addition_ +=
        fmt::format("\n  /* from {} */\n", std::filesystem::path(file.path).filename().string());
    add_definitions(tree);
    const auto new_names = add_templates(tree);
    for (const LibertyGroup& group : tree.library().groups) {
      if (group.name != "cell" || group.arguments.empty()) continue;
      add_cell(group.arguments[0], tree.file());
      std::vector<Renaming> renamings;
      for (const LibertyGroup& inner : group.groups) find_uses(inner, new_names, renamings);
      addition_ += fmt::format(
          "  {}\n", rename_all(tree.text().substr(group.offset, group.end + 1 - group.offset),
                               std::move(renamings)));
    }
  }

  MergedLibrary finish() {
    const std::string_view text = first_.text();
    const std::size_t end = first_.library().end;
    merged_.text = fmt::format("{}{}{}", text.substr(0, end), addition_, text.substr(end));
    return std::move(merged_);
  }

 private:
  using NewNames = std::map<std::string_view, std::string>;

  static std::string_view body(const LibertyTree& tree, const LibertyGroup& group) {
    return tree.text().substr(group.body, group.end - group.body);
  }

  void add_cell(std::string_view name, const std::string& file) {
    const auto [cell, fresh] = cell_files_.emplace(name, file);
    if (!fresh && cell->second != file)
      throw UserError(fmt::format("{}: cell {} is also in {}", file, name, cell->second));
  }

  /// Attributes that a vendor added to the language must be declared before they are used.
  void add_definitions(const LibertyTree& tree) {
    for (const LibertyAttribute& attribute : tree.library().attributes)
      if (attribute.name == "define" && defined_.insert(normalised(attribute.values[0])).second)
        addition_ += fmt::format("  define ({});\n", fmt::join(attribute.values, ", "));
  }

  /// Templates whose names are free or that are the same keep their names; gives the others'.
  NewNames add_templates(const LibertyTree& tree) {
    NewNames new_names;
    for (const LibertyGroup& group : tree.library().groups) {
      if (!group.name.ends_with("_template") || group.arguments.empty()) continue;
      std::string name(group.arguments[0]);
      const std::string_view content = body(tree, group);
      const auto same = [&] {
        const auto taken = templates_.find(name);
        return taken != templates_.end() && normalised(taken->second) == normalised(content);
      };
      for (int number = 2; templates_.contains(name) && !same(); ++number)
        name = fmt::format("{}_{}", group.arguments[0], number);
      if (name != group.arguments[0]) new_names[group.arguments[0]] = name;
      if (!templates_.emplace(name, content).second) continue;
      addition_ += fmt::format("  {} ({}) {{{}}}\n", group.name, name, content);
    }
    return new_names;
  }

  static void find_uses(const LibertyGroup& group, const NewNames& new_names,
                        std::vector<Renaming>& renamings) {
    if (!group.arguments.empty() && group.name != "pin")
      if (const auto found = new_names.find(group.arguments[0]); found != new_names.end())
        renamings.push_back({group.arguments[0], found->second});
    for (const LibertyGroup& inner : group.groups) find_uses(inner, new_names, renamings);
  }

  LibertyTree first_;
  std::map<std::string, std::string> cell_files_;
  std::map<std::string, std::string> templates_;  ///< bodies by name
  std::set<std::string> defined_;
  std::string addition_;
  MergedLibrary merged_;
};

}  // namespace

LibraryFile read_library_file(const std::filesystem::path& path) {
  std::string bytes = base::read_file(path);
  if (bytes.empty()) throw UserError(fmt::format("{}: the file is empty", path.string()));
  if (!bytes.starts_with("\x1f\x8b")) return {path.string(), std::move(bytes)};
  auto text = gunzip(bytes);
  if (!text) throw UserError(fmt::format("{}: the gzip file is damaged or cut off", path.string()));
  return {path.string(), std::move(*text)};
}

MergedLibrary merge_libraries(const std::vector<LibraryFile>& files) {
  if (files.size() == 1) return {files.front().text, {}};
  Merger merger(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) merger.add(files[i]);
  return merger.finish();
}

}  // namespace weft::synth
