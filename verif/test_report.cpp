// SPDX-License-Identifier: Apache-2.0
#include "verif/test_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::verif {
namespace {

/// Text for an XML attribute or element; characters that XML forbids become '?'.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

}  // namespace

TestReport::Case& TestReport::find(const std::string& name) {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.name == name; });
  if (found != cases.end()) return *found;
  cases.push_back({name, 0, ""});
  return cases.back();
}

std::string to_junit(const TestReport& report) {
  double seconds = 0;
  std::size_t failures = 0;
  for (const TestReport::Case& test : report.cases) {
    seconds += test.seconds;
    failures += test.failure.empty() ? 0 : 1;
  }
  std::string xml = fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="{}" tests="{}" failures="{}" errors="0" time="{:.6f}">
)",
                                escaped(report.suite), report.cases.size(), failures, seconds);
  for (const TestReport::Case& test : report.cases) {
    xml += fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.6f}")",
                       escaped(report.suite), escaped(test.name), test.seconds);
    if (test.failure.empty()) {
      xml += "/>\n";
      continue;
    }
    const std::string first_line = test.failure.substr(0, test.failure.find('\n'));
    xml += fmt::format(R"(>
      <failure message="{}">{}</failure>
    </testcase>
)",
                       escaped(first_line), escaped(test.failure));
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace weft::verif
