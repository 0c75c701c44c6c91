// SPDX-License-Identifier: Apache-2.0
// The readers of the data set and of the networks.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "testbenches/digits/digits.h"

namespace weft::digits {

namespace {

constexpr int full_ink = 16;
constexpr arch::IntFormat bias_format{32, true};

std::ifstream open(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw UserError(fmt::format("{}: cannot be read", file.string()));
  return in;
}

/// Takes the integer 0 .. `most` and the comma behind it from the front of `text`.
int take_number(std::string_view& text, int most, const std::string& place) {
  const std::string_view field = text.substr(0, text.find(','));
  text.remove_prefix(std::min(text.size(), field.size() + 1));
  int value = -1;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || value < 0 || value > most)
    throw UserError(fmt::format("{}: '{}' is not a number in 0..{}", place, field, most));
  return value;
}

void require(bool condition, const std::string& complaint) {
  if (!condition) throw UserError(complaint);
}

void require_range(const std::vector<std::int64_t>& values, const arch::IntFormat& format,
                   const std::string& what) {
  for (const std::int64_t value : values)
    require(value >= format.min() && value <= format.max(),
            fmt::format("{}: {} is outside {}..{}", what, value, format.min(), format.max()));
}

arch::IntFormat read_format(const nlohmann::json& json) {
  const arch::IntFormat format{json.at("bits").get<int>(), json.at("signed").get<bool>()};
  require(format.bits >= 2 && format.bits <= 16,
          fmt::format("format: {} bits are outside 2..16", format.bits));
  return format;
}

int read_shift(const nlohmann::json& json) {
  const int shift = json.get<int>();
  require(shift >= 0 && shift <= 31, fmt::format("shift: {} is outside 0..31", shift));
  return shift;
}

Layer read_layer(const nlohmann::json& json) {
  Layer layer;
  layer.moving_format = read_format(json.at("moving_format"));
  layer.stationary_format = read_format(json.at("stationary_format"));
  layer.output_format = read_format(json.at("output_format"));
  layer.shift = read_shift(json.at("shift"));
  layer.relu = json.at("relu").get<bool>();
  layer.bias = json.at("bias").get<std::vector<std::int64_t>>();
  require_range(layer.bias, bias_format, "bias");

  const auto rows = json.at("weights").get<std::vector<std::vector<std::int64_t>>>();
  layer.weights = Matrix(static_cast<int>(rows.size()), static_cast<int>(layer.bias.size()));
  layer.weights.elements.clear();
  for (const auto& row : rows) {
    require(row.size() == layer.bias.size(),
            fmt::format("weights: a row of {} where bias has {}", row.size(), layer.bias.size()));
    require_range(row, layer.stationary_format, "weights");
    layer.weights.elements.insert(layer.weights.elements.end(), row.begin(), row.end());
  }
  return layer;
}

Network read_network(const nlohmann::json& json) {
  Network network;
  network.name = json.at("name").get<std::string>();
  network.training_images = json.at("training_images").get<int>();
  network.input_shift = read_shift(json.at("input_shift"));
  int width = pixels;
  for (const auto& layer : json.at("layers")) {
    network.layers.push_back(read_layer(layer));
    const Layer& last = network.layers.back();
    require(last.weights.rows == width,
            fmt::format("weights: {} rows for {} activations", last.weights.rows, width));
    width = last.weights.cols;
  }
  require(!network.layers.empty(), "layers: there are none");
  require(width == classes, fmt::format("layers: {} outputs for {} classes", width, classes));
  for (std::size_t i = 1; i < network.layers.size(); ++i) {
    const Layer& before = network.layers[i - 1];
    require(before.relu && before.output_format == network.layers[i].moving_format,
            fmt::format("layer {}: needs ReLU and the moving_format of the next layer", i - 1));
  }
  for (const char digit : json.at("predictions").get<std::string>()) {
    require(digit >= '0' && digit <= '9', "predictions: must be digits");
    network.predictions.push_back(digit - '0');
  }
  return network;
}

}  // namespace

Dataset load_dataset(const std::filesystem::path& file) {
  std::ifstream in = open(file);
  Dataset dataset;
  dataset.images.cols = pixels;
  for (std::string line; std::getline(in, line);) {
    const std::string place = fmt::format("{}:{}", file.string(), ++dataset.images.rows);
    std::string_view rest = line;
    for (int i = 0; i < pixels; ++i)
      dataset.images.elements.push_back(take_number(rest, full_ink, place));
    dataset.labels.push_back(take_number(rest, classes - 1, place));
    require(rest.empty(), fmt::format("{}: more than {} numbers", place, pixels + 1));
  }
  require(dataset.images.rows > 0, fmt::format("{}: is empty", file.string()));
  return dataset;
}

Network load_network(const std::filesystem::path& file) {
  std::ifstream in = open(file);
  try {
    return read_network(nlohmann::json::parse(in));
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("{}: {}", file.string(), error.what()));
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace weft::digits
