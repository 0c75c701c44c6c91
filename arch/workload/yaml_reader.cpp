// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/yaml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "arch/workload/problems.h"

namespace weft::arch {
namespace {

using Keys = std::vector<std::string>;

struct Range {
  std::int64_t low;
  std::int64_t high;
};
constexpr Range size_range{1, 2147483647};
constexpr Range window_range{1, 65535};
constexpr Range padding_range{0, 65535};

/// Levenshtein distance of two words, case ignored.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(letter)) ==
                        std::tolower(static_cast<unsigned char>(b[j]));
      const std::size_t replaced = diagonal + (same ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// "; did you mean 'stride'?" for a near miss of a legal word, else the list of the legal words.
std::string suggestion(const std::string& word, const Keys& legal) {
  const auto nearest = std::min_element(
      legal.begin(), legal.end(),
      [&](const auto& a, const auto& b) { return distance(word, a) < distance(word, b); });
  if (distance(word, *nearest) <= nearest->size() / 2) {
    return fmt::format("; did you mean '{}'?", *nearest);
  }
  return fmt::format("; legal: {}", fmt::join(legal, ", "));
}

/// Adds problems at positions of one file.
class Reporter {
 public:
  Reporter(std::string file, WorkloadProblems& problems)
      : file_(std::move(file)), problems_(problems) {}
  void add(const YAML::Mark& mark, const std::string& field, const std::string& message) {
    const std::string subject = field.empty() ? "" : field + ": ";
    problems_.add(
        fmt::format("{}:{}:{}: {}{}", file_, mark.line + 1, mark.column + 1, subject, message));
  }
  [[nodiscard]] std::size_t count() const { return problems_.count(); }

 private:
  std::string file_;
  WorkloadProblems& problems_;
};

std::string describe(const YAML::Node& node) {
  if (node.IsScalar()) return fmt::format("'{}'", node.Scalar());
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a map";
  return "nothing";
}

/// Reads the entries of one YAML map; every problem is reported, with a default in its place.
class MapReader {
 public:
  /// @param path what to put before field names in messages: "" or "conv1."
  MapReader(const YAML::Node& map, std::string path, Reporter& report)
      : map_(map), path_(std::move(path)), report_(report) {}

  /// Reports keys that are not legal or given twice.
  void check_keys(const Keys& legal) {
    std::set<std::string> seen;
    for (const auto& entry : map_) {
      const YAML::Node key = entry.first;
      if (!key.IsScalar()) {
        report_.add(key.Mark(), path_ + "key", "a name is needed, found " + describe(key));
      } else if (std::find(legal.begin(), legal.end(), key.Scalar()) == legal.end()) {
        report_.add(key.Mark(), path_ + key.Scalar(),
                    "unknown key" + suggestion(key.Scalar(), legal));
      } else if (!seen.insert(key.Scalar()).second) {
        report_.add(key.Mark(), path_ + key.Scalar(), "given twice");
      }
    }
  }

  /// The value of a key; reports its absence if it is required.
  std::optional<YAML::Node> find(const std::string& key, bool required) {
    const YAML::Node value = map_[key];
    if (value.IsDefined()) return value;
    if (required) report_.add(map_.Mark(), path_ + key, "missing");
    return std::nullopt;
  }

  std::string text(const std::string& key, bool required) {
    const auto value = find(key, required);
    if (!value) return "";
    if (value->IsScalar() && !value->Scalar().empty()) return value->Scalar();
    report_.add(value->Mark(), path_ + key, "a text is needed, found " + describe(*value));
    return "";
  }

  /// A required word out of a list; "" after a problem.
  std::string word(const std::string& key, const Keys& legal) {
    std::string found = text(key, true);
    if (found.empty() || std::find(legal.begin(), legal.end(), found) != legal.end()) return found;
    report_.add(map_[key].Mark(), path_ + key,
                fmt::format("'{}' is unknown{}", found, suggestion(found, legal)));
    return "";
  }

  std::int64_t required(const std::string& key, Range range) {
    const auto value = find(key, true);
    return value ? integer(*value, key, range) : range.low;
  }

  std::int64_t optional(const std::string& key, Range range, std::int64_t otherwise) {
    const auto value = find(key, false);
    return value ? integer(*value, key, range) : otherwise;
  }

  /// One number, or a list of as many as one of `lengths`; empty after a problem or for an absent
  /// optional key.
  std::vector<std::int64_t> numbers(const std::string& key, Range range, bool required,
                                    const std::vector<std::size_t>& lengths) {
    const auto value = find(key, required);
    if (!value) return {};
    if (!value->IsSequence()) return {integer(*value, key, range)};
    if (std::find(lengths.begin(), lengths.end(), value->size()) == lengths.end()) {
      report_.add(value->Mark(), path_ + key,
                  fmt::format("one number or a list of {} is needed, found a list of {}",
                              fmt::join(lengths, " or "), value->size()));
      return {};
    }
    std::vector<std::int64_t> list;
    for (const auto& item : *value) list.push_back(integer(item, key, range));
    return list;
  }

 private:
  std::int64_t integer(const YAML::Node& value, const std::string& key, Range range) {
    const std::string text = value.IsScalar() ? value.Scalar() : "";
    const bool quoted = value.Tag() == "!";
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error != std::errc::invalid_argument && end == text.data() + text.size();
    if (quoted || text.empty() || !is_number) {
      report_.add(value.Mark(), path_ + key, "a whole number is needed, found " + describe(value));
    } else if (error == std::errc::result_out_of_range || number < range.low ||
               number > range.high) {
      report_.add(value.Mark(), path_ + key,
                  fmt::format("{} is outside {}..{}", text, range.low, range.high));
    } else {
      return number;
    }
    return range.low;
  }

  const YAML::Node map_;  // const: looking a key up must not insert it
  std::string path_;
  Reporter& report_;
};

Gemm read_gemm(MapReader& reader) {
  reader.check_keys({"name", "type", "m", "n", "k", "count"});
  return {reader.required("m", size_range), reader.required("n", size_range),
          reader.required("k", size_range)};
}

/// Puts one number for both axes, or a pair height, width, into place.
void assign_pair(const std::vector<std::int64_t>& numbers, std::int64_t& height,
                 std::int64_t& width) {
  if (numbers.empty()) return;
  height = numbers.front();
  width = numbers.back();
}

Convolution read_convolution(MapReader& reader) {
  reader.check_keys({"name", "type", "input", "channels", "filters", "kernel", "stride", "padding",
                     "dilation", "groups", "batch", "count"});
  Convolution conv;
  assign_pair(reader.numbers("input", size_range, true, {2}), conv.height, conv.width);
  conv.channels = reader.required("channels", size_range);
  conv.filters = reader.required("filters", size_range);
  assign_pair(reader.numbers("kernel", window_range, true, {2}), conv.kernel_height,
              conv.kernel_width);
  assign_pair(reader.numbers("stride", window_range, false, {2}), conv.stride_height,
              conv.stride_width);
  assign_pair(reader.numbers("dilation", window_range, false, {2}), conv.dilation_height,
              conv.dilation_width);
  const auto padding = reader.numbers("padding", padding_range, false, {2, 4});
  if (padding.size() == 4) {
    conv.pad_top = padding[0];
    conv.pad_bottom = padding[1];
    conv.pad_left = padding[2];
    conv.pad_right = padding[3];
  } else {
    assign_pair(padding, conv.pad_top, conv.pad_left);
    conv.pad_bottom = conv.pad_top;
    conv.pad_right = conv.pad_left;
  }
  conv.groups = reader.optional("groups", size_range, 1);
  conv.batch = reader.optional("batch", size_range, 1);
  return conv;
}

/// Reads one layer; every problem is reported.
Layer read_layer(const YAML::Node& node, std::size_t index, Reporter& report) {
  Layer layer;
  const YAML::Node name = node["name"];
  const bool named = name.IsDefined() && name.IsScalar();
  MapReader reader(node, (named ? name.Scalar() : fmt::format("layers[{}]", index)) + ".", report);
  const std::size_t problems_before = report.count();
  layer.name = reader.text("name", true);
  const std::string type = reader.word("type", {"gemm", "conv"});
  if (type.empty()) return layer;
  if (type == "gemm") {
    layer.shape = read_gemm(reader);
  } else {
    layer.shape = read_convolution(reader);
  }
  layer.count = reader.optional("count", size_range, 1);
  // Values that stand in for unreadable ones would only bring up false problems.
  if (report.count() > problems_before) return layer;
  for (const std::string& problem : layer.problems()) report.add(node.Mark(), layer.name, problem);
  return layer;
}

void read_layers(const YAML::Node& list, Reporter& report, Workload& workload) {
  if (!list.IsSequence() || list.size() == 0) {
    report.add(list.Mark(), "layers",
               "a list of layers is needed, found " +
                   (list.IsSequence() ? "an empty list" : describe(list)));
    return;
  }
  std::int64_t macs = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const YAML::Node node = list[i];
    if (!node.IsMap()) {
      report.add(node.Mark(), fmt::format("layers[{}]", i),
                 "a map is needed, found " + describe(node));
      continue;
    }
    Layer layer = read_layer(node, i, report);
    if (report.count() > 0) continue;
    macs += layer.macs();
    if (macs > Workload::max_macs) {
      report.add(node.Mark(), layer.name, "more than 2^60 multiply-accumulates up to this layer");
    }
    workload.layers.push_back(std::move(layer));
  }
}

/// Takes note of where documents begin.
class DocumentStarts final : public YAML::EventHandler {
 public:
  std::vector<YAML::Mark> marks;

  void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// The only document of a text. YAML::Load leaves out what follows the first document, and
/// YAML::LoadAll does not end for some texts (a comma in front), so the second one is looked for
/// here.
YAML::Node load(const std::string& text, Reporter& report, const WorkloadProblems& problems) {
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    DocumentStarts starts;
    while (starts.marks.size() < 2 && parser.HandleNextDocument(starts)) continue;
    if (starts.marks.size() == 1) return YAML::Load(text);
    if (starts.marks.empty()) {
      report.add({}, "", "nothing but comments, a workload is needed");
    } else {
      report.add(starts.marks.back(), "", "the workload ends before this; more text follows");
    }
  } catch (const YAML::Exception& error) {
    report.add(error.mark, "", error.msg);
  }
  problems.raise();
  return {};
}

}  // namespace

Workload parse_workload_yaml(std::string_view text, const std::filesystem::path& file) {
  WorkloadProblems problems;
  Reporter report(file.string(), problems);
  const YAML::Node root = load(std::string(text), report, problems);
  Workload workload;
  if (!root.IsMap()) {
    report.add(root.Mark(), "",
               "a map with kind, name and layers is needed, found " + describe(root));
    problems.raise();
  }
  MapReader reader(root, "", report);
  reader.check_keys({"kind", "name", "layers"});
  reader.word("kind", {"workload"});
  workload.name = reader.text("name", true);
  if (const auto layers = reader.find("layers", true)) read_layers(*layers, report, workload);
  problems.raise();
  return workload;
}

}  // namespace weft::arch
