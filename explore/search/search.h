// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft::explore {

/// A design as searches see it: for each axis the index of the choice.
using Choices = std::vector<std::uint32_t>;

/// One axis as searches see it.
struct SearchAxis {
  std::string name;
  std::uint32_t size = 1;  ///< number of choices
  bool ordered = true;     ///< neighbouring choices are alike; false: categories
};

/// What there is to search.
struct SearchSpace {
  std::vector<SearchAxis> axes;
  /// Whether a combination is legal by all that is known before it is evaluated, and stands for its
  /// design (where several combinations are the same design, only the first one does). Pure.
  std::function<bool(const Choices&)> legal;
  std::size_t objectives = 1;
};

/// What became of a proposal.
struct Outcome {
  /// One a objective, to be minimised; empty: it failed or broke a constraint on results.
  std::vector<double> objectives;
};

/// Proposes designs. Deterministic: the same seed and the same outcomes give the same proposals, so
/// that a resumed sweep replays those that it has. Proposals are legal and never repeat.
class Search {
 public:
  virtual ~Search() = default;
  /// The next batch; empty: there is nothing left to propose. Each batch is told before the next is
  /// asked for. `most` limits its size (the rest of the budget).
  virtual std::vector<Choices> ask(std::size_t most) = 0;
  /// The outcomes of the whole last batch, in its order.
  virtual void tell(const std::vector<Outcome>& outcomes) = 0;
};

/// How a search is to be done.
struct SearchOptions {
  std::string method = "grid";
  std::uint64_t seed = 1;
  std::uint32_t population = 0;  ///< of nsga2; 0: chosen
  std::uint32_t batch = 0;       ///< of bayesian: proposals at once; 0: chosen
};

/// The names of the methods, for messages and schema.
[[nodiscard]] const std::vector<std::string>& search_methods();

/// @throws UserError for an unknown method.
[[nodiscard]] std::unique_ptr<Search> make_search(const SearchOptions& options, SearchSpace space);

}  // namespace weft::explore
