// SPDX-License-Identifier: Apache-2.0
#include "verif/dut_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace weft::verif {

DutLibrary::DutLibrary(const std::filesystem::path& path)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr)
    throw ToolError(fmt::format("cannot load the built design: {}", dlerror()));
  using Entry = const WeftDutEntryPoints* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle_, "weft_dut_entry"));
  if (entry != nullptr) entry_ = entry();
  if (entry_ == nullptr || entry_->abi != weft_dut_abi) {
    dlclose(handle_);
    throw ToolError(fmt::format("{} is not a design built by this version", path.string()));
  }
}

DutLibrary::~DutLibrary() { dlclose(handle_); }

DutInstance::DutInstance(std::shared_ptr<const DutLibrary> library, bool fits, std::int32_t seed)
    : library_(std::move(library)) {
  if (!fits) throw std::logic_error("the description is not that of the built design");
  dut_ = entry().common->create(seed);
  if (dut_ == nullptr) throw ToolError("the simulation of the design cannot start: out of memory");
}

DutInstance::~DutInstance() {
  if (dut_ != nullptr) entry().common->destroy(dut_);
}

void DutInstance::fail() const {
  throw ToolError(fmt::format("the simulation stopped: {}", entry().common->error(dut_)));
}

void DutInstance::hold_reset(std::uint64_t cycles, bool noise) {
  if (entry().common->reset(dut_, cycles, noise ? 1 : 0) != 0) fail();
}

void DutInstance::trace(const std::filesystem::path& path) {
  // The FST writer removes what is there before it makes its file: for root even a device.
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw UserError(
        fmt::format("cannot write a waveform to '{}': it is not a file", path.string()));
  }
  if (entry().common->trace(dut_, path.c_str()) != 0) {
    throw UserError(fmt::format("{}: {}", path.string(), entry().common->error(dut_)));
  }
}

}  // namespace weft::verif
