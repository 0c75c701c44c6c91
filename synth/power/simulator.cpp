// SPDX-License-Identifier: Apache-2.0
#include "synth/power/simulator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"

namespace weft::synth {
namespace {

constexpr std::uint64_t all_lanes = ~std::uint64_t{0};

/// Flags of an operation; they index the table of masks.
enum : std::uint8_t { flip_a = 1, flip_b = 2, flip_result = 4, exclusive = 8 };

/// By flags: what is exclusive-or-ed to both operands and the result, and which of "and" and "xor"
/// counts. Without branches, as every gate is of another kind than the one before.
struct Masks {
  std::uint64_t a, b, result, exclusive;
};

constexpr std::array<Masks, 16> make_masks() {
  std::array<Masks, 16> masks{};
  for (unsigned flags = 0; flags < masks.size(); ++flags) {
    const auto mask = [&](unsigned flag) { return (flags & flag) != 0 ? all_lanes : 0; };
    masks[flags] = {mask(flip_a), mask(flip_b), mask(flip_result), mask(exclusive)};
  }
  return masks;
}

constexpr std::array<Masks, 16> masks_of = make_masks();

constexpr std::size_t shown_nets = 8;  ///< of a loop, in its message

}  // namespace

/// Turns a netlist into operations.
class NetlistSimulator::Compiler {
 public:
  Compiler(NetlistSimulator& simulator, const Netlist& netlist)
      : simulator_(simulator),
        netlist_(netlist),
        slots_(static_cast<std::uint32_t>(netlist.net_names.size())) {}

  void compile(Net clock) {
    allocate_state();
    collect_nodes();
    order_nodes();
    mark_clocked(clock);
    for (const std::uint32_t node : order_) {
      operations_ = &simulator_.low_;
      emit(nodes_[node]);
      if (!clocked_[nodes_[node].net]) continue;
      operations_ = &simulator_.high_;
      emit(nodes_[node]);
    }
    for (Net net = 0; net < clocked_.size(); ++net)
      if (clocked_[net]) simulator_.clocked_nets_.push_back(net);
    add_registers(clock);
    simulator_.values_.assign(slots_ + depth_, 0);
    simulator_.values_[1] = all_lanes;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// An output of a cell.
  struct Node {
    const NetlistCell* cell = nullptr;
    Net net = 0;
    const Expression* function = nullptr;
    std::uint32_t state = none;
  };
  struct Operand {
    std::uint32_t slot = 0;
    bool inverted = false;
  };

  [[noreturn]] static void fail(const NetlistCell& cell, std::string_view what) {
    throw UserError(fmt::format("{} ({}): {}, so no activity can be simulated", cell.name,
                                cell.type->name, what));
  }

  void allocate_state() {
    simulator_.state_begin_ = slots_;
    for (const NetlistCell& cell : netlist_.cells) {
      state_.push_back(cell.type->storage == Storage::none ? none : slots_++);
    }
    simulator_.state_end_ = slots_;
  }

  void collect_nodes() {
    driver_.assign(netlist_.net_names.size(), none);
    for (std::size_t c = 0; c < netlist_.cells.size(); ++c) {
      const NetlistCell& cell = netlist_.cells[c];
      const PowerCell& type = *cell.type;
      if (type.storage == Storage::unknown)
        fail(cell, "the library does not tell in an ff or latch group what it stores");
      for (const auto& asynchronous : {type.clear, type.preset})
        if (asynchronous) require_tied_off(cell, *asynchronous);
      for (std::size_t pin = 0; pin < type.pins.size(); ++pin) {
        if (!type.pins[pin].is_output) continue;
        if (!type.pins[pin].function)
          fail(cell,
               fmt::format("the library does not tell the function of {}", type.pins[pin].name));
        driver_[cell.nets[pin]] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({&cell, cell.nets[pin], &*type.pins[pin].function, state_[c]});
      }
    }
  }

  static void require_tied_off(const NetlistCell& cell, const Expression& asynchronous) {
    std::vector<std::uint64_t> values(cell.type->pins.size() + 1);
    for (const int pin : asynchronous.support()) {
      const auto index = static_cast<std::size_t>(pin);
      if (index >= cell.nets.size() || cell.nets[index] > 1)
        fail(cell, "it is set or reset asynchronously");
      values[index] = cell.nets[index] == 1 ? all_lanes : 0;
    }
    if (asynchronous.evaluate(values) != 0) fail(cell, "its asynchronous set or reset is active");
  }

  /// Calls `use(net)` for all nets that a node follows at once.
  template <typename Use>
  void for_inputs(const Node& node, Use&& use) const {
    const PowerCell& type = *node.cell->type;
    const auto each = [&](const Expression& expression) {
      for (const int pin : expression.support())
        if (pin < type.stored()) use(node.cell->nets[static_cast<std::size_t>(pin)]);
    };
    each(*node.function);
    if (type.storage != Storage::latch) return;
    each(*type.next);
    each(*type.enable);
  }

  void order_nodes() {
    std::vector<std::uint32_t> waiting(nodes_.size(), 0);
    std::vector<std::vector<std::uint32_t>> users(netlist_.net_names.size());
    for (std::uint32_t node = 0; node < nodes_.size(); ++node)
      for_inputs(nodes_[node], [&](Net net) {
        if (driver_[net] == none) return;
        ++waiting[node];
        users[net].push_back(node);
      });
    for (std::uint32_t node = 0; node < nodes_.size(); ++node)
      if (waiting[node] == 0) order_.push_back(node);
    for (std::size_t done = 0; done < order_.size(); ++done)
      for (const std::uint32_t user : users[nodes_[order_[done]].net])
        if (--waiting[user] == 0) order_.push_back(user);
    if (order_.size() < nodes_.size()) report_loop(waiting);
  }

  /// Follows unfinished nodes backwards until one comes again.
  [[noreturn]] void report_loop(const std::vector<std::uint32_t>& waiting) const {
    std::vector<std::uint32_t> path;
    auto node = static_cast<std::uint32_t>(
        std::ranges::find_if(waiting, [](std::uint32_t count) { return count > 0; }) -
        waiting.begin());
    while (std::ranges::find(path, node) == path.end()) {
      path.push_back(node);
      std::uint32_t before = none;
      for_inputs(nodes_[node], [&](Net net) {
        if (driver_[net] != none && waiting[driver_[net]] > 0) before = driver_[net];
      });
      node = before;
    }
    std::vector<std::string> names;
    for (auto step = std::ranges::find(path, node); step != path.end(); ++step)
      names.push_back(netlist_.net_names[nodes_[*step].net]);
    std::ranges::reverse(names);
    const std::size_t length = names.size();
    if (length > shown_nets) names.resize(shown_nets);
    throw UserError(
        fmt::format("a combinational loop of {} nets: {}{}: no activity can be simulated", length,
                    fmt::join(names, " -> "), length > shown_nets ? " -> ..." : ""));
  }

  void mark_clocked(Net clock) {
    clocked_.assign(netlist_.net_names.size(), false);
    clocked_[clock] = true;
    for (const std::uint32_t node : order_)
      for_inputs(nodes_[node], [&](Net net) {
        clocked_[nodes_[node].net] = clocked_[nodes_[node].net] || clocked_[net];
      });
  }

  void emit(const Node& node) {
    const PowerCell& type = *node.cell->type;
    if (type.storage == Storage::latch) {
      // state = enable ? next : state
      const Operand next = value_of(*type.next, node, 0);
      const Operand enable = value_of(*type.enable, node, 1);
      const Operand taken = operate(next, enable, false, temporary(2));
      const Operand kept =
          operate({node.state, false}, {enable.slot, !enable.inverted}, false, temporary(3));
      const Operand neither = operate({taken.slot, true}, {kept.slot, true}, false, temporary(4));
      move({neither.slot, true}, node.state);
    }
    move(value_of(*node.function, node, 0), node.net);
  }

  /// The slot of an intermediate result; they are used again and again.
  std::uint32_t temporary(std::uint32_t depth) {
    depth_ = std::max(depth_, depth + 1);
    return none - 1 - depth;
  }

  Operand operate(Operand a, Operand b, bool differ, std::uint32_t to) {
    Operation operation{a.slot, b.slot, to, 0};
    if (a.inverted) operation.kind |= flip_a;
    if (b.inverted) operation.kind |= flip_b;
    if (differ) operation.kind |= exclusive;
    operations_->push_back(operation);
    return {to, false};
  }

  void move(Operand from, std::uint32_t to) {
    // The last operation can write where its result is wanted.
    if (from.slot > none / 2 && !operations_->empty() && operations_->back().dst == from.slot) {
      operations_->back().dst = to;
      if (from.inverted) operations_->back().kind ^= flip_result;
      return;
    }
    operations_->push_back(
        {from.slot, from.slot, to, static_cast<std::uint8_t>(from.inverted ? flip_result : 0)});
  }

  /// The value of an expression over a cell's pins, in a temporary from number `base` on or where
  /// it already is.
  Operand value_of(const Expression& expression, const Node& node, std::uint32_t base) {
    const int stored = node.cell->type->stored();
    std::vector<Operand> stack;
    const auto binary = [&](bool invert_operands, bool differ) {
      Operand b = stack.back();
      stack.pop_back();
      Operand a = stack.back();
      if (invert_operands) {
        a.inverted = !a.inverted;
        b.inverted = !b.inverted;
      }
      const auto slot = temporary(base + static_cast<std::uint32_t>(stack.size()) - 1);
      stack.back() = operate(a, b, differ, slot);
      stack.back().inverted = invert_operands;  // a or b = not (not a and not b)
    };
    for (const Expression::Step& step : expression.steps()) {
      switch (step.op) {
        case Expression::Op::zero:
          stack.push_back({0, false});
          break;
        case Expression::Op::one:
          stack.push_back({1, false});
          break;
        case Expression::Op::variable:
          if (step.variable < stored)
            stack.push_back({node.cell->nets[static_cast<std::size_t>(step.variable)], false});
          else
            stack.push_back({node.state, false});
          break;
        case Expression::Op::invert:
          stack.back().inverted = !stack.back().inverted;
          break;
        case Expression::Op::both:
          binary(false, false);
          break;
        case Expression::Op::either:
          binary(true, false);
          break;
        case Expression::Op::differ:
          binary(false, true);
          break;
      }
    }
    return stack.back();
  }

  void add_registers(Net clock) {
    for (std::size_t c = 0; c < netlist_.cells.size(); ++c) {
      const NetlistCell& cell = netlist_.cells[c];
      const PowerCell& type = *cell.type;
      if (type.storage != Storage::flip_flop) continue;
      const Node node{&cell, 0, nullptr, state_[c]};
      Register reg{state_[c], slots_++, 0, 0};
      operations_ = &simulator_.low_;
      move(value_of(*type.next, node, 0), reg.next);
      const auto& steps = type.enable->steps();
      const bool plain = steps.size() == 1 && steps[0].op == Expression::Op::variable;
      const Net pin = type.enable->support().empty()
                          ? 0
                          : cell.nets[static_cast<std::size_t>(type.enable->support()[0])];
      if (!clocked_[pin]) fail(cell, "the clock does not reach it");
      if (!plain && pin == clock && type.enable->support().size() == 1)
        fail(cell, "it takes over at the falling edge of the clock");
      if (!plain || pin != clock) {
        reg.low = slots_++;
        reg.high = slots_++;
        move(value_of(*type.enable, node, 0), reg.low);
        operations_ = &simulator_.high_;
        move(value_of(*type.enable, node, 0), reg.high);
      }
      simulator_.registers_.push_back(reg);
    }
    // Temporaries come last, now that it is known where that is.
    for (auto* operations : {&simulator_.low_, &simulator_.high_})
      for (Operation& operation : *operations)
        for (std::uint32_t* slot : {&operation.a, &operation.b, &operation.dst})
          if (*slot > none / 2) *slot = slots_ + (none - 1 - *slot);
  }

  NetlistSimulator& simulator_;
  const Netlist& netlist_;
  std::vector<std::uint32_t> state_;   ///< by cell: where its bit is
  std::vector<std::uint32_t> driver_;  ///< by net: the node that drives it
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
  std::vector<bool> clocked_;  ///< by net: it may change when the clock rises
  std::vector<Operation>* operations_ = nullptr;
  std::uint32_t slots_;
  std::uint32_t depth_ = 0;
};

NetlistSimulator::NetlistSimulator(const Netlist& netlist, std::string_view clock)
    : netlist_(&netlist) {
  const auto port = netlist.find_input(clock);
  if (!port) throw UserError(fmt::format("the netlist has no clock {}", clock));
  clock_ = netlist.inputs[*port].net;
  Compiler(*this, netlist).compile(clock_);
  former_.assign(netlist.net_names.size(), 0);
  clear_activity();
}

std::span<std::uint64_t> NetlistSimulator::state() {
  return {values_.data() + state_begin_, values_.data() + state_end_};
}

void NetlistSimulator::clear_activity() {
  activity_.cycles = 0;
  activity_.toggles.assign(netlist_->net_names.size(), 0);
  activity_.half_cycles.assign(netlist_->net_names.size(), 0);
}

void NetlistSimulator::run(const std::vector<Operation>& operations) {
  std::uint64_t* const values = values_.data();
  for (const Operation& operation : operations) {
    const Masks& masks = masks_of[operation.kind];
    const std::uint64_t a = values[operation.a] ^ masks.a;
    const std::uint64_t b = values[operation.b] ^ masks.b;
    const std::uint64_t both = a & b;
    values[operation.dst] = both ^ ((both ^ a ^ b) & masks.exclusive) ^ masks.result;
  }
}

void NetlistSimulator::settle() {
  values_[clock_] = 0;
  run(low_);
}

void NetlistSimulator::finish_cycle(std::uint64_t lanes) {
  const auto counted = [](std::uint64_t word) {
    return static_cast<std::uint64_t>(std::popcount(word));
  };
  const std::size_t nets = former_.size();
  for (std::size_t net = 0; net < nets; ++net) {
    const std::uint64_t value = values_[net];
    activity_.toggles[net] += counted((value ^ former_[net]) & lanes);
    activity_.half_cycles[net] += 2 * counted(value & lanes);
    former_[net] = value;
  }
  activity_.cycles += counted(lanes);

  values_[clock_] = all_lanes;
  run(high_);
  for (const Net net : clocked_nets_) {
    const std::uint64_t value = values_[net];
    activity_.toggles[net] += counted((value ^ former_[net]) & lanes);
    // What was counted twice above counts once for each half of the cycle.
    activity_.half_cycles[net] += counted(value & lanes) - counted(former_[net] & lanes);
    former_[net] = value;
  }
  for (const Register& reg : registers_) {
    std::uint64_t& state = values_[reg.state];
    const std::uint64_t rises =
        reg.low == reg.high ? all_lanes : values_[reg.high] & ~values_[reg.low];
    state ^= (state ^ values_[reg.next]) & rises;
  }
}

}  // namespace weft::synth
