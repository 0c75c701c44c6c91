// SPDX-License-Identifier: Apache-2.0
#include "arch/params/domain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "arch/params/verilog_names.h"
#include "base/text.h"

namespace weft::arch {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

std::size_t draw_index(std::size_t size, std::mt19937_64& random) {
  return std::uniform_int_distribution<std::size_t>(0, size - 1)(random);
}

std::string draw_identifier(std::mt19937_64& random) {
  constexpr std::string_view first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view rest =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  std::string name;
  do {
    name.assign(1, first[draw_index(first.size(), random)]);
    const std::size_t length = 1 + draw_index(longest_verilog_name, random);
    while (name.size() < length) name += rest[draw_index(rest.size(), random)];
  } while (!is_verilog_name(name));
  return name;
}

/// In wide ranges every second draw is logarithmic: the corners of designs lie at small sizes.
std::int64_t draw(const IntRange& range, std::mt19937_64& random) {
  constexpr std::int64_t wide = 64;
  const auto span = range.max - range.min;
  if (span < wide || std::bernoulli_distribution()(random)) {
    return std::uniform_int_distribution<std::int64_t>(range.min, range.max)(random);
  }
  const double most = std::log(static_cast<double>(span) + 1);
  const double steps = std::exp(std::uniform_real_distribution<double>(0, most)(random)) - 1;
  return range.min + std::min(span, static_cast<std::int64_t>(steps));
}

std::string bounds_text(const IntList& list) {
  const bool any = list.max == std::numeric_limits<std::uint64_t>::max();
  return fmt::format("{}..{}", list.min, any ? "2^64-1" : std::to_string(list.max));
}

}  // namespace

bool contains(const Domain& domain, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (const auto* range = std::get_if<IntRange>(&domain)) {
      return range->min <= *integer && *integer <= range->max;
    }
    const auto* set = std::get_if<IntSet>(&domain);
    return set != nullptr && std::ranges::count(set->values, *integer) > 0;
  }
  if (const auto* word = std::get_if<std::string>(&value)) {
    if (const auto* choice = std::get_if<Choice>(&domain)) {
      return std::ranges::count(choice->names, *word) > 0;
    }
    return std::holds_alternative<Identifier>(domain) && is_verilog_name(*word);
  }
  if (const auto* list = std::get_if<IntegerList>(&value)) {
    const auto* elements = std::get_if<IntList>(&domain);
    return elements != nullptr && std::ranges::all_of(*list, [&](std::uint64_t element) {
             return elements->min <= element && element <= elements->max;
           });
  }
  const auto* boolean = std::get_if<Boolean>(&domain);
  return boolean != nullptr && std::ranges::count(boolean->values, std::get<bool>(value)) > 0;
}

bool is_integral(const Domain& domain) {
  return std::holds_alternative<IntRange>(domain) || std::holds_alternative<IntSet>(domain);
}

std::string type_text(const Domain& domain) {
  return std::visit(Overloaded{
                        [](const IntRange&) { return "integer"; },
                        [](const IntSet&) { return "integer"; },
                        [](const Choice&) { return "one of"; },
                        [](const Identifier&) { return "identifier"; },
                        [](const Boolean&) { return "boolean"; },
                        [](const IntList&) { return "list of integers"; },
                    },
                    domain);
}

std::string legal_text(const Domain& domain) {
  return std::visit(
      Overloaded{
          [](const IntRange& range) { return fmt::format("{}..{}", range.min, range.max); },
          [](const IntSet& set) { return fmt::format("{}", fmt::join(set.values, " | ")); },
          [](const Choice& choice) {
            return choice.summary.empty() ? fmt::format("{}", fmt::join(choice.names, " | "))
                                          : choice.summary;
          },
          [](const Identifier&) {
            return fmt::format("a Verilog identifier of 1 to {} characters, no keyword",
                               longest_verilog_name);
          },
          [](const Boolean& boolean) {
            return fmt::format("{}", fmt::join(boolean.values, " | "));
          },
          [](const IntList& list) { return "a list of integers, each " + bounds_text(list); },
      },
      domain);
}

std::string objection(const Domain& domain, const std::string& found) {
  return std::visit(
      Overloaded{
          [&](const IntRange&) { return "is outside " + legal_text(domain); },
          [&](const IntSet&) { return "is not one of " + legal_text(domain); },
          [&](const Choice& choice) {
            return "is not one of " + legal_text(domain) + base::did_you_mean(found, choice.names);
          },
          [&](const Identifier&) {
            return (is_verilog_keyword(found) ? "is a keyword of Verilog; legal: " : "is not ") +
                   legal_text(domain);
          },
          [&](const Boolean&) { return "is not " + legal_text(domain); },
          [](const IntList& list) { return "is outside " + bounds_text(list); },
      },
      domain);
}

Value draw(const Domain& domain, std::mt19937_64& random) {
  return std::visit(Overloaded{
                        [&](const IntRange& range) -> Value { return draw(range, random); },
                        [&](const IntSet& set) -> Value {
                          return set.values[draw_index(set.values.size(), random)];
                        },
                        [&](const Choice& choice) -> Value {
                          return choice.names[draw_index(choice.names.size(), random)];
                        },
                        [&](const Identifier&) -> Value { return draw_identifier(random); },
                        [&](const Boolean& boolean) -> Value {
                          return bool{boolean.values[draw_index(boolean.values.size(), random)]};
                        },
                        [](const IntList&) -> Value {
                          throw std::invalid_argument("a list is drawn by its declaration");
                        },
                    },
                    domain);
}

}  // namespace weft::arch
