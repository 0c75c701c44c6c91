// SPDX-License-Identifier: Apache-2.0
#include "systemc_models/switch/allocator.h"

#include <stdexcept>

#include "systemc_models/switch/input_first_allocator.h"
#include "systemc_models/switch/islip_allocator.h"
#include "systemc_models/switch/matrix_allocator.h"
#include "systemc_models/switch/output_arbiters.h"
#include "systemc_models/switch/wavefront_allocator.h"

namespace weft::models {

template <class Mask>
std::unique_ptr<Allocator<Mask>> make_allocator(const arch::Switch& design) {
  using arch::Allocator;
  const bool any_number_an_input = design.organisation == arch::Organisation::output_queued ||
                                   design.organisation == arch::Organisation::central_buffer;
  if (any_number_an_input) {
    if (design.allocator == Allocator::matrix) {
      return std::make_unique<MatrixOutputs<Mask>>(design.ports);
    }
    return std::make_unique<RoundRobinOutputs<Mask>>(design.ports);
  }
  switch (design.allocator) {
    case Allocator::round_robin:
      if (design.separable == arch::Separable::input_first) {
        return std::make_unique<InputFirstAllocator<Mask>>(design.ports);
      }
      return std::make_unique<IslipAllocator<Mask>>(design.ports, 1);
    case Allocator::islip:
      return std::make_unique<IslipAllocator<Mask>>(design.ports, design.islip_iterations);
    case Allocator::wavefront:
      return std::make_unique<WavefrontAllocator<Mask>>(design.ports);
    case Allocator::matrix:
      return std::make_unique<MatrixAllocator<Mask>>(design.ports);
  }
  throw std::logic_error("an allocator without a model");
}

template std::unique_ptr<Allocator<Mask64>> make_allocator<Mask64>(const arch::Switch&);
template std::unique_ptr<Allocator<Mask128>> make_allocator<Mask128>(const arch::Switch&);

}  // namespace weft::models
