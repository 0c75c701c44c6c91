// SPDX-License-Identifier: Apache-2.0
// Arbiters against their definitions, and what those promise: equal shares, and nobody starves.
#include "rtl_gen/blocks/arbiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "rtl_gen/blocks/tests/block_simulation.h"

namespace weft::rtl::test {
namespace {

/// An arbiter as the contract defines it; -1: nobody requests.
struct Reference {
  Reference(Arbitration arbitration, int requesters)
      : kind(arbitration), n(requesters), order(static_cast<std::size_t>(requesters)) {
    std::iota(order.begin(), order.end(), 0);
  }
  [[nodiscard]] int winner(const Bits& request) const {
    for (int step = 0; step < n; ++step) {
      const int k = kind == Arbitration::matrix ? order[static_cast<std::size_t>(step)]
                                                : (pointer + step) % n;
      if (is_set(request, k)) return k;
    }
    return -1;
  }
  void served(int k) {
    pointer = (k + 1) % n;
    std::erase(order, k);
    order.push_back(k);
  }
  Arbitration kind;
  int n;
  int pointer = 0;
  std::vector<int> order;  ///< the least recently served first
};

struct Requests {
  std::vector<Bits> request;
  std::vector<bool> update;

  void add(const Bits& requests, bool taken) {
    request.push_back(requests);
    update.push_back(taken);
  }
};

/// Grants of the RTL, one a cycle, after comparing them with the reference; -1: none.
std::vector<int> compare(Arbitration kind, int n, const Requests& run) {
  hdl::Design design;
  const hdl::Module& top = add_arbiter(design, "t", kind);
  std::vector<Values> inputs;
  for (std::size_t t = 0; t < run.request.size(); ++t)
    inputs.push_back({{"request_i", run.request[t]}, {"update_i", bits(run.update[t], 1)}});
  const auto outputs = simulate(design, top, {{"N", n}}, inputs);
  Reference reference(kind, n);
  std::vector<int> grants;
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    const int k = reference.winner(run.request[t]);
    EXPECT_EQ(outputs[t].at("grant_o"), k < 0 ? bits(0, n) : bits(1ULL << k, n))
        << "N " << n << " cycle " << t;
    if (run.update[t] && k >= 0) reference.served(k);
    grants.push_back(k);
    if (testing::Test::HasFailure()) break;
  }
  return grants;
}

class Arbiter : public testing::TestWithParam<Arbitration> {};

TEST_P(Arbiter, GrantsWhomTheContractSaysForEveryRequestAndPointer) {
  for (int n = 1; n <= 5; ++n) {
    Requests run;
    for (int served = 0; served < n; ++served) {
      for (std::uint64_t request = 0; request < (1ULL << n); ++request) {
        run.add(bits(1ULL << served, n), true);
        run.add(bits(request, n), false);
        run.add(bits(request, n), true);
      }
    }
    compare(GetParam(), n, run);
  }
}

TEST_P(Arbiter, GrantsWhomTheContractSaysForRandomRequests) {
  Random random;
  for (const int n : {6, 7, 8, 13, 17}) {
    Requests run;
    for (const int percent : {3, 20, 50, 95}) {
      for (int t = 0; t < 150; ++t) run.add(random.draw(n, percent), random.chance(70));
    }
    compare(GetParam(), n, run);
  }
}

TEST_P(Arbiter, GivesExactlyEqualSharesToAllWhoAlwaysRequest) {
  for (const int n : {1, 2, 3, 5, 6, 7, 12}) {
    Requests run;
    for (int t = 0; t < 4 * n; ++t) run.add(bits(~0ULL, n), true);
    const auto grants = compare(GetParam(), n, run);
    for (int k = 0; k < n; ++k) EXPECT_EQ(std::ranges::count(grants, k), 4) << "N " << n;
  }
}

TEST_P(Arbiter, ServesARequesterThatWaitsWithinNGrants) {
  Random random;
  for (const int n : {2, 3, 5, 11}) {
    const int patient = random.below(n);
    Requests run;
    for (int t = 0; t < 400; ++t) {
      Bits request = random.draw(n, 60);
      request[static_cast<std::size_t>(patient)] = '1';
      run.add(request, true);
    }
    int wait = 0;
    for (const int grant : compare(GetParam(), n, run)) {
      wait = grant == patient ? 0 : wait + 1;
      ASSERT_LT(wait, n);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Arbiter,
                         testing::Values(Arbitration::round_robin, Arbitration::matrix),
                         [](const auto& info) {
                           return info.param == Arbitration::matrix ? "matrix" : "round_robin";
                         });

TEST(Pick, FindsTheFirstAtOrAfterThePointerAndGivesTheNext) {
  for (int n = 1; n <= 5; ++n) {
    hdl::Design design;
    const hdl::Module& top = add_pick(design, "t");
    std::vector<Values> inputs;
    std::vector<int> pointers;
    for (int pointer = 0; pointer <= n; ++pointer) {  // n: no bit is behind it, as 0
      for (std::uint64_t request = 0; request < (1ULL << n); ++request) {
        pointers.push_back(pointer % n);
        inputs.push_back(
            {{"request_i", bits(request, n)}, {"behind_i", bits(~0ULL << pointer, n)}});
      }
    }
    const auto outputs = simulate(design, top, {{"N", n}}, inputs);
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      Reference reference(Arbitration::round_robin, n);
      reference.pointer = pointers[t];
      const int k = reference.winner(inputs[t].at("request_i"));
      ASSERT_EQ(outputs[t].at("grant_o"), k < 0 ? bits(0, n) : bits(1ULL << k, n));
      ASSERT_EQ(outputs[t].at("behind_o"), k < 0 ? bits(0, n) : bits(~0ULL << k << 1, n));
    }
  }
}

}  // namespace
}  // namespace weft::rtl::test
