// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/transfers/nvbandwidth.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <limits>

#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

class Nvbandwidth {
 public:
  Nvbandwidth(const Scenario& scenario, const Graph& graph, RateMeter& meter, Blame& blamed)
      : scenario_(scenario),
        system_(*scenario.system),
        graph_(graph),
        meter_(meter),
        blamed_in_all_(blamed) {}

  std::vector<TransferMatrix> run(TransferTest test) {
    using enum TransferTest;
    switch (test) {
      case host_to_device:
      case device_to_host:
        return finish(test, row_one_by_one([&](std::size_t gpu) {
                        return std::vector{host_stream(counted(test), gpu)};
                      }));
      case host_to_device_bidirectional:
      case device_to_host_bidirectional:
        return finish(
            test, row_one_by_one([&](std::size_t gpu) {
              return std::vector{host_stream(counted(test), gpu), host_stream(opposite(test), gpu)};
            }));
      case all_to_host:
      case host_to_all:
      case all_to_host_bidirectional:
      case host_to_all_bidirectional: {
        std::vector<Stream> streams;
        streams.reserve(2 * gpus());
        for (std::size_t gpu = 0; gpu < gpus(); ++gpu)
          streams.push_back(host_stream(counted(test), gpu));
        if (test == all_to_host_bidirectional || test == host_to_all_bidirectional)
          for (std::size_t gpu = 0; gpu < gpus(); ++gpu)
            streams.push_back(host_stream(opposite(test), gpu));
        return finish(test, row_at_once(streams));
      }
      case device_to_device:
      case device_to_device_bidirectional:
        return pairs(test);
    }
    return {};
  }

  bool bounced() const { return bounced_; }

 private:
  enum class Direction { to_gpu, from_gpu };
  using enum Direction;

  std::size_t gpus() const { return system_.gpus.size(); }

  Stream host_stream(Direction direction, std::size_t gpu) {
    const auto& part = system_.gpus[gpu];
    const VertexIndex memory = graph_.memory_of(socket_of(system_, part));
    const VertexIndex node = graph_.gpu(gpu);
    return checked(direction == to_gpu ? shortest_route(graph_, memory, node)
                                       : shortest_route(graph_, node, memory),
                   label_of(scenario_, {PartKind::gpu, gpu}), Label("its host memory"));
  }

  Stream peer_stream(std::size_t from, std::size_t to) {
    const auto route = peer_route(scenario_, graph_, from, to, true);
    if (route && route->cap) bounced_ = true;
    return checked(route, graph_.vertex(graph_.gpu(from)).label,
                   graph_.vertex(graph_.gpu(to)).label);
  }

  Stream checked(const std::optional<Route>& route, const Label& from, const Label& to) const {
    if (route) return stream_over(*route);
    Diagnostics missing;
    report_no_way(missing, scenario_.where, scenario_, from, to);
    missing.throw_if_any();
    return {};
  }

  /// One row; `streams` begins with those that are counted, one of each column.
  TransferMatrix row_at_once(const std::vector<Stream>& streams) {
    const auto rates = meter_.measure(streams);
    TransferMatrix matrix;
    matrix.bandwidth_Bps.emplace_back();
    for (std::size_t gpu = 0; gpu < gpus(); ++gpu) {
      matrix.bandwidth_Bps.front().push_back(rates.of_one[gpu].value);
      blame(rates.limited_by[gpu]);
    }
    return matrix;
  }

  TransferMatrix row_one_by_one(
      const std::function<std::vector<Stream>(std::size_t gpu)>& streams) {
    TransferMatrix matrix;
    matrix.bandwidth_Bps.emplace_back();
    for (std::size_t gpu = 0; gpu < gpus(); ++gpu) {
      const auto rates = meter_.measure(streams(gpu));
      matrix.bandwidth_Bps.front().push_back(rates.of_one.front().value);
      blame(rates.limited_by.front());
    }
    return matrix;
  }

  static Direction counted(TransferTest test) {
    using enum TransferTest;
    const bool out = test == host_to_device || test == host_to_device_bidirectional ||
                     test == host_to_all || test == host_to_all_bidirectional;
    return out ? to_gpu : from_gpu;
  }
  static Direction opposite(TransferTest test) {
    return counted(test) == to_gpu ? from_gpu : to_gpu;
  }

  static bool goes_both_ways(TransferTest test) {
    using enum TransferTest;
    return test == host_to_device_bidirectional || test == device_to_host_bidirectional ||
           test == all_to_host_bidirectional || test == host_to_all_bidirectional;
  }

  std::vector<TransferMatrix> finish(TransferTest test, TransferMatrix matrix) {
    const bool both = goes_both_ways(test);
    const bool out = counted(test) == to_gpu;
    matrix.test = fmt::format("{}_memcpy_ce", name_of(test));
    matrix.begins = matrix.test;
    matrix.title = fmt::format("memcpy CE CPU(row) {} GPU(column) bandwidth (GB/s)", both  ? "<->"
                                                                                     : out ? "->"
                                                                                           : "<-");
    complete(matrix);
    return {std::move(matrix)};
  }

  /// GPU to GPU, pair by pair.
  std::vector<TransferMatrix> pairs(TransferTest test) {
    const bool both = test == TransferTest::device_to_device_bidirectional;
    const std::size_t n = gpus();
    const std::vector<std::vector<double>> empty(n, std::vector<double>(n, kNone));
    std::vector<TransferMatrix> out(both ? 3 : 1);
    for (auto& matrix : out) matrix.bandwidth_Bps = empty;
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column < n; ++column) {
        if (row == column) continue;
        std::vector<Stream> streams{peer_stream(row, column)};
        if (both) streams.push_back(peer_stream(column, row));
        const auto rates = meter_.measure(streams);
        double sum = 0;
        for (std::size_t way = 0; way < streams.size(); ++way) {
          out[way].bandwidth_Bps[row][column] = rates.of_one[way].value;
          sum += rates.of_one[way].value;
          blame(rates.limited_by[way], fact<LimiterCode::copying_through_host_memory>());
        }
        if (both) out.back().bandwidth_Bps[row][column] = sum;
      }
    name_pairs(out, both);
    for (auto& matrix : out) complete(matrix);
    return out;
  }

  static void name_pairs(std::vector<TransferMatrix>& out, bool both) {
    if (!both) {
      out.front().test = "device_to_device_memcpy_write_ce";
      out.front().begins = out.front().test;
      out.front().title = "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)";
      return;
    }
    const std::string name = "device_to_device_bidirectional_memcpy_write_ce";
    out.front().begins = name;
    constexpr std::array kKeys{"write1", "write2", "total"};
    constexpr std::array kTitles{"Write1", "Write2", "Total"};
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].test = fmt::format("{}_{}", name, kKeys[i]);
      out[i].title =
          fmt::format("memcpy CE GPU(row) <-> GPU(column) {} bandwidth (GB/s)", kTitles[i]);
    }
  }

  void complete(TransferMatrix& matrix) {
    for (const auto& row : matrix.bandwidth_Bps)
      for (const double rate : row)
        if (rate != kNone) matrix.sum_Bps += rate;
    for (const Blame::Times& one : blamed_.sorted()) matrix.limits.push_back(one.by.limiter);
    blamed_in_all_.add(blamed_);
    blamed_ = {};
  }

  void blame(std::optional<LimitIndex> limit, const std::optional<Limiter>& cap = {}) {
    blamed_.add(meter_.binding(limit, cap));
  }

  const Scenario& scenario_;
  const System& system_;
  const Graph& graph_;
  RateMeter& meter_;
  Blame blamed_;  ///< of the present test
  Blame& blamed_in_all_;
  bool bounced_ = false;
};

}  // namespace

NvbandwidthResult run_nvbandwidth(const Scenario& scenario, const Graph& graph, RateMeter& meter,
                                  Blame& blamed) {
  NvbandwidthResult out;
  Nvbandwidth tests(scenario, graph, meter, blamed);
  for (const TransferTest test : scenario.workload.get<kind::Transfers>().tests)
    for (auto& matrix : tests.run(test)) out.matrices.push_back(std::move(matrix));
  out.bounced = tests.bounced();
  return out;
}

}  // namespace gpufeed
