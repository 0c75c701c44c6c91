// SPDX-License-Identifier: Apache-2.0
#include "arch/params/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "arch/params/document.h"
#include "arch/params/verilog_names.h"

namespace weft::arch {
namespace {

using nlohmann::ordered_json;

ordered_json value_json(const Value& value) {
  return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

/// The words, and the integers that some of them are spelt like.
ordered_json words_json(const Choice& choice) {
  ordered_json words = choice.names;
  for (const std::string& name : choice.names) {
    if (needs_quotes(name)) words.push_back(ordered_json::parse(name));
  }
  return words;
}

ordered_json integers_schema(const IntList& list) {
  return {{"type", "integer"}, {"minimum", list.min}, {"maximum", list.max}};
}

/// What sets the domain apart from other values of its type.
ordered_json constraint_schema(const Domain& domain) {
  if (const auto* range = std::get_if<IntRange>(&domain)) {
    return {{"minimum", range->min}, {"maximum", range->max}};
  }
  if (const auto* set = std::get_if<IntSet>(&domain)) return {{"enum", set->values}};
  if (const auto* choice = std::get_if<Choice>(&domain)) return {{"enum", words_json(*choice)}};
  if (const auto* boolean = std::get_if<Boolean>(&domain)) return {{"enum", boolean->values}};
  if (const auto* list = std::get_if<IntList>(&domain)) return {{"items", integers_schema(*list)}};
  // Not `$`: to some regular expression engines it also matches before a final newline.
  return {{"pattern",
           fmt::format("^[A-Za-z_][A-Za-z0-9_]{{0,{}}}(?![\\s\\S])", longest_verilog_name - 1)},
          {"not", {{"enum", verilog_keywords()}}}};
}

/// The types of JSON that values of the domain may have.
ordered_json type_json(const Domain& domain) {
  if (is_integral(domain)) return "integer";
  if (std::holds_alternative<Boolean>(domain)) return "boolean";
  if (std::holds_alternative<IntList>(domain)) return "array";
  const auto* choice = std::get_if<Choice>(&domain);
  const bool spelt_like_integers =
      choice != nullptr && std::ranges::any_of(choice->names, needs_quotes);
  if (spelt_like_integers) return {"string", "integer"};
  return "string";
}

ordered_json domain_schema(const Domain& domain) {
  ordered_json schema = {{"type", type_json(domain)}};
  schema.update(constraint_schema(domain));
  return schema;
}

/// What `schema` accepts, and `auto` where the parameter may be.
ordered_json or_automatic(const Parameter& parameter, ordered_json schema) {
  if (parameter.automatic.empty()) return schema;
  return {{"anyOf", {std::move(schema), {{"const", automatic_word}}}}};
}

/// Accepts the values that satisfy a `then`, given that they are legal for the parameter.
ordered_json consequence_schema(const Parameter& parameter, const Domain& domain) {
  // Bounds do not concern the word `auto`; an enumeration would exclude it.
  if (std::holds_alternative<IntRange>(domain)) return constraint_schema(domain);
  return or_automatic(parameter, constraint_schema(domain));
}

ordered_json parameter_schema(const Parameter& parameter) {
  ordered_json schema = or_automatic(parameter, domain_schema(parameter.domain));
  schema["description"] = parameter.doc;
  if (!parameter.unit.empty())
    schema["description"] = parameter.doc + " Unit: " + parameter.unit + ".";
  if (parameter.default_value) schema["default"] = value_json(*parameter.default_value);
  return schema;
}

/// Accepts documents in which the parameter satisfies `schema`; it must be given if a document that
/// leaves it out does not satisfy the condition.
ordered_json condition_schema(const Condition& condition, bool satisfied_by_default,
                              ordered_json schema) {
  ordered_json result = {{"properties", {{condition.parameter, std::move(schema)}}}};
  if (!satisfied_by_default) result["required"] = {condition.parameter};
  return result;
}

bool default_lies_in(const Parameter& parameter, const Domain& domain) {
  return parameter.default_value && contains(domain, *parameter.default_value);
}

/// The clauses from the `depth`th condition on. Clauses that share a condition share one `if`: the
/// schema stays small, and a document is checked only against clauses that concern it.
ordered_json clauses_schema(const Kind& kind, std::span<const Clause> clauses, std::size_t depth) {
  ordered_json all = ordered_json::array();
  while (!clauses.empty()) {
    const Clause& first = clauses.front();
    if (depth == first.when.size()) {
      const Parameter& parameter = *kind.find(first.then.parameter);
      const bool by_default = !parameter.automatic.empty() || !parameter.default_value ||
                              default_lies_in(parameter, first.then.domain);
      all.push_back(condition_schema(first.then, by_default,
                                     consequence_schema(parameter, first.then.domain)));
      clauses = clauses.subspan(1);
      continue;
    }
    const Condition& condition = first.when[depth];
    const ordered_json schema = domain_schema(condition.domain);
    const auto end = std::ranges::find_if(clauses, [&](const Clause& clause) {
      return clause.when.size() <= depth || clause.when[depth].parameter != condition.parameter ||
             domain_schema(clause.when[depth].domain) != schema;
    });
    const auto count = static_cast<std::size_t>(end - clauses.begin());
    const bool by_default = default_lies_in(*kind.find(condition.parameter), condition.domain);
    all.push_back({{"if", condition_schema(condition, by_default, schema)},
                   {"then", clauses_schema(kind, clauses.first(count), depth + 1)}});
    clauses = clauses.subspan(count);
  }
  return all.size() == 1 ? all.front() : ordered_json{{"allOf", all}};
}

/// The kind's sentence, and what this schema cannot say.
std::string description(const Kind& kind) {
  std::string text = kind.doc;
  if (!kind.checks.empty()) text += " Beyond this schema:";
  for (const Check& check : kind.checks) text += " " + check.doc;
  return text;
}

ordered_json kind_schema(const Kind& kind) {
  ordered_json schema = {{"description", description(kind)}, {"type", "object"}};
  schema["required"] = ordered_json::array();
  for (const Parameter& parameter : kind.parameters) {
    schema["properties"][parameter.name] = parameter_schema(parameter);
    if (!parameter.default_value) schema["required"].push_back(parameter.name);
  }
  schema["additionalProperties"] = false;
  for (const Rule& rule : kind.rules) {
    ordered_json rules = clauses_schema(kind, rule.clauses, 0);
    rules["description"] = rule.doc;
    schema["allOf"].push_back(std::move(rules));
  }
  return schema;
}

}  // namespace

ordered_json json_schema(const std::vector<const Kind*>& kinds) {
  ordered_json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                         {"title", "weft configuration"}};
  if (kinds.size() == 1) {
    schema.update(kind_schema(*kinds.front()));
    return schema;
  }
  schema["type"] = "object";
  schema["required"] = {"kind"};
  schema["properties"]["kind"]["enum"] = ordered_json::array();
  for (const Kind* kind : kinds) {
    schema["properties"]["kind"]["enum"].push_back(kind->name);
    schema["allOf"].push_back({{"if", {{"properties", {{"kind", {{"const", kind->name}}}}}}},
                               {"then", kind_schema(*kind)}});
  }
  return schema;
}

}  // namespace weft::arch
