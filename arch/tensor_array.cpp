// SPDX-License-Identifier: Apache-2.0
#include "arch/tensor_array.h"

#include <fmt/format.h>

#include "arch/numerics/integer.h"

namespace weft::arch {
namespace {

constexpr int narrowest_format = 2;
constexpr int widest_format = 16;

const Enumeration<Dataflow>& dataflow_words() {
  static const Enumeration<Dataflow> words{{
      {"weight_stationary", Dataflow::weight_stationary},
      {"output_stationary", Dataflow::output_stationary},
      {"input_stationary", Dataflow::input_stationary},
  }};
  return words;
}

const Enumeration<Overflow>& overflow_words() {
  static const Enumeration<Overflow> words{
      {{"wrap", Overflow::wrap}, {"saturate", Overflow::saturate}}};
  return words;
}

const Enumeration<Skew>& skew_words() {
  static const Enumeration<Skew> words{
      {{"internal", Skew::internal}, {"external", Skew::external}}};
  return words;
}

const Enumeration<ClockGating>& gating_words() {
  static const Enumeration<ClockGating> words{
      {{"none", ClockGating::none}, {"per_row", ClockGating::per_row}}};
  return words;
}

const Enumeration<IntFormat>& format_words() {
  static const auto words = [] {
    Enumeration<IntFormat> result;
    for (const bool is_signed : {true, false}) {
      for (int bits = narrowest_format; bits <= widest_format; ++bits) {
        const IntFormat format{bits, is_signed};
        result.words.emplace_back(to_string(format), format);
      }
    }
    result.summary =
        fmt::format("int{0}..int{1} | uint{0}..uint{1}", narrowest_format, widest_format);
    return result;
  }();
  return words;
}

int default_max_depth(const TensorArray& array) {
  constexpr int output_stationary_depth = 4096;
  return array.output_stationary() ? output_stationary_depth : array.depth();
}

Rule loads_only_what_is_stationary() {
  return {"An output_stationary array loads nothing, so its load_rows_per_cycle is 1.",
          {{{{"dataflow", Choice{{to_string(Dataflow::output_stationary)}, {}}}},
            {"load_rows_per_cycle", IntSet{{1}}},
            "is not possible with output_stationary, which loads nothing; leave it out"}}};
}

/// For every pair of widths: a product of an a-bit and a b-bit integer can need a + b bits.
Rule accumulator_holds_a_product() {
  Rule rule{
      "accumulator_width is at least the bits of stationary_format plus the bits of moving_format: "
      "it holds one product.",
      {}};
  const auto of_width = [](const char* parameter, int bits) {
    return Condition{
        parameter,
        Choice{{to_string(IntFormat{bits, true}), to_string(IntFormat{bits, false})}, {}}};
  };
  constexpr std::int64_t widest_accumulator = 64;
  for (int a = narrowest_format; a <= widest_format; ++a) {
    for (int b = narrowest_format; b <= widest_format; ++b) {
      rule.clauses.push_back(
          {{of_width("stationary_format", a), of_width("moving_format", b)},
           {"accumulator_width", IntRange{a + b, widest_accumulator}},
           fmt::format("does not hold one product of {}-bit and {}-bit operands; give at least {}",
                       a, b, a + b)});
    }
  }
  return rule;
}

}  // namespace

std::string to_string(Dataflow dataflow) { return dataflow_words().word(dataflow); }
std::string to_string(Overflow overflow) { return overflow_words().word(overflow); }
std::string to_string(Skew skew) { return skew_words().word(skew); }
std::string to_string(ClockGating gating) { return gating_words().word(gating); }
std::string to_string(const IntFormat& format) {
  return fmt::format("{}int{}", format.is_signed ? "" : "u", format.bits);
}

template <>
const Declaration<TensorArray>& declaration() {
  using T = TensorArray;
  static const auto declared = [] {
    Declaration<T> d("tensor_array",
                     "A systolic grid of processing elements that multiplies integer matrices.");
    d.add(&T::name, Identifier{},
          {"name", "", "Name of the top module; the other modules' names begin with it.", true});
    d.add(&T::rows, IntRange{1, 256},
          {"rows", "PEs", "Rows of the grid: with macs_per_pe, the reduction depth of one pass."});
    d.add(&T::cols, IntRange{1, 256},
          {"cols", "PEs", "Columns of the grid: the elements of one result vector."});
    d.add(&T::dataflow, dataflow_words(),
          {"dataflow", "", "The matrix that stays in the PEs while the others stream through."});
    d.add(&T::stationary_format, format_words(),
          {"stationary_format", "", "Number format of the stationary operand."});
    d.add(&T::moving_format, format_words(),
          {"moving_format", "", "Number format of the moving operand."});
    d.add(
        &T::macs_per_pe, IntSet{{1, 2, 4}},
        {"macs_per_pe", "MACs per cycle", "Length of the dot product that each PE does a cycle."});
    d.add(
        &T::max_depth, IntRange{1, 1 << 20},
        {"max_depth", "products", "Longest sum that an automatic accumulator_width holds exactly."},
        {default_max_depth, "rows * macs_per_pe, and 4096 for output_stationary"});
    d.add(&T::accumulator_width, IntRange{2, 64},
          {"accumulator_width", "bits", "Width of a partial sum and of a result element."},
          {[](const TensorArray& array) { return exact_accumulator_width(array); },
           "the least width at which no sum of max_depth products can overflow"});
    d.add(
        &T::overflow, overflow_words(),
        {"overflow", "", "What an addition does with a sum that accumulator_width does not hold."});
    d.add(&T::multiplier_stages, IntRange{0, 3},
          {"multiplier_stages", "registers", "Pipeline registers in or behind each multiplier."});
    d.add(&T::adder_stages, IntRange{0, 3},
          {"adder_stages", "registers", "Pipeline registers behind each PE's adder of products."});
    d.add(&T::pe_registers, IntRange{1, 256},
          {"pe_registers", "PEs",
           "A forward register stands after every so many PEs, in rows and columns."});
    d.add(&T::stationary_buffers, IntSet{{1, 2}},
          {"stationary_buffers", "buffers",
           "2: the next tile loads (output_stationary: the last drains) while one is in use."});
    d.add(&T::load_rows_per_cycle, IntSet{{1, 2, 4}},
          {"load_rows_per_cycle", "rows per cycle",
           "Rows of a stationary tile that load in a cycle."});
    d.add(&T::skew, skew_words(),
          {"skew", "", "internal: ports carry aligned vectors; external: the raw systolic edges."});
    d.add(&T::tag_width, IntRange{1, 64},
          {"tag_width", "bits", "Width of the tag that travels with each vector to its result."});
    d.add(&T::operand_isolation,
          {"operand_isolation", "",
           "Moving elements that are zero travel as one bit and leave the multiplier as it is."});
    d.add(
        &T::clock_gating, gating_words(),
        {"clock_gating", "",
         "per_row: each row of PEs has clocks of its own, which run while something moves in it."});
    d.add(loads_only_what_is_stationary());
    d.add(accumulator_holds_a_product());
    return d;
  }();
  return declared;
}

TensorArray resolved(TensorArray array) {
  if (array.max_depth == 0) array.max_depth = default_max_depth(array);
  if (array.accumulator_width == 0) array.accumulator_width = exact_accumulator_width(array);
  return array;
}

int exact_accumulator_width(const TensorArray& array) {
  return exact_accumulator_width(array.moving_format, array.stationary_format, array.max_depth);
}

TensorArray random_tensor_array(std::mt19937_64& random, const Narrowed& narrowed) {
  const auto& declared = declaration<TensorArray>();
  return declared.build(random_values(declared.kind(), random, narrowed));
}

}  // namespace weft::arch
