// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "testbenches/digits/digits.h"

namespace weft::digits {
namespace {

const std::filesystem::path source =
    std::filesystem::path(WEFT_SOURCE_DIR) / "testbenches/digits/network_int8.json";

std::filesystem::path write(const std::string& name, const std::string& content) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(file) << content;
  return file;
}

/// What the UserError says that `call` throws.
std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no complaint";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

std::string blank_image(const std::string& label) {
  std::string line;
  for (int i = 0; i < pixels; ++i) line += "0,";
  return line + label + "\n";
}

void expect_dataset_complaint(const std::string& content, const std::string& part) {
  const auto file = write("weft_digits_bad.csv", content);
  expect_contains(complaint([&] { static_cast<void>(load_dataset(file)); }), file.string() + part);
}

TEST(LoadDataset, SaysWhatIsWrongAndWhere) {
  expect_contains(complaint([] { static_cast<void>(load_dataset("/nowhere/digits.csv")); }),
                  "/nowhere/digits.csv: cannot be read");
  expect_dataset_complaint("", ": is empty");
  expect_dataset_complaint(blank_image("3") + blank_image("10"),
                           ":2: '10' is not a number in 0..9");
  expect_dataset_complaint("17," + blank_image("3"), ":1: '17' is not a number in 0..16");
  expect_dataset_complaint("x," + blank_image("3"), ":1: 'x' is not a number in 0..16");
  expect_dataset_complaint(blank_image("3") + "1,2\n", ":2: '' is not a number in 0..16");
  expect_dataset_complaint(blank_image("3,4"), ":1: more than 65 numbers");
}

struct Fault {
  std::function<void(nlohmann::json&)> plant;
  std::string complaint;
};

TEST(LoadNetwork, SaysWhatIsWrong) {
  const auto whole = nlohmann::json::parse(std::ifstream(source));
  const std::vector<Fault> faults = {
      {[](auto& n) { n.erase("name"); }, "'name' not found"},
      {[](auto& n) { n["input_shift"] = 32; }, "shift: 32 is outside 0..31"},
      {[](auto& n) { n["layers"][1]["shift"] = -1; }, "shift: -1 is outside 0..31"},
      {[](auto& n) { n["layers"][0]["relu"] = "yes"; }, "type must be boolean"},
      {[](auto& n) { n["layers"][0]["stationary_format"]["bits"] = 17; },
       "17 bits are outside 2..16"},
      {[](auto& n) { n["layers"][0]["weights"][5][6] = 128; }, "weights: 128 is outside -128..127"},
      {[](auto& n) { n["layers"][0]["weights"][5].erase(6); }, "a row of 63 where bias has 64"},
      {[](auto& n) { n["layers"][0]["weights"].erase(6); }, "63 rows for 64 activations"},
      {[](auto& n) { n["layers"][1]["bias"][0] = 1LL << 31; }, "bias: 2147483648 is outside"},
      {[](auto& n) { n["layers"].erase(1); }, "64 outputs for 10 classes"},
      {[](auto& n) { n["layers"].clear(); }, "layers: there are none"},
      {[](auto& n) { n["layers"][0]["relu"] = false; }, "layer 0: needs ReLU"},
      {[](auto& n) { n["layers"][0]["output_format"]["bits"] = 9; }, "layer 0: needs ReLU"},
      {[](auto& n) { n["predictions"] = "12x"; }, "predictions: must be digits"},
  };
  for (const Fault& fault : faults) {
    nlohmann::json broken = whole;
    fault.plant(broken);
    const auto file = write("weft_digits_bad.json", broken.dump());
    const std::string text = complaint([&] { static_cast<void>(load_network(file)); });
    expect_contains(text, file.string() + ": ");
    expect_contains(text, fault.complaint);
  }
  const auto file = write("weft_digits_bad.json", "{\"name\": ");
  expect_contains(complaint([&] { static_cast<void>(load_network(file)); }), "parse error");
}

}  // namespace
}  // namespace weft::digits
