// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_gen/hdl/error.h"
#include "rtl_gen/hdl/expr_printer.h"

namespace weft::rtl::hdl {
namespace {

constexpr std::size_t indent_step = 2;

using Lines = std::vector<std::string>;

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Words of `text` in lines of at most `width` columns; empty lines separate paragraphs.
Lines wrapped(std::string_view text, std::size_t width) {
  Lines lines;
  for (const std::string& source : split_lines(text)) {
    if (source.empty()) {
      lines.emplace_back();
      continue;
    }
    const bool continues = !lines.empty() && !lines.back().empty();
    std::string line = continues ? std::exchange(lines.back(), "") : "";
    if (continues) lines.pop_back();
    std::string_view rest = source;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (word.empty()) continue;
      if (!line.empty() && line.size() + 1 + word.size() > width)
        lines.push_back(std::exchange(line, ""));
      if (!line.empty()) line += ' ';
      line += word;
    }
    lines.push_back(line);
  }
  return lines;
}

/// One line of a table: code in columns, and a comment behind it.
struct Row {
  std::vector<std::string> cells;
  BreakableText tail;  ///< printed behind the cells, broken if it is long
  std::string note;
};

/// What kind of line an item is: neighbours of one kind are aligned, different kinds kept apart.
enum class Kind { none, localparam, declaration, definition, assign, require, block };

class ModulePrinter {
 public:
  ModulePrinter(const Module& module, const Provenance& provenance, const PrintOptions& options)
      : module_(module), provenance_(provenance), options_(options) {}

  std::string print() {
    header();
    port_list();
    scope(module_, indent_step);
    line(0, "");
    line(0, "endmodule");
    return std::move(text_);
  }

 private:
  // ---- lines

  void line(std::size_t indent, const std::string& content) {
    if (!content.empty()) text_ += std::string(indent, ' ') + content;
    text_ += '\n';
  }

  void code(std::size_t indent, const BreakableText& content) {
    Lines lines = broken(content, indent, indent + 2 * indent_step, options_.line_width);
    lines.front().insert(0, std::string(indent, ' '));
    for (const std::string& l : lines) line(0, l);
  }

  void comment(std::size_t indent, std::string_view content) {
    for (const std::string& l : wrapped(content, options_.line_width - indent - 3)) {
      line(indent, l.empty() ? "//" : "// " + l);
    }
  }

  /// Rows with their columns and comments aligned.
  void table(std::size_t indent, const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
      widths.resize(std::max(widths.size(), row.cells.size()));
      for (std::size_t i = 0; i < row.cells.size(); ++i)
        widths[i] = std::max(widths[i], row.cells[i].size());
    }
    std::vector<Lines> code;
    std::size_t note_column = 0;
    for (const Row& row : rows) {
      std::string head(indent, ' ');
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const bool last = i + 1 == row.cells.size() && row.tail.empty();
        head += row.cells[i];
        if (!last) head += std::string(widths[i] - row.cells[i].size() + 1, ' ');
      }
      Lines broken_row =
          broken(row.tail, head.size(), indent + 2 * indent_step, options_.line_width);
      broken_row.front() = head + broken_row.front();
      if (!row.note.empty() && broken_row.size() == 1 &&
          fits(broken_row.front().size(), row.note)) {
        note_column = std::max(note_column, broken_row.front().size() + 1);
      }
      code.push_back(std::move(broken_row));
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
      table_row(indent, code[i], rows[i].note, note_column);
  }

  /// Whether a comment fits behind so much code, if need be in several lines.
  [[nodiscard]] bool fits(std::size_t code, const std::string& note) const {
    constexpr std::size_t narrowest_comment = 30;
    return code + 4 + std::min(note.size(), narrowest_comment) <= options_.line_width;
  }

  void table_row(std::size_t indent, const Lines& code, const std::string& note,
                 std::size_t column) {
    const bool behind = !note.empty() && code.size() == 1 && fits(code.front().size(), note);
    if (!note.empty() && !behind) comment(indent, note);
    if (!behind) {
      for (const std::string& l : code) line(0, l);
      return;
    }
    std::string start = code.front();
    for (const std::string& l : wrapped(note, options_.line_width - column - 3)) {
      line(0, fmt::format("{:<{}}// {}", start, column, l));
      start.clear();
    }
  }

  // ---- header and ports

  void header() {
    line(0, "// SPDX-License-Identifier: Apache-2.0");
    line(0, "//");
    const ModuleDoc& doc = module_.doc();
    comment(0, doc.summary.empty() ? module_.name() : module_.name() + ": " + doc.summary);
    const auto paragraph = [&](const std::string& content) {
      if (content.empty()) return;
      line(0, "//");
      comment(0, content);
    };
    paragraph(doc.description);
    if (!doc.diagram.empty()) {
      line(0, "//");
      for (const std::string& l : split_lines(doc.diagram)) line(0, l.empty() ? "//" : "//   " + l);
    }
    if (!doc.latency.empty()) paragraph("Latency contract: " + doc.latency);
    if (!provenance_.configuration.empty()) {
      paragraph(fmt::format("Generated by weft {} from configuration '{}' (sha256 {}).",
                            provenance_.version, provenance_.configuration, provenance_.digest));
    }
    line(0, "");
  }

  static std::string range(const Object& object) {
    if (!object.type.width) return "";
    const Node& width = object.type.width->node();
    const bool scalar = width.op == Op::integer && width.value == 1;
    std::string text = object.type.is_signed ? "signed" : "";
    if (!scalar) {
      if (!text.empty()) text += ' ';
      text += "[" + compact(*object.type.width - 1) + ":0]";
    }
    return text;
  }

  static std::string joined(std::string a, const std::string& b) {
    if (!b.empty()) a += " " + b;
    return a;
  }

  void port_list() {
    const auto& parameters = module_.parameters();
    if (parameters.empty()) {
      line(0, "module " + module_.name() + " (");
    } else {
      line(0, "module " + module_.name() + " #(");
      std::vector<Row> rows;
      for (const Object* p : parameters) {
        const char* const comma = p == parameters.back() ? "" : ",";
        rows.push_back({{"parameter", p->name, "= " + to_verilog(*p->value) + comma}, "", p->note});
      }
      table(indent_step, rows);
      line(0, ") (");
    }
    ports();
    line(0, ");");
  }

  void ports() {
    // Columns are the same in all groups: align them all, then put the groups' comments between.
    const auto& all = module_.ports();
    std::size_t range_width = 0;
    for (const Object* p : all) range_width = std::max(range_width, range(*p).size());
    std::size_t note_column = 0;
    std::vector<std::string> code;
    for (const Object* p : all) {
      const char* const direction = p->kind == ObjectKind::input ? "input " : "output";
      const std::string type = fmt::format("{} {:<4}", direction, p->is_reg ? "reg" : "wire");
      const std::string column =
          range_width == 0 ? "" : fmt::format("{:<{}} ", range(*p), range_width);
      code.push_back(fmt::format("{}{} {}{}{}", std::string(indent_step, ' '), type, column,
                                 p->name, p == all.back() ? "" : ","));
      if (!p->note.empty()) note_column = std::max(note_column, code.back().size() + 1);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (const std::string* group = module_.group_before(i)) {
        if (i > 0) line(0, "");
        if (!group->empty()) comment(indent_step, *group);
      }
      table_row(indent_step, {code[i]}, all[i]->note, note_column);
    }
  }

  // ---- items

  static Kind kind_of(const Item& item) {
    if (const auto* declaration = std::get_if<DeclarationItem>(&item)) {
      const Object& object = *declaration->object;
      if (object.kind == ObjectKind::localparam) return Kind::localparam;
      return object.value ? Kind::definition : Kind::declaration;
    }
    if (std::holds_alternative<AssignItem>(item)) return Kind::assign;
    if (std::holds_alternative<RequireItem>(item)) return Kind::require;
    if (std::holds_alternative<CommentItem>(item) || std::holds_alternative<BlankItem>(item)) {
      return Kind::none;
    }
    return Kind::block;
  }

  /// Kind of the item at i, or of the first one behind comments.
  static Kind next_kind(const std::vector<Item>& items, std::size_t i) {
    while (i < items.size() && std::holds_alternative<CommentItem>(items[i])) ++i;
    return i < items.size() ? kind_of(items[i]) : Kind::none;
  }

  void scope(const Scope& scope, std::size_t indent) {
    const auto& items = scope.items();
    // Kind of what was printed last; a module's body is set off from its ports.
    Kind last = scope.parent() == nullptr ? Kind::block : Kind::none;
    for (std::size_t i = 0; i < items.size();) {
      const Kind next = next_kind(items, i);
      if (std::holds_alternative<BlankItem>(items[i])) {
        line(0, "");
        last = Kind::none;
        ++i;
        continue;
      }
      if (last != Kind::none && next != Kind::none && (next != last || next == Kind::block))
        line(0, "");
      if (const auto* text = std::get_if<CommentItem>(&items[i])) {
        comment(indent, text->text);
        last = Kind::none;
        ++i;
        continue;
      }
      if (next == Kind::block) {
        block(items[i++], indent);
      } else {
        std::vector<Row> rows;
        while (i < items.size() && kind_of(items[i]) == next)
          rows.push_back(row(items[i++], indent));
        table(indent, rows);
      }
      last = next;
    }
  }

  std::string declared(const Object& object) const {
    std::string text;
    for (const std::string& attribute : object.attributes) text += "(* " + attribute + " *) ";
    const bool registers =
        object.is_reg && object.type.is_array() && object.storage == Storage::registers;
    if (registers && options_.yosys_mem2reg_attribute) text += "(* mem2reg *) ";
    if (object.kind == ObjectKind::localparam) return joined("localparam", range(object));
    return text + joined(object.is_reg ? "reg" : "wire", range(object));
  }

  Row row(const Item& item, std::size_t indent) const {
    if (const auto* assign = std::get_if<AssignItem>(&item)) {
      return {{"assign " + to_verilog(assign->target)},
              "= " + breakable(assign->value) + ";",
              assign->note};
    }
    if (const auto* require = std::get_if<RequireItem>(&item)) {
      const bool outermost = indent == indent_step;
      return {{},
              fmt::format("{}if ({}){}{} illegal_parameter();{}", outermost ? "generate " : "",
                          breakable(require->illegal, 1), break_at(0), require->name,
                          outermost ? " endgenerate" : ""),
              ""};
    }
    const Object& object = *std::get<DeclarationItem>(item).object;
    if (object.value) {
      return {{declared(object), object.name}, "= " + breakable(*object.value) + ";", object.note};
    }
    std::string name = object.name;
    if (object.type.is_array()) name += ' ';
    for (const Expr& dim : object.type.dims) name += "[0:" + compact(dim - 1) + "]";
    return {{declared(object), name + ";"}, "", object.note};
  }

  void block(const Item& item, std::size_t indent) {
    if (const auto* always = std::get_if<AlwaysItem>(&item)) return always_block(*always, indent);
    if (const auto* generate = std::get_if<GenerateItem>(&item))
      return generate_block(*generate, indent);
    if (const auto* instance = std::get_if<InstanceItem>(&item))
      return instantiation(*instance, indent);
    function(*std::get<FunctionItem>(item).function, indent);
  }

  void always_block(const AlwaysItem& item, std::size_t indent) {
    std::string head = item.clock
                           ? fmt::format("always @(posedge {}) begin", to_verilog(*item.clock))
                           : "always @* begin";
    if (!item.name.empty()) head += " : " + item.name;
    const bool pragma = item.in_place && options_.verilator_blocking_pragma;
    if (pragma) line(indent, "// verilator lint_off BLKSEQ");
    line(indent, head);
    integers(item.loop_variables, indent + indent_step);
    body(item.body, indent + indent_step);
    line(indent, "end");
    if (pragma) line(indent, "// verilator lint_on BLKSEQ");
  }

  void integers(const std::vector<const Object*>& variables, std::size_t indent) {
    std::vector<std::string> names;
    for (const Object* variable : variables) names.push_back(variable->name);
    if (!names.empty()) line(indent, fmt::format("integer {};", fmt::join(names, ", ")));
  }

  void genvars(const Scope& scope, std::vector<std::string>& found) {
    if (const Object* genvar = scope.guard().genvar; genvar != nullptr) {
      if (declared_genvars_.insert(genvar).second) found.push_back(genvar->name);
    }
    for (const Item& item : scope.items()) {
      const auto* generate = std::get_if<GenerateItem>(&item);
      if (generate == nullptr) continue;
      for (const auto& inner : generate->scopes) genvars(*inner, found);
    }
  }

  void generate_block(const GenerateItem& item, std::size_t indent) {
    const bool outermost = item.scopes.front()->parent() == &module_;
    if (outermost) {
      std::vector<std::string> names;
      for (const auto& inner : item.scopes) genvars(*inner, names);
      if (!names.empty()) line(indent, fmt::format("genvar {};", fmt::join(names, ", ")));
    }
    std::string head = outermost ? "generate " : "";
    for (const auto& inner : item.scopes) {
      const Guard& guard = inner->guard();
      if (guard.genvar != nullptr) {
        const std::string& v = guard.genvar->name;
        head += fmt::format("for ({0} = {1}; {0} < {2}; {0} = {0} + 1) ", v,
                            to_verilog(*guard.begin), to_verilog(*guard.end));
      } else if (guard.condition) {
        head += fmt::format("if ({}) ", breakable(*guard.condition));
      }
      code(indent, head + "begin : " + inner->block_name());
      scope(*inner, indent + indent_step);
      head = "end else ";
    }
    line(indent, outermost ? "end endgenerate" : "end");
  }

  void connections(const std::vector<Connection>& list, std::size_t indent) {
    std::size_t width = 0;
    for (const Connection& c : list) width = std::max(width, c.name.size());
    for (const Connection& c : list) {
      const std::string head = fmt::format("{}.{:<{}} (", std::string(indent, ' '), c.name, width);
      const char* const end = &c == &list.back() ? ")" : "),";
      Lines code = broken(breakable(c.value) + end, head.size(), head.size(), options_.line_width);
      code.front() = head + code.front();
      for (const std::string& l : code) line(0, l);
    }
  }

  void instantiation(const InstanceItem& item, std::size_t indent) {
    if (item.parameters.empty()) {
      line(indent, fmt::format("{} {} (", item.module->name(), item.name));
    } else {
      line(indent, item.module->name() + " #(");
      connections(item.parameters, indent + indent_step);
      line(indent, fmt::format(") {} (", item.name));
    }
    connections(item.ports, indent + indent_step);
    line(indent, ");");
  }

  void function(const FunctionInfo& info, std::size_t indent) {
    const auto member = [&](const char* keyword, const Object& object) {
      const std::string type = object.type.is_integer() ? "integer" : range(object);
      line(indent + indent_step, joined(joined(keyword, type), object.name) + ";");
    };
    const std::string type = info.result.type.is_integer() ? "integer" : range(info.result);
    line(indent, joined(joined("function automatic", type), info.name) + ";");
    for (const Object& object : info.inputs) member("input", object);
    for (const Object& object : info.variables) {
      if (object.type.is_integer()) {
        line(indent + indent_step, "integer " + object.name + ";");
      } else {
        member("reg", object);
      }
    }
    line(indent + indent_step, "begin");
    body(info.body, indent + 2 * indent_step);
    line(indent + indent_step, "end");
    line(indent, "endfunction");
  }

  // ---- statements

  static bool is_assignment(const StmtNode& node) {
    return node.kind == StmtNode::Kind::blocking || node.kind == StmtNode::Kind::nonblocking;
  }

  static BreakableText assignment(const StmtNode& node) {
    return to_verilog(node.exprs[0]) + (node.kind == StmtNode::Kind::blocking ? " = " : " <= ") +
           breakable(node.exprs[1]) + ";";
  }

  void body(const Body& statements, std::size_t indent) {
    for (std::size_t i = 0; i < statements.size();) {
      if (!is_assignment(statements[i].node())) {
        statement(statements[i++].node(), indent);
        continue;
      }
      std::vector<Row> rows;
      for (; i < statements.size() && is_assignment(statements[i].node()); ++i) {
        rows.push_back({{}, assignment(statements[i].node()), statements[i].node().text});
      }
      table(indent, rows);
    }
  }

  void statement(const StmtNode& node, std::size_t indent) {
    switch (node.kind) {
      case StmtNode::Kind::remark:
        return comment(indent, node.text);
      case StmtNode::Kind::conditional:
        return conditional(node, indent);
      case StmtNode::Kind::selection:
        return selection(node, indent);
      case StmtNode::Kind::loop:
        return loop(node, indent);
      default:
        return;
    }
  }

  /// `head` and a body of one plain assignment on one line, if it fits.
  bool one_liner(const BreakableText& head, const Body& statements, std::size_t indent) {
    if (statements.size() != 1) return false;
    const StmtNode& only = statements.front().node();
    if (!is_assignment(only) || !only.text.empty()) return false;
    const std::string text = flat(head + assignment(only));
    if (indent + text.size() > options_.line_width) return false;
    line(indent, text);
    return true;
  }

  void conditional(const StmtNode& node, std::size_t indent) {
    const auto condition = [](const StmtNode::Branch& branch) {
      return branch.guards.empty() ? BreakableText()
                                   : fmt::format("if ({}) ", breakable(branch.guards[0]));
    };
    if (node.branches.size() == 1 &&
        one_liner(condition(node.branches[0]), node.branches[0].body, indent)) {
      return;
    }
    std::string head;
    for (const auto& branch : node.branches) {
      code(indent, head + condition(branch) + "begin");
      body(branch.body, indent + indent_step);
      head = "end else ";
    }
    line(indent, "end");
  }

  void selection(const StmtNode& node, std::size_t indent) {
    code(indent, fmt::format("case ({})", breakable(node.exprs[0])));
    for (const auto& branch : node.branches) {
      std::vector<std::string> labels;
      for (const Expr& label : branch.guards) labels.push_back(to_verilog(label));
      const std::string head =
          labels.empty() ? std::string("default: ") : fmt::format("{}: ", fmt::join(labels, ", "));
      if (one_liner(head, branch.body, indent + indent_step)) continue;
      line(indent + indent_step, head + "begin");
      body(branch.body, indent + 2 * indent_step);
      line(indent + indent_step, "end");
    }
    line(indent, "endcase");
  }

  void loop(const StmtNode& node, std::size_t indent) {
    const std::string v = to_verilog(node.exprs[0]);
    const std::string head =
        node.descending ? fmt::format("for ({0} = {1}; {0} >= {2}; {0} = {0} - 1) ", v,
                                      to_verilog(node.exprs[2] - 1), to_verilog(node.exprs[1]))
                        : fmt::format("for ({0} = {1}; {0} < {2}; {0} = {0} + 1) ", v,
                                      to_verilog(node.exprs[1]), to_verilog(node.exprs[2]));
    if (one_liner(head, node.branches[0].body, indent)) return;
    line(indent, head + "begin");
    body(node.branches[0].body, indent + indent_step);
    line(indent, "end");
  }

  const Module& module_;
  const Provenance& provenance_;
  const PrintOptions& options_;
  std::string text_;
  std::set<const Object*> declared_genvars_;
};

}  // namespace

std::string to_verilog(const Module& module, const Provenance& provenance,
                       const PrintOptions& options) {
  if (!module.finished()) throw HdlError("module " + module.name() + " is not finished");
  return ModulePrinter(module, provenance, options).print();
}

}  // namespace weft::rtl::hdl
