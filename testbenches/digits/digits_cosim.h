// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "arch/numerics/matrix.h"
#include "arch/tensor_array.h"
#include "testbenches/tensor_array/cosim.h"

namespace weft::digits {

/// What became of the handwritten digits.
struct Classification {
  std::string network;  ///< the one whose operands fit the array
  int layers = 0;
  int images = 0;
  int identical = 0;         ///< images whose class is the golden arithmetic's
  int held_out = 0;          ///< images that the network was not trained on
  int held_out_correct = 0;  ///< of these, as they were classified

  [[nodiscard]] double accuracy() const {
    return held_out > 0 ? static_cast<double>(held_out_correct) / held_out : 0;
  }
};

/// Does a matrix product as the array does, or on the array.
using ArrayGemm = std::function<arch::Sums(const arch::Operands& a, const arch::Operands& b)>;

/// Classifies all images, every matrix product of the network done by `gemm`, and compares the
/// classes with those of the array's golden arithmetic. `folder` holds digits.csv and the networks.
/// Throws UserError when no network's operands fit the array's formats.
[[nodiscard]] Classification classify_digits(const arch::TensorArray& array,
                                             const std::filesystem::path& folder,
                                             const ArrayGemm& gemm);

/// What became of them on an array's RTL.
struct DigitsReport : Classification {
  verif::CosimReport cosim;  ///< transactions are tiles, the one test is the classification

  [[nodiscard]] bool passed() const { return cosim.passed(); }
};

/// classify_digits() on the RTL, while each result element and cycle is compared with the model.
/// Throws as that does and as verif::run_cosim does.
[[nodiscard]] DigitsReport run_digits_cosim(const arch::TensorArray& array,
                                            const verif::ArrayRtl& rtl,
                                            const std::filesystem::path& folder,
                                            const verif::CosimOptions& options = {});

/// As to_json(CosimReport), with network, images, classes_identical, held_out_images,
/// held_out_correct and accuracy.
[[nodiscard]] nlohmann::ordered_json to_json(const DigitsReport& report);

}  // namespace weft::digits
