// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "rtl_gen/switch/switch_builder.h"

namespace weft::rtl {

using namespace hdl;

void SwitchBuilder::filter_at_outputs() {
  if (output_requests_ == nullptr) return;
  const Expr head = m_.wire("urgent_head", sizes_.ports * sizes_.lanes);
  const Expr continuing = m_.wire("urgent_continuing", sizes_.ports * sizes_.lanes);
  const bool weighted = output_requests_->find_port("depart_i") != nullptr;
  m_.generate_for("o", 0, sizes_.ports, "output_filter", [&](Scope& s, const Expr& o) {
    const auto gather = [&](const std::string& name, const Expr& matrix) {
      return column(
          s, name, [&](const Expr& i) { return cell(matrix, i, o); }, sizes_.channels);
    };
    const Expr heads = s.wire("heads_left", sizes_.lanes);
    const Expr continuings = s.wire("continuing_left", sizes_.lanes);
    std::vector<Connection> ports{{"head_i", gather("heads", head_)},
                                  {"continuing_i", gather("continuings", continuing_)},
                                  {"head_o", heads},
                                  {"continuing_o", continuings}};
    if (weighted) {
      ports.insert(ports.begin(), {{"clk_i", clk_}, {"rst_ni", rst_n_}});
      ports.push_back({"depart_i", gather("departs", depart_)});
    }
    s.instance("u_requests", *output_requests_, parameters_of(sizes_, shape_), ports);
    s.generate_for("i", 0, sizes_.ports, "to", [&](Scope& t, const Expr& i) {
      t.assign(cell(head, i, o), of_port(heads, i, sizes_.channels));
      t.assign(cell(continuing, i, o), of_port(continuings, i, sizes_.channels));
    });
  });
  head_ = head;
  continuing_ = continuing;
}

void SwitchBuilder::find_usable() {
  if (!shape_.speculative) return;
  ready_ = m_.let("ready", continuing_ | (head_ & rep(sizes_.ports, open_)),
                  "requests that can use a grant");
  usable_ = m_.wire("usable", sizes_.ports, "the output has one");
  m_.generate_for("o", 0, sizes_.ports, "ready_for", [&](Scope& s, const Expr& o) {
    const Expr mine = column(
        s, "mine", [&](const Expr& i) { return cell(ready_, i, o); }, sizes_.channels);
    s.assign(usable_.at(o), any(mine));
  });
}

void SwitchBuilder::filter_at_inputs() {
  const Expr pairs = sizes_.ports * sizes_.ports;
  if (queue_arbiter_ != nullptr) {
    choose_queues();
    return;
  }
  if (input_requests_ == nullptr) {
    want_ = m_.let("want", head_ | continuing_);
    grant_ = m_.wire("grant", pairs);
    chosen_ = grant_;
    return;
  }
  want_ = m_.wire("want", pairs, "input i asks for output o at [i*PORTS + o]");
  grant_ = m_.wire("grant", pairs);
  chosen_ = m_.wire("chosen", sizes_.ports * sizes_.lanes, "the request that uses the grant");
  m_.generate_for("i", 0, sizes_.ports, "input_filter", [&](Scope& s, const Expr& i) {
    std::vector<Connection> ports;
    if (several()) ports = {{"clk_i", clk_}, {"rst_ni", rst_n_}};
    ports.push_back({"head_i", of_port(head_, i, sizes_.lanes)});
    ports.push_back({"continuing_i", of_port(continuing_, i, sizes_.lanes)});
    if (several() && shape_.speculative) {
      ports.push_back({"ready_i", of_port(ready_, i, sizes_.lanes)});
    }
    ports.push_back({"want_o", of_port(want_, i, sizes_.ports)});
    ports.push_back({"grant_i", of_port(grant_, i, sizes_.ports)});
    ports.push_back({"chosen_o", of_port(chosen_, i, sizes_.lanes)});
    s.instance("u_requests", *input_requests_, parameters_of(sizes_, shape_), ports);
  });
}

/// Each output chooses among the VCs of the input that it serves.
void SwitchBuilder::choose_queues() {
  const Expr pairs = sizes_.ports * sizes_.ports;
  want_ = m_.wire("want", pairs, "input i asks for output o at [i*PORTS + o]");
  grant_ = m_.wire("grant", pairs);
  chosen_ = m_.wire("chosen", sizes_.ports * sizes_.lanes, "the request that uses the grant");
  const Expr request = m_.let("request", head_ | continuing_);
  m_.generate_for("n", 0, pairs, "choice", [&](Scope& s, const Expr& n) {
    const Expr first = s.wire("turn", sizes_.channels, "the VC whose turn it is");
    s.assign(want_.at(n), any(of_port(request, n, sizes_.channels)));
    s.instance("u_queue", *queue_arbiter_, {{"N", sizes_.channels}},
               {{"clk_i", clk_},
                {"rst_ni", rst_n_},
                {"request_i", of_port(request, n, sizes_.channels)},
                {"update_i", grant_.at(n)},
                {"grant_o", first}});
    s.assign(of_port(chosen_, n, sizes_.channels), rep(sizes_.channels, grant_.at(n)) & first);
  });
}

void SwitchBuilder::allocate() {
  std::vector<Connection> parameters{{"PORTS", sizes_.ports}};
  if (allocator_.find_parameter("ITERATIONS") != nullptr) {
    const bool islip = shape_.device.allocator == arch::Allocator::islip;
    parameters.push_back({"ITERATIONS", islip ? shape_.device.islip_iterations : 1});
  }
  std::vector<Connection> ports{{"clk_i", clk_}, {"rst_ni", rst_n_}, {"request_i", want_}};
  if (shape_.speculative) ports.push_back({"usable_i", usable_});
  ports.push_back({"grant_o", grant_});
  m_.instance("u_allocator", allocator_, parameters, ports);
}

void SwitchBuilder::depart() {
  // Among several VCs, those that cannot use the grant are not chosen.
  m_.assign(depart_, shape_.speculative && !several() ? chosen_ & ready_ : chosen_);
}

/// Which flit goes where: input (or result FIFO) i to output o at [i*PORTS + o].
Expr SwitchBuilder::selected() {
  const Expr pairs = sizes_.ports * sizes_.ports;
  if (!several() && !shape_.collectives) return depart_;
  const Expr rows = result_ != nullptr ? pairs + sizes_.ports : pairs;
  const Expr select = m_.wire("select", rows, "input i to output o at [i*PORTS + o]");
  m_.generate_for("i", 0, sizes_.ports, "selected", [&](Scope& s, const Expr& i) {
    s.generate_for("o", 0, sizes_.ports, "to", [&](Scope& t, const Expr& o) {
      const Expr departs = any(cell(depart_, i, o));
      t.assign(
          select.at(i * sizes_.ports + o),
          shape_.device.multicast ? departs | (groups_.from.at(i) & groups_.to.at(o)) : departs);
    });
  });
  if (result_ != nullptr) {
    const Expr from = shape_.device.multicast ? groups_.from.at(sizes_.ports) : groups_.from;
    m_.assign(select.part(pairs, sizes_.ports), rep(sizes_.ports, from) & groups_.to);
  }
  return select;
}

void SwitchBuilder::cross() {
  Expr selected = SwitchBuilder::selected();
  for (int stage = 1; stage <= shape_.timing.output_stages; ++stage) {
    const Expr next = m_.reg(stage == 1 ? "select_q" : "select_2q", width_of(selected));
    m_.always_ff(clk_, {next <<= selected});
    selected = next;
  }
  if (shape_.fan_out) {
    m_.generate_for("o", 0, sizes_.ports, "crossing", [&](Scope& s, const Expr& o) {
      const auto from = [&](const std::string& name, const Expr& vector, const Expr& width) {
        return column(
            s, name, [&](const Expr& i) { return of_port(vector, i * sizes_.ports + o, width); },
            width);
      };
      s.instance("u_crossbar", crossbar_,
                 {{"INPUTS", sizes_.ports}, {"OUTPUTS", 1}, {"WIDTH", width_}},
                 {{"select_i", from("selects", selected, 1)},
                  {"data_i", from("words", leaving_, width_)},
                  {"data_o", of_port(crossed_, o, width_)}});
    });
    return;
  }
  m_.instance("u_crossbar", crossbar_,
              {{"INPUTS", result_ != nullptr ? sizes_.ports + 1 : sizes_.ports},
               {"OUTPUTS", sizes_.ports},
               {"WIDTH", width_}},
              {{"select_i", selected}, {"data_i", leaving_}, {"data_o", crossed_}});
}

}  // namespace weft::rtl
