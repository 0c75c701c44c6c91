// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tensor_array/fault_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace weft::verif {
namespace {

const char* to_string(FaultResult::Outcome outcome) {
  switch (outcome) {
    case FaultResult::Outcome::compared:
      return "mismatch";
    case FaultResult::Outcome::refused:
      return "refused";
    case FaultResult::Outcome::survived:
      break;
  }
  return "survived";
}

FaultResult try_fault(const arch::TensorArray& array, const ArrayRtl& rtl, const Fault& fault,
                      const CosimOptions& options) {
  FaultResult result{fault, FaultResult::Outcome::survived, ""};
  ArrayRtl faulty = rtl;
  faulty.files = plant(fault, rtl.files);
  try {
    const CosimReport report = run_cosim(array, faulty, options);
    if (!report.passed()) {
      result.outcome = FaultResult::Outcome::compared;
      result.detail = report.first_mismatch;
    }
  } catch (const DesignRefused& error) {
    result.outcome = FaultResult::Outcome::refused;
    result.detail = error.what();
  }
  return result;
}

}  // namespace

std::vector<FaultResult> run_fault_campaign(const arch::TensorArray& array, const ArrayRtl& rtl,
                                            const std::vector<Fault>& faults,
                                            const CosimOptions& options) {
  std::vector<FaultResult> results;
  CosimOptions quiet = options;
  quiet.progress = nullptr;
  quiet.build.lint = false;  // it is the comparison that must notice
  for (const Fault& fault : faults) {
    results.push_back(try_fault(array, rtl, fault, quiet));
    if (options.progress) {
      options.progress(fmt::format("fault {} of {}: {}: {}", results.size(), faults.size(),
                                   fault.name, to_string(results.back().outcome)));
    }
  }
  return results;
}

nlohmann::ordered_json to_json(const std::vector<FaultResult>& results) {
  const auto survived = std::count_if(
      results.begin(), results.end(),
      [](const FaultResult& result) { return result.outcome == FaultResult::Outcome::survived; });
  nlohmann::ordered_json json = {{"faults", results.size()},
                                 {"caught", results.size() - static_cast<std::size_t>(survived)},
                                 {"survived", survived},
                                 {"results", nlohmann::ordered_json::array()}};
  for (const FaultResult& result : results) {
    json["results"].push_back({{"name", result.fault.name},
                               {"kind", result.fault.kind},
                               {"outcome", to_string(result.outcome)},
                               {"detail", result.detail}});
  }
  return json;
}

}  // namespace weft::verif
