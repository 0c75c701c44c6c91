// SPDX-License-Identifier: Apache-2.0
#include "verif/fault_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "verif/dut_builder.h"

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

FaultResult try_fault(const Rtl& rtl, const Fault& fault,
                      const std::function<std::string(const Rtl&)>& first_mismatch) {
  FaultResult result{fault, FaultResult::Outcome::survived, ""};
  Rtl faulty = rtl;
  faulty.files = plant(fault, rtl.files);
  try {
    result.detail = first_mismatch(faulty);
    if (!result.detail.empty()) result.outcome = FaultResult::Outcome::compared;
  } catch (const DesignRefused& error) {
    result.outcome = FaultResult::Outcome::refused;
    result.detail = error.what();
  }
  return result;
}

}  // namespace

std::vector<FaultResult> run_fault_campaign(
    const Rtl& rtl, const std::vector<Fault>& faults,
    const std::function<std::string(const Rtl&)>& first_mismatch,
    const std::function<void(const std::string&)>& progress) {
  std::vector<FaultResult> results;
  for (const Fault& fault : faults) {
    results.push_back(try_fault(rtl, fault, first_mismatch));
    if (progress) {
      progress(fmt::format("fault {} of {}: {}: {}", results.size(), faults.size(), fault.name,
                           to_string(results.back().outcome)));
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
