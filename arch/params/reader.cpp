// SPDX-License-Identifier: Apache-2.0
#include "arch/params/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "arch/params/document.h"
#include "base/text.h"

namespace weft::arch {
namespace {

using Type = FoundValue::Type;

/// Why `found` is not a value that the parameter accepts, for a value of the wrong type.
std::string type_objection(const Parameter& parameter, const FoundValue& found) {
  std::string legal = legal_text(parameter.domain);
  if (is_integral(parameter.domain)) legal = "an integer, " + legal;
  if (!parameter.automatic.empty()) legal += ", or auto";
  std::string hint;
  if (is_integral(parameter.domain) && found.type == Type::word) {
    if (found.quoted && !needs_quotes(found.text)) {
      hint = "";
    } else if (found.quoted) {
      hint = "; remove the quotes";
    } else if (found.text.find_first_of("0123456789") != std::string::npos) {
      hint = "; write it in plain decimal digits";
    }
  } else if (!is_integral(parameter.domain) && contains(parameter.domain, Value(found.text))) {
    hint = "; put it in quotes";
  }
  return fmt::format("expected {}; found {}{}", legal, found.describe(), hint);
}

/// The value that was found, or nothing and a line in `problems`.
std::optional<Value> accept(const Parameter& parameter, const FoundValue& found,
                            Problems& problems) {
  const auto refuse = [&](const std::string& why) {
    problems.add(found.place, fmt::format("{}: {}", parameter.name, why));
    return std::nullopt;
  };
  const bool integer_given = found.type == Type::integer;
  if (integer_given || found.type == Type::word) {
    const Value value = integer_given ? Value(found.integer) : Value(found.text);
    if (parameter.accepts(value)) return value;
  }
  if (found.type != (is_integral(parameter.domain) ? Type::integer : Type::word)) {
    return refuse(type_objection(parameter, found));
  }
  const std::string shown = base::printable(found.text);
  return refuse(fmt::format(fmt::runtime(integer_given ? "{} {}" : "'{}' {}"), shown,
                            objection(parameter.domain, shown)));
}

std::vector<std::string> names_of(const std::vector<const Kind*>& kinds) {
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const Kind* kind : kinds) names.push_back(kind->name);
  return names;
}

/// The kind that the document gives. If it gives none or a wrong one, that is a problem, and the
/// rest of the document is checked against the kind that was most likely meant, if any.
const Kind* find_kind(const Document& document, const std::vector<const Kind*>& kinds,
                      Problems& problems) {
  const Parameter any_kind{"kind", Choice{names_of(kinds), {}}, {}, {}};
  const auto by_name = [&](const std::string& name) {
    return *std::ranges::find(kinds, name, [](const Kind* kind) { return kind->name; });
  };
  const Kind* only = kinds.size() == 1 ? kinds.front() : nullptr;
  const auto entry = std::ranges::find(document.entries, "kind", &Entry::key);
  if (entry == document.entries.end()) {
    problems.add(document.place,
                 fmt::format("kind: missing; legal: {}", legal_text(any_kind.domain)));
    return only;
  }
  if (const auto name = accept(any_kind, entry->value, problems)) return by_name(to_text(*name));
  const auto meant = base::nearest(entry->value.text, names_of(kinds));
  return meant ? by_name(*meant) : only;
}

std::string broken_text(const Clause& clause, const Values& values) {
  return fmt::format("{}: {} {}", clause.then.parameter, to_text(values.at(clause.then.parameter)),
                     clause.message);
}

}  // namespace

Reading read_configuration(std::string_view text, const std::string& file,
                           const std::vector<const Kind*>& kinds) {
  Problems problems(file);
  const Document document = parse_document(text, file, problems);
  const Kind* kind = find_kind(document, kinds, problems);
  if (kind == nullptr) problems.throw_if_any();

  Values values;
  std::set<std::string> wrong;
  std::map<std::string, Place> places;
  for (const Entry& entry : document.entries) {
    const Parameter* parameter = kind->find(entry.key);
    places[entry.key] = entry.value.place;
    if (parameter == nullptr) {
      problems.add(entry.place,
                   fmt::format("{}: unknown parameter of a {}{}", base::printable(entry.key),
                               kind->name, base::did_you_mean(entry.key, kind->parameter_names())));
    } else if (entry.key != "kind") {
      if (const auto value = accept(*parameter, entry.value, problems)) {
        values[entry.key] = *value;
      } else {
        wrong.insert(entry.key);
      }
    }
  }
  values["kind"] = kind->name;
  for (const Parameter& parameter : kind->parameters) {
    if (values.contains(parameter.name) || wrong.contains(parameter.name)) continue;
    if (parameter.default_value) {
      values[parameter.name] = *parameter.default_value;
    } else {
      problems.add(document.place, fmt::format("{}: missing; legal: {}", parameter.name,
                                               legal_text(parameter.domain)));
    }
  }
  for (const Clause* clause : kind->broken_clauses(values)) {
    // Where the file gives what must change; otherwise where it gives what forces the change.
    auto place = places.find(clause->then.parameter);
    for (const Condition& condition : clause->when) {
      if (place == places.end()) place = places.find(condition.parameter);
    }
    problems.add(place == places.end() ? document.place : place->second,
                 broken_text(*clause, values));
  }
  problems.throw_if_any();
  return {kind, std::move(values)};
}

}  // namespace weft::arch
