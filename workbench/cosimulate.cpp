// SPDX-License-Identifier: Apache-2.0
#include "workbench/cosimulate.h"

#include <variant>

#include "base/error.h"
#include "rtl_gen/emit/emission.h"
#include "testbenches/digits/digits_cosim.h"
#include "testbenches/link/link_cosim.h"
#include "testbenches/switch/cosim.h"
#include "testbenches/tensor_array/workload_cosim.h"
#include "workbench/configurations.h"
#include "workbench/rtl.h"

namespace weft::workbench {
namespace {

void refuse_workload(const std::string& workload, const char* kind) {
  if (!workload.empty()) throw UserError(std::string("a ") + kind + " has no workloads");
}

nlohmann::ordered_json run(const arch::TensorArray& array, const verif::Rtl& rtl,
                           const std::string& workload, const verif::CosimOptions& options) {
  if (workload.empty()) return to_json(verif::run_cosim(array, rtl, options));
  if (workload == "digits")
    return to_json(digits::run_digits_cosim(array, rtl, digits_folder(), options));
  return to_json(verif::run_workload_cosim(
      array, rtl, load_workload(workload, [](const std::string&) {}), workload, options));
}

nlohmann::ordered_json run(const arch::Switch& design, const verif::Rtl& rtl,
                           const std::string& workload, const verif::CosimOptions& options) {
  refuse_workload(workload, "switch");
  return to_json(verif::run_switch_cosim(design, rtl, options));
}

nlohmann::ordered_json run(const arch::Link& link, const verif::Rtl& rtl,
                           const std::string& workload, const verif::CosimOptions& options) {
  refuse_workload(workload, "link");
  verif::LinkRtl link_rtl;
  link_rtl.top = rtl.top;
  link_rtl.files = rtl.files;
  verif::LinkCosimOptions link_options;
  link_options.seed = options.seed;
  link_options.transactions = options.transactions;
  link_options.build = options.build;
  return to_json(verif::run_cosim(link, link_rtl, link_options));
}

}  // namespace

nlohmann::ordered_json cosimulate(const arch::Config& config, const std::string& workload,
                                  std::uint64_t transactions, std::uint64_t seed,
                                  const std::filesystem::path& cache) {
  verif::CosimOptions options;
  options.seed = seed;
  options.transactions = transactions;
  options.build.cache = cache;
  const verif::Rtl rtl = rtl_of(rtl::emit(config));
  return std::visit([&](const auto& design) { return run(design, rtl, workload, options); },
                    config.design);
}

}  // namespace weft::workbench
