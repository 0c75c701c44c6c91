// SPDX-License-Identifier: Apache-2.0
// Weighted round robin against its definition, and the shares that the weights promise.
#include "rtl_gen/blocks/weighted.h"

#include <gtest/gtest.h>

#include <vector>

#include "rtl_gen/blocks/tests/block_simulation.h"

namespace weft::rtl::test {
namespace {

constexpr int weight_width = 4;

/// The definition, step by step.
class Reference {
 public:
  explicit Reference(std::vector<int> weights) : weights_(std::move(weights)), left_(weights_[0]) {}
  [[nodiscard]] int winner(const Bits& request) const {
    for (int step = 0; step < n(); ++step)
      if (const int k = (turn_ + step) % n(); is_set(request, k)) return k;
    return -1;
  }
  void served(int k) {
    left_ = k == turn_ ? left_ - 1 : weights_[static_cast<std::size_t>(k)] - 1;
    turn_ = k;
    if (left_ > 0) return;
    turn_ = (k + 1) % n();
    left_ = weights_[static_cast<std::size_t>(turn_)];
  }

 private:
  [[nodiscard]] int n() const { return static_cast<int>(weights_.size()); }
  std::vector<int> weights_;
  int turn_ = 0;
  int left_;
};

/// The arbiter in a frame with these weights, which stand from reset on.
const hdl::Module& add_frame(hdl::Design& design, const std::vector<int>& weights) {
  const hdl::Module& arbiter = add_weighted_arbiter(design, "t");
  const int n = static_cast<int>(weights.size());
  hdl::Module& m = design.add_module("t_frame");
  const hdl::Expr clk = m.input("clk_i"), rst_n = m.input("rst_ni");
  const hdl::Expr request = m.input("request_i", n), served = m.input("served_i", n);
  const hdl::Expr grant = m.output("grant_o", n);
  std::vector<hdl::Expr> highest_first;
  for (auto weight = weights.rbegin(); weight != weights.rend(); ++weight)
    highest_first.push_back(hdl::bin(weight_width, *weight));
  m.instance("u_arbiter", arbiter, {{"N", n}, {"WEIGHT_WIDTH", weight_width}},
             {{"clk_i", clk},
              {"rst_ni", rst_n},
              {"weight_i", hdl::cat(highest_first)},
              {"request_i", request},
              {"served_i", served},
              {"grant_o", grant}});
  m.finish();
  return m;
}

std::vector<int> grants(const std::vector<int>& weights, const std::vector<Values>& inputs) {
  hdl::Design design;
  std::vector<int> result;
  for (const Values& out : simulate(design, add_frame(design, weights), {}, inputs)) {
    int winner = -1;
    for (int k = 0; k < static_cast<int>(weights.size()); ++k) {
      if (!is_set(out.at("grant_o"), k)) continue;
      EXPECT_EQ(winner, -1) << "two grants";
      winner = k;
    }
    result.push_back(winner);
  }
  return result;
}

TEST(Weighted, GrantsWhomTheDefinitionSaysWhoeverIsServed) {
  Random random;
  for (int n = 1; n <= 5; ++n) {
    std::vector<int> weights;
    for (int k = 0; k < n; ++k) weights.push_back(1 + random.below((1 << weight_width) - 1));
    Reference reference(weights);
    std::vector<Values> inputs;
    std::vector<int> expected;
    for (int t = 0; t < 500; ++t) {
      const Bits request = random.draw(n, 60);
      expected.push_back(reference.winner(request));
      // Mostly the winner, as in a switch; sometimes one whose packet was under way, or nobody.
      int served = expected.back();
      if (random.chance(20)) served = random.below(n + 1) - 1;
      if (served >= 0) reference.served(served);
      inputs.push_back(
          {{"request_i", request}, {"served_i", bits(served < 0 ? 0 : 1ULL << served, n)}});
    }
    EXPECT_EQ(grants(weights, inputs), expected) << "N " << n;
  }
}

TEST(Weighted, SharesAreTheWeightsWhenAllRequest) {
  const std::vector<int> weights{3, 1, 5};
  std::vector<int> order;
  for (int k = 0; k < 3; ++k)
    order.insert(order.end(), static_cast<std::size_t>(weights[static_cast<std::size_t>(k)]), k);
  std::vector<Values> inputs;
  std::vector<int> expected;
  for (int round = 0; round < 3; ++round) {
    for (const int k : order) {
      expected.push_back(k);
      inputs.push_back({{"request_i", "111"}, {"served_i", bits(1ULL << k, 3)}});
    }
  }
  EXPECT_EQ(grants(weights, inputs), expected);
}

}  // namespace
}  // namespace weft::rtl::test
