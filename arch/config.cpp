// SPDX-License-Identifier: Apache-2.0
#include "arch/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "arch/network/warnings.h"
#include "arch/params/declaration.h"
#include "arch/params/document.h"
#include "arch/params/reader.h"
#include "base/files.h"
#include "base/sha256.h"

namespace weft::arch {
namespace {

/// Calls `visit` with a pointer to each alternative of Design, to name the type.
template <class Visitor>
void for_each_design_type(Visitor visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit(static_cast<std::variant_alternative_t<I, Design>*>(nullptr)), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Design>>());
}

const Kind& kind_of(const Design& design) {
  return std::visit([]<class T>(const T&) -> const Kind& { return declaration<T>().kind(); },
                    design);
}

}  // namespace

const std::vector<const Kind*>& kinds() {
  static const auto all = [] {
    std::vector<const Kind*> result;
    for_each_design_type([&]<class T>(T*) { result.push_back(&declaration<T>().kind()); });
    return result;
  }();
  return all;
}

Config load_config(const std::filesystem::path& path) {
  constexpr std::size_t longest_file = 1 << 20;
  return parse_config(base::read_file(path, longest_file), path.string());
}

Config parse_config(std::string_view text, const std::string& display_name) {
  const Reading reading = read_configuration(text, display_name, kinds());
  Config config = config_of(*reading.kind, reading.values);
  config.name_place = reading.place_of({"name"}).in(display_name);
  return config;
}

const Kind* find_kind(std::string_view name) {
  const auto found = std::ranges::find(kinds(), name, &Kind::name);
  return found == kinds().end() ? nullptr : *found;
}

std::vector<std::string> objections(const Kind& kind, Values values) {
  std::vector<std::string> result;
  for (const Parameter& parameter : kind.parameters) {
    const auto given = values.find(parameter.name);
    if (given == values.end()) {
      if (parameter.default_value) {
        values.emplace(parameter.name, *parameter.default_value);
      } else if (parameter.name != kind.parameters.front().name) {
        result.push_back(fmt::format("{}: is required", parameter.name));
      }
    } else if (!parameter.accepts(given->second)) {
      result.push_back(fmt::format("{}: {} is not one of {}", parameter.name,
                                   to_text(given->second), legal_text(parameter.domain)));
    }
  }
  if (!result.empty()) return result;
  for (const Clause* clause : kind.broken_clauses(values)) {
    result.push_back(fmt::format("{}: {}", clause->then.parameter, clause->message));
  }
  for (const auto& [check, objection] : kind.failed_checks(values)) {
    result.push_back(fmt::format("{}: {}", check->parameters.front(), objection));
  }
  return result;
}

Config config_of(const Kind& kind, const Values& values) {
  Config config{kind.name, {}, ""};
  for_each_design_type([&]<class T>(T*) {
    const Declaration<T>& declared = declaration<T>();
    if (&declared.kind() == &kind) config.design = declared.build(values);
  });
  return config;
}

Config config_of(Design design) {
  std::string kind = kind_of(design).name;
  return {std::move(kind), std::move(design), ""};
}

std::vector<std::string> warnings(const Config& config) {
  return std::visit(
      []<class T>(const T& design) -> std::vector<std::string> {
        if constexpr (requires { warnings(design); }) return warnings(design);
        return {};
      },
      config.design);
}

const std::string& name_of(const Config& config) {
  return std::visit([](const auto& design) -> const std::string& { return design.name; },
                    config.design);
}

Values values_of(const Config& config) {
  return std::visit([]<class T>(const T& design) { return declaration<T>().values(design); },
                    config.design);
}

std::string canonical_form(const Config& config) {
  const Values values = values_of(config);
  std::string text;
  for (const Parameter& parameter : kind_of(config.design).parameters) {
    const std::string value = to_text(values.at(parameter.name));
    const bool quote = std::holds_alternative<Identifier>(parameter.domain) && needs_quotes(value);
    text += parameter.name;
    text += quote ? ": \"" : ": ";
    text += value;
    text += quote ? "\"\n" : "\n";
  }
  return text;
}

std::string digest(const Config& config) { return base::sha256(canonical_form(config)); }

}  // namespace weft::arch
