// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "synth/growth.h"
#include "synth/hierarchy.h"
#include "synth/survey.h"

namespace weft::synth {

/// Which modules of a design are synthesised apart.
///
/// Modules that exceed the samples of their laws of growth are apart from the beginning: not even
/// Yosys' front end sees them at their real size. The others are chosen by cut().
class CompositionPlan {
 public:
  /// `largest_sample`: see Extension.
  explicit CompositionPlan(const Hierarchy& hierarchy, std::int64_t largest_sample = 0);

  static BlockKey key_of(const Instance& instance) {
    return {instance.module, instance.parameters};
  }

  [[nodiscard]] const std::set<std::string>& apart() const { return apart_; }
  [[nodiscard]] bool is_apart(const Instance& instance) const {
    return apart_.contains(instance.module);
  }
  /// How the figures of a block follow from smaller ones.
  [[nodiscard]] Extension extension(const Instance& instance) const;
  /// The blocks that the top holds without those that are apart, and the blocks in them.
  [[nodiscard]] std::vector<BlockKey> visible() const;

  /// Sets further modules apart until what is synthesised together has no more than `limit` gates,
  /// the ones that save most first. `gates` has what each visible block holds by itself.
  void cut(const std::map<BlockKey, double>& gates, double limit);

  /// What is synthesised by itself, each block once, a block behind those that it holds; the last
  /// is the top.
  [[nodiscard]] std::vector<const Instance*> blocks() const;
  /// The blocks that are apart within a block, each once, with how often it holds them.
  [[nodiscard]] std::map<BlockKey, std::pair<const Instance*, std::int64_t>> held(
      const Instance& block) const;
  /// Of what a block holds directly, those blocks of which some can be synthesised with it, to see
  /// what its context makes of it: several alike and of no other size.
  [[nodiscard]] std::vector<const Instance*> spared(const Instance& block) const;
  /// The modules that are synthesised with a block, its own too.
  [[nodiscard]] std::set<std::string> together(const Instance& block) const;

 private:
  const Hierarchy& hierarchy_;
  std::int64_t largest_sample_;
  std::set<std::string> apart_;
};

}  // namespace weft::synth
