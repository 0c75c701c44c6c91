// SPDX-License-Identifier: Apache-2.0
#include "synth/power/netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "synth/tool_reports.h"

namespace weft::synth {
namespace {

using Bits = std::vector<Net>;  ///< the lowest first

/// A declared name and its bits, of a module by itself: nets count from 2.
struct Wire {
  Net first = 0;
  int lsb = 0;
  int width = 1;
  bool downto = true;  ///< [msb:lsb] with msb >= lsb
  bool vector = false;
};

struct Instance {
  std::string type;
  std::string name;
  std::vector<std::pair<std::string, Bits>> connections;
};

struct Module {
  std::map<std::string, Wire, std::less<>> wires;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Instance> instances;
  std::vector<std::pair<Net, Net>> assigns;
  Net nets = 2;
  std::vector<std::string> names{"0", "1"};
};

std::string bit_name(const std::string& name, const Wire& wire, int index) {
  if (!wire.vector) return name;
  const int number = wire.downto ? wire.lsb + index : wire.lsb - index;
  return fmt::format("{}[{}]", name, number);
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::map<std::string, Module> parse() {
    std::map<std::string, Module> modules;
    while (peek() != '\0') {
      expect_word("module");
      const std::string name = identifier();
      skip_until(';');
      modules[name] = module();
    }
    return modules;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(pos_), '\n');
    throw ToolError(fmt::format("{}:{}: not a netlist as yosys writes it: {}", file_, line, what));
  }

  /// The next character that is neither space nor comment.
  char peek() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++pos_;
      } else if (c == '/' && text_.substr(pos_, 2) == "/*") {
        pos_ = std::min(text_.find("*/", pos_), text_.size() - 2) + 2;
      } else if (c == '/' && text_.substr(pos_, 2) == "//") {
        pos_ = std::min(text_.find('\n', pos_), text_.size());
      } else {
        return c;
      }
    }
    return '\0';
  }

  bool accept(char c) {
    if (peek() != c) return false;
    ++pos_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}'", c));
  }

  /// A name, without the backslash if it is an escaped one.
  std::string identifier() {
    const char first = peek();
    const auto begin = pos_;
    if (first == '\\') {
      pos_ = std::min(text_.find_first_of(" \t\n", pos_), text_.size());
      return std::string(text_.substr(begin + 1, pos_ - begin - 1));
    }
    while (pos_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[pos_])) != 0 ||
                                   text_[pos_] == '_' || text_[pos_] == '$'))
      ++pos_;
    if (pos_ == begin) fail("expected a name");
    return std::string(text_.substr(begin, pos_ - begin));
  }

  void expect_word(std::string_view word) {
    if (identifier() != word) fail(fmt::format("expected '{}'", word));
  }

  void skip_until(char c) {
    const auto at = text_.find(c, pos_);
    if (at == std::string_view::npos) fail(fmt::format("expected '{}'", c));
    pos_ = at + 1;
  }

  int number() {
    peek();
    int value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + pos_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("expected a number");
    pos_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  Module module() {
    Module module;
    for (;;) {
      const bool escaped = peek() == '\\';
      std::string word = identifier();
      if (!escaped && word == "endmodule") return module;
      if (!escaped && (word == "wire" || word == "input" || word == "output")) {
        declare(module, word);
      } else if (!escaped && word == "assign") {
        const Bits to = expression(module);
        expect('=');
        const Bits from = expression(module);
        if (to.size() != from.size()) fail("an assignment of different widths");
        for (std::size_t i = 0; i < to.size(); ++i) module.assigns.emplace_back(to[i], from[i]);
        expect(';');
      } else {
        instance(module, std::move(word));
      }
    }
  }

  void declare(Module& module, const std::string& kind) {
    Wire wire;
    if (accept('[')) {
      const int left = number();
      expect(':');
      wire.lsb = number();
      expect(']');
      wire.vector = true;
      wire.downto = left >= wire.lsb;
      wire.width = std::abs(left - wire.lsb) + 1;
    }
    const std::string name = identifier();
    expect(';');
    if (kind == "input") module.inputs.push_back(name);
    if (kind == "output") module.outputs.push_back(name);
    if (module.wires.contains(name)) return;  // a port is declared as a wire, too
    wire.first = module.nets;
    module.nets += static_cast<Net>(wire.width);
    for (int i = 0; i < wire.width; ++i) module.names.push_back(bit_name(name, wire, i));
    module.wires[name] = wire;
  }

  void instance(Module& module, std::string type) {
    Instance instance;
    instance.type = std::move(type);
    instance.name = identifier();
    expect('(');
    while (!accept(')')) {
      expect('.');
      std::string pin = identifier();
      expect('(');
      Bits bits;
      if (peek() != ')') bits = expression(module);
      expect(')');
      instance.connections.emplace_back(std::move(pin), std::move(bits));
      accept(',');
    }
    expect(';');
    module.instances.push_back(std::move(instance));
  }

  Bits expression(const Module& module) {
    const char first = peek();
    if (first == '{') return concatenation(module);
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) return constant();
    return reference(module);
  }

  Bits concatenation(const Module& module) {
    expect('{');
    std::vector<Bits> parts;
    do {
      parts.push_back(expression(module));
    } while (accept(','));
    expect('}');
    std::ranges::reverse(parts);  // the highest bits are written first
    Bits bits;
    for (const Bits& part : parts) bits.insert(bits.end(), part.begin(), part.end());
    return bits;
  }

  /// 4'b01x1
  Bits constant() {
    const int width = number();
    expect('\'');
    if (pos_ >= text_.size() || text_[pos_] != 'b') fail("a constant that is not binary");
    ++pos_;
    Bits bits;
    for (; pos_ < text_.size() && std::string_view("01xz").find(text_[pos_]) != text_.npos; ++pos_)
      bits.push_back(text_[pos_] == '1' ? 1 : 0);
    std::ranges::reverse(bits);
    if (bits.empty()) fail("a constant without digits");
    bits.resize(static_cast<std::size_t>(width), 0);
    return bits;
  }

  Bits reference(const Module& module) {
    const std::string name = identifier();
    const auto found = module.wires.find(name);
    if (found == module.wires.end()) fail(fmt::format("{} is not declared", name));
    const Wire& wire = found->second;
    int low = 0;
    int high = wire.width - 1;
    if (accept('[')) {
      high = low = offset(wire, number());
      if (accept(':')) low = offset(wire, number());
      expect(']');
    }
    if (low > high || low < 0 || high >= wire.width)
      fail(fmt::format("bits that {} does not have", name));
    Bits bits(static_cast<std::size_t>(high - low) + 1);
    std::iota(bits.begin(), bits.end(), wire.first + static_cast<Net>(low));
    return bits;
  }

  static int offset(const Wire& wire, int index) {
    return wire.downto ? index - wire.lsb : wire.lsb - index;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t pos_ = 0;
};

/// Puts modules into each other.
class Flattener {
 public:
  Flattener(const std::map<std::string, Module>& modules, const std::string& file,
            const PowerLibrary& library)
      : modules_(modules), file_(file), library_(library), parent_{0, 1}, names_{"0", "1"} {}

  Netlist flatten(const std::string& top) {
    const auto module = modules_.find(top);
    if (module == modules_.end())
      throw ToolError(fmt::format("{}: the netlist has no module {}", file_, top));
    const Net base = place(top, module->second, "");
    add_ports(module->second, base, module->second.inputs, netlist_.inputs);
    add_ports(module->second, base, module->second.outputs, netlist_.outputs);
    number_nets();
    return std::move(netlist_);
  }

 private:
  Net root(Net net) {
    while (parent_[net] != net) net = parent_[net] = parent_[parent_[net]];
    return net;
  }
  void join(Net a, Net b) {
    a = root(a);
    b = root(b);
    // The lower number stays: constants do, and the nets of outer modules with their shorter names.
    parent_[std::max(a, b)] = std::min(a, b);
  }

  static Net global(Net base, Net local) { return local < 2 ? local : base + local - 2; }

  /// Adds a module's nets and cells; returns the number of its first net.
  Net place(const std::string& name, const Module& module, const std::string& prefix) {
    const auto base = static_cast<Net>(parent_.size());
    for (Net net = 2; net < module.nets; ++net) {
      parent_.push_back(static_cast<Net>(parent_.size()));
      names_.push_back(prefix + module.names[net]);
    }
    for (const auto& [to, from] : module.assigns) join(global(base, to), global(base, from));
    const std::uint32_t number = module_number(base_module_name(name));
    for (const Instance& instance : module.instances) {
      if (const auto cell = library_.cells.find(instance.type); cell != library_.cells.end())
        add_cell(cell->second, instance, base, prefix, number);
      else
        add_module(instance, base, prefix);
    }
    return base;
  }

  std::uint32_t module_number(const std::string& name) {
    const auto found = std::ranges::find(netlist_.modules, name);
    if (found == netlist_.modules.end()) {
      netlist_.modules.push_back(name);
      return static_cast<std::uint32_t>(netlist_.modules.size()) - 1;
    }
    return static_cast<std::uint32_t>(found - netlist_.modules.begin());
  }

  void add_cell(const PowerCell& type, const Instance& instance, Net base,
                const std::string& prefix, std::uint32_t module) {
    NetlistCell cell;
    cell.type = &type;
    cell.name = prefix + instance.name;
    cell.module = module;
    cell.nets.assign(type.pins.size(), 0);
    for (const auto& [pin, bits] : instance.connections) {
      const auto index = type.find(pin);
      if (!index || bits.size() > 1)
        throw ToolError(fmt::format("{}: {} {}: no pin {} of {} bits", file_, type.name, cell.name,
                                    pin, bits.size()));
      if (!bits.empty()) cell.nets[static_cast<std::size_t>(*index)] = global(base, bits[0]);
    }
    // An output that is not connected drives a net of its own.
    for (std::size_t pin = 0; pin < type.pins.size(); ++pin)
      if (type.pins[pin].is_output && cell.nets[pin] < 2) {
        cell.nets[pin] = static_cast<Net>(parent_.size());
        parent_.push_back(cell.nets[pin]);
        names_.push_back(fmt::format("{}/{}", cell.name, type.pins[pin].name));
      }
    netlist_.cells.push_back(std::move(cell));
  }

  void add_module(const Instance& instance, Net base, const std::string& prefix) {
    const auto module = modules_.find(instance.type);
    if (module == modules_.end())
      throw ToolError(fmt::format("{}: {} is neither a module nor a cell of the library {}", file_,
                                  instance.type, library_.name));
    const Net inner =
        place(instance.type, module->second, fmt::format("{}{}.", prefix, instance.name));
    for (const auto& [port, bits] : instance.connections) {
      const auto wire = module->second.wires.find(port);
      if (wire == module->second.wires.end())
        throw ToolError(fmt::format("{}: {} has no port {}", file_, instance.type, port));
      for (std::size_t i = 0; i < bits.size(); ++i)
        join(global(base, bits[i]), global(inner, wire->second.first + static_cast<Net>(i)));
    }
  }

  static void add_ports(const Module& module, Net base, const std::vector<std::string>& names,
                        std::vector<NetlistPort>& ports) {
    for (const std::string& name : names) {
      const Wire& wire = module.wires.find(name)->second;
      for (int i = 0; i < wire.width; ++i)
        ports.push_back({bit_name(name, wire, i), global(base, wire.first + static_cast<Net>(i))});
    }
  }

  /// Gives the nets that are left consecutive numbers.
  void number_nets() {
    std::vector<Net> number(parent_.size());
    for (Net net = 0; net < parent_.size(); ++net) {
      if (root(net) != net) continue;
      number[net] = static_cast<Net>(netlist_.net_names.size());
      netlist_.net_names.push_back(std::move(names_[net]));
    }
    const auto renumber = [&](Net& net) { net = number[root(net)]; };
    for (NetlistCell& cell : netlist_.cells) std::ranges::for_each(cell.nets, renumber);
    for (NetlistPort& port : netlist_.inputs) renumber(port.net);
    for (NetlistPort& port : netlist_.outputs) renumber(port.net);
  }

  const std::map<std::string, Module>& modules_;
  const std::string& file_;
  const PowerLibrary& library_;
  Netlist netlist_;
  std::vector<Net> parent_;
  std::vector<std::string> names_;
};

std::optional<std::size_t> find_port(const std::vector<NetlistPort>& ports, std::string_view name) {
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (ports[i].name == name) return i;
  constexpr std::string_view first = "[0]";
  if (name.ends_with(first)) return find_port(ports, name.substr(0, name.size() - first.size()));
  if (name.ends_with(']')) return std::nullopt;
  const std::string bit = std::string(name) + "[0]";
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (ports[i].name == bit) return i;
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> Netlist::find_input(std::string_view name) const {
  return find_port(inputs, name);
}

std::optional<std::size_t> Netlist::find_output(std::string_view name) const {
  return find_port(outputs, name);
}

Netlist read_netlist(std::string_view text, const std::string& file, const std::string& top,
                     const PowerLibrary& library) {
  const auto modules = Parser(text, file).parse();
  return Flattener(modules, file, library).flatten(top);
}

}  // namespace weft::synth
