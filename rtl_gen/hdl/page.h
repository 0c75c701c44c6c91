// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_gen/hdl/expr_printer.h"

namespace weft::rtl::hdl {

constexpr std::size_t indent_step = 2;

using Lines = std::vector<std::string>;

Lines split_lines(std::string_view text);

/// One line of a table: code in columns, and a comment behind it.
struct Row {
  std::vector<std::string> cells;
  BreakableText tail;  ///< printed behind the cells, broken if it is long
  std::string note;
};

/// Text that grows line by line, no line longer than the page is wide if that can be helped.
class Page {
 public:
  explicit Page(std::size_t width) : width_(width) {}

  void line(std::size_t indent, const std::string& content);
  /// One line of code, continued below if it is too long.
  void code(std::size_t indent, const BreakableText& content);
  void comment(std::size_t indent, std::string_view content);
  /// Rows with their columns and comments aligned.
  void table(std::size_t indent, const std::vector<Row>& rows);
  /// Code, and `note` behind it in `column`, or above it where there is no room.
  void table_row(std::size_t indent, const Lines& code, const std::string& note,
                 std::size_t column);

  std::string take() { return std::move(text_); }

 private:
  [[nodiscard]] bool fits(std::size_t code, const std::string& note) const;

  std::size_t width_;
  std::string text_;
};

}  // namespace weft::rtl::hdl
