// SPDX-License-Identifier: Apache-2.0
// Allocators against a transcription of docs/switch.md ("Allocation"), and what they promise.
#include "rtl_gen/blocks/allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "rtl_gen/blocks/tests/block_simulation.h"

namespace weft::rtl::test {
namespace {

using Matrix = std::vector<std::vector<bool>>;
using List = std::vector<int>;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// The state of one side: a pointer and an order of the other side for each port.
struct Side {
  explicit Side(int ports) : pointer(at(ports)), order(at(ports), List(at(ports))) {
    for (List& list : order) std::iota(list.begin(), list.end(), 0);
  }
  /// The first at or after the pointer of `port`.
  [[nodiscard]] int round_robin(int port, const std::function<bool(int)>& wanted) const {
    const int n = static_cast<int>(pointer.size());
    for (int k = 0; k < n; ++k)
      if (wanted((pointer[at(port)] + k) % n)) return (pointer[at(port)] + k) % n;
    return -1;
  }
  [[nodiscard]] int least_recent(int port, const std::function<bool(int)>& wanted) const {
    const auto found = std::ranges::find_if(order[at(port)], wanted);
    return found == order[at(port)].end() ? -1 : *found;
  }
  void matched(int port, int other, bool stays = false) {
    pointer[at(port)] = stays ? other : (other + 1) % static_cast<int>(pointer.size());
    std::erase(order[at(port)], other);
    order[at(port)].push_back(other);
  }
  List pointer;
  std::vector<List> order;
};

enum class Rule { input_first, islip, matrix, wavefront, outputs_round_robin, outputs_matrix };

struct Reference {
  Reference(Rule r, int n, int k) : rule(r), ports(n), iterations(k), in(n), out(n) {}

  Matrix step(const Matrix& request, const std::vector<bool>& usable_outputs) {
    usable = usable_outputs;
    Matrix grant(at(ports), std::vector<bool>(at(ports)));
    switch (rule) {
      case Rule::input_first:
        input_first(request, grant);
        break;
      case Rule::islip:
      case Rule::matrix:
        for (int k = 0; k < iterations; ++k) iteration(request, grant, k == 0);
        break;
      case Rule::wavefront:
        wavefront(request, grant);
        break;
      case Rule::outputs_round_robin:
      case Rule::outputs_matrix:
        for (int o = 0; o < ports; ++o) {
          const auto wants = [&](int i) -> bool { return request[at(i)][at(o)]; };
          const int i =
              rule == Rule::outputs_matrix ? out.least_recent(o, wants) : out.round_robin(o, wants);
          if (i < 0) continue;
          grant[at(i)][at(o)] = true;
          served(o, i);
        }
        break;
    }
    return grant;
  }

  void input_first(const Matrix& request, Matrix& grant) {
    List choice(at(ports));
    for (int i = 0; i < ports; ++i)
      choice[at(i)] = in.round_robin(i, [&](int o) -> bool { return request[at(i)][at(o)]; });
    for (int o = 0; o < ports; ++o) {
      const int i = out.round_robin(o, [&](int input) { return choice[at(input)] == o; });
      if (i < 0) continue;
      grant[at(i)][at(o)] = true;
      in.matched(i, o);
      served(o, i);
    }
  }

  void served(int o, int i) {
    if (usable[at(o)]) out.matched(o, i);
  }

  void iteration(const Matrix& request, Matrix& grant, bool first) {
    List offer(at(ports), -1);
    std::vector<bool> in_used(at(ports)), out_used(at(ports));
    for (int i = 0; i < ports; ++i)
      for (int o = 0; o < ports; ++o)
        if (grant[at(i)][at(o)]) in_used[at(i)] = out_used[at(o)] = true;
    for (int o = 0; o < ports; ++o) {
      if (out_used[at(o)]) continue;
      const auto wants = [&](int i) { return !in_used[at(i)] && request[at(i)][at(o)]; };
      offer[at(o)] = rule == Rule::matrix ? out.least_recent(o, wants) : out.round_robin(o, wants);
    }
    for (int i = 0; i < ports; ++i) {
      const auto offers = [&](int o) { return offer[at(o)] == i; };
      const int o = rule == Rule::matrix ? in.least_recent(i, offers) : in.round_robin(i, offers);
      if (o < 0) continue;
      grant[at(i)][at(o)] = true;
      if (!first) continue;
      in.matched(i, o, iterations > 1 && acceptances[at(i)]++ % 4 != 3);
      served(o, i);
    }
  }

  void wavefront(const Matrix& request, Matrix& grant) {
    std::vector<bool> in_used(at(ports)), out_used(at(ports));
    for (int k = 0; k < ports; ++k) {
      for (int i = 0; i < ports; ++i) {
        for (int o = 0; o < ports; ++o) {
          if ((i + o) % ports != (diagonal + k) % ports || !request[at(i)][at(o)]) continue;
          if (in_used[at(i)] || out_used[at(o)]) continue;
          grant[at(i)][at(o)] = in_used[at(i)] = out_used[at(o)] = true;
        }
      }
    }
    int skipped = 0;
    while (skipped < ports && !asked(request, (diagonal + skipped) % ports)) ++skipped;
    if (skipped == 0) {
      if (++turns < 3) return;
      turns = 0;
      diagonal = (diagonal + 1) % ports;
    } else if (skipped < ports - 1) {
      turns = 1;
      diagonal = (diagonal + skipped) % ports;
    }
  }

  [[nodiscard]] bool asked(const Matrix& request, int d) const {
    for (int i = 0; i < ports; ++i) {
      const int o = (d - i + ports) % ports;
      if (request[at(i)][at(o)] && usable[at(o)]) return true;
    }
    return false;
  }

  Rule rule;
  int ports, iterations;
  Side in, out;
  int diagonal = 0, turns = 0;
  List acceptances = List(at(ports));
  std::vector<bool> usable;
};

/// A kind of allocator and what its RTL is made by.
struct Kind {
  const char* name;
  Rule rule;
  std::function<const hdl::Module&(hdl::Design&)> add;
  int iterations = 1;
  bool speculative = false;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> kinds() {
  const auto matching = [](arch::Allocator allocator, arch::Separable separable,
                           bool speculative = false) {
    return [=](hdl::Design& d) -> const hdl::Module& {
      return add_allocator(d, "t", allocator, separable, speculative);
    };
  };
  const auto outputs = [](Arbitration kind, bool speculative = false) {
    return [=](hdl::Design& d) -> const hdl::Module& {
      return add_output_arbiters(d, "t", kind, speculative);
    };
  };
  using arch::Allocator;
  using arch::Separable;
  const auto islip = matching(Allocator::islip, Separable::input_first);
  return {
      {"input_first", Rule::input_first, matching(Allocator::round_robin, Separable::input_first)},
      {"output_first", Rule::islip, matching(Allocator::round_robin, Separable::output_first)},
      {"islip_1", Rule::islip, islip},
      {"islip_2", Rule::islip, islip, 2},
      {"islip_4", Rule::islip, islip, 4},
      {"matrix", Rule::matrix, matching(Allocator::matrix, Separable::output_first)},
      {"wavefront", Rule::wavefront, matching(Allocator::wavefront, Separable::input_first)},
      {"input_first_speculative", Rule::input_first,
       matching(Allocator::round_robin, Separable::input_first, true), 1, true},
      {"islip_2_speculative", Rule::islip, matching(Allocator::islip, Separable::input_first, true),
       2, true},
      {"matrix_speculative", Rule::matrix,
       matching(Allocator::matrix, Separable::output_first, true), 1, true},
      {"wavefront_speculative", Rule::wavefront,
       matching(Allocator::wavefront, Separable::input_first, true), 1, true},
      {"outputs_speculative", Rule::outputs_round_robin, outputs(Arbitration::round_robin, true), 1,
       true},
      {"outputs_round_robin", Rule::outputs_round_robin, outputs(Arbitration::round_robin)},
      {"outputs_matrix", Rule::outputs_matrix, outputs(Arbitration::matrix)}};
}

Bits flat(const Matrix& matrix) {
  Bits result;
  for (const auto& row : matrix)
    for (const bool bit : row) result += bit ? '1' : '0';
  return result;
}

Matrix draw(Random& random, int ports, int percent) {
  Matrix result(at(ports), std::vector<bool>(at(ports)));
  for (auto& row : result)
    for (auto&& bit : row) bit = random.chance(percent);
  return result;
}

Bits flat(const std::vector<bool>& bits) { return flat(Matrix{bits}); }

/// `usable` in each cycle; all outputs if it is empty.
std::vector<Values> run(const Kind& kind, int ports, const std::vector<Matrix>& requests,
                        const std::vector<std::vector<bool>>& usable = {}) {
  hdl::Design design;
  const hdl::Module& top = kind.add(design);
  hdl::ParameterValues parameters{{"PORTS", ports}};
  if (top.find_parameter("ITERATIONS") != nullptr) parameters["ITERATIONS"] = kind.iterations;
  std::vector<Values> inputs;
  for (const Matrix& request : requests) inputs.push_back({{"request_i", flat(request)}});
  for (std::size_t t = 0; kind.speculative && t < requests.size(); ++t) {
    inputs[t]["usable_i"] = usable.empty() ? Bits(at(ports), '1') : flat(usable[t]);
  }
  return simulate(design, top, parameters, inputs);
}

class Allocator : public testing::TestWithParam<Kind> {};

TEST_P(Allocator, GrantsWhatTheContractSays) {
  Random random;
  for (const int ports : {1, 2, 3, 6}) {
    std::vector<Matrix> requests;
    for (const int percent : {10, 40, 80, 100})
      for (int t = 0; t < 40; ++t) requests.push_back(draw(random, ports, percent));
    std::vector<std::vector<bool>> usable(requests.size(), std::vector<bool>(at(ports), true));
    for (auto& outputs : usable)
      for (auto&& bit : outputs) bit = !GetParam().speculative || random.chance(70);
    const auto outputs = run(GetParam(), ports, requests, usable);
    Reference reference(GetParam().rule, ports, GetParam().iterations);
    for (std::size_t t = 0; t < requests.size(); ++t) {
      ASSERT_EQ(outputs[t].at("grant_o"), flat(reference.step(requests[t], usable[t])))
          << ports << " ports, cycle " << t << ", requests " << flat(requests[t]);
    }
  }
}

TEST_P(Allocator, GrantsEveryRequestOfAMatchingAndNothingElse) {
  Random random;
  constexpr int ports = 6;
  std::vector<Matrix> requests;
  for (int t = 0; t < 100; ++t) {
    List outputs(ports);
    std::iota(outputs.begin(), outputs.end(), 0);
    for (int k = ports - 1; k > 0; --k) std::swap(outputs[at(k)], outputs[at(random.below(k + 1))]);
    Matrix request = draw(random, ports, 0);
    for (int i = 0; i < ports; ++i) request[at(i)][at(outputs[at(i)])] = random.chance(80);
    requests.push_back(request);
  }
  const auto outputs = run(GetParam(), ports, requests);
  for (std::size_t t = 0; t < requests.size(); ++t)
    ASSERT_EQ(outputs[t].at("grant_o"), flat(requests[t])) << t;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Allocator, testing::ValuesIn(kinds()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Wavefront, MatchesAreMaximal) {
  Random random;
  constexpr int ports = 7;
  std::vector<Matrix> requests;
  for (int t = 0; t < 200; ++t) requests.push_back(draw(random, ports, 5 + t / 3));
  const auto all = kinds();
  const auto kind =
      std::ranges::find_if(all, [](const Kind& k) { return k.rule == Rule::wavefront; });
  const auto outputs = run(*kind, ports, requests);
  for (std::size_t t = 0; t < requests.size(); ++t) {
    const Bits& grant = outputs[t].at("grant_o");
    for (int i = 0; i < ports; ++i) {
      for (int o = 0; o < ports; ++o) {
        if (!requests[t][at(i)][at(o)]) continue;
        int touching = 0;
        for (int k = 0; k < ports; ++k)
          touching += is_set(grant, i * ports + k) + is_set(grant, k * ports + o);
        ASSERT_GT(touching, 0) << "request " << i << " " << o << " could be added in cycle " << t;
      }
    }
  }
}

TEST(Islip, PointersDesynchroniseUnderFullLoad) {
  constexpr int ports = 5;
  const std::vector<Matrix> requests(60, Matrix(ports, std::vector<bool>(ports, true)));
  const auto all = kinds();
  const auto kind = std::ranges::find_if(all, [](const Kind& k) { return k.rule == Rule::islip; });
  const auto outputs = run(*kind, ports, requests);
  for (std::size_t t = 20; t < requests.size(); ++t) {
    const Bits& grant = outputs[t].at("grant_o");
    EXPECT_EQ(std::ranges::count(grant, '1'), ports) << "cycle " << t;
  }
  for (int pair = 0; pair < ports * ports; ++pair) {
    int shares = 0;
    for (std::size_t t = 20; t < requests.size(); ++t)
      shares += is_set(outputs[t].at("grant_o"), pair);
    EXPECT_EQ(shares, 40 / ports) << "input " << pair / ports << " output " << pair % ports;
  }
}

}  // namespace
}  // namespace weft::rtl::test
