// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "base/interrupt.h"
#include "verif/cosim_options.h"

namespace weft::verif {

/// Throws UserError, with the legal range, if the run that `options` describe has no such scenario
/// as they ask for. A run has `directed` scenarios and then random ones until their transactions,
/// `transactions_of(index)` >= 1 each, are used up.
template <typename TransactionsOf>
void require_scenario(const CosimOptions& options, std::uint64_t directed,
                      TransactionsOf&& transactions_of) {
  if (!options.scenario || *options.scenario < directed) return;
  const auto refuse = [&](std::uint64_t scenarios) {
    throw UserError(
        fmt::format("--scenario: {} is not among those of {} transactions; legal: 0..{}",
                    *options.scenario, options.transactions, scenarios - 1));
  };
  // None has less than one transaction; many of them are not counted in vain.
  constexpr std::uint64_t quickly_counted = 10'000;
  if (*options.scenario - directed >= options.transactions &&
      options.transactions > quickly_counted) {
    refuse(directed + options.transactions);
  }
  std::uint64_t scenarios = directed;
  for (std::uint64_t left = options.transactions; left > 0; ++scenarios) {
    if (scenarios == *options.scenario) return;
    base::check_interrupt();
    left -= std::min<std::uint64_t>(left, transactions_of(scenarios));
  }
  refuse(scenarios);
}

}  // namespace weft::verif
