// SPDX-License-Identifier: Apache-2.0
#include "testbenches/digits/digits_cosim.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

#include "arch/workload/mapping.h"
#include "base/error.h"
#include "testbenches/digits/digits.h"
#include "testbenches/tensor_array/rtl_gemm.h"

namespace weft::digits {
namespace {

/// The network with the widest operands that the array can multiply.
Network fitting_network(const arch::TensorArray& array, const std::filesystem::path& folder) {
  const arch::GemmMapping mapping(array, {});
  const arch::IntFormat activation = mapping.a_format();
  const arch::IntFormat weight = mapping.b_format();
  const auto fits = [&](const Layer& layer) {  // activations are never negative
    return layer.moving_format.max() <= activation.max() &&
           layer.stationary_format.min() >= weight.min() &&
           layer.stationary_format.max() <= weight.max();
  };
  for (const char* file : {"network_int8.json", "network_int4.json"}) {
    Network network = load_network(folder / file);
    if (std::ranges::all_of(network.layers, fits)) return network;
  }
  throw UserError(fmt::format(
      "the digits need weights of int4 or wider and activations of uint4, int5 or wider; {} has {} "
      "weights and {} activations",
      array.name, arch::to_string(weight), arch::to_string(activation)));
}

arch::Operands operands(const Matrix& matrix) {
  arch::Operands result(matrix.rows, matrix.cols);
  for (int r = 0; r < matrix.rows; ++r) {
    for (int c = 0; c < matrix.cols; ++c) {
      result(r, c) = static_cast<std::int32_t>(matrix.at(r, c));
    }
  }
  return result;
}

Matrix matrix(const arch::Sums& sums) {
  Matrix result(static_cast<int>(sums.rows()), static_cast<int>(sums.cols()));
  for (int r = 0; r < result.rows; ++r) {
    for (int c = 0; c < result.cols; ++c) result.at(r, c) = sums(r, c);
  }
  return result;
}

}  // namespace

Classification classify_digits(const arch::TensorArray& array, const std::filesystem::path& folder,
                               const ArrayGemm& gemm) {
  const Network network = fitting_network(array, folder);
  const Dataset data = load_dataset(folder / "digits.csv");
  const auto classes_of = [&](const ArrayGemm& multiply) {
    return classify(network, data.images, [&](const Matrix& a, const Matrix& b) {
      return matrix(multiply(operands(a), operands(b)));
    });
  };
  const std::vector<int> golden = classes_of([&](const arch::Operands& a, const arch::Operands& b) {
    return arch::golden_gemm(array, a, b);
  });
  const std::vector<int> found = classes_of(gemm);
  Classification result;
  result.network = network.name;
  result.layers = static_cast<int>(network.layers.size());
  result.images = data.images.rows;
  for (std::size_t i = 0; i < found.size(); ++i) {
    result.identical += found[i] == golden[i] ? 1 : 0;
    if (i < static_cast<std::size_t>(network.training_images)) continue;
    ++result.held_out;
    result.held_out_correct += found[i] == data.labels[i] ? 1 : 0;
  }
  return result;
}

DigitsReport run_digits_cosim(const arch::TensorArray& array, const verif::ArrayRtl& rtl,
                              const std::filesystem::path& folder,
                              const verif::CosimOptions& options) {
  fitting_network(array, folder);  // before anything is built
  verif::RtlGemm gemm(array, rtl, options);
  const auto start = std::chrono::steady_clock::now();
  DigitsReport report;
  static_cast<Classification&>(report) = classify_digits(
      array, folder,
      [&](const arch::Operands& a, const arch::Operands& b) { return gemm.multiply(a, b); });

  verif::TestReport::Case& test = gemm.report().tests.find("handwritten digits");
  test.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  gemm.report().scenarios = static_cast<std::size_t>(report.layers);
  std::string text = gemm.session().bench().scoreboard().first_mismatch();
  if (text.empty() && report.identical != report.images) {
    text = fmt::format("{} of {} images got another class than the golden arithmetic gives",
                       report.images - report.identical, report.images);
  }
  if (!text.empty()) gemm.session().fail(test, text, "--workload digits");
  report.cosim = gemm.report();
  return report;
}

nlohmann::ordered_json to_json(const DigitsReport& report) {
  nlohmann::ordered_json json = verif::to_json(report.cosim);
  json.erase("coverage");
  json["network"] = report.network;
  json["images"] = report.images;
  json["classes_identical"] = report.identical;
  json["held_out_images"] = report.held_out;
  json["held_out_correct"] = report.held_out_correct;
  json["accuracy"] = report.accuracy();
  return json;
}

}  // namespace weft::digits
