// SPDX-License-Identifier: Apache-2.0
//
// The page in headless Chromium: what is seen, what clicks and filters do.
#include "explore/report/report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/process.h"

namespace weft::explore {
namespace {

namespace fs = std::filesystem;

/// rows 4, 8, 16 by two words; area = rows^2, cycles = 1000 / rows: each size is on the front with
/// the first word, the second costs one more of both. The last point failed.
ReportData example() {
  ReportData data;
  data.title = "A </script><b>study</b> & more";
  data.kind = "tensor_array";
  data.depth = "synth";
  data.command = "weft sweep study.yaml";
  data.specification = "axes: {rows: [4, 8, 16]}\n";
  data.generated = "2026-01-01T00:00:00Z";
  data.base = {{"name", std::string("a")}, {"rows", std::int64_t{1}}, {"skew", std::string("in")}};
  data.axes = {{"rows", "PEs", "Rows."}, {"dataflow", "", "What stays."}};
  data.results = {{"area", "um2", "Area."}, {"cycles", "", "Time."}};
  data.objectives = {{"area", false}, {"cycles", false}};
  std::int64_t id = 0;
  for (const std::int64_t rows : {4, 8, 16}) {
    for (const char* word : {"weight_stationary", "output_stationary"}) {
      const double more = word[0] == 'o' ? 1 : 0;
      const auto size = static_cast<double>(rows);
      data.points.push_back({++id,
                             "d",
                             "ok",
                             "synth",
                             "",
                             "",
                             {rows, std::string(word)},
                             {size * size + more, 1000 / size + more},
                             more == 0});
    }
  }
  data.points.push_back({++id,
                         "d",
                         "failed",
                         "",
                         "yosys died of <signal 9>",
                         "runs/7/yosys.log",
                         {std::int64_t{32}, std::string("weight_stationary")},
                         {std::nullopt, std::nullopt},
                         false});
  return data;
}

nlohmann::json data_of(const std::string& page) {
  const std::string begin = R"js(<script id="data" type="application/json">)js";
  const std::size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(HtmlReport, HoldsThePointsWhateverTheirTexts) {
  const ReportData data = example();
  const auto json = data_of(html_report(data));
  EXPECT_EQ(json["title"], data.title);
  ASSERT_EQ(json["points"].size(), 7);
  EXPECT_EQ(json["points"][6][4], "yosys died of <signal 9>");
  EXPECT_EQ(json["front"], nlohmann::json({1, 3, 5}));
  EXPECT_EQ(json["omitted"], 0);
  EXPECT_EQ(json["counts"], nlohmann::json({{"ok", 6}, {"failed", 1}}));
}

TEST(HtmlReport, LeavesOutDominatedPointsOfBigSweeps) {
  ReportData data = example();
  const ReportPoint dominated = data.points[1];
  for (std::int64_t id = 8; id <= 1000; ++id) {
    data.points.push_back(dominated);
    data.points.back().id = id;
  }
  const auto json = data_of(html_report(data, 100));
  EXPECT_EQ(json["points"].size(), 100);
  EXPECT_EQ(json["omitted"], 900);
  for (const int id : {1, 3, 5, 7}) {
    EXPECT_TRUE(std::ranges::any_of(json["points"], [&](const auto& row) { return row[0] == id; }));
  }
}

class InBrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (!base::run_process({.argv = {"chromium", "--version"}}).ok())
      GTEST_SKIP() << "needs the Debian package chromium";
    folder_ = fs::temp_directory_path() / ("weft-report-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Opens the page, runs `actions` (each waited for, with the redrawing) and gives the value of
  /// `answer`.
  nlohmann::json ask(const std::string& actions, const std::string& answer,
                     const ReportData& data = example()) {
    std::string page = html_report(data);
    const std::string script = R"js(<script>
const settled = () => new Promise((done) => setTimeout(done, 600));
const press = (node) => node.dispatchEvent(new MouseEvent("click", {bubbles: true}));
const type = (id, text) => { byId(id).value = text; byId(id).dispatchEvent(new Event(id === "filter" ? "input" : "change")); };
(async () => {
  let answer;
  try {
    await settled();
    )js" + actions + R"js(
    await settled();
    answer = )js" + answer + R"js(;
  } catch (error) { answer = "error: " + error; }
  document.body.replaceChildren(Object.assign(document.createElement("pre"), {id: "answer", textContent: JSON.stringify(answer)}));
})();
</script>)js";
    page.insert(page.rfind("</body>"), script);
    base::write_file_atomic(folder_ / "page.html", page);
    base::Command command{.argv = {"chromium", "--headless", "--no-sandbox", "--disable-gpu",
                                   "--window-size=1366,900", "--virtual-time-budget=8000",
                                   "--user-data-dir=" + (folder_ / "profile").string(),
                                   "--dump-dom", "file://" + (folder_ / "page.html").string()},
                          .log = folder_ / "dom.txt",
                          .timeout = std::chrono::seconds(100)};
    base::check(base::run_process(command));
    const std::string dom = base::read_file(folder_ / "dom.txt");
    const std::string begin = R"js(<pre id="answer">)js";
    const std::size_t from = dom.find(begin);
    if (from == std::string::npos) throw std::runtime_error("the page did not answer: " + dom);
    std::string text = dom.substr(from + begin.size());
    text.resize(text.find("</pre>"));
    for (const auto& [entity, character] :
         {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&amp;", "&"}}) {
      for (std::size_t at; (at = text.find(entity)) != std::string::npos;)
        text.replace(at, std::string(entity).size(), character);
    }
    return nlohmann::json::parse(text);
  }

 private:
  fs::path folder_;
};

constexpr const char* rows_shown =
    R"js([...document.querySelectorAll("#table tbody tr")].map((r) => Number(r.dataset.id)))js";

TEST_F(InBrowser, ShowsWhatTheSweepFound) {
  const auto seen = ask("", R"js({
      title: byId("title").textContent,
      counts: [...byId("counts").children].map((c) => c.textContent),
      symbols: byId("scatter").querySelectorAll(".mark-symbol.role-mark path").length,
      lines: byId("coordinates").querySelectorAll(".mark-line path").length,
      failure: document.querySelector("#failures tbody").textContent,
      area: document.querySelector("#table tbody tr:nth-child(3) td:nth-child(5)").textContent,
      command: byId("command").textContent,
      shares: byId("shares").textContent,
      network: performance.getEntriesByType("resource").length})js");
  EXPECT_EQ(seen["title"], "A </script><b>study</b> & more");
  EXPECT_EQ(seen["counts"], nlohmann::json({"1 failed", "6 ok"}));
  EXPECT_EQ(seen["symbols"], 6);
  EXPECT_EQ(seen["lines"], 6);
  EXPECT_NE(seen["failure"].get<std::string>().find("yosys died of <signal 9>"), std::string::npos);
  EXPECT_EQ(seen["area"], "64");
  EXPECT_EQ(seen["command"], "weft sweep study.yaml");
  EXPECT_NE(seen["shares"].get<std::string>().find("rows"), std::string::npos);
  EXPECT_EQ(seen["network"], 0);
}

TEST_F(InBrowser, FiltersAllViews) {
  const auto seen =
      ask(R"js(type("filter", "rows >= 8 && dataflow == output_stationary");)js",
          std::string("{rows: ") + rows_shown + R"js(, shown: byId("shown").textContent,
           symbols: byId("scatter").querySelectorAll(".mark-symbol.role-mark path").length})js");
  EXPECT_EQ(seen["rows"], nlohmann::json({4, 6}));
  EXPECT_EQ(seen["shown"], "2 of 7 points");
  EXPECT_EQ(seen["symbols"], 2);
}

TEST_F(InBrowser, SaysWhatIsWrongWithAFilterAndKeepsTheLast) {
  const auto seen = ask(
      R"js(type("filter", "rows == 8"); type("filter", "rwos == 4");)js",
      std::string("{rows: ") + rows_shown + R"js(, error: byId("filter-error").textContent})js");
  EXPECT_EQ(seen["rows"], nlohmann::json({3, 4}));
  EXPECT_EQ(seen["error"], "there is no column 'rwos'");
}

TEST_F(InBrowser, SortsByAColumn) {
  const auto seen = ask(R"js(
    const button = () => [...document.querySelectorAll("#table th button")].find((b) => b.textContent.startsWith("cycles"));
    press(button()); press(button());)js",
                        rows_shown);
  // Most cycles first; the point without cycles stays last.
  EXPECT_EQ(seen, nlohmann::json({2, 1, 4, 3, 6, 5, 7}));
}

TEST_F(InBrowser, AClickOnASymbolShowsItsConfiguration) {
  const auto seen = ask(
      R"js(
    const symbols = [...byId("scatter").querySelectorAll(".mark-symbol.role-mark path")];
    press(symbols.find((s) => s.__data__.datum.id === 5));)js",
      R"js({yaml: byId("configuration").textContent, chosen: document.querySelector("#table tr.chosen").dataset.id})js");
  EXPECT_EQ(seen["yaml"],
            "kind: tensor_array\nname: a\nrows: 16\nskew: in\ndataflow: weight_stationary\n");
  EXPECT_EQ(seen["chosen"], "5");
}

TEST_F(InBrowser, ABrushOnAnAxisFilters) {
  const auto seen = ask(R"js(
    const handle = byId("coordinates").querySelector(".handle_0 path");
    const box = handle.getBoundingClientRect();
    const at = (share) => ({bubbles: true, cancelable: true, clientX: box.x + 8, clientY: box.y + 3 + share * (box.height - 6), view: window});
    handle.dispatchEvent(new MouseEvent("mousedown", at(0.8)));
    window.dispatchEvent(new MouseEvent("mousemove", at(0.7)));
    window.dispatchEvent(new MouseEvent("mousemove", at(0.2)));
    window.dispatchEvent(new MouseEvent("mouseup", at(0.2)));)js",
                        rows_shown);
  EXPECT_EQ(seen, nlohmann::json({3, 4, 5, 6}));  // rows 8 and 16 of 4, 8, 16, 32
}

TEST_F(InBrowser, ChangesAxesAndTheme) {
  const auto seen = ask(R"js(type("y", "rows"); press(byId("theme"));)js",
                        R"js({axis: byId("scatter").textContent.includes("rows (PEs)"),
                            theme: document.documentElement.dataset.theme,
                            ink: [...byId("scatter").querySelectorAll(".role-axis-title text")].map((t) => t.getAttribute("fill"))})js");
  EXPECT_TRUE(seen["axis"]);
  EXPECT_EQ(seen["theme"], "dark");
  EXPECT_EQ(seen["ink"][0], "#e6e9ed");
}

TEST_F(InBrowser, ASweepOfFailuresIsAPageToo) {
  ReportData data = example();
  data.points = {data.points.back()};
  data.points[0].id = 1;
  const auto seen = ask("", R"js({rows: document.querySelectorAll("#table tbody tr").length,
                                failures: byId("failures").hidden, shares: byId("importance").hidden})js",
                        data);
  EXPECT_EQ(seen, nlohmann::json({{"rows", 1}, {"failures", false}, {"shares", true}}));
}

}  // namespace
}  // namespace weft::explore
