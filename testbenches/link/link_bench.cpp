// SPDX-License-Identifier: Apache-2.0
#include "testbenches/link/link_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arch/network/link_frame.h"
#include "arch/network/link_timing.h"
#include "base/interrupt.h"

namespace weft::verif {

using arch::LinkInputs;
using arch::LinkOutputs;

namespace {

/// The name of direction `d`, from end d to the other.
std::string direction_name(int d) { return fmt::format("from end {} to end {}", d, 1 - d); }

/// What is different, in one line; empty if nothing is.
std::string difference(const LinkOutputs& model, const LinkOutputs& rtl, bool phit_counts,
                       std::size_t flit_words) {
  const auto of = [](const char* port, auto expected, auto got) {
    return fmt::format("{}: expected {:#x}, got {:#x}", port, static_cast<std::uint64_t>(expected),
                       static_cast<std::uint64_t>(got));
  };
  if (model.up != rtl.up) return of("up_o", model.up, rtl.up);
  if (model.in_ready != rtl.in_ready) return of("in_ready_o", model.in_ready, rtl.in_ready);
  if (model.out_valid != rtl.out_valid) return of("out_valid_o", model.out_valid, rtl.out_valid);
  for (std::size_t i = 0; i < model.out_flit.size(); ++i) {
    const bool shown = ((model.out_valid >> (i / flit_words)) & 1) != 0;
    if (shown && model.out_flit[i] != rtl.out_flit[i]) {
      return fmt::format("VC {}, word {} of ", i / flit_words, i % flit_words) +
             of("out_flit_o", model.out_flit[i], rtl.out_flit[i]);
    }
  }
  if (phit_counts && model.phit != rtl.phit) {
    const auto at = std::mismatch(model.phit.begin(), model.phit.end(), rtl.phit.begin());
    return fmt::format("word {} of ", at.first - model.phit.begin()) +
           of("phit_o", *at.first, *at.second);
  }
  if (model.mismatch != rtl.mismatch) return of("mismatch_o", model.mismatch, rtl.mismatch);
  if (model.restart != rtl.restart) return of("restart_o", model.restart, rtl.restart);
  if (model.error != rtl.error) return of("error_o", model.error, rtl.error);
  if (model.replay != rtl.replay) return of("replay_o", model.replay, rtl.replay);
  return {};
}

enum Corner : std::size_t {
  replayed,
  bad_frame,
  restarted,
  numbers_wrapped,
  no_channel_ready,
  some_channels_ready,
  every_channel_waiting,
};

Coverage corners(const arch::Link& link) {
  Coverage coverage;
  coverage.declare("wire/frames sent again");
  coverage.declare("wire/bad frame");
  coverage.declare("start/other end reset");
  coverage.declare("numbers/sequence numbers wrapped");
  coverage.declare("flow/no channel ready");
  coverage.declare("flow/some channels ready, others not", link.virtual_channels > 1);
  coverage.declare("flow/a flit waiting in every channel");
  return coverage;
}

}  // namespace

struct LinkBench::End {
  End(const LinkEnd& end, std::int32_t seed)
      : link(end.link), layout(end.link), model(end.link), inputs(end.link) {
    if (end.library == nullptr) {
      driven = std::make_unique<models::LinkEndpoint>(end.link);
    } else {
      auto built = std::make_unique<RtlEndpoint>(end.link, end.library, end.description, seed);
      rtl = built.get();
      driven = std::move(built);
    }
  }

  arch::Link link;
  arch::FrameLayout layout;
  std::unique_ptr<arch::LinkSimulation> driven;  ///< whose outputs drive the wires
  RtlEndpoint* rtl = nullptr;                    ///< the same, if it is RTL
  models::LinkEndpoint model;
  LinkInputs inputs;
  std::uint64_t held = 0;  ///< cycles for which it stays in reset
  std::uint64_t age = 0;   ///< cycles since its reset
  const LinkOutputs* outputs = nullptr;
};

/// One scenario.
class LinkBench::Experiment {
 public:
  Experiment(LinkBench& bench, const LinkScenario& scenario)
      : bench_(bench),
        scenario_(scenario),
        link_(bench.ends_[0]->link),
        timing_(link_),
        random_(scenario.seed) {
    for (int d = 0; d < 2; ++d) {
      boards_.emplace_back(link_, direction_name(d), random_.bits());
      wires_.emplace_back(link_, scenario.directions[index(d)].latency, random_.bits());
      wires_.back().set_faults(scenario.directions[index(d)].faults);
      bench.ends_[index(d)]->held = 0;
      reset(d);
    }
    events_ = scenario.events;
    std::ranges::sort(events_, {}, &LinkEvent::cycle);
    patience_ = patience();
  }

  std::string run() {
    if (!stream() || !drain() || !count_credits()) return problem_;
    return {};
  }

  std::string idle(std::uint64_t cycles) {
    while (now_ < cycles) {
      if (!cycle()) break;
    }
    return problem_;
  }

 private:
  /// When the last flit of a direction left, and what had been counted then.
  struct Mark {
    std::uint64_t cycle;
    std::uint64_t errors;
    std::uint64_t replays;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  End& end(int e) { return *bench_.ends_[index(e)]; }
  const LinkDirection& direction(int d) const { return scenario_.directions[index(d)]; }

  /// Cycles without any flit moving after which something is stuck. Initialisation and the retry
  /// timer are the longest waits; damaged frames multiply them.
  std::uint64_t patience() const {
    std::uint64_t result = 8 * frames(link_.quiet_frames + link_.retry_timeout +
                                      link_.realign_frames + timing_.credit_round_trip) +
                           4000;
    for (int d = 0; d < 2; ++d) {
      result += 40 * frames(timing_.replay_round_trip) + 2 * direction(d).ready_run * 100;
      if (direction(d).load > 0) result += 1000 / direction(d).load;
    }
    for (const LinkEvent& event : events_) result = std::max(result, event.cycle) + event.length;
    return result;
  }
  std::uint64_t frames(int count) const {
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(timing_.phits);
  }

  void reset(int e) {
    End& one = end(e);
    one.driven->reset();
    one.model.reset();
    one.age = 0;
  }

  bool fail(const std::string& what) {
    if (problem_.empty()) problem_ = fmt::format("cycle {}: {}", now_, what);
    return false;
  }

  bool stream() {
    while (more_to_take() || !events_.empty() || end(0).held + end(1).held > 0) {
      offering_ = true;
      if (!cycle()) return false;
    }
    return true;
  }

  bool more_to_take() const {
    return boards_[0].total_taken() < direction(0).flits ||
           boards_[1].total_taken() < direction(1).flits;
  }

  bool drain() {
    idle_ = 0;
    offering_ = false;
    draining_ = true;
    const std::uint64_t settle = frames(2 * timing_.replay_round_trip + 4);
    for (std::uint64_t quiet = 0; quiet < settle;) {
      if (!cycle()) return false;
      quiet = boards_[0].owed() + boards_[1].owed() == 0 ? quiet + 1 : 0;
    }
    return true;
  }

  /// On a perfect wire and with users that take nothing, exactly the credits of every channel can
  /// be sent.
  bool count_credits() {
    for (Channel& wire : wires_) wire.set_faults({});
    cut_until_ = {};
    for (FlitScoreboard& board : boards_) board.forgive();
    // What a restart left in the buffers comes out first.
    for (std::uint64_t t = 0; t < patience_; ++t) {
      if (!cycle()) return false;
      if (end(0).outputs->up && end(1).outputs->up && end(0).outputs->out_valid == 0 &&
          end(1).outputs->out_valid == 0 && t > frames(4 * timing_.credit_round_trip)) {
        break;
      }
    }
    std::array<std::vector<std::uint64_t>, 2> before;
    for (int d = 0; d < 2; ++d) {
      for (int vc = 0; vc < link_.virtual_channels; ++vc) {
        before[index(d)].push_back(boards_[index(d)].under_way(vc));
      }
    }
    draining_ = false;
    counting_ = offering_ = true;
    const auto most = static_cast<std::uint64_t>(link_.virtual_channels) *
                      static_cast<std::uint64_t>(link_.buffer_depth);
    const std::uint64_t rounds =
        1 + static_cast<std::uint64_t>(timing_.replay_round_trip / link_.replay_depth);
    const std::uint64_t enough =
        2 * (most + 4) * rounds * static_cast<std::uint64_t>(timing_.phits) +
        frames(8 * timing_.credit_round_trip);
    for (std::uint64_t t = 0; t < enough; ++t) {
      if (!cycle()) return false;
    }
    for (int d = 0; d < 2; ++d) {
      for (int vc = 0; vc < link_.virtual_channels; ++vc) {
        const std::uint64_t sent = boards_[index(d)].under_way(vc) - before[index(d)][index(vc)];
        if (sent != static_cast<std::uint64_t>(link_.buffer_depth)) {
          return fail(fmt::format("{}, VC {}: {} credits of {} were left after draining",
                                  direction_name(d), vc, sent, link_.buffer_depth));
        }
      }
    }
    counting_ = offering_ = false;
    return drain();
  }

  bool cycle() {
    base::check_interrupt();
    handle_events();
    for (int e = 0; e < 2; ++e) {
      if (!end_cycle(e)) return false;
    }
    for (int e = 0; e < 2; ++e) send(e);
    ++now_;
    ++bench_.cycles_;
    if (!counting_ && ++idle_ > patience_) return fail("nothing moves any more: " + stuck());
    return true;
  }

  void handle_events() {
    while (!events_.empty() && events_.front().cycle <= now_) {
      const LinkEvent event = events_.front();
      events_.erase(events_.begin());
      if (event.kind == LinkEvent::Kind::reset) {
        end(event.place).held = event.length;
        for (FlitScoreboard& board : boards_) board.forgive();
      } else {
        cut_until_[index(event.place)] = now_ + event.length;
      }
    }
    for (int d = 0; d < 2; ++d) wires_[index(d)].cut(now_ < cut_until_[index(d)]);
  }

  /// End `e` sends in direction e and receives from the other one.
  bool end_cycle(int e) {
    End& one = end(e);
    if (one.held > 0) {
      if (--one.held == 0) reset(e);
      one.outputs = nullptr;
      return true;
    }
    stimulate(e);
    const LinkOutputs& rtl = one.driven->cycle(one.inputs);
    const LinkOutputs& model = one.model.cycle(one.inputs);
    const std::size_t flit_words = one.inputs.flit.size();
    if (const std::string text = difference(model, rtl, one.age >= 2, flit_words); !text.empty()) {
      return fail(fmt::format("end {}, its cycle {}: {}", e, one.age, text));
    }
    one.outputs = &rtl;
    ++one.age;
    return observe(e, rtl);
  }

  void stimulate(int e) {
    End& one = end(e);
    LinkInputs& in = one.inputs;
    const LinkDirection& sends = direction(e);
    const LinkDirection& receives = direction(1 - e);
    const bool wanted = counting_ || boards_[index(e)].total_taken() < sends.flits;
    in.valid = offering_ && wanted && (counting_ || random_.chance(sends.load));
    if (in.valid) {
      in.vc = choose_channel(e);
      const auto flit = boards_[index(e)].offer(in.vc);
      in.flit.assign(flit.begin(), flit.end());
    }
    if (draining_) {
      in.out_ready = ~std::uint32_t{0};
    } else if (counting_) {
      in.out_ready = 0;
    } else if (now_ % receives.ready_run == 0) {
      in.out_ready = 0;
      for (int vc = 0; vc < link_.virtual_channels; ++vc) {
        if (random_.chance(receives.ready)) in.out_ready |= std::uint32_t{1} << vc;
      }
    }
    const auto arriving = wires_[index(1 - e)].arriving();
    in.phit.assign(arriving.begin(), arriving.end());
  }

  /// Mostly a channel that was ready a cycle ago, but any may be offered a flit.
  int choose_channel(int e) {
    const int channels = link_.virtual_channels;
    const int first = static_cast<int>(random_.below(static_cast<std::uint64_t>(channels)));
    const LinkOutputs* last = end(e).outputs;
    if (last == nullptr || random_.chance(10)) return first;
    for (int k = 0; k < channels; ++k) {
      const int vc = (first + k) % channels;
      if (((last->in_ready >> vc) & 1) != 0) return vc;
    }
    return first;
  }

  bool observe(int e, const LinkOutputs& out) {
    const LinkInputs& in = end(e).inputs;
    DirectionTotals& outgoing = bench_.totals_[index(e)];
    DirectionTotals& incoming = bench_.totals_[index(1 - e)];
    FlitScoreboard& from_here = boards_[index(e)];
    FlitScoreboard& to_here = boards_[index(1 - e)];
    for (int vc = 0; vc < link_.virtual_channels; ++vc) {
      if ((out.out_valid & in.out_ready & (std::uint32_t{1} << vc)) == 0) continue;
      const std::size_t words = in.flit.size();
      to_here.left(vc, std::span(out.out_flit).subspan(index(vc) * words, words));
      ++incoming.flits;
      idle_ = 0;
      if (!draining_ && !counting_) note_streamed(1 - e);
    }
    if (in.valid && ((out.in_ready >> in.vc) & 1) != 0) {
      from_here.taken(in.vc);
      idle_ = 0;
    }
    if (out.restart) {
      for (FlitScoreboard& board : boards_) board.forgive();
      ++bench_.restarts_;
    }
    if (out.error) ++incoming.errors;
    if (out.replay) ++outgoing.replays;
    note_corners(e, out);
    const std::string& wrong = to_here.mismatch();
    return wrong.empty() || fail(wrong);
  }

  void note_streamed(int d) {
    DirectionTotals& totals = bench_.totals_[index(d)];
    std::optional<Mark>& last = last_left_[index(d)];
    if (last) {
      totals.streamed.flits += 1;
      totals.streamed.cycles += now_ - last->cycle;
      totals.streamed.errors += totals.errors - last->errors;
      totals.streamed.replays += totals.replays - last->replays;
    }
    last = Mark{now_, totals.errors, totals.replays};
  }

  void note_corners(int e, const LinkOutputs& out) {
    Coverage& coverage = bench_.coverage_;
    const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << link_.virtual_channels) - 1);
    const auto numbers = std::uint64_t{1} << link_.sequence_width;
    if (out.replay) coverage.hit(replayed);
    if (out.error) coverage.hit(bad_frame);
    if (out.restart) coverage.hit(restarted);
    if (boards_[index(e)].total_left() == 2 * numbers) coverage.hit(numbers_wrapped);
    if (out.up && out.in_ready == 0) coverage.hit(no_channel_ready);
    if (out.in_ready != 0 && out.in_ready != all) coverage.hit(some_channels_ready);
    if (out.out_valid == all) coverage.hit(every_channel_waiting);
  }

  void send(int e) {
    End& one = end(e);
    if (one.outputs == nullptr) {
      std::vector<std::uint64_t> noise(one.inputs.phit.size());
      for (std::uint64_t& word : noise) word = random_.bits();
      const int rest = one.layout.phit_width % 64;
      if (rest != 0) noise.back() &= (std::uint64_t{1} << rest) - 1;
      wires_[index(e)].send(noise, true);
      return;
    }
    const std::uint64_t age = one.age - 1;
    const auto phits = static_cast<std::uint64_t>(one.layout.phits);
    wires_[index(e)].send(one.outputs->phit, age >= 2 && (age - 2) % phits == 0);
  }

  /// Who waits for what.
  std::string stuck() {
    std::string text;
    for (int e = 0; e < 2; ++e) {
      const LinkOutputs* out = end(e).outputs;
      text += fmt::format("{}end {}: ", e > 0 ? "; " : "", e);
      if (out == nullptr) {
        text += "in reset";
        continue;
      }
      text += fmt::format(
          "{}, ready for channels {:#b}, flits waiting in {:#b}, {} flits taken, {} of them owed",
          out->up ? "up" : "down", out->in_ready, out->out_valid, boards_[index(e)].total_taken(),
          boards_[index(e)].owed());
    }
    return text;
  }

  LinkBench& bench_;
  const LinkScenario& scenario_;
  const arch::Link& link_;
  arch::LinkTiming timing_;
  Random random_;
  std::vector<FlitScoreboard> boards_;
  std::vector<Channel> wires_;
  std::vector<LinkEvent> events_;
  std::array<std::uint64_t, 2> cut_until_{};
  std::array<std::optional<Mark>, 2> last_left_;  ///< [direction]
  std::uint64_t patience_ = 0;
  std::uint64_t now_ = 0;
  std::uint64_t idle_ = 0;
  bool offering_ = false;
  bool draining_ = false;
  bool counting_ = false;
  std::string problem_;
};

LinkBench::LinkBench(const LinkEnd& a, const LinkEnd& b)
    : ends_{std::make_unique<End>(a, 1), std::make_unique<End>(b, 2)}, coverage_(corners(a.link)) {}

LinkBench::~LinkBench() = default;

std::string LinkBench::run(const LinkScenario& scenario) {
  return Experiment(*this, scenario).run();
}

std::string LinkBench::idle(const LinkScenario& scenario, std::uint64_t cycles) {
  return Experiment(*this, scenario).idle(cycles);
}

const arch::LinkOutputs& LinkBench::outputs(int end) const {
  return *ends_[static_cast<std::size_t>(end)]->outputs;
}

const DirectionTotals& LinkBench::totals(int direction) const {
  return totals_[static_cast<std::size_t>(direction)];
}

std::vector<std::filesystem::path> LinkBench::trace(const std::filesystem::path& path) {
  ends_[0]->rtl->trace(path);
  std::filesystem::path other = path;
  other.replace_filename(path.stem().string() + "_1" + path.extension().string());
  ends_[1]->rtl->trace(other);
  return {path, other};
}

}  // namespace weft::verif
