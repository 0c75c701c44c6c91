// SPDX-License-Identifier: Apache-2.0
#include "synth/composition_tree.h"

#include <fmt/format.h>

namespace weft::synth {
namespace {

class TreeBuilder {
 public:
  explicit TreeBuilder(const TreeParts& parts) : parts_(parts) {}

  /// `density`: area for each gate of the block that holds the instance.
  Share share_of(const Instance& instance, std::int64_t times, double density, bool divided) const {
    const BlockKey key = CompositionPlan::key_of(instance);
    Share share{instance.name, instance.module, times, 0, divided, {}};
    const double own =
        divided || density > 0 ? density * own_gates(instance) : parts_.areas.at(key);
    share.area_um2 = static_cast<double>(times) * own;
    if (parts_.plan.extension(instance).needed()) return share;
    for (const Instance& child : instance.children) {
      const bool apart = parts_.plan.is_apart(child);
      share.children.push_back(
          share_of(child, times * child.count, apart ? density_of(child) : density, !apart));
    }
    add_memories(key, share);
    for (const Share& child : share.children) share.area_um2 += child.area_um2;
    return share;
  }

  [[nodiscard]] double density_of(const Instance& block) const {
    const double gates = gates_together(block);
    return gates > 0 ? parts_.areas.at(CompositionPlan::key_of(block)) / gates : 0;
  }

 private:
  void add_memories(const BlockKey& key, Share& share) const {
    const auto contents = parts_.contents.find(key);
    if (contents == parts_.contents.end()) return;
    for (const auto& [shape, number] : contents->second.memories) {
      const auto use = parts_.memories.find(shape);
      if (use == parts_.memories.end()) continue;
      const std::int64_t all = share.instances * number;
      share.children.push_back({fmt::format("memory {} x {}", shape.words, shape.width),
                                "",
                                all,
                                static_cast<double>(all) * use->second.cost.area_um2,
                                false,
                                {}});
    }
  }

  [[nodiscard]] double own_gates(const Instance& instance) const {
    const auto known = parts_.gates.find(CompositionPlan::key_of(instance));
    return known == parts_.gates.end() ? 0 : known->second;
  }

  /// Gates of what is synthesised together with `instance`, itself too.
  [[nodiscard]] double gates_together(const Instance& instance) const {
    double sum = own_gates(instance);
    for (const Instance& child : instance.children)
      if (!parts_.plan.is_apart(child))
        sum += static_cast<double>(child.count) * gates_together(child);
    return sum;
  }

  const TreeParts& parts_;
};

}  // namespace

Share composition_tree(const Instance& top, const TreeParts& parts) {
  const TreeBuilder builder(parts);
  return builder.share_of(top, 1, builder.density_of(top), false);
}

void add_modules(const Share& tree, std::map<std::string, ModuleUse>& use) {
  double own = tree.area_um2;
  for (const Share& child : tree.children) {
    own -= child.area_um2;
    add_modules(child, use);
  }
  ModuleUse& module = use[tree.module.empty() ? tree.name : tree.module];
  module.instances += static_cast<std::uint64_t>(tree.instances);
  module.area_um2 += own;
}

}  // namespace weft::synth
