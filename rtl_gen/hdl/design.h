// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "rtl_gen/hdl/module.h"
#include "rtl_gen/hdl/printer.h"

namespace weft::rtl::hdl {

/// One instance below a module, at given parameters. Instances that differ only in generate index
/// are one entry with a count.
struct InstanceTree {
  std::string name;  ///< instance name, with generate blocks: `row.col.u_pe`
  /// The first two of them, with the indices: `row[0].col[0].u_pe`, `row[0].col[1].u_pe`.
  std::vector<std::string> first;
  const Module* module = nullptr;
  ParameterValues parameters;
  std::int64_t count = 1;  ///< times it occurs in its parent
  std::vector<InstanceTree> children;
};

/// `top` and what it instantiates, at its default parameters changed by `values`.
InstanceTree instance_tree(const Module& top, const ParameterValues& values = {});

/// The modules of one generated design, submodules first.
class Design {
 public:
  explicit Design(Provenance provenance = {}) : provenance_(std::move(provenance)) {}

  /// A new, empty module. Fill it, then call its finish().
  Module& add_module(const std::string& name, ModuleDoc doc = {});
  [[nodiscard]] const std::deque<Module>& modules() const { return modules_; }
  [[nodiscard]] const Module* find(const std::string& name) const;

  /// `{module.v -> text}` of every module; all must be finished.
  [[nodiscard]] std::map<std::string, std::string> render(const PrintOptions& options = {}) const;
  /// File names in compilation order: a module behind those it instantiates.
  [[nodiscard]] std::vector<std::string> file_order() const;

 private:
  Provenance provenance_;
  std::deque<Module> modules_;
};

}  // namespace weft::rtl::hdl
