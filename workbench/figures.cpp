// SPDX-License-Identifier: Apache-2.0
#include "workbench/figures.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/text.h"

namespace weft::workbench {

std::unique_ptr<Figurist> make_figurist(std::string_view kind, const Conditions& conditions) {
  std::unique_ptr<Figurist> result;
  std::vector<std::string> names;
  const auto try_kind = [&]<class T>(const T* type) {
    const std::string& name = arch::declaration<T>().kind().name;
    names.push_back(name);
    if (name == kind) result = figurist_of(type, conditions);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (try_kind(static_cast<const std::variant_alternative_t<I, arch::Design>*>(nullptr)), ...);
  }
  (std::make_index_sequence<std::variant_size_v<arch::Design>>());
  if (result == nullptr) {
    throw UserError(fmt::format("there is no kind '{}'{}", base::printable(kind),
                                base::did_you_mean(kind, names)));
  }
  return result;
}

verif::BuildOptions build_options(const Conditions& conditions) {
  // A C++ compiler that optimises takes longer than so few transactions do.
  constexpr std::uint64_t few = 1000;
  verif::BuildOptions options;
  options.cache = conditions.cache;
  options.quick = conditions.transactions <= few;
  return options;
}

}  // namespace weft::workbench
