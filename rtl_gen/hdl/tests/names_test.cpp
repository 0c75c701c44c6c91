// SPDX-License-Identifier: Apache-2.0
//
// Which identifiers are refused.
#include "rtl_gen/hdl/names.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "rtl_gen/hdl/error.h"

namespace weft::rtl::hdl {
namespace {

// IEEE 1800-2017, Annex B; the 124 keywords of Verilog-2005 are among them.
constexpr const char* annex_b = R"(
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
    before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle
    checker class clocking cmos config const constraint context continue cover covergroup
    coverpoint cross deassign default defparam design disable dist do edge else end endcase
    endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface
    endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable
    endtask enum event eventually expect export extends extern final first_match for force foreach
    forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins
    illegal_bins implements implies import incdir include initial inout input inside instance int
    integer interconnect interface intersect join join_any join_none large let liblist library
    local localparam logic longint macromodule matches medium modport module nand negedge nettype
    new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed
    parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown
    pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real
    realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
    s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal
    showcancelled signed small soft solve specify specparam static string strong strong0 strong1
    struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout
    time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type
    typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual
    void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor)";

int refused(const std::string& words, std::string_view why) {
  int count = 0;
  std::istringstream text(words);
  for (std::string word; text >> word; ++count) {
    try {
      (void)identifier(word);
      ADD_FAILURE() << word;
    } catch (const HdlError& error) {
      EXPECT_NE(std::string_view(error.what()).find(why), std::string_view::npos) << error.what();
    }
  }
  return count;
}

TEST(Names, KeywordsAreRefusedWhateverTheLanguage) {
  EXPECT_EQ(refused(annex_b, "is a keyword"), 248);
  // The classes of the package std, in Verilator's grammar; what Icarus Verilog reserves besides.
  refused("process mailbox semaphore bool wreal", "is a keyword");
}

TEST(Names, OtherWordsAreNames) {
  // Keywords of C++ among them: Verilator gives them names of their own.
  for (const char* word : {"row", "_x9", "Process", "processes", "template", "switch", "delete"}) {
    EXPECT_EQ(identifier(word), word);
  }
}

TEST(Names, OnlySimpleIdentifiersAreNames) {
  refused("9x a-b a.b \\a $x x$ \xc3\xa4", "is not a simple Verilog identifier");
  refused(std::string(129, 'a'), "is not a simple Verilog identifier");
  EXPECT_EQ(identifier(std::string(128, 'a')).size(), 128U);
  EXPECT_THROW((void)identifier(""), HdlError);
}

}  // namespace
}  // namespace weft::rtl::hdl
