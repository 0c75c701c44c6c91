// SPDX-License-Identifier: Apache-2.0
#include "arch/params/verilog_names.h"

#include <algorithm>

namespace weft::arch {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

const std::vector<std::string>& verilog_keywords() {
  // clang-format off
  static const std::vector<std::string> keywords = {
      "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and",
      "assert", "assign", "assume", "automatic", "before", "begin", "bind", "bins", "binsof",
      "bit", "bool", "break", "buf", "bufif0", "bufif1", "byte", "case", "casex", "casez", "cell",
      "chandle", "checker", "class", "clocking", "cmos", "config", "const", "constraint",
      "context", "continue", "cover", "covergroup", "coverpoint", "cross", "deassign", "default",
      "defparam", "design", "disable", "dist", "do", "edge", "else", "end", "endcase",
      "endchecker", "endclass", "endclocking", "endconfig", "endfunction", "endgenerate",
      "endgroup", "endinterface", "endmodule", "endpackage", "endprimitive", "endprogram",
      "endproperty", "endsequence", "endspecify", "endtable", "endtask", "enum", "event",
      "eventually", "expect", "export", "extends", "extern", "final", "first_match", "for",
      "force", "foreach", "forever", "fork", "forkjoin", "function", "generate", "genvar",
      "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins",
      "implements", "implies", "import", "incdir", "include", "initial", "inout", "input",
      "inside", "instance", "int", "integer", "interconnect", "interface", "intersect", "join",
      "join_any", "join_none", "large", "let", "liblist", "library", "local", "localparam",
      "logic", "longint", "macromodule", "mailbox", "matches", "medium", "modport", "module", "nand",
      "negedge", "nettype", "new", "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0",
      "notif1", "null", "or", "output", "package", "packed", "parameter", "pmos", "posedge",
      "primitive", "priority", "process", "program", "property", "protected", "pull0", "pull1", "pulldown",
      "pullup", "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase",
      "randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release",
      "repeat", "restrict", "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1",
      "s_always", "s_eventually", "s_nexttime", "s_until", "s_until_with", "scalared",
      "semaphore", "sequence", "shortint", "shortreal", "showcancelled", "signed", "small", "soft", "solve",
      "specify", "specparam", "static", "string", "strong", "strong0", "strong1", "struct",
      "super", "supply0", "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged",
      "task", "this", "throughout", "time", "timeprecision", "timeunit", "tran", "tranif0",
      "tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg", "type", "typedef", "union",
      "unique", "unique0", "unsigned", "until", "until_with", "untyped", "use", "uwire", "var",
      "vectored", "virtual", "void", "wait", "wait_order", "wand", "weak", "weak0", "weak1",
      "while", "wildcard", "wire", "with", "within", "wor", "wreal", "xnor", "xor",
  };
  // clang-format on
  return keywords;
}

bool is_verilog_keyword(std::string_view word) {
  return std::ranges::binary_search(verilog_keywords(), word);
}

bool is_verilog_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_verilog_name && is_letter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); }) &&
         !is_verilog_keyword(name);
}

}  // namespace weft::arch
