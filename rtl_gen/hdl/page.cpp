// SPDX-License-Identifier: Apache-2.0
#include "rtl_gen/hdl/page.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::rtl::hdl {
namespace {

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

}  // namespace

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void Page::line(std::size_t indent, const std::string& content) {
  if (!content.empty()) text_ += std::string(indent, ' ') + content;
  text_ += '\n';
}

void Page::code(std::size_t indent, const BreakableText& content) {
  Lines lines = broken(content, indent, indent + 2 * indent_step, width_);
  lines.front().insert(0, std::string(indent, ' '));
  for (const std::string& l : lines) line(0, l);
}

void Page::comment(std::size_t indent, std::string_view content) {
  for (const std::string& l : wrapped(content, width_ - indent - 3)) {
    line(indent, l.empty() ? "//" : "// " + l);
  }
}

void Page::table(std::size_t indent, const std::vector<Row>& rows) {
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
    Lines broken_row = broken(row.tail, head.size(), indent + 2 * indent_step, width_);
    broken_row.front() = head + broken_row.front();
    if (!row.note.empty() && broken_row.size() == 1 && fits(broken_row.front().size(), row.note)) {
      note_column = std::max(note_column, broken_row.front().size() + 1);
    }
    code.push_back(std::move(broken_row));
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    table_row(indent, code[i], rows[i].note, note_column);
}

/// Whether a comment fits behind so much code, if need be in several lines.
bool Page::fits(std::size_t code, const std::string& note) const {
  constexpr std::size_t narrowest_comment = 30;
  return code + 4 + std::min(note.size(), narrowest_comment) <= width_;
}

void Page::table_row(std::size_t indent, const Lines& code, const std::string& note,
                     std::size_t column) {
  const bool behind = !note.empty() && code.size() == 1 && fits(code.front().size(), note);
  if (!note.empty() && !behind) comment(indent, note);
  if (!behind) {
    for (const std::string& l : code) line(0, l);
    return;
  }
  std::string start = code.front();
  for (const std::string& l : wrapped(note, width_ - column - 3)) {
    line(0, fmt::format("{:<{}}// {}", start, column, l));
    start.clear();
  }
}

}  // namespace weft::rtl::hdl
