// SPDX-License-Identifier: Apache-2.0
#include "testbenches/switch/waiting_report.h"

#include <fmt/format.h>

namespace weft::verif {
namespace {

std::string name(const models::PacketPlace& place) {
  if (place.input < 0) return "the result of a reduction";
  return fmt::format("input {}, queue {}", place.input, place.queue);
}

std::string ports(const arch::PortSet& set) {
  std::string text;
  for (std::size_t p = 0; p < set.size(); ++p) {
    if (set[p]) text += fmt::format("{}{}", text.empty() ? "" : ", ", p);
  }
  return text;
}

const char* reason(models::WaitReason reason) {
  switch (reason) {
    case models::WaitReason::credit:
      return "waits for credits of";
    case models::WaitReason::held_vc:
      return "waits for what others hold of";
    case models::WaitReason::arbitration:
      return "waits for its turn at";
    case models::WaitReason::own_flits:
      return "waits for its own next flits, to";
    case models::WaitReason::members:
      return "waits for contributions from";
    case models::WaitReason::collective:
      return "waits for other collective packets, to";
  }
  return "";
}

}  // namespace

std::string to_text(const std::vector<models::Waiting>& waiting) {
  std::string text;
  for (const models::Waiting& one : waiting) {
    text += fmt::format("\n  {} {} {} (VC {})", name(one.who), reason(one.reason),
                        ports(one.outputs), one.vc);
    for (const models::PacketPlace& holder : one.holders) {
      text += fmt::format(", held by {}", name(holder));
    }
  }
  return text;
}

}  // namespace weft::verif
