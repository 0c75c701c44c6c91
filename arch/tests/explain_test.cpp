// SPDX-License-Identifier: Apache-2.0
#include "arch/params/explain.h"

#include <gtest/gtest.h>

#include "arch/config.h"
#include "base/error.h"
#include "base/files.h"

namespace weft::arch {
namespace {

TEST(Explain, SaysWhatIsDeclared) {
  EXPECT_EQ(
      explain(kinds(), "load_rows_per_cycle"),
      "load_rows_per_cycle (tensor_array)\n"
      "  Rows of a stationary tile that load in a cycle.\n"
      "  type     integer\n"
      "  legal    1 | 2 | 4\n"
      "  default  1\n"
      "  unit     rows per cycle\n"
      "  rule     An output_stationary array loads nothing, so its load_rows_per_cycle is 1.\n");
}

TEST(Explain, KnowsEveryParameterAndKind) {
  const std::string all = explain_all(kinds());
  for (const Kind* kind : kinds()) {
    EXPECT_NE(explain(kinds(), kind->name), "");
    for (const std::string& name : kind->parameter_names()) {
      EXPECT_NE(explain(kinds(), name).find(kind->find(name)->doc), std::string::npos);
      EXPECT_NE(all.find("  " + name), std::string::npos);
    }
  }
}

TEST(Explain, SuggestsTheNearestName) {
  try {
    (void)explain(kinds(), "colums");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "no parameter is called 'colums'; did you mean 'cols'?");
  }
}

TEST(ReferencePage, IsTheCommittedOne) {
  EXPECT_EQ(base::read_file(WEFT_SOURCE_DIR "/docs/reference/parameters.md"),
            reference_page(kinds()))
      << "run: weft explain --markdown > docs/reference/parameters.md";
}

}  // namespace
}  // namespace weft::arch
