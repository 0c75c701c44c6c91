// SPDX-License-Identifier: Apache-2.0
#include "synth/liberty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

#include "base/error.h"

namespace weft::synth {
namespace {

/// One statement of a group: `name : value;`, `name (arguments);` or `name (arguments) {`.
struct Statement {
  std::string_view name;
  std::vector<std::string> arguments;  ///< the value of a simple attribute is its only argument
  bool opens_group = false;
};

/// Reads statement by statement. Groups nest: after a statement with opens_group either read
/// the statements of the group until next() gives none, or skip_group().
class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// The next statement of the current group; nothing at its end, which is consumed.
  std::optional<Statement> next() {
    while (skip_space(), peek() == ';') ++pos_;
    if (pos_ == text_.size()) {
      if (depth_ > 0) fail("the file ends inside a group");
      return std::nullopt;
    }
    if (peek() == '}') {
      if (depth_-- == 0) fail("a closing brace too many");
      ++pos_;
      return std::nullopt;
    }
    Statement statement;
    statement.name = word();
    if (statement.name.empty()) fail("expected a name");
    skip_space();
    if (peek() == ':') {
      ++pos_;
      statement.arguments.push_back(simple_value());
    } else if (peek() == '(') {
      ++pos_;
      read_arguments(statement.arguments);
      skip_space();
      if (peek() == '{') {
        ++pos_;
        ++depth_;
        statement.opens_group = true;
      }
    } else {
      fail(fmt::format("expected ':' or '(' after '{}'", statement.name));
    }
    return statement;
  }

  /// Passes over the rest of the current group.
  void skip_group() {
    for (int open = 1; open > 0;) {
      pos_ = text_.find_first_of("{}\"/", pos_);
      if (pos_ == std::string_view::npos) {
        pos_ = text_.size();
        fail("the file ends inside a group");
      }
      const char c = text_[pos_];
      if (c == '"')
        (void)quoted();
      else if (c == '/') {
        const auto before = pos_;
        skip_space();
        if (pos_ == before) ++pos_;
      } else {
        open += c == '{' ? 1 : -1;
        ++pos_;
      }
    }
    --depth_;
  }

  [[nodiscard]] std::size_t position() const { return pos_; }

  [[noreturn]] void fail(const std::string& what) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(pos_), '\n');
    throw UserError(fmt::format("{}:{}: not a Liberty library: {}", file_, line, what));
  }

 private:
  [[nodiscard]] char peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }

  /// Passes over white space, line continuations and comments.
  void skip_space() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
        ++pos_;
      } else if (text_.substr(pos_, 2) == "/*") {
        const auto end = text_.find("*/", pos_ + 2);
        if (end == std::string_view::npos) fail("a comment without an end");
        pos_ = end + 2;
      } else if (text_.substr(pos_, 2) == "//") {
        pos_ = std::min(text_.find('\n', pos_), text_.size());
      } else {
        return;
      }
    }
  }

  std::string_view word() {
    const auto begin = pos_;
    while (pos_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[pos_])) != 0 ||
            std::string_view("_.-+*!&|^'[]<>=$#").find(text_[pos_]) != std::string_view::npos))
      ++pos_;
    return text_.substr(begin, pos_ - begin);
  }

  std::string quoted() {
    const auto begin = ++pos_;
    for (; pos_ < text_.size() && text_[pos_] != '"'; ++pos_)
      if (text_[pos_] == '\\') ++pos_;
    if (pos_ >= text_.size()) {
      pos_ = begin;
      fail("a string without an end");
    }
    return std::string(text_.substr(begin, pos_++ - begin));
  }

  /// The value after a colon: a string, or everything up to the semicolon or the end of the line.
  std::string simple_value() {
    skip_space();
    if (peek() == '"') return quoted();
    const auto end = std::min(text_.find_first_of(";\n}", pos_), text_.size());
    std::string_view value = text_.substr(pos_, end - pos_);
    pos_ = end;
    while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back())) != 0)
      value.remove_suffix(1);
    return std::string(value);
  }

  void read_arguments(std::vector<std::string>& arguments) {
    for (;;) {
      skip_space();
      const char c = peek();
      if (c == ')') {
        ++pos_;
        return;
      }
      if (c == ',') {
        ++pos_;
      } else if (c == '"') {
        arguments.push_back(quoted());
      } else {
        const auto argument = word();
        if (argument.empty()) fail("expected an argument or ')'");
        arguments.emplace_back(argument);
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t pos_ = 0;
  int depth_ = 0;
};

double number(const Reader& reader, std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    reader.fail(fmt::format("'{}' is not a number", text));
  return value;
}

/// Picoseconds of "1ns", "10ps" ...
double time_unit(const Reader& reader, const std::string& text) {
  const auto unit = text.find_first_not_of("0123456789.");
  if (unit == std::string::npos) reader.fail("time_unit has no unit");
  const double count = number(reader, std::string_view(text).substr(0, unit));
  const std::string_view name = std::string_view(text).substr(unit);
  if (name == "ps") return count;
  if (name == "ns") return count * 1e3;
  if (name == "us") return count * 1e6;
  reader.fail(fmt::format("time_unit '{}' is none of ps, ns, us", text));
}

/// Femtofarads of (1, pf) ...
double capacitance_unit(const Reader& reader, const Statement& statement) {
  if (statement.arguments.size() != 2)
    reader.fail("capacitive_load_unit needs a number and a unit");
  const double count = number(reader, statement.arguments[0]);
  std::string unit = statement.arguments[1];
  std::transform(unit.begin(), unit.end(), unit.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (unit == "ff") return count;
  if (unit == "pf") return count * 1e3;
  reader.fail(
      fmt::format("capacitive_load_unit '{}' is neither ff nor pf", statement.arguments[1]));
}

class LibraryReader {
 public:
  LibraryReader(std::string_view text, const std::string& file)
      : text_(text), file_(file), reader_(text, file) {}

  Liberty read() {
    const auto outer = reader_.next();
    if (!outer || outer->name != "library" || !outer->opens_group)
      reader_.fail("it must begin with library (NAME) {");
    if (!outer->arguments.empty()) library_.name = outer->arguments[0];
    while (library_statement()) {
    }
    if (library_.cells.empty()) throw UserError(fmt::format("{}: the library has no cells", file_));
    for (const auto& [id, uses] : used_)
      if (id.second != "scalar" && !library_.templates.contains(id)) library_.undeclared[id] = uses;
    for (auto& [name, cell] : library_.cells)
      for (auto& pin : cell.pins) pin.capacitance_ff *= capacitance_unit_ff_;
    return std::move(library_);
  }

 private:
  bool library_statement() {
    const auto before = reader_.position();
    const auto statement = reader_.next();
    if (!statement) return false;
    const auto& [name, arguments, opens_group] = *statement;
    if (name == "time_unit" && arguments.size() == 1)
      library_.time_unit_ps = time_unit(reader_, arguments[0]);
    else if (name == "capacitive_load_unit")
      capacitance_unit_ff_ = capacitance_unit(reader_, *statement);
    if (!opens_group) return true;
    if (name == "cell" && arguments.size() == 1) {
      if (library_.cells.empty()) library_.first_cell = before;
      read_cell(arguments[0]);
    } else if (name.ends_with("_template") && arguments.size() == 1) {
      const auto begin = reader_.position() - 1;
      reader_.skip_group();
      library_.templates[{std::string(name), arguments[0]}] =
          text_.substr(begin, reader_.position() - begin);
    } else {
      reader_.skip_group();
    }
    return true;
  }

  void read_cell(const std::string& cell_name) {
    LibertyCell cell;
    cell.body = reader_.position();
    while (const auto statement = reader_.next()) {
      const auto& [name, arguments, opens_group] = *statement;
      if (!opens_group) {
        if (name == "area" && arguments.size() == 1) cell.area = number(reader_, arguments[0]);
        if (name == "dont_use" && arguments.size() == 1) cell.dont_use = arguments[0] == "true";
      } else if (name == "pin") {
        read_pin(cell, arguments);
      } else {
        if (name == "ff") ++cell.flip_flops;
        if (name == "latch") ++cell.latches;
        const bool bank = (name == "ff_bank" || name == "latch_bank") && arguments.size() == 3;
        if (bank)
          (name == "ff_bank" ? cell.flip_flops : cell.latches) +=
              static_cast<int>(number(reader_, arguments[2]));
        reader_.skip_group();
      }
    }
    library_.cells[cell_name] = std::move(cell);
  }

  void read_pin(LibertyCell& cell, const std::vector<std::string>& names) {
    LibertyPin pin;
    while (const auto statement = reader_.next()) {
      const auto& [name, arguments, opens_group] = *statement;
      if (opens_group) {
        if (name == "timing")
          read_tables("lu_table_template");
        else if (name == "internal_power")
          read_tables("power_lut_template");
        else
          reader_.skip_group();
      } else if (arguments.size() == 1) {
        if (name == "direction") {
          pin.is_input = arguments[0] == "input";
          pin.is_output = arguments[0] == "output";
        } else if (name == "capacitance") {
          pin.capacitance_ff = number(reader_, arguments[0]);
        } else if (name == "function") {
          pin.function = arguments[0];
        }
      }
    }
    for (const auto& name : names) {
      pin.name = name;
      cell.pins.push_back(pin);
    }
  }

  /// Notes which templates the tables of a timing or internal_power group refer to.
  void read_tables(const char* kind) {
    while (const auto statement = reader_.next()) {
      if (!statement->opens_group) continue;
      if (statement->arguments.size() == 1) ++used_[{kind, statement->arguments[0]}];
      reader_.skip_group();
    }
  }

  std::string_view text_;
  const std::string& file_;
  Reader reader_;
  Liberty library_;
  double capacitance_unit_ff_ = 1000;
  std::map<TemplateId, std::size_t> used_;
};

}  // namespace

Liberty parse_liberty(std::string_view text, const std::string& file) {
  return LibraryReader(text, file).read();
}

}  // namespace weft::synth
