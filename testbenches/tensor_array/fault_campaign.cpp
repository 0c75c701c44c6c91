// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/fault_campaign.h"

namespace weft::verif {

std::vector<FaultResult> run_fault_campaign(const arch::TensorArray& array, const ArrayRtl& rtl,
                                            const std::vector<Fault>& faults,
                                            const CosimOptions& options) {
  CosimOptions quiet = options;
  quiet.progress = nullptr;
  quiet.build.lint = false;  // it is the comparison that must notice
  return run_fault_campaign(
      rtl, faults,
      [&](const Rtl& faulty) { return run_cosim(array, faulty, quiet).first_mismatch; },
      options.progress);
}

}  // namespace weft::verif
