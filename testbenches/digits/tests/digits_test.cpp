// SPDX-License-Identifier: Apache-2.0
#include "testbenches/digits/digits.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace weft::digits {
namespace {

const std::filesystem::path folder = std::filesystem::path(WEFT_SOURCE_DIR) / "testbenches/digits";

const Dataset& dataset() {
  static const Dataset data = load_dataset(folder / "digits.csv");
  return data;
}

/// Right classes among the images first .. last - 1, in percent.
double accuracy(const std::vector<int>& predicted, int first, int last) {
  int right = 0;
  for (int i = first; i < last; ++i)
    right +=
        predicted[static_cast<std::size_t>(i)] == dataset().labels[static_cast<std::size_t>(i)];
  return 100.0 * right / (last - first);
}

bool fits(std::int64_t value, int bits) {
  return value >= -(std::int64_t{1} << (bits - 1)) && value < (std::int64_t{1} << (bits - 1));
}

TEST(DigitsData, IsThePublishedTestSet) {
  const Dataset& data = dataset();
  EXPECT_EQ(data.images.rows, 1797);
  EXPECT_EQ(data.images.cols, 64);
  EXPECT_EQ(data.images.elements.size(), 1797U * 64U);
  ASSERT_EQ(data.labels.size(), 1797U);

  std::array<int, classes> count{};  // optdigits.names, "testing" column
  for (const int label : data.labels) ++count[static_cast<std::size_t>(label)];
  EXPECT_EQ(count, (std::array<int, classes>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}));
}

TEST(DigitsData, ImagesAreRowsOfEightFromTheTop) {
  std::string drawn;  // # from half ink on
  for (int i = 0; i < pixels; ++i) drawn += dataset().images.at(0, i) >= 8 ? '#' : '.';
  EXPECT_EQ(drawn,
            "...##..."
            "..####.."
            "..#..##."
            "..#..##."
            "..#..##."
            "..#..#.."
            "..#.##.."
            "...##...");
  EXPECT_EQ(dataset().labels[0], 0);
}

class DigitsNetwork : public testing::TestWithParam<const char*> {
 protected:
  const Network network = load_network(folder / GetParam());

  /// Calls check(layer, activations, accumulators) with those of all images, for each layer.
  void for_each_layer(
      const std::function<void(const Layer&, const Matrix&, const Matrix&)>& check) {
    Matrix values = quantise_input(network, dataset().images);
    for (const Layer& layer : network.layers) {
      const Matrix accumulators = multiply(values, layer.weights);
      check(layer, values, accumulators);
      values = finish_layer(layer, accumulators);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Files, DigitsNetwork,
                         testing::Values("network_int8.json", "network_int4.json"));

TEST_P(DigitsNetwork, GivesTheClassesThatTheTrainingScriptComputed) {
  EXPECT_EQ(classify(network, dataset().images), network.predictions);
}

TEST_P(DigitsNetwork, ClassifiesImagesItWasNotTrainedOn) {
  EXPECT_EQ(network.training_images, 1297);
  const double held_out =
      accuracy(classify(network, dataset().images), network.training_images, dataset().images.rows);
  RecordProperty("held_out_percent", std::to_string(held_out));
  EXPECT_GE(held_out, 95.0);
}

TEST_P(DigitsNetwork, EveryIntermediateFitsItsFormat) {
  for_each_layer([](const Layer& layer, const Matrix& activations, const Matrix& accumulators) {
    const auto [least, largest] =
        std::minmax_element(activations.elements.begin(), activations.elements.end());
    EXPECT_GE(*least, 0);
    EXPECT_LE(*largest, layer.moving_format.max());
    EXPECT_GT(*largest, layer.moving_format.max() / 16) << "most of the format is not used";

    const int width = accumulator_width(layer);
    EXPECT_LE(width, 32);
    for (int m = 0; m < accumulators.rows; ++m) {
      for (int n = 0; n < accumulators.cols; ++n) {
        ASSERT_TRUE(fits(accumulators.at(m, n), width));
        ASSERT_TRUE(fits(accumulators.at(m, n) + layer.bias[static_cast<std::size_t>(n)], 32));
      }
    }
  });
}

TEST_P(DigitsNetwork, AccumulatorWidthIsReachedAndNotExceeded) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    // Two rows for each column: activations that drive it as far up, and as far down, as can be.
    Matrix worst(2 * layer.weights.cols, layer.weights.rows);
    for (int m = 0; m < worst.rows; ++m)
      for (int k = 0; k < worst.cols; ++k)
        if ((layer.weights.at(k, m / 2) > 0) == (m % 2 == 0))
          worst.at(m, k) = layer.moving_format.max();
    const Matrix accumulators = multiply(worst, layer.weights);
    const auto all_fit = [&](int bits) {
      return std::all_of(accumulators.elements.begin(), accumulators.elements.end(),
                         [bits](std::int64_t value) { return fits(value, bits); });
    };
    const int width = accumulator_width(layer);
    RecordProperty("accumulator_width_of_layer_" + std::to_string(i), width);
    EXPECT_TRUE(all_fit(width));
    EXPECT_FALSE(all_fit(width - 1));
  }
}

TEST_P(DigitsNetwork, EachLayerIsOneGemmAndAWrongOneShows) {
  std::vector<std::array<int, 3>> shapes;
  const std::vector<int> predicted =
      classify(network, dataset().images, [&](const Matrix& a, const Matrix& b) {
        shapes.push_back({a.rows, a.cols, b.cols});
        Matrix unsigned_weights = b;
        for (std::int64_t& weight : unsigned_weights.elements) weight = std::abs(weight);
        return multiply(a, unsigned_weights);
      });
  EXPECT_EQ(shapes, (std::vector<std::array<int, 3>>{{1797, 64, 64}, {1797, 64, 10}}));
  EXPECT_NE(predicted, network.predictions);
}

TEST(DigitsFormats, NetworksRunOnTheArraysTheyAreNamedAfter) {
  const auto expect_formats = [](const char* file, arch::IntFormat weights,
                                 arch::IntFormat activations) {
    for (const Layer& layer : load_network(folder / file).layers) {
      EXPECT_EQ(layer.stationary_format, weights);
      EXPECT_EQ(layer.moving_format, activations);
    }
  };
  expect_formats("network_int8.json", {8, true}, {8, true});
  expect_formats("network_int4.json", {4, true}, {4, false});
}

TEST(Multiply, IsTheMatrixProduct) {
  Matrix a(2, 3);
  a.elements = {1, 2, 3, -4, 5, -6};
  Matrix b(3, 2);
  b.elements = {7, -8, 9, 10, -11, 12};
  Matrix product(2, 2);
  product.elements = {-8, 48, 83, 10};
  EXPECT_EQ(multiply(a, b), product);
}

RC_GTEST_PROP(FinishLayer, IsTheRoundedQuotientSaturated, ()) {
  Layer layer;
  layer.output_format = {*rc::gen::inRange(2, 17), *rc::gen::arbitrary<bool>()};
  layer.shift = *rc::gen::inRange(0, 12);
  layer.relu = *rc::gen::arbitrary<bool>();
  layer.bias = {*rc::gen::inRange(-100'000, 100'000)};
  layer.weights = Matrix(1, 1);
  Matrix accumulator(1, 1);
  accumulator.at(0, 0) = *rc::gen::inRange(-300'000, 300'000);

  // Doubles hold all of this exactly.
  const double sum = static_cast<double>(accumulator.at(0, 0) + layer.bias[0]);
  double expected = std::floor(sum / std::pow(2.0, layer.shift) + 0.5);
  if (layer.relu) expected = std::max(expected, 0.0);
  expected = std::clamp(expected, static_cast<double>(layer.output_format.min()),
                        static_cast<double>(layer.output_format.max()));
  RC_ASSERT(static_cast<double>(finish_layer(layer, accumulator).at(0, 0)) == expected);
}

TEST(Classify, TakesTheLowestClassOnATie) {
  Layer layer;
  layer.output_format = {16, true};
  layer.weights = Matrix(pixels, classes);
  layer.bias = {0, 0, 5, 0, 7, 0, 0, 7, 0, 0};
  Network network;
  network.layers = {layer};
  EXPECT_EQ(classify(network, Matrix(2, pixels)), (std::vector<int>{4, 4}));
}

}  // namespace
}  // namespace weft::digits
