// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weft::verif {

/// The outcome of a run of several checks, for continuous integration.
struct TestReport {
  struct Case {
    std::string name;
    double seconds = 0;
    std::string failure;  ///< empty: passed
  };

  std::string suite;
  std::vector<Case> cases;

  /// The case of that name, made if it is new.
  Case& find(const std::string& name);
};

/// The report in JUnit's XML.
[[nodiscard]] std::string to_junit(const TestReport& report);

}  // namespace weft::verif
