// SPDX-License-Identifier: Apache-2.0
#include "synth/composition_plan.h"

#include <algorithm>
#include <functional>

namespace weft::synth {
namespace {

/// Calls `f(instance, multiplicity)` for what `parent` holds; goes on below where it gives true.
void walk(const Instance& parent, std::int64_t multiplicity,
          const std::function<bool(const Instance&, std::int64_t)>& f) {
  for (const Instance& child : parent.children) {
    const std::int64_t times = multiplicity * child.count;
    if (f(child, times)) walk(child, times, f);
  }
}

}  // namespace

CompositionPlan::CompositionPlan(const Hierarchy& hierarchy, std::int64_t largest_sample)
    : hierarchy_(hierarchy), largest_sample_(largest_sample) {
  walk(hierarchy.top, 1, [&](const Instance& instance, std::int64_t) {
    if (!extension(instance).needed()) return true;
    apart_.insert(instance.module);
    return false;
  });
}

Extension CompositionPlan::extension(const Instance& instance) const {
  return {hierarchy_.modules.at(instance.module).growth, instance.parameters, largest_sample_};
}

std::vector<BlockKey> CompositionPlan::visible() const {
  std::set<BlockKey> keys{key_of(hierarchy_.top)};
  walk(hierarchy_.top, 1, [&](const Instance& instance, std::int64_t) {
    if (is_apart(instance)) return false;
    keys.insert(key_of(instance));
    return true;
  });
  return {keys.begin(), keys.end()};
}

/// What must be saved of a block for a cut in it, which hinders optimisation, to pay.
constexpr double worth_a_cut = 0.1;

void CompositionPlan::cut(const std::map<BlockKey, double>& gates, double limit) {
  const auto own = [&](const Instance& instance) {
    const auto known = gates.find(key_of(instance));
    return known == gates.end() ? 0.0 : known->second;
  };
  const auto all = [&](const Instance& block) {
    double sum = own(block);
    walk(block, 1, [&](const Instance& instance, std::int64_t times) {
      if (is_apart(instance)) return false;
      sum += static_cast<double>(times) * own(instance);
      return true;
    });
    return sum;
  };
  for (;;) {
    std::string best;
    double most = 0;
    for (const Instance* const block : blocks()) {
      const double gates_of_block = all(*block);
      if (extension(*block).needed() || gates_of_block <= limit) continue;
      std::map<std::string, double> saved;
      std::map<std::string, std::set<Sizes>> variants;
      walk(*block, 1, [&](const Instance& instance, std::int64_t times) {
        if (is_apart(instance)) return false;
        const bool first = variants[instance.module].insert(instance.parameters).second;
        saved[instance.module] += static_cast<double>(times - (first ? 1 : 0)) * all(instance);
        return true;
      });
      for (const auto& [module, amount] : saved) {
        if (amount <= most || amount < worth_a_cut * gates_of_block) continue;
        most = amount;
        best = module;
      }
    }
    if (best.empty()) return;
    apart_.insert(best);
  }
}

std::vector<const Instance*> CompositionPlan::blocks() const {
  std::vector<const Instance*> order;
  std::set<BlockKey> seen;
  const std::function<void(const Instance&)> add = [&](const Instance& block) {
    if (!seen.insert(key_of(block)).second) return;
    for (const auto& [key, found] : held(block)) add(*found.first);
    order.push_back(&block);
  };
  add(hierarchy_.top);
  return order;
}

std::map<BlockKey, std::pair<const Instance*, std::int64_t>> CompositionPlan::held(
    const Instance& block) const {
  std::map<BlockKey, std::pair<const Instance*, std::int64_t>> result;
  if (extension(block).needed()) return result;
  walk(block, 1, [&](const Instance& instance, std::int64_t times) {
    if (!is_apart(instance)) return true;
    const auto at = result.try_emplace(key_of(instance), &instance, 0).first;
    at->second.second += times;
    return false;
  });
  return result;
}

std::vector<const Instance*> CompositionPlan::spared(const Instance& block) const {
  const auto all = held(block);
  std::vector<const Instance*> result;
  for (const Instance& child : block.children) {
    const auto alike = std::ranges::count_if(
        all, [&](const auto& entry) { return entry.first.module == child.module; });
    if (is_apart(child) && child.count > 1 && alike == 1 && !extension(child).needed())
      result.push_back(&child);
  }
  return result;
}

std::set<std::string> CompositionPlan::together(const Instance& block) const {
  std::set<std::string> modules{block.module};
  const bool everything = extension(block).needed();
  walk(block, 1, [&](const Instance& instance, std::int64_t) {
    if (!everything && is_apart(instance)) return false;
    modules.insert(instance.module);
    return true;
  });
  return modules;
}

}  // namespace weft::synth
