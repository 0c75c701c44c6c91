// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/traffic_spec.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "verif/traffic/traffic.h"

namespace weft::verif {
namespace {

std::string problem_of(std::string_view text) {
  try {
    (void)parse_traffic(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(TrafficSpec, ReadsPatternsAndParameters) {
  const TrafficSpec spec = parse_traffic("hotspot:node=3,share=0.2");
  EXPECT_EQ(spec.pattern, "hotspot");
  EXPECT_EQ(spec.parameters.at("node"), 3);
  EXPECT_EQ(spec.parameters.at("share"), 0.2);
  EXPECT_EQ(spec.parameters.at("burst"), 0);
  EXPECT_EQ(parse_traffic("trace:a,b=c.csv").file, "a,b=c.csv");
  EXPECT_FALSE(takes_load(parse_traffic("trace:x")));
  EXPECT_FALSE(takes_packet_flits(parse_traffic("request_response")));
  EXPECT_TRUE(takes_packet_flits(parse_traffic("bursty")));
}

// A specification that nobody parsed means the same as its name.
TEST(TrafficSpec, TheDefaultIsUniform) {
  EXPECT_EQ(TrafficSpec{}.parameters, parse_traffic("uniform").parameters);
}

TEST(TrafficSpec, SaysWhatIsWrong) {
  const std::string unknown = problem_of("unifrom");
  EXPECT_TRUE(unknown.starts_with("no traffic is called 'unifrom' (there are uniform, "))
      << unknown;
  EXPECT_TRUE(unknown.ends_with("; did you mean 'uniform'?")) << unknown;
  EXPECT_EQ(
      problem_of("hotspot:nod=3"),
      "traffic hotspot: no parameter is called 'nod' (it has node, share, burst); did you mean "
      "'node'?");
  EXPECT_EQ(problem_of("hotspot:node"), "traffic hotspot: 'node' needs a value, as in node=0");
  EXPECT_EQ(problem_of("hotspot:node=x"),
            "traffic hotspot: node = 'x' is not a whole number in 0..1000000000");
  EXPECT_EQ(problem_of("hotspot:node=1.5"),
            "traffic hotspot: node = '1.5' is not a whole number in 0..1000000000");
  EXPECT_EQ(problem_of("hotspot:share=1.5"),
            "traffic hotspot: share = '1.5' is not a number in 0..1");
  EXPECT_EQ(problem_of("hotspot:share=nan"),
            "traffic hotspot: share = 'nan' is not a number in 0..1");
  EXPECT_EQ(problem_of("trace"), "traffic trace: which file? Write it as in trace:FILE.csv");
  EXPECT_NE(problem_of(""), "");
  EXPECT_NE(problem_of("uniform:"), "");
}

TEST(TrafficSpec, HelpNamesEveryPatternThatParses) {
  const std::string help = traffic_help();
  for (const char* pattern :
       {"uniform", "bit_complement", "transpose", "shuffle", "tornado", "neighbour",
        "random_permutation", "diagonal", "hotspot", "all_to_all", "bursty", "request_response"}) {
    EXPECT_NE(help.find(std::string("  ") + pattern + " "), std::string::npos) << pattern;
    EXPECT_EQ(make_traffic(parse_traffic(pattern), 16, 1)->nodes(), 16) << pattern;
  }
}

TEST(TrafficSpec, PlaysATraceFile) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("weft_trace_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(file) << "3,1,0,2\n3,1,2,7,1\n9,0,1,1\n";
  const auto traffic = make_traffic(parse_traffic("trace:" + file.string()), 3, 1);
  std::filesystem::remove(file);
  EXPECT_EQ(traffic->longest_packet(), 7);
  EXPECT_EQ(traffic->traffic_classes(), 2);
  EXPECT_EQ(traffic->take(1), (Injection{3, 1, 0, 2, 0, 0}));
  EXPECT_EQ(traffic->take(1), (Injection{3, 1, 2, 7, 1, 1}));
  EXPECT_EQ(traffic->next(1).cycle, Injection::never);
  EXPECT_EQ(traffic->take(0).cycle, 9U);
  EXPECT_EQ(traffic->next(2).cycle, Injection::never);
  EXPECT_THROW((void)make_traffic(parse_traffic("trace:/nowhere.csv"), 3, 1), UserError);
}

}  // namespace
}  // namespace weft::verif
