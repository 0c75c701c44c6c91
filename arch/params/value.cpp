// SPDX-License-Identifier: Apache-2.0
#include "arch/params/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::arch {
namespace {

std::string text_of(const IntegerList& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

template <class T>
std::string text_of(const T& scalar) {
  return fmt::format("{}", scalar);
}

}  // namespace

std::string to_text(const Value& value) {
  return std::visit([](const auto& v) { return text_of(v); }, value);
}

}  // namespace weft::arch
