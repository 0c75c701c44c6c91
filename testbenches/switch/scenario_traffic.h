// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "testbenches/switch/switch_scenario.h"
#include "verif/network/switch_endpoints.h"
#include "verif/random.h"

namespace weft::verif {

/// Creates the packets of a scenario: with every kind of header that the switch knows.
class ScenarioTraffic {
 public:
  /// Adds the destinations that it needs to those of `endpoints`, which must outlive this.
  ScenarioTraffic(const arch::Switch& design, const SwitchScenario& scenario,
                  SwitchEndpoints& endpoints);

  /// Gives the sources the packets that are created in this cycle.
  void create();
  /// All packets have been created.
  [[nodiscard]] bool exhausted() const { return created_ >= scenario_.packets; }
  /// Packets created.
  [[nodiscard]] std::uint64_t created() const { return created_; }
  /// The outputs that the sources' packets go to with Spread::permutation, by source; -1: none.
  [[nodiscard]] const std::vector<int>& permutation() const { return permutation_; }

 private:
  void add_unicasts();
  void add_table_headers(Random& random);
  void add_mesh_headers();
  void add_unicast(const arch::Header& header);
  void add_groups();
  void create_at(int source);
  void create_collective(int source);
  [[nodiscard]] bool wants_packet(int source);
  [[nodiscard]] int draw_output(int source);
  [[nodiscard]] int draw_length(int source);
  [[nodiscard]] int draw_class();
  void offer(int source, int destination, int flits, int traffic_class);

  arch::Switch design_;
  SwitchScenario scenario_;
  SwitchEndpoints* endpoints_;
  Random random_;
  std::vector<std::vector<int>> unicasts_;  ///< targets by output
  std::vector<int> outputs_;                ///< those that can be reached
  std::vector<int> permutation_;
  std::vector<int> multicasts_;  ///< targets
  std::vector<int> reductions_;  ///< targets
  std::vector<int> lengths_;     ///< per source: how many packets it has had
  int chosen_ = 0;               ///< the source or output that all others face
  std::uint64_t created_ = 0;
};

}  // namespace weft::verif
