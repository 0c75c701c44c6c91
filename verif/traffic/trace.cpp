// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "verif/traffic/numbers.h"

namespace weft::verif {
namespace {

constexpr std::string_view columns = "cycle,source,destination,flits[,class]";
constexpr std::size_t most_problems = 10;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// One line of a trace; throws UserError without the place.
Injection parse_line(std::string_view line, int nodes, const TraceLimits& limits) {
  const std::vector<std::string_view> cells = split_list(line);
  if (cells.size() < 4 || cells.size() > 5) {
    throw UserError(fmt::format("{} column{} instead of {}", cells.size(),
                                cells.size() == 1 ? "" : "s", columns));
  }
  const auto number = [&](std::size_t column, std::string_view name, auto least, auto most) {
    const std::string_view cell = trimmed(cells[column]);
    const auto value = parse_number<decltype(most)>(cell);
    if (!value || *value < least || *value > most) {
      throw UserError(fmt::format("{}: '{}' is not a whole number in {}..{}", name,
                                  base::printable(cell), least, most));
    }
    return *value;
  };
  Injection packet;
  packet.cycle = number(0, "cycle", std::uint64_t{0}, Injection::never - 1);
  packet.source = number(1, "source", 0, nodes - 1);
  packet.destination = number(2, "destination", 0, nodes - 1);
  packet.flits = number(3, "flits", 1, limits.longest_packet);
  if (cells.size() == 5) {
    packet.traffic_class = number(4, "class", 0, limits.traffic_classes - 1);
  }
  return packet;
}

bool is_header(std::string_view line) { return line.substr(0, line.find(',')) == "cycle"; }

class Trace final : public Traffic {
 public:
  Trace(const std::vector<Injection>& trace, int nodes, int longest, int classes)
      : Traffic(nodes, longest, classes, 1),
        traced_(static_cast<std::size_t>(nodes)),
        position_(static_cast<std::size_t>(nodes), 0) {
    for (const Injection& packet : trace) {
      traced_[static_cast<std::size_t>(packet.source)].push_back(packet);
    }
    for (int s = 0; s < nodes; ++s) refill(s);
  }

 protected:
  void refill(int source) override {
    const auto s = static_cast<std::size_t>(source);
    packets(source).front() =
        position_[s] < traced_[s].size() ? traced_[s][position_[s]++] : Injection{};
  }

 private:
  std::vector<std::vector<Injection>> traced_;  ///< by source
  std::vector<std::size_t> position_;           ///< of the packet after the next one, by source
};

}  // namespace

std::vector<Injection> parse_trace(std::string_view text, std::string_view name, int nodes,
                                   const TraceLimits& limits) {
  std::vector<Injection> packets;
  std::vector<std::uint64_t> last_cycle(static_cast<std::size_t>(nodes), 0);
  std::vector<std::string> problems;
  bool first = true;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  for (std::size_t number = 1; !text.empty() && problems.size() < most_problems; ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    const bool header = first && is_header(line);
    first = false;
    if (header) continue;
    try {
      Injection packet = parse_line(line, nodes, limits);
      std::uint64_t& last = last_cycle[static_cast<std::size_t>(packet.source)];
      if (packet.cycle < last) {
        throw UserError(fmt::format("cycle {} of source {} comes after its cycle {}", packet.cycle,
                                    packet.source, last));
      }
      last = packet.cycle;
      packet.id = packets.size();
      packets.push_back(packet);
    } catch (const UserError& error) {
      problems.push_back(fmt::format("{}:{}: {}", name, number, error.what()));
    }
  }
  if (!problems.empty()) throw UserError(fmt::format("{}", fmt::join(problems, "\n")));
  if (packets.empty()) throw UserError(fmt::format("{}: no packets in it", name));
  return packets;
}

std::unique_ptr<Traffic> make_trace(const std::filesystem::path& file, int nodes,
                                    const TraceLimits& limits) {
  const auto packets = parse_trace(base::read_file(file), file.string(), nodes, limits);
  int longest = 1;
  int classes = 1;
  for (const Injection& packet : packets) {
    longest = std::max(longest, packet.flits);
    classes = std::max(classes, packet.traffic_class + 1);
  }
  return std::make_unique<Trace>(packets, nodes, longest, classes);
}

}  // namespace weft::verif
