// SPDX-License-Identifier: Apache-2.0
#include "arch/workload/csv_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "arch/workload/problems.h"

namespace weft::arch {
namespace {

struct Row {
  int line;                         // in the file, from 1
  std::vector<std::string> fields;  // trimmed; trailing empty ones removed

  [[nodiscard]] std::string field(int column) const {
    const auto index = static_cast<std::size_t>(column);
    return column >= 0 && index < fields.size() ? fields[index] : "";
  }
};

/// A number that a row gives, under one of several headings (normalised: lower-case letters and
/// digits only). Required fields stand at fixed places when the header does not name them.
struct Field {
  const char* label;
  std::vector<std::string_view> headings;
  bool required = true;
};

const std::vector<Field>& gemm_fields() {
  static const std::vector<Field> fields{
      {"M", {"m"}}, {"N", {"n"}}, {"K", {"k"}}, {"Batch", {"batch", "batchsize", "count"}, false}};
  return fields;
}

const std::vector<Field>& conv_fields() {
  static const std::vector<Field> fields{
      {"IFMAP Height", {"ifmapheight", "ifmaph"}},
      {"IFMAP Width", {"ifmapwidth", "ifmapw"}},
      {"Filter Height", {"filterheight", "filterh"}},
      {"Filter Width", {"filterwidth", "filterw"}},
      {"Channels", {"channels", "channel", "numchannels"}},
      {"Num Filter", {"numfilter", "numfilters", "filters"}},
      {"Strides", {"strides", "stride", "strideheight", "strideh"}},
      {"Stride Width", {"stridewidth", "stridew"}, false},
      {"Batch Size", {"batchsize", "batch"}, false}};
  return fields;
}

std::string trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\"") - first + 1));
}

std::string normalise(std::string_view heading) {
  std::string word;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) word += static_cast<char>(std::tolower(byte));
  }
  return word;
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// N:M, a sparsity ratio.
bool is_ratio(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && all_digits(text.substr(0, colon)) &&
         all_digits(text.substr(colon + 1));
}

/// The rows that say something; any of the three line endings.
std::vector<Row> split(std::string_view text) {
  std::vector<Row> rows;
  int line = 0;
  while (!text.empty()) {
    const std::string_view content = text.substr(0, text.find_first_of("\r\n"));
    text.remove_prefix(content.size());
    text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
    Row row{++line, {}};
    for (std::size_t begin = 0; begin <= content.size();) {
      const std::size_t end = std::min(content.find(',', begin), content.size());
      row.fields.push_back(trim(content.substr(begin, end - begin)));
      begin = end + 1;
    }
    while (!row.fields.empty() && row.fields.back().empty()) row.fields.pop_back();
    if (!row.fields.empty() && !row.fields.front().starts_with('#')) rows.push_back(std::move(row));
  }
  return rows;
}

class TopologyReader {
 public:
  explicit TopologyReader(const std::filesystem::path& file) : file_(file.string()) {
    workload_.name = file.stem().string();
  }

  WorkloadFile read(std::string_view text) {
    const std::vector<Row> rows = split(text);
    if (rows.empty()) fail(1, "no rows");
    // SCALE-Sim skips the first row whatever it holds; a first row with a number is no header.
    const auto& first = rows.front().fields;
    const bool has_header = std::none_of(first.begin() + 1, first.end(), all_digits);
    lay_out(rows.front(), has_header);
    if (has_header && rows.size() == 1) fail(rows.front().line, "a header but no layer");
    for (const Row& row : std::span(rows).subspan(has_header ? 1 : 0)) read_row(row);
    problems_.raise();
    return {workload_, warnings()};
  }

 private:
  [[noreturn]] void fail(int line, const std::string& message) {
    problem(line, message);
    problems_.raise();
    throw UserError(message);  // not reached: there is a problem to raise
  }
  void problem(int line, const std::string& message) {
    problems_.add(fmt::format("{}:{}: {}", file_, line, message));
  }

  /// Decides what kind of file it is and which column holds which field.
  void lay_out(const Row& first, bool has_header) {
    if (has_header) {
      for (const std::string& heading : first.fields) headings_.push_back(normalise(heading));
    }
    const auto named = [this](const std::vector<Field>& fields) {
      return std::count_if(fields.begin(), fields.end(), [this](const Field& field) {
        return field.required && column_named(field) >= 0;
      });
    };
    const std::size_t width = first.fields.size();
    if (named(gemm_fields()) == 3) {
      is_gemm_ = true;
    } else if (named(conv_fields()) < 2) {
      // Nothing to go by but the number of fields.
      if (width < 4 || (has_header && width > 5 && width < 8)) {
        fail(first.line,
             fmt::format("{} fields: neither a convolution topology (Layer name, IFMAP Height, "
                         "IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
                         "Strides) nor a GEMM topology (Layer, M, N, K)",
                         width));
      }
      is_gemm_ = width < 8;
    }
    int place = 0;
    for (const Field& field : fields()) {
      int column = column_named(field);
      if (field.required) {
        ++place;
        if (column < 0 && !is_known(heading(place))) column = place;
        if (column < 0)
          problem(first.line, fmt::format("the header has no column '{}'", field.label));
      }
      columns_.push_back(column);
    }
    problems_.raise();
  }

  [[nodiscard]] const std::vector<Field>& fields() const {
    return is_gemm_ ? gemm_fields() : conv_fields();
  }
  [[nodiscard]] int column_named(const Field& field) const {
    for (std::size_t i = 1; i < headings_.size(); ++i) {
      if (std::find(field.headings.begin(), field.headings.end(), headings_[i]) !=
          field.headings.end()) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }
  [[nodiscard]] std::string heading(int column) const {
    const auto index = static_cast<std::size_t>(column);
    return index < headings_.size() ? headings_[index] : "";
  }
  [[nodiscard]] bool is_known(const std::string& heading) const {
    return std::any_of(fields().begin(), fields().end(), [&](const Field& field) {
      return std::find(field.headings.begin(), field.headings.end(), heading) !=
             field.headings.end();
    });
  }

  void read_row(const Row& row) {
    const std::size_t problems_before = problems_.count();
    Layer layer;
    layer.name =
        row.field(0).empty() ? fmt::format("layer{}", workload_.layers.size()) : row.field(0);
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < fields().size(); ++i) {
      values.push_back(columns_[i] < 0 ? 1 : number(row, columns_[i], fields()[i].label));
    }
    note_extra_fields(row, values);
    if (problems_.count() > problems_before) return;
    if (is_gemm_) {
      layer.shape = Gemm{values[0], values[1], values[2]};
      layer.count = values[3];
    } else {
      layer.shape = convolution(layer.name, values);
    }
    for (const std::string& found : layer.problems()) {
      problem(row.line, fmt::format("{}: {}", layer.name, found));
    }
    if (problems_.count() > 0) return;
    macs_ += layer.macs();
    if (macs_ > Workload::max_macs) {
      problem(row.line, layer.name + ": more than 2^60 multiply-accumulates up to this layer");
    }
    workload_.layers.push_back(std::move(layer));
  }

  Convolution convolution(const std::string& name, const std::vector<std::int64_t>& values) {
    Convolution conv;
    conv.height = values[0];
    conv.width = values[1];
    conv.kernel_height = values[2];
    conv.kernel_width = values[3];
    conv.channels = values[4];
    conv.filters = values[5];
    conv.stride_height = values[6];
    conv.stride_width = columns_[7] < 0 ? values[6] : values[7];
    conv.batch = values[8];
    if (name.find("DP") != std::string::npos) {
      conv.groups = conv.channels;
      conv.filters *= conv.channels;
      depthwise_.push_back(name);
    }
    return conv;
  }

  /// The number in one field of a row; 1 after a problem.
  std::int64_t number(const Row& row, int column, const char* label) {
    constexpr std::int64_t limit = 2147483647;
    const std::string text = row.field(column);
    std::int64_t value = 0;
    if (text.empty()) {
      problem(row.line,
              fmt::format("{}: missing, the row has {} fields", label, row.fields.size()));
    } else if (!all_digits(text)) {
      problem(row.line, fmt::format("{}: '{}' is not a whole number", label, text));
    } else if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc() ||
               value < 1 || value > limit) {
      problem(row.line, fmt::format("{}: {} is outside 1..{}", label, text, limit));
    } else {
      return value;
    }
    return 1;
  }

  /// Fields that no layer needs: an unnamed number behind M, N, K is SCALE-Sim's batch; all others
  /// are left out with a warning.
  void note_extra_fields(const Row& row, std::vector<std::int64_t>& values) {
    for (int column = 1; column < static_cast<int>(row.fields.size()); ++column) {
      const std::string text = row.field(column);
      const bool used = std::find(columns_.begin(), columns_.end(), column) != columns_.end();
      if (used || text.empty()) continue;
      if (is_gemm_ && columns_[3] < 0 && column == 4 && heading(column).empty() &&
          all_digits(text)) {
        values[3] = number(row, column, "Batch");
        continue;
      }
      ++ignored_.try_emplace(column, Ignored{row.line, text, 0}).first->second.times;
    }
  }

  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> list;
    for (const auto& [column, note] : ignored_) {
      const char* meaning =
          is_ratio(note.text) ? " (a sparsity ratio: the array computes all products)" : "";
      list.push_back(fmt::format(
          "{}:{}: column {} is ignored: '{}'{}{}", file_, note.line, column + 1, note.text, meaning,
          note.times == 1 ? "" : fmt::format(" and {} more", note.times - 1)));
    }
    if (!depthwise_.empty()) {
      list.push_back(fmt::format(
          "{}: 'DP' in the name makes a layer depthwise, one filter set per channel: {}", file_,
          fmt::join(depthwise_, ", ")));
    }
    return list;
  }

  struct Ignored {
    int line;
    std::string text;
    int times;
  };

  std::string file_;
  WorkloadProblems problems_;
  Workload workload_;
  std::int64_t macs_ = 0;
  std::vector<std::string> headings_;  // normalised; empty without a header
  std::vector<int> columns_;           // of each field; -1: absent
  bool is_gemm_ = false;
  std::map<int, Ignored> ignored_;
  std::vector<std::string> depthwise_;
};

}  // namespace

WorkloadFile parse_topology_csv(std::string_view text, const std::filesystem::path& file) {
  return TopologyReader(file).read(text);
}

}  // namespace weft::arch
