// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/transfers/transfers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "sim/answer/probe_answer.h"
#include "sim/answer/words.h"
#include "sim/model/compute.h"
#include "sim/plan/copy_streams.h"

namespace gpufeed {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

bool reads_drive(const System& system, const Copy& copy, std::size_t drive) {
  return std::ranges::count(drives_of(system, copy.from.id), drive) > 0;
}
bool writes_drive(const System& system, const Copy& copy, std::size_t drive) {
  return std::ranges::count(drives_of(system, copy.to.id), drive) > 0;
}

/// Large requests, as many as a drive likes; a drive that is read and written gives half its time
/// to each.
StorageAccess copy_access(const Scenario& scenario) {
  constexpr Bytes kLarge{1e9};
  StorageAccess access{.request = kLarge, .run = kInARow};
  const System& system = *scenario.system;
  const auto& copies = scenario.workload.get<kind::Transfers>().copies;
  for (std::size_t drive = 0; drive < system.drives.size(); ++drive) {
    const bool read = std::ranges::any_of(
        copies, [&](const Copy& copy) { return reads_drive(system, copy, drive); });
    const bool written = std::ranges::any_of(
        copies, [&](const Copy& copy) { return writes_drive(system, copy, drive); });
    if (read && written) access.read_share = 0.5;
  }
  return access;
}

class Transfers {
 public:
  explicit Transfers(const Scenario& scenario)
      : scenario_(scenario),
        system_(*scenario.system),
        access_(copy_access(scenario)),
        graph_(build_graph(scenario, access_)),
        limits_(limits_of(graph_)) {}

  Result run() {
    std::vector<TransferMatrix> matrices;
    for (const TransferTest test : scenario_.workload.get<kind::Transfers>().tests)
      for (auto& matrix : run_test(test)) matrices.push_back(std::move(matrix));
    auto copies = run_copies();
    missing_.throw_if_any();
    loads_.resize(limits_.size(), 0);
    Result result = probe_result(scenario_, graph_, limits_, loads_);
    result.workload = workload_in_words();
    result.transfers = std::move(matrices);
    result.copies = std::move(copies);
    result.bottleneck = bottleneck();
    if (staged_)
      result.warnings.emplace_back(
          "pairs of GPUs without a peer-to-peer way copy through host memory here; nvbandwidth "
          "prints N/A for them");
    if (access_.read_share < 1)
      result.warnings.emplace_back(
          "drives that are both read and written are taken to give half their time to each");
    return result;
  }

 private:
  enum class Direction { to_gpu, from_gpu };
  using enum Direction;

  int gpus() const { return static_cast<int>(system_.gpus.size()); }

  Stream host_stream(Direction direction, int gpu) {
    const auto& part = system_.gpus[static_cast<std::size_t>(gpu)];
    const int memory = graph_.memory_of(socket_of(system_, part));
    const int node = graph_.gpu(gpu);
    return checked(direction == to_gpu ? shortest_route(graph_, memory, node)
                                       : shortest_route(graph_, node, memory),
                   part.id, "its host memory");
  }

  Stream peer_stream(int from, int to) {
    const auto route = peer_route(scenario_, graph_, from, to, true);
    if (route && route->cap) staged_ = true;
    return checked(route, graph_.node(graph_.gpu(from)).id, graph_.node(graph_.gpu(to)).id);
  }

  Stream checked(const std::optional<Route>& route, std::string_view from, std::string_view to) {
    if (route) return stream_over(*route);
    missing_.error(scenario_.where, "there is no way from {} to {} in system {}", from, to,
                   system_.name);
    missing_.throw_if_any();
    return {};
  }

  SteadyRates measure(const std::vector<Stream>& streams) {
    SteadyRates rates = steady_rates(limits_, streams, scenario_.run.engine);
    loads_.resize(limits_.size(), 0);
    for (std::size_t i = 0; i < limits_.size(); ++i) loads_[i] = std::max(loads_[i], rates.load[i]);
    return rates;
  }

  /// One row; `streams` begins with those that are counted, one of each column.
  TransferMatrix row_at_once(const std::vector<Stream>& streams) {
    const auto rates = measure(streams);
    TransferMatrix matrix;
    matrix.bandwidth_Bps.emplace_back();
    for (int gpu = 0; gpu < gpus(); ++gpu) {
      const auto i = static_cast<std::size_t>(gpu);
      matrix.bandwidth_Bps.front().push_back(rates.of_one[i].value);
      blame(rates.limited_by[i]);
    }
    return matrix;
  }

  TransferMatrix row_one_by_one(const std::function<std::vector<Stream>(int gpu)>& streams) {
    TransferMatrix matrix;
    matrix.bandwidth_Bps.emplace_back();
    for (int gpu = 0; gpu < gpus(); ++gpu) {
      const auto rates = measure(streams(gpu));
      matrix.bandwidth_Bps.front().push_back(rates.of_one.front().value);
      blame(rates.limited_by.front());
    }
    return matrix;
  }

  std::vector<TransferMatrix> run_test(TransferTest test) {
    using enum TransferTest;
    const std::string name(name_of(test));
    switch (test) {
      case host_to_device:
      case device_to_host:
        return finish(name, row_one_by_one([&](int gpu) {
                        return std::vector{host_stream(counted(test), gpu)};
                      }));
      case host_to_device_bidirectional:
      case device_to_host_bidirectional:
        return finish(
            name, row_one_by_one([&](int gpu) {
              return std::vector{host_stream(counted(test), gpu), host_stream(opposite(test), gpu)};
            }));
      case all_to_host:
      case host_to_all:
      case all_to_host_bidirectional:
      case host_to_all_bidirectional: {
        std::vector<Stream> streams;
        streams.reserve(2 * static_cast<std::size_t>(gpus()));
        for (int gpu = 0; gpu < gpus(); ++gpu) streams.push_back(host_stream(counted(test), gpu));
        if (test == all_to_host_bidirectional || test == host_to_all_bidirectional)
          for (int gpu = 0; gpu < gpus(); ++gpu)
            streams.push_back(host_stream(opposite(test), gpu));
        return finish(name, row_at_once(streams));
      }
      case device_to_device:
      case device_to_device_bidirectional:
        return pairs(test);
    }
    return {};
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

  std::vector<TransferMatrix> finish(const std::string& name, TransferMatrix matrix) {
    const bool both = name.ends_with("_bidirectional");
    const bool out = name.starts_with("host");
    matrix.test = name + "_memcpy_ce";
    matrix.title = fmt::format("memcpy CE CPU(row) {} GPU(column) bandwidth (GB/s)", both  ? "<->"
                                                                                     : out ? "->"
                                                                                           : "<-");
    complete(matrix);
    return {std::move(matrix)};
  }

  /// GPU to GPU, pair by pair.
  std::vector<TransferMatrix> pairs(TransferTest test) {
    const bool both = test == TransferTest::device_to_device_bidirectional;
    const auto n = static_cast<std::size_t>(gpus());
    const std::vector<std::vector<double>> empty(n, std::vector<double>(n, kNone));
    std::vector<TransferMatrix> out(both ? 3 : 1);
    for (auto& matrix : out) matrix.bandwidth_Bps = empty;
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column < n; ++column) {
        if (row == column) continue;
        std::vector<Stream> streams{peer_stream(static_cast<int>(row), static_cast<int>(column))};
        if (both) streams.push_back(peer_stream(static_cast<int>(column), static_cast<int>(row)));
        const auto rates = measure(streams);
        double sum = 0;
        for (std::size_t way = 0; way < streams.size(); ++way) {
          out[way].bandwidth_Bps[row][column] = rates.of_one[way].value;
          sum += rates.of_one[way].value;
          blame(rates.limited_by[way], "copying through host memory");
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
      out.front().title = "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)";
      return;
    }
    constexpr std::array kKeys{"write1", "write2", "total"};
    constexpr std::array kTitles{"Write1", "Write2", "Total"};
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].test = fmt::format("device_to_device_bidirectional_memcpy_write_ce_{}", kKeys[i]);
      out[i].title =
          fmt::format("memcpy CE GPU(row) <-> GPU(column) {} bandwidth (GB/s)", kTitles[i]);
    }
  }

  void complete(TransferMatrix& matrix) {
    for (const auto& row : matrix.bandwidth_Bps)
      for (const double rate : row)
        if (rate != kNone) matrix.sum_Bps += rate;
    matrix.limited_by = most_blamed(blamed_);
    for (const auto& [name, times] : blamed_) blamed_in_all_[name] += times;
    blamed_.clear();
  }

  void blame(int limit, const std::string& cap_name = "") {
    ++blamed_[limit == kOwnCap ? cap_name : limits_[static_cast<std::size_t>(limit)].id];
  }

  static std::vector<std::string> most_blamed(const std::map<std::string, int>& blamed) {
    std::vector<std::pair<int, std::string>> order;
    order.reserve(blamed.size());
    for (const auto& [name, times] : blamed) order.emplace_back(-times, name);
    std::ranges::sort(order);
    std::vector<std::string> out;
    out.reserve(order.size());
    for (const auto& [times, name] : order) out.push_back(name);
    return out;
  }

  std::vector<CopyRate> run_copies() {
    const auto& copies = scenario_.workload.get<kind::Transfers>().copies;
    if (copies.empty()) return {};
    CopyStreams maker(scenario_, graph_, limits_);
    std::vector<Stream> streams;
    std::vector<std::string> cap_names;
    for (const auto& copy : copies) {
      auto made = maker.of(copy, static_cast<int>(streams.size()));
      streams.push_back(std::move(made.stream));
      cap_names.push_back(std::move(made.cap_name));
    }
    maker.throw_if_any();
    const auto rates = measure(streams);
    std::vector<CopyRate> out;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const int limit = rates.limited_by[i];
      const auto& name =
          limit == kOwnCap ? cap_names[i] : limits_[static_cast<std::size_t>(limit)].id;
      ++blamed_in_all_[name];
      out.push_back({copies[i].from.id, copies[i].to.id, copies[i].via ? copies[i].via->id : "",
                     copies[i].streams,
                     rates.of_one[i].value * static_cast<double>(streams[i].count), name});
    }
    return out;
  }

  std::string workload_in_words() const {
    std::vector<std::string> tests;
    for (const auto test : scenario_.workload.get<kind::Transfers>().tests)
      tests.emplace_back(name_of(test));
    const auto copies = scenario_.workload.get<kind::Transfers>().copies.size();
    std::string out;
    if (!tests.empty()) out = fmt::format("nvbandwidth: {}", fmt::join(tests, ", "));
    if (copies > 0)
      out += fmt::format("{}{} {}", out.empty() ? "" : "; ", copies,
                         copies == 1 ? "copy" : "copies at once");
    return out;
  }

  Bottleneck bottleneck() const {
    const auto names = most_blamed(blamed_in_all_);
    Bottleneck out;
    int all = 0;
    for (const auto& [name, times] : blamed_in_all_) all += times;
    out.resource = names.front();
    const int times = blamed_in_all_.at(out.resource);
    const auto limit = std::ranges::find(limits_, out.resource, &Limit::id);
    out.why = all == 1 ? fmt::format("{} binds it", out.resource)
                       : fmt::format("{} binds {} of {} rates", out.resource, times, all);
    if (limit != limits_.end()) out.why += fmt::format("; it carries {}", text(limit->capacity, 3));
    if (names.size() > 1) {
      const std::vector<std::string> rest(
          names.begin() + 1, names.begin() + std::min<std::ptrdiff_t>(std::ssize(names), 6));
      const auto more = names.size() - 1 - rest.size();
      out.why += fmt::format("; others are bound by {}", join_ids(rest));
      if (more > 0) out.why += fmt::format(" and {} more", more);
    }
    return out;
  }

  const Scenario& scenario_;
  const System& system_;
  const StorageAccess access_;
  const Graph graph_;
  std::vector<Limit> limits_;
  std::vector<double> loads_;
  std::map<std::string, int> blamed_;  ///< how many rates of the present test each limit binds
  std::map<std::string, int> blamed_in_all_;
  bool staged_ = false;
  Diagnostics missing_;
};

}  // namespace

Result simulate_transfers(const Scenario& scenario) { return Transfers(scenario).run(); }

}  // namespace gpufeed
