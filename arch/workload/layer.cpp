// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/layer.h"

#include <fmt/format.h>

#include <initializer_list>

namespace weft::arch {
namespace {

bool product_exceeds(std::initializer_list<std::int64_t> factors, std::int64_t limit) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) {
    if (product > limit / factor) return true;
    product *= factor;
  }
  return false;
}

void check_window(std::vector<std::string>& found, const char* axis, std::int64_t input,
                  std::int64_t kernel, std::int64_t dilation) {
  const std::int64_t window = dilation * (kernel - 1) + 1;
  if (window <= input) return;
  found.push_back(
      fmt::format("the kernel's {} {} is larger than the padded input's {}", axis, window, input));
}

void check_groups(std::vector<std::string>& found, const char* what, std::int64_t number,
                  std::int64_t groups) {
  if (number % groups == 0) return;
  found.push_back(fmt::format("{} {} cannot be divided into {} groups", number, what, groups));
}

std::vector<std::string> shape_problems(const Convolution& conv) {
  std::vector<std::string> found;
  check_window(found, "height", conv.height + conv.pad_top + conv.pad_bottom, conv.kernel_height,
               conv.dilation_height);
  check_window(found, "width", conv.width + conv.pad_left + conv.pad_right, conv.kernel_width,
               conv.dilation_width);
  check_groups(found, "channels", conv.channels, conv.groups);
  check_groups(found, "filters", conv.filters, conv.groups);
  return found;
}

}  // namespace

Gemm Layer::gemm() const {
  if (const auto* gemm = std::get_if<Gemm>(&shape)) return *gemm;
  const auto& conv = std::get<Convolution>(shape);
  return {conv.batch * conv.out_height() * conv.out_width(), conv.filters / conv.groups,
          conv.kernel_height * conv.kernel_width * (conv.channels / conv.groups)};
}

std::int64_t Layer::products() const {
  const auto* conv = std::get_if<Convolution>(&shape);
  return conv == nullptr ? count : count * conv->groups;
}

std::int64_t Layer::macs() const {
  const Gemm one = gemm();
  return products() * one.m * one.n * one.k;
}

std::vector<std::string> Layer::problems() const {
  std::vector<std::string> found;
  bool too_large = false;
  if (const auto* conv = std::get_if<Convolution>(&shape)) {
    found = shape_problems(*conv);
    if (!found.empty()) return found;
    too_large =
        product_exceeds({count, conv->batch, conv->out_height(), conv->out_width(), conv->filters,
                         conv->kernel_height, conv->kernel_width, conv->channels / conv->groups},
                        Workload::max_macs);
  } else {
    const auto& one = std::get<Gemm>(shape);
    too_large = product_exceeds({count, one.m, one.n, one.k}, Workload::max_macs);
  }
  if (too_large) found.emplace_back("more than 2^60 multiply-accumulates");
  return found;
}

std::int64_t Workload::macs() const {
  std::int64_t total = 0;
  for (const Layer& layer : layers) total += layer.macs();
  return total;
}

}  // namespace weft::arch
