// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/network/switch.h"
#include "systemc_models/port_mask.h"

namespace weft::models {

/// The allocators of docs/switch.md, choosing among the heads of packets at free inputs and
/// outputs. Flits of packets under way win their places anyway, and leave the pointers as their
/// heads did.
template <int Words>
class PacketMatcher {
 public:
  using Mask = PortMask<Words>;

  explicit PacketMatcher(const arch::Switch& design)
      : ports_(design.ports),
        kind_(kind_of(design)),
        iterations_(design.allocator == arch::Allocator::islip ? design.islip_iterations : 1),
        under_way_(kind_ == Kind::wavefront ? static_cast<std::size_t>(ports_) : 0, 0) {
    if (design.allocator != arch::Allocator::matrix) return;
    for (int p = 0; p < ports_; ++p) {
      for (int other = 0; other < ports_; ++other) served_.push_back(other - ports_);
    }
    served_.insert(served_.end(), served_.begin(), served_.end());
  }

  /// Chooses pairs of `inputs` and `outputs` with requests(output).test(input) and calls
  /// grant(input, output) for each, which tells how many flits the packet has.
  template <typename Requests, typename Grant>
  void match(std::uint64_t cycle, Mask inputs, Mask outputs, Requests&& requests, Grant&& grant) {
    switch (kind_) {
      case Kind::outputs_alone:
        outputs.for_each([&](int o) {
          const Mask candidates = requests(o);
          if (!candidates.any()) return;
          const int i = pick_input(o, candidates);
          serve_input(o, i);
          grant(i, o);
        });
        return;
      case Kind::output_first:
        match_output_first(inputs, outputs, requests, grant);
        return;
      case Kind::input_first:
        match_input_first(inputs, outputs, requests, grant);
        return;
      case Kind::wavefront:
        match_wavefront(cycle, inputs, outputs, requests, grant);
        return;
    }
  }

 private:
  /// By port; in place, which saves a look at where it is.
  template <typename T>
  using Table = std::array<T, std::size_t{64} * Words>;
  enum class Kind { outputs_alone, output_first, input_first, wavefront };

  static Kind kind_of(const arch::Switch& design) {
    if (design.organisation == arch::Organisation::output_queued ||
        design.organisation == arch::Organisation::central_buffer) {
      return Kind::outputs_alone;
    }
    if (design.allocator == arch::Allocator::wavefront) return Kind::wavefront;
    const bool input_first = design.allocator == arch::Allocator::round_robin &&
                             design.separable == arch::Separable::input_first;
    return input_first ? Kind::input_first : Kind::output_first;
  }

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(ports_); }
  [[nodiscard]] int after(int port) const { return port + 1 == ports_ ? 0 : port + 1; }
  int& at(Table<int>& table, int port) { return table[static_cast<std::size_t>(port)]; }
  Mask& row(int port) { return rows_[static_cast<std::size_t>(port)]; }

  /// The least recently served of the candidates of a chooser (output o: o, input i: ports + i).
  int least_recent(int chooser, const Mask& candidates) {
    const std::int64_t* stamps = &served_[static_cast<std::size_t>(chooser) * size()];
    int best = -1;
    candidates.for_each([&](int p) {
      if (best < 0 || stamps[p] < stamps[best]) best = p;
    });
    return best;
  }
  void serve(int chooser, int port) {
    served_[static_cast<std::size_t>(chooser) * size() + static_cast<std::size_t>(port)] = ++stamp_;
  }

  int pick_input(int output, const Mask& candidates) {
    return served_.empty() ? candidates.first_from(at(output_pointer_, output))
                           : least_recent(output, candidates);
  }
  int pick_output(int input, const Mask& candidates) {
    return served_.empty() ? candidates.first_from(at(input_pointer_, input))
                           : least_recent(ports_ + input, candidates);
  }
  void serve_input(int output, int input) {
    if (served_.empty()) {
      at(output_pointer_, output) = after(input);
    } else {
      serve(output, input);
    }
  }
  void serve_output(int input, int output) {
    if (served_.empty()) {
      at(input_pointer_, input) = after(output);
    } else {
      serve(ports_ + input, output);
    }
  }

  /// With several iterations an input's pointer stays in three of four acceptances, of which this
  /// was a number in a row.
  void stay(int input, int output, int acceptances) {
    if (iterations_ == 1) return;
    int& accepted = at(accepted_, input);
    accepted = (accepted + acceptances) % 4;
    if (accepted != 0) at(input_pointer_, input) = output;
  }

  template <typename Requests, typename Grant>
  void match_output_first(Mask inputs, Mask outputs, Requests& requests, Grant& grant) {
    for (int iteration = 0; iteration < iterations_; ++iteration) {
      Mask offered;
      outputs.for_each([&](int o) {
        const Mask candidates = requests(o) & inputs;
        if (!candidates.any()) {
          outputs.clear(o);  // for_each goes on with its copy of the word
          return;
        }
        const int i = pick_input(o, candidates);
        row(i).set(o);
        offered.set(i);
      });
      if (!offered.any()) return;
      offered.for_each([&](int i) {
        const int o = pick_output(i, row(i));
        row(i) = {};
        inputs.clear(i);
        outputs.clear(o);
        // The flits after a head win in the first iteration of the next cycle.
        const int firsts = grant(i, o) - (iteration == 0 ? 0 : 1);
        if (firsts > 0) {
          serve_input(o, i);
          serve_output(i, o);
          stay(i, o, firsts);
        }
      });
    }
  }

  template <typename Requests, typename Grant>
  void match_input_first(const Mask& inputs, const Mask& outputs, Requests& requests,
                         Grant& grant) {
    Mask requesting;
    outputs.for_each([&](int o) {
      const Mask candidates = requests(o) & inputs;
      candidates.for_each([&](int i) { row(i).set(o); });
      requesting |= candidates;
    });
    Mask picked;
    picks_.assign(size(), {});
    requesting.for_each([&](int i) {
      const int o = pick_output(i, row(i));
      row(i) = {};
      picks_[static_cast<std::size_t>(o)].set(i);
      picked.set(o);
    });
    picked.for_each([&](int o) {
      const int i = pick_input(o, picks_[static_cast<std::size_t>(o)]);
      serve_input(o, i);
      serve_output(i, o);
      grant(i, o);
    });
  }

  /// How many diagonals, from the first one on, have neither one of `heads` nor a packet under way.
  [[nodiscard]] int first_asked(std::uint64_t cycle, const Mask& heads) const {
    int d = first_;
    for (int skipped = 0; skipped < ports_; ++skipped) {
      if (heads.test(d) || under_way_[static_cast<std::size_t>(d)] > cycle) return skipped;
      d = after(d);
    }
    return ports_;
  }

  void move_diagonal(int skipped) {
    if (skipped == 0) {
      turns_ = (turns_ + 1) % 3;
      if (turns_ == 0) first_ = after(first_);
    } else if (skipped < ports_ - 1) {
      turns_ = 1;
      first_ = (first_ + skipped) % ports_;
    }
  }

  /// What the flits of packets under way did to the first diagonal before `cycle`.
  void catch_up(std::uint64_t cycle) {
    for (; caught_up_ < cycle; ++caught_up_) {
      const int skipped = first_asked(caught_up_, {});
      if (skipped == ports_) break;
      move_diagonal(skipped);
    }
    caught_up_ = cycle + 1;
  }

  template <typename Requests, typename Grant>
  void match_wavefront(std::uint64_t cycle, Mask inputs, Mask outputs, Requests& requests,
                       Grant& grant) {
    Mask diagonals;  // row(d): the inputs with a request on diagonal d
    outputs.for_each([&](int o) {
      (requests(o) & inputs).for_each([&](int i) {
        const int d = i + o < ports_ ? i + o : i + o - ports_;
        row(d).set(i);
        diagonals.set(d);
      });
    });
    catch_up(cycle);
    const int first = first_;
    move_diagonal(first_asked(cycle, diagonals));
    while (diagonals.any()) {
      const int d = diagonals.first_from(first);
      diagonals.clear(d);
      (row(d) & inputs).for_each([&](int i) {
        const int o = d >= i ? d - i : d - i + ports_;
        if (!outputs.test(o)) return;
        inputs.clear(i);
        outputs.clear(o);
        std::uint64_t& until = under_way_[static_cast<std::size_t>(d)];
        until = std::max(until, cycle + static_cast<std::uint64_t>(grant(i, o)));
      });
      row(d) = {};
    }
  }

  int ports_;
  Kind kind_;
  int iterations_;
  Table<int> input_pointer_{};        ///< a[i]
  Table<int> accepted_{};             ///< n[i]
  Table<int> output_pointer_{};       ///< g[o]
  std::vector<std::int64_t> served_;  ///< matrix: when each chooser served each port last
  std::int64_t stamp_ = 0;
  int first_ = 0;                         ///< diagonal, d
  int turns_ = 0;                         ///< n
  std::uint64_t caught_up_ = 0;           ///< the first cycle of which d does not know yet
  std::vector<std::uint64_t> under_way_;  ///< by diagonal: until before this cycle
  Table<Mask> rows_;                      ///< empty between matches
  std::vector<Mask> picks_;               ///< by output
};

}  // namespace weft::models
