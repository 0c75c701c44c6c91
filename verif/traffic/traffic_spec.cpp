// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/traffic_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "verif/traffic/numbers.h"

namespace weft::verif {
namespace {

struct Parameter {
  std::string name;
  double initial = 0;
  double least = 0;
  double most = 1;
  bool whole = true;
};

struct Pattern {
  std::string name;
  std::vector<Parameter> parameters;
  std::string meaning;
  bool open_loop = true;
};

constexpr double most_number = 1e9;

std::vector<Pattern> make_patterns() {
  const Parameter burst{"burst", 0, 0, 1e6};
  const Parameter self{"self", 1};
  const Parameter node{"node", 0, 0, most_number};
  const Parameter flits{"request", 1, 1, most_number};
  return {
      {"uniform", {self, burst}, "any node, with equal probability (self=0: but itself)"},
      {"bit_complement", {burst}, "s to n-1-s"},
      {"transpose", {burst}, "(row, column) to (column, row); n must be a square"},
      {"shuffle", {burst}, "the perfect shuffle, s to 2s modulo n-1; n must be even"},
      {"tornado", {burst}, "s to s + ceil(n/2) - 1"},
      {"neighbour", {burst}, "s to s + 1"},
      {"random_permutation", {burst}, "a permutation drawn from the seed"},
      {"diagonal", {{"share", 2.0 / 3, 0, 1, false}, burst}, "s to s with the share, else s + 1"},
      {"hotspot",
       {node, {"share", 0.1, 0, 1, false}, burst},
       "one node with the share, else uniform"},
      {"all_to_all", {burst}, "s to s+1, s+2, ... s-1, again and again"},
      {"bursty",
       {self, {"burst", 16, 0, 1e6}},
       "uniform, in bursts of that many packets on average, each to one node"},
      {"request_response",
       {flits,
        {"response", 4, 1, most_number},
        {"window", 8, 1, most_number},
        {"service", 1, 1, most_number},
        {"request_class", 0, 0, 255},
        {"response_class", 0, 0, 255}},
       "requests to any other node, answered after `service` cycles; at most `window` open a node",
       false},
      {"trace", {}, "trace:FILE.csv with lines cycle,source,destination,flits[,class]", false},
  };
}

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = make_patterns();
  return all;
}

template <typename T>
std::vector<std::string> names_of(const std::vector<T>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const T& one : all) names.push_back(one.name);
  return names;
}

template <typename T>
const T* named(const std::vector<T>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

double parse_value(const Pattern& pattern, const Parameter& parameter, std::string_view text) {
  const auto value = parse_double(text);
  const bool fits = value && *value >= parameter.least && *value <= parameter.most &&
                    (!parameter.whole || *value == std::floor(*value));
  if (!fits) {
    throw UserError(fmt::format("traffic {}: {} = '{}' is not a {} in {}..{}", pattern.name,
                                parameter.name, base::printable(text),
                                parameter.whole ? "whole number" : "number", parameter.least,
                                parameter.most));
  }
  return *value;
}

void parse_parameter(const Pattern& pattern, std::string_view text, TrafficSpec& spec) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::vector<std::string> names = names_of(pattern.parameters);
  const Parameter* parameter = named(pattern.parameters, name);
  if (parameter == nullptr) {
    throw UserError(fmt::format("traffic {}: no parameter is called '{}' (it has {}){}",
                                pattern.name, base::printable(name),
                                names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                                base::did_you_mean(name, names)));
  }
  if (equals == std::string_view::npos) {
    throw UserError(fmt::format("traffic {}: '{}' needs a value, as in {}={}", pattern.name, name,
                                name, parameter->initial));
  }
  spec.parameters[parameter->name] = parse_value(pattern, *parameter, text.substr(equals + 1));
}

}  // namespace

TrafficSpec parse_traffic(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const Pattern* pattern = named(patterns(), name);
  if (pattern == nullptr) {
    const std::vector<std::string> names = names_of(patterns());
    throw UserError(fmt::format("no traffic is called '{}' (there are {}){}", base::printable(name),
                                fmt::join(names, ", "), base::did_you_mean(name, names)));
  }
  TrafficSpec spec;
  spec.pattern = pattern->name;
  spec.parameters.clear();
  for (const Parameter& p : pattern->parameters) spec.parameters[p.name] = p.initial;
  const bool more = colon != std::string_view::npos;
  if (spec.pattern == "trace") {
    if (more) spec.file = text.substr(colon + 1);
    if (spec.file.empty()) {
      throw UserError("traffic trace: which file? Write it as in trace:FILE.csv");
    }
  } else if (more) {
    for (const std::string_view part : split_list(text.substr(colon + 1))) {
      parse_parameter(*pattern, part, spec);
    }
  }
  return spec;
}

bool takes_load(const TrafficSpec& spec) { return spec.pattern != "trace"; }

bool takes_packet_flits(const TrafficSpec& spec) {
  return named(patterns(), spec.pattern)->open_loop;
}

std::string traffic_help() {
  std::string text;
  for (const Pattern& pattern : patterns()) {
    std::vector<std::string> parameters;
    for (const Parameter& p : pattern.parameters) {
      parameters.push_back(fmt::format("{}={:.3g}", p.name, p.initial));
    }
    text += fmt::format("  {:<20}{}", pattern.name, pattern.meaning);
    if (!parameters.empty()) text += fmt::format(" [{}]", fmt::join(parameters, ","));
    text += '\n';
  }
  return text;
}

}  // namespace weft::verif
