// SPDX-License-Identifier: Apache-2.0
// The model of a link's end against what docs/link.md says in numbers, and its TLM-2.0 module
// against the model.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <vector>

#include "arch/network/link_frame.h"
#include "arch/network/link_timing.h"
#include "systemc_models/link_bits.h"
#include "systemc_models/link_crc.h"
#include "systemc_models/link_endpoint.h"
#include "systemc_models/link_module.h"
#include "systemc_models/tests/systemc_main.h"

namespace weft::models {
namespace {

using sc_core::sc_time;
using testing::run_in_child;

// Bit by bit, from the sum in the contract.
std::uint32_t crc_by_definition(const std::vector<std::uint64_t>& words, int begin, int end,
                                int width) {
  const std::uint64_t polynomial = (std::uint64_t{1} << width) | arch::crc_polynomial(width);
  std::uint64_t power = 1;  // x^(i + width)
  const auto step = [&] {
    power <<= 1;
    if ((power >> width) != 0) power ^= polynomial;
  };
  for (int i = 0; i < width; ++i) step();
  std::uint64_t sum = 0;
  for (int i = begin; i < end; ++i, step()) {
    if (bits_of(words, i, 1) != 0) sum ^= power;
  }
  return static_cast<std::uint32_t>(~sum & ((std::uint64_t{1} << width) - 1));
}

TEST(LinkCrcModel, IsTheSumOfTheContract) {
  std::mt19937_64 random(1);
  for (const int width : {16, 32}) {
    const LinkCrc crc(width);
    for (int bits = 1; bits < 200; ++bits) {
      std::vector<std::uint64_t> words(5);
      for (auto& word : words) word = random();
      EXPECT_EQ(crc(words, width, width + bits),
                crc_by_definition(words, width, width + bits, width))
          << width << " " << bits;
    }
  }
}

TEST(LinkCrcModel, GivesTheKnownCheckValue) {
  // CRC-32C of "123456789" as it is usually given: bytes reflected, registers of ones, inverted.
  // Here bits go from the highest down and the register starts at 0, so the message is given with
  // its first 32 bits inverted, reversed as a whole.
  const char* const text = "123456789";
  std::vector<std::uint64_t> words(2);
  for (int byte = 0; byte < 9; ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      const int position = 8 * byte + bit;
      const unsigned value = (static_cast<unsigned>(text[byte]) >> bit) & 1U;
      set_bits(words, 71 - position, 1, position < 32 ? value ^ 1U : value);
    }
  }
  const std::uint32_t crc = LinkCrc(32)(words, 0, 72);
  std::uint32_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed |= ((crc >> bit) & 1U) << (31 - bit);
  EXPECT_EQ(reversed, 0xE3069283U);
}

arch::Link some_link(int lanes, int channels) {
  arch::Link link;
  link.flit_width = 37;
  link.lanes = lanes;
  link.lane_width = 8;
  link.virtual_channels = channels;
  link.channel_latency = 1;
  return arch::resolved(link);
}

/// Two models joined by wires of one cycle; end 0 offers flit k = 0, 1 .. in channel 0 in every
/// cycle, end 1 takes everything.
struct Pair {
  explicit Pair(const arch::Link& link) : a(link), b(link), to_a(link), to_b(link) {
    to_b.out_ready = ~std::uint32_t{0};
  }
  /// Runs until `flits` have been taken; cycles in which each went in and came out.
  void run(std::uint64_t flits) {
    for (std::uint64_t now = 0; left.size() < flits; ++now) {
      to_a.valid = taken.size() < flits;
      to_a.flit.assign(to_a.flit.size(), 0);
      to_a.flit[0] = taken.size();
      const arch::LinkOutputs& from_a = a.cycle(to_a);
      const arch::LinkOutputs& from_b = b.cycle(to_b);
      if (to_a.valid && (from_a.in_ready & 1) != 0) taken.push_back(now);
      if ((from_b.out_valid & 1) != 0) {
        EXPECT_EQ(from_b.out_flit[0], left.size());
        left.push_back(now);
      }
      to_a.phit = from_b.phit;
      to_b.phit = from_a.phit;
    }
  }
  LinkEndpoint a, b;
  arch::LinkInputs to_a, to_b;
  std::vector<std::uint64_t> taken, left;
};

TEST(LinkEndpointModel, HasTheLatencyAndTheRateOfTheContract) {
  for (const int lanes : {1, 3, 16}) {
    const arch::Link link = some_link(lanes, 1);
    const arch::LinkTiming timing(link);
    Pair pair(link);
    pair.run(100);
    const auto phits = static_cast<std::uint64_t>(timing.phits);
    // The first flit waits for a slot; the others follow at one a frame.
    const std::uint64_t slot = (pair.taken[0] + 1 + phits - 1) / phits * phits;
    EXPECT_EQ(pair.left[0], slot - 1 + static_cast<std::uint64_t>(timing.latency));
    for (std::size_t k = 1; k < pair.left.size(); ++k) {
      EXPECT_EQ(pair.left[k], pair.left[0] + k * phits);
    }
  }
}

// ---- the module

void expect(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

/// Runs a function as a thread; its socket is bound to one end.
class User : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<User> socket;

  User(const sc_core::sc_module_name& name, std::function<void(User&)> body)
      : sc_module(name), socket("socket"), body_(std::move(body)) {
    SC_HAS_PROCESS(User);
    SC_THREAD(run);
  }

  tlm::tlm_response_status transfer(tlm::tlm_command command, std::uint64_t channel,
                                    std::uint64_t& flit, unsigned length) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(channel);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&flit));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }

 private:
  void run() { body_(*this); }
  std::function<void(User&)> body_;
};

constexpr unsigned flit_bytes = 5;

TEST(LinkModuleTest, MovesFlitsInTheCyclesOfTheModel) {
  for (const int lanes : {1, 16}) {
    EXPECT_TRUE(run_in_child([lanes] {
      constexpr std::uint64_t flits = 60;
      const arch::Link link = some_link(lanes, 1);
      Pair pair(link);
      pair.run(flits);
      const sc_time period(2, sc_core::SC_NS);
      LinkModule a("a", link, period);
      LinkModule b("b", link, period);
      a.wire_out.bind(b.wire_in);
      b.wire_out.bind(a.wire_in);
      std::uint64_t taken = 0;
      std::uint64_t left = 0;
      User writer("writer", [&](User& user) {
        for (; taken < flits; ++taken) {
          std::uint64_t flit = taken;
          expect(user.transfer(tlm::TLM_WRITE_COMMAND, 0, flit, flit_bytes) == tlm::TLM_OK_RESPONSE,
                 "a write failed");
          expect(sc_core::sc_time_stamp() == (pair.taken[taken] + 1) * period, "taken late");
        }
      });
      User reader("reader", [&](User& user) {
        for (; left < flits; ++left) {
          std::uint64_t flit = 0;
          expect(user.transfer(tlm::TLM_READ_COMMAND, 0, flit, flit_bytes) == tlm::TLM_OK_RESPONSE,
                 "a read failed");
          expect(flit == left, "another flit");
          expect(sc_core::sc_time_stamp() == (pair.left[left] + 1) * period, "came late");
        }
      });
      writer.socket.bind(a.user);
      reader.socket.bind(b.user);
      sc_core::sc_start(static_cast<double>(pair.left.back() + 2) * period);
      expect(a.up() && b.up(), "not up");
      expect(taken == flits && left == flits, "not all flits");
    }));
  }
}

TEST(LinkModuleTest, AnswersWhatIsNoTransaction) {
  EXPECT_TRUE(run_in_child([] {
    const arch::Link link = some_link(16, 3);
    const sc_time period(2, sc_core::SC_NS);
    LinkModule a("a", link, period);
    LinkModule b("b", link, period);
    a.wire_out.bind(b.wire_in);
    b.wire_out.bind(a.wire_in);
    bool asked = false;
    User user("user", [&](User& self) {
      std::uint64_t flit = 0;
      expect(self.transfer(tlm::TLM_WRITE_COMMAND, 3, flit, flit_bytes) ==
                 tlm::TLM_ADDRESS_ERROR_RESPONSE,
             "no address error");
      expect(self.transfer(tlm::TLM_IGNORE_COMMAND, 0, flit, flit_bytes) ==
                 tlm::TLM_COMMAND_ERROR_RESPONSE,
             "no command error");
      expect(self.transfer(tlm::TLM_WRITE_COMMAND, 0, flit, 4) == tlm::TLM_BURST_ERROR_RESPONSE,
             "no burst error");
      flit = std::uint64_t{1} << 37;
      expect(self.transfer(tlm::TLM_WRITE_COMMAND, 0, flit, flit_bytes) ==
                 tlm::TLM_GENERIC_ERROR_RESPONSE,
             "no generic error");
      asked = true;
    });
    User other("other", [](User&) {});
    user.socket.bind(a.user);
    other.socket.bind(b.user);
    sc_core::sc_start(100 * period);
    expect(asked, "a wrong payload waits");
  }));
}

}  // namespace
}  // namespace weft::models
