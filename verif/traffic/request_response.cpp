// SPDX-License-Identifier: Apache-2.0
#include "verif/traffic/request_response.h"

#include <algorithm>
#include <queue>
#include <vector>

#include "base/error.h"
#include "verif/random.h"
#include "verif/traffic/distribution.h"
#include "verif/traffic/traffic_spec.h"

namespace weft::verif {
namespace {

class RequestResponse final : public Traffic {
 public:
  RequestResponse(const TrafficSpec& spec, int nodes, std::uint64_t seed)
      : Traffic(nodes, std::max(whole(spec, "request"), whole(spec, "response")),
                std::max(whole(spec, "request_class"), whole(spec, "response_class")) + 1, 1),
        request_flits_(whole(spec, "request")),
        response_flits_(whole(spec, "response")),
        request_class_(whole(spec, "request_class")),
        response_class_(whole(spec, "response_class")),
        window_(whole(spec, "window")),
        service_(static_cast<std::uint64_t>(whole(spec, "service"))),
        gap_(spec.load / (request_flits_ + response_flits_)) {
    if (nodes < 2) throw UserError("traffic request_response: needs at least 2 nodes");
    for (int s = 0; s < nodes; ++s) {
      nodes_.emplace_back(seed, static_cast<std::uint64_t>(s) + 1);
      plan_request(s, 0);
      choose(s);
    }
  }

  void delivered(const Injection& packet, std::uint64_t cycle) override {
    Node& node = node_of(packet.destination);
    if (is_response(packet)) {
      if (node.open-- == window_) node.request.cycle = std::max(node.request.cycle, cycle + 1);
    } else {
      Injection response;
      response.cycle = cycle + service_;
      response.source = packet.destination;
      response.destination = packet.source;
      response.flits = response_flits_;
      response.traffic_class = response_class_;
      response.id = packet.id + 1;
      node.responses.push(response);
    }
    choose(packet.destination);
  }
  [[nodiscard]] bool closed_loop() const override { return true; }

 protected:
  void refill(int source) override {
    Node& node = node_of(source);
    if (is_response(next(source))) {
      node.responses.pop();
    } else {
      ++node.open;
      plan_request(source, node.request.cycle + 1);
    }
    choose(source);
  }

 private:
  struct Node {
    Node(std::uint64_t seed, std::uint64_t sequence) : random(seed, sequence) {}
    Random random;
    Injection request;                ///< the next one, as soon as the window has room
    std::queue<Injection> responses;  ///< in order of cycles
    int open = 0;                     ///< requests without response
    std::uint64_t requests = 0;       ///< planned so far
  };

  static int whole(const TrafficSpec& spec, const char* name) {
    return static_cast<int>(spec.parameters.at(name));
  }
  /// Requests have even identities; a response has that of its request plus 1.
  static bool is_response(const Injection& packet) { return packet.id % 2 != 0; }
  Node& node_of(int n) { return nodes_[static_cast<std::size_t>(n)]; }

  void plan_request(int source, std::uint64_t earliest) {
    Node& node = node_of(source);
    const std::uint64_t gap = gap_(node.random);
    Injection& request = node.request;
    request.cycle = gap == GeometricSampler::never ? Injection::never : earliest + gap;
    request.source = source;
    request.destination =
        static_cast<int>(node.random.below(static_cast<std::uint64_t>(nodes()) - 1));
    if (request.destination >= source) ++request.destination;
    request.flits = request_flits_;
    request.traffic_class = request_class_;
    request.id = 2 * (node.requests++ * static_cast<std::uint64_t>(nodes()) +
                      static_cast<std::uint64_t>(source));
  }

  /// Responses go first: they free someone's window.
  void choose(int source) {
    const Node& node = node_of(source);
    Injection& next = packets(source).front();
    next = Injection{};
    if (node.open < window_) next = node.request;
    if (!node.responses.empty() && node.responses.front().cycle <= next.cycle) {
      next = node.responses.front();
    }
  }

  int request_flits_, response_flits_;
  int request_class_, response_class_;
  int window_;
  std::uint64_t service_;
  GeometricSampler gap_;
  std::vector<Node> nodes_;
};

}  // namespace

std::unique_ptr<Traffic> make_request_response(const TrafficSpec& spec, int nodes,
                                               std::uint64_t seed) {
  return std::make_unique<RequestResponse>(spec, nodes, seed);
}

}  // namespace weft::verif
