// SPDX-License-Identifier: Apache-2.0
#include "arch/params/kind.h"

#include <algorithm>

namespace weft::arch {

const Parameter* Kind::find(std::string_view parameter) const {
  const auto found = std::ranges::find(parameters, parameter, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

std::vector<std::string> Kind::parameter_names() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

std::vector<const Clause*> Kind::broken_clauses(const Values& values) const {
  const auto holds = [&](const Condition& condition) {
    const auto found = values.find(condition.parameter);
    return found != values.end() && contains(condition.domain, found->second);
  };
  // Rules of hundreds of clauses are about one parameter: what can't be broken is found once.
  const std::string* known = nullptr;
  bool open = false;
  const auto may_be_broken = [&](const std::string& parameter) {
    if (known == nullptr || *known != parameter) {
      known = &parameter;
      const auto found = values.find(parameter);
      open = found != values.end() && !is_automatic(found->second);
    }
    return open;
  };
  std::vector<const Clause*> broken;
  for (const Rule& rule : rules) {
    for (const Clause& clause : rule.clauses) {
      if (may_be_broken(clause.then.parameter) && !holds(clause.then) &&
          std::ranges::all_of(clause.when, holds))
        broken.push_back(&clause);
    }
  }
  return broken;
}

std::vector<FailedCheck> Kind::failed_checks(const Values& values) const {
  std::vector<FailedCheck> failed;
  if (checks.empty()) return failed;
  const std::vector<std::string> objections = evaluate_checks(values);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const bool all_known = std::ranges::all_of(
        checks[i].parameters,
        [&](const std::string& parameter) { return values.contains(parameter); });
    if (all_known && !objections[i].empty()) failed.push_back({&checks[i], objections[i]});
  }
  return failed;
}

}  // namespace weft::arch
