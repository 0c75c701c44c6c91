// SPDX-License-Identifier: Apache-2.0
#include "arch/params/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "arch/params/document.h"
#include "base/text.h"

namespace weft::arch {
namespace {

using Type = FoundValue::Type;

/// Whether some of the words are spelt like integers, so that a file may give integers.
bool takes_integers(const Choice& choice) {
  return std::ranges::any_of(choice.names, needs_quotes);
}

/// What was found as a value of the type that the domain has; nothing if it is of another type.
std::optional<Value> scalar_value(const Domain& domain, const FoundValue& found) {
  const auto* choice = std::get_if<Choice>(&domain);
  switch (found.type) {
    case Type::integer:
      if (is_integral(domain)) return found.integer;
      if (choice != nullptr && takes_integers(*choice)) return std::to_string(found.integer);
      break;
    case Type::word:
      if (choice != nullptr || std::holds_alternative<Identifier>(domain)) return found.text;
      break;
    case Type::boolean:
      if (std::holds_alternative<Boolean>(domain)) return std::tolower(found.text.front()) == 't';
      break;
    case Type::nothing:
    case Type::real:
    case Type::list:
    case Type::mapping:
      break;
  }
  return std::nullopt;
}

/// How the user could have meant it, for a value of the wrong type.
std::string type_hint(const Domain& domain, const FoundValue& found) {
  const bool plain = is_integral(domain) || std::holds_alternative<Boolean>(domain);
  if (!plain) return contains(domain, Value(found.text)) ? "; put it in quotes" : "";
  if (found.type != Type::word) return "";
  if (found.quoted) return needs_quotes(found.text) ? "; remove the quotes" : "";
  const bool has_digit = found.text.find_first_of("0123456789") != std::string::npos;
  return is_integral(domain) && has_digit ? "; write it in plain decimal digits" : "";
}

/// "expected ...; found ...": why `found` is no value of the domain, for a value of the wrong type.
std::string type_objection(const Domain& domain, bool or_automatic, const FoundValue& found) {
  return fmt::format("expected {}{}{}; found {}{}", is_integral(domain) ? "an integer, " : "",
                     legal_text(domain), or_automatic ? ", or auto" : "", found.describe(),
                     type_hint(domain, found));
}

/// The list that was found, or nothing and a line in `problems` for each element that is wrong.
std::optional<Value> accept_list(const Parameter& parameter, const FoundValue& found,
                                 Problems& problems) {
  IntegerList list;
  for (std::size_t i = 0; i < found.items.size(); ++i) {
    const FoundValue& item = found.items[i];
    const auto refuse = [&](const std::string& why) {
      problems.add(item.place, fmt::format("{}[{}]: {}", parameter.name, i, why));
    };
    if (item.type != Type::integer) {
      refuse("expected an integer; found " + item.describe());
    } else if (!item.natural || !contains(parameter.domain, Value(IntegerList{*item.natural}))) {
      const std::string shown = base::printable(item.text);
      refuse(fmt::format("{} {}", shown, objection(parameter.domain, shown)));
    } else {
      list.push_back(*item.natural);
    }
  }
  if (list.size() < found.items.size()) return std::nullopt;
  return list;
}

/// The value that was found, or nothing and a line in `problems`.
std::optional<Value> accept(const Parameter& parameter, const FoundValue& found,
                            Problems& problems) {
  const bool or_automatic = !parameter.automatic.empty();
  const auto refuse = [&](const std::string& why) {
    problems.add(found.place, fmt::format("{}: {}", parameter.name, why));
    return std::nullopt;
  };
  if (or_automatic && found.type == Type::word && is_automatic(found.text)) return found.text;
  if (std::holds_alternative<IntList>(parameter.domain) && found.type == Type::list) {
    return accept_list(parameter, found, problems);
  }
  auto value = scalar_value(parameter.domain, found);
  if (!value) return refuse(type_objection(parameter.domain, or_automatic, found));
  if (contains(parameter.domain, *value)) return value;
  const std::string shown = base::printable(found.text);
  return refuse(fmt::format(fmt::runtime(found.type == Type::integer ? "{} {}" : "'{}' {}"), shown,
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

Place Reading::place_of(const std::vector<std::string>& parameters) const {
  for (const std::string& parameter : parameters) {
    if (const auto place = places.find(parameter); place != places.end()) return place->second;
  }
  return start;
}

Reading read_configuration(std::string_view text, const std::string& file,
                           const std::vector<const Kind*>& kinds) {
  Problems problems(file);
  const Document document = parse_document(text, file, problems);
  const Kind* kind = find_kind(document, kinds, problems);
  if (kind == nullptr) problems.throw_if_any();

  Reading reading{kind, {}, {}, document.place};
  Values& values = reading.values;
  std::set<std::string> wrong;
  for (const Entry& entry : document.entries) {
    const Parameter* parameter = kind->find(entry.key);
    reading.places[entry.key] = entry.value.place;
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
  // An error stands where the file gives what must change, else where it gives what forces the
  // change.
  for (const Clause* clause : kind->broken_clauses(values)) {
    std::vector<std::string> parameters{clause->then.parameter};
    for (const Condition& condition : clause->when) parameters.push_back(condition.parameter);
    problems.add(reading.place_of(parameters), broken_text(*clause, values));
  }
  for (const auto& [check, objection] : kind->failed_checks(values)) {
    problems.add(reading.place_of(check->parameters), check->parameters.front() + ": " + objection);
  }
  problems.throw_if_any();
  return reading;
}

}  // namespace weft::arch
