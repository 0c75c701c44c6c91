// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "arch/tensor_array.h"
#include "testbenches/tensor_array/cosim.h"

namespace weft::digits {

/// What became of the handwritten digits on an array's RTL.
struct DigitsReport {
  verif::CosimReport cosim;  ///< transactions are tiles, the one test is the classification
  std::string network;       ///< the one whose operands fit the array
  int images = 0;
  int identical = 0;         ///< images whose class is the golden arithmetic's
  int held_out = 0;          ///< images that the network was not trained on
  int held_out_correct = 0;  ///< of these, as the RTL classified them

  [[nodiscard]] bool passed() const { return cosim.passed(); }
  [[nodiscard]] double accuracy() const {
    return held_out > 0 ? static_cast<double>(held_out_correct) / held_out : 0;
  }
};

/// Classifies all images, every matrix product of the network done by the RTL, while each result
/// element and cycle is compared with the model; the classes are compared with those of the golden
/// arithmetic. `folder` holds digits.csv and the networks. Throws UserError when no network's
/// operands fit the array's formats, and otherwise as verif::run_cosim does.
[[nodiscard]] DigitsReport run_digits_cosim(const arch::TensorArray& array,
                                            const verif::ArrayRtl& rtl,
                                            const std::filesystem::path& folder,
                                            const verif::CosimOptions& options = {});

/// As to_json(CosimReport), with network, images, classes_identical, held_out_images,
/// held_out_correct and accuracy.
[[nodiscard]] nlohmann::ordered_json to_json(const DigitsReport& report);

}  // namespace weft::digits
