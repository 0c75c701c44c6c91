// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arch/config.h"
#include "arch/params/schema.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace weft::cli {
namespace {

/// The kind of that name, or all if it is empty.
std::vector<const arch::Kind*> select(const std::string& name) {
  std::vector<const arch::Kind*> selected;
  std::vector<std::string> names;
  for (const arch::Kind* kind : arch::kinds()) {
    names.push_back(kind->name);
    if (name.empty() || kind->name == name) selected.push_back(kind);
  }
  if (selected.empty()) {
    throw UserError(fmt::format("no kind of design is called '{}'{}", base::printable(name),
                                base::did_you_mean(name, names)));
  }
  return selected;
}

}  // namespace

void add_schema(CLI::App& app, ExitStatus& /*status*/) {
  auto* command = app.add_subcommand("schema", "Print the JSON Schema of configuration files");
  auto kind = std::make_shared<std::string>();
  command->add_option("kind", *kind, "Only this kind of design, for example tensor_array");
  command->callback([kind] { write_json(arch::json_schema(select(*kind)), "-"); });
}

}  // namespace weft::cli
