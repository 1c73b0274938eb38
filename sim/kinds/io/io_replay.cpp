// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/io_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/answer/probe_answer.h"
#include "sim/kinds/io/block_cache.h"
#include "sim/kinds/io/log_pieces.h"
#include "sim/model/compute.h"
#include "sim/plan/passes.h"
#include "sim/plan/reading.h"
#include "sim/plan/striping.h"

namespace gpufeed {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
/// A drive's time is shared by reads and writes of different rates: a read takes its link so many
/// times, a write more or less often.
constexpr int kShares = 20;

/// How the bytes of one direction reach one drive, or a store through one NIC.
struct Way {
  RouteId route;
  Seconds latency;
};

class LogReplay {
 public:
  explicit LogReplay(const Scenario& scenario)
      : scenario_(scenario),
        system_(*scenario.system),
        io_(*scenario.workload.get<kind::Io>().io),
        log_(*io_.requests),
        volume_(volume_of(system_, scenario.data.at.id)),
        engine_(make_fluid_engine()),
        cached_(through_cache(scenario)),
        parts_left_(log_.requests.size()),
        took_(log_.requests.size(), kUnknown) {
    const auto it = scenario.store.find(scenario.data.at.id);
    if (it != scenario.store.end()) store_ = &it->second;
  }

  Result run() {
    find_sources();
    ask_storage();
    add_links();
    for (std::size_t i = 0; i < sources_.size(); ++i) add_ways(i);
    missing_.throw_if_any();
    issue_next(0);
    engine_->run();
    return answer();
  }

 private:
  void find_sources() {
    if (store_)
      for (const auto& nic : store_->via) sources_.push_back(nic.id);
    else
      for (const std::size_t i : drives_of(system_, scenario_.data.at.id))
        sources_.push_back(system_.drives[i].id);
  }

  /// The mean requests that drives see, and the graph that attains what it does for them.
  void ask_storage() {
    double bytes[2] = {0, 0};
    double count[2] = {0, 0};
    for (std::size_t i = 0; i < log_.requests.size(); ++i) {
      split(i);
      for (const Piece& piece : pieces_) bytes[log_.requests[i].write] += piece.bytes;
      count[log_.requests[i].write] += static_cast<double>(pieces_.size());
      stored_[log_.requests[i].write] += static_cast<double>(cached_.needs[i].bytes);
    }
    constexpr double kAny = 4096;
    const double read = count[0] > 0 ? bytes[0] / count[0] : kAny;
    const double write = count[1] > 0 ? bytes[1] / count[1] : kAny;
    graph_ = build_graph(scenario_, {.request = {store_ && count[0] == 0 ? write : read},
                                     .write_request = Bytes{write}});
  }

  /// What request `i` asks of each source.
  void split(std::size_t i) {
    const auto& need = cached_.needs[i];
    const auto& request = log_.requests[i];
    pieces_.clear();
    if (need.bytes > 0)
      split_over_drives(store_ ? nullptr : volume_, sources_.size(), need.offset, need.bytes,
                        request.file, request.write, i, pieces_);
  }

  void add_links() {
    for (const auto& resource : graph_.resources)
      links_.push_back(engine_->add_link(
          resource.id, resource.capacity * (resource.kind == ResourceKind::drive ? kShares : 1.0)));
  }

  std::string memory_of(std::size_t source) const {
    if (!io_.memory.id.empty()) return io_.memory.id;
    const auto place = [&](const auto& devices) -> const Attachment& {
      return *std::ranges::find(devices, sources_[source], [](const auto& d) { return d.id; });
    };
    return socket_of(system_, store_ ? place(system_.nics) : place(system_.drives));
  }

  const Socket& socket(const std::string& id) const {
    return *std::ranges::find(system_.sockets, id, &Socket::id);
  }

  void add_ways(std::size_t source) {
    const std::string home = memory_of(source);
    const int memory = graph_.memory_of(home);
    const std::string& place = store_ ? scenario_.data.at.id : sources_[source];
    const int media = graph_.media_of(place);
    ways_[0].push_back(add_way(way_between(media, memory, source), home, place, false));
    ways_[1].push_back(add_way(way_between(memory, media, source), home, place, true));
    const std::vector<LinkId> copy(kCopyPasses, links_.at(resource_of(home + " memory")));
    copies_.push_back(
        engine_->add_route(copy, socket(home).model->core_copy_bandwidth.value_or(kUncapped)));
  }

  /// Over the network, by way of the source's NIC.
  std::optional<Route> way_between(int from, int to, std::size_t source) const {
    if (!store_) return shortest_route(graph_, from, to);
    const int port = graph_.find(sources_[source]);
    auto route = shortest_route(graph_, from, port);
    const auto rest = shortest_route(graph_, port, to);
    if (!route || !rest) return {};
    route->resources.insert(route->resources.end(), rest->resources.begin(), rest->resources.end());
    route->latency += rest->latency;
    return route;
  }

  std::size_t resource_of(const std::string& id) const {
    return static_cast<std::size_t>(std::ranges::find(graph_.resources, id, &Resource::id) -
                                    graph_.resources.begin());
  }

  Way add_way(std::optional<Route> route, const std::string& home, const std::string& place,
              bool write) {
    if (!route) {
      missing_.error(scenario_.data.at.where, "there is no way between {} and the memory of {}",
                     place, home);
      return {};
    }
    std::vector<LinkId> way;
    for (const int r : route->resources) {
      const auto& resource = graph_.resource(r);
      if (resource.kind != ResourceKind::drive)
        way.push_back(links_[static_cast<std::size_t>(r)]);
      else
        take_drive(way, place, write);
    }
    Bandwidth cap = route->cap.value_or(kUncapped);
    Seconds latency = route->latency;
    if (store_) {
      cap = std::min(cap, stream_cap());
      if (write) latency += store_latency();
    } else {
      const Drive& drive = *std::ranges::find(system_.drives, place, &Device<Drive>::id)->model;
      const DriveLaw law = write ? drive.write_law() : drive.read_law();
      cap = std::min(cap, law.request_bandwidth);
      if (write) latency += law.latency;
    }
    if (!io_.direct && !write) {
      way.insert(way.end(), kCopyPasses, links_.at(resource_of(home + " memory")));
      cap = std::min(cap, socket(home).model->thread_read_bandwidth.value_or(kUncapped));
    }
    return {engine_->add_route(way, cap), latency};
  }

  /// Reads and writes take the time of one drive, each as long as its own rate says.
  void take_drive(std::vector<LinkId>& way, const std::string& drive, bool write) {
    const std::size_t reading = resource_of(drive);
    const double read = graph_.resources[reading].capacity.value;
    const double written = graph_.resources[resource_of(drive + " write")].capacity.value;
    const double times =
        write ? std::clamp(kShares * read / written, 1.0, 1000.0 * kShares) : kShares;
    way.insert(way.end(), static_cast<std::size_t>(std::lround(times)), links_[reading]);
  }

  Bandwidth stream_cap() const {
    Bandwidth cap = kUncapped;
    if (store_->protocol) cap = (*store_->protocol)->connection_bandwidth.value_or(cap);
    if (store_->stripes && store_->model->stripe_bandwidth)
      cap = std::min(cap, *store_->model->stripe_bandwidth * static_cast<double>(*store_->stripes));
    return cap;
  }

  Seconds store_latency() const {
    return store_->model->read_latency +
           (store_->protocol ? (*store_->protocol)->request_latency : Seconds{});
  }

  void issue_next(std::uint64_t i) {
    if (i >= log_.requests.size()) return;
    const double wait = log_.requests[i].time_s - engine_->now().value;
    engine_->after({std::max(0.0, wait)}, callback<&LogReplay::issue>(*this, i));
  }

  void issue(std::uint64_t i) {
    const auto& request = log_.requests[i];
    const bool cached = cached_.needs[i].bytes == 0 || (request.write && !io_.direct);
    if (cached) {
      const auto& copy = copies_[static_cast<std::size_t>(request.file) % copies_.size()];
      engine_->start_flow(copy, {static_cast<double>(request.bytes)},
                          callback<&LogReplay::copied>(*this, i));
    } else {
      go_to_storage(i);
    }
    issue_next(i + 1);
  }

  void copied(std::uint64_t i) {
    finish(i);
    if (log_.requests[i].write) go_to_storage(i);
  }

  /// All drives of a request are asked at once; they are alike, so the longest latency stands for
  /// all.
  void go_to_storage(std::uint64_t i) {
    split(i);
    const auto& ways = ways_[log_.requests[i].write];
    Seconds latency{};
    for (const Piece& piece : pieces_) latency = std::max(latency, ways[piece.drive].latency);
    engine_->after(latency, callback<&LogReplay::move>(*this, i));
  }

  void move(std::uint64_t i) {
    split(i);
    parts_left_[i] = static_cast<std::uint32_t>(pieces_.size());
    const auto& ways = ways_[log_.requests[i].write];
    for (const Piece& piece : pieces_)
      engine_->start_flow(ways[piece.drive].route, {piece.bytes},
                          callback<&LogReplay::moved>(*this, i));
  }

  void moved(std::uint64_t i) {
    if (--parts_left_[i] == 0 && took_[i] == kUnknown) finish(i);
  }

  void finish(std::uint64_t i) {
    took_[i] = engine_->now().value - log_.requests[i].time_s;
    ended_ = engine_->now().value;
  }

  Result answer() {
    const auto limits = limits_of(graph_);
    std::vector<double> load(limits.size(), 0);
    const double all = std::max(engine_->now().value, 1e-12);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const double shares = graph_.resources[i].kind == ResourceKind::drive ? kShares : 1.0;
      load[i] = engine_->carried(links_[i]).value / (limits[i].capacity.value * shares * all);
    }
    Result result = probe_result(scenario_, graph_, limits, load);
    result.engine = "fluid";
    result.workload = in_words();
    result.storage =
        io_storage_in_words(scenario_, store_ ? Names{scenario_.data.at.id} : sources_);
    add_line(result, "read", false);
    add_line(result, "write", true);
    result.replay = summary();
    result.bottleneck = bottleneck(result);
    if (!io_.direct && scenario_.loader.cache == CacheRule::linux_kernel)
      result.warnings.emplace_back(
          "loader.cache = \"linux\": the replay of a log keeps the most recently used blocks "
          "instead, as \"lru\" does");
    if (store_ && stored_[1] > 0)
      result.warnings.push_back(
          fmt::format("how long {} takes for a write is not known: its read_latency stands for it",
                      store_->model.name));
    if (stored_[1] > 0 && parities(volume_) > 0)
      result.warnings.emplace_back(
          "what short writes on RAID 5 and 6 must read first is not replayed");
    return result;
  }

  std::string in_words() const {
    double bytes = 0;
    for (const auto& request : log_.requests) bytes += static_cast<double>(request.bytes);
    return fmt::format("{} replayed: {} requests of {} to {} {} over {}, {}", io_.log->path,
                       text_number(static_cast<double>(log_.requests.size()), 15),
                       text(Bytes{bytes / static_cast<double>(log_.requests.size())}, 3),
                       text_number(log_.files, 15), log_.files == 1 ? "file" : "files",
                       text(Seconds{log_.requests.back().time_s}, 3),
                       io_.direct ? "around the page cache" : "through the page cache");
  }

  void add_line(Result& result, const char* direction, bool write) const {
    std::vector<double> took;
    double bytes = 0;
    double sum = 0;
    for (std::size_t i = 0; i < took_.size(); ++i) {
      if (log_.requests[i].write != write) continue;
      took.push_back(took_[i]);
      sum += took_[i];
      bytes += static_cast<double>(log_.requests[i].bytes);
    }
    if (took.empty()) return;
    const auto count = static_cast<double>(took.size());
    const double all = std::max(ended_, 1e-12);
    IoLine line{direction, count / all, bytes / all, sum / count, kUnknown};
    line.latency_p50_s = quantile(took, 0.5);
    line.latency_p95_s = quantile(took, 0.95);
    line.latency_p99_s = quantile(took, 0.99);
    result.io.push_back(std::move(line));
  }

  /// The least that at least a share of `values` does not exceed, as fio counts.
  static double quantile(std::vector<double>& values, double share) {
    const double rank = std::ceil(share * static_cast<double>(values.size())) - 1;
    const auto at = static_cast<std::ptrdiff_t>(std::max(rank, 0.0));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
  }

  LogReplaySummary summary() const {
    LogReplaySummary out;
    out.requests = static_cast<std::int64_t>(log_.requests.size());
    out.log_s = log_.requests.back().time_s;
    out.replay_s = ended_;
    out.hit_rate = cached_.read_bytes > 0 ? cached_.hit_bytes / cached_.read_bytes : 0;
    out.read_B = stored_[0];
    out.written_B = stored_[1];
    return out;
  }

  Bottleneck bottleneck(const Result& result) const {
    Bottleneck out;
    const ResourceUse* busiest = nullptr;
    for (const auto& use : result.resources)
      if (!busiest || use.utilization > busiest->utilization) busiest = &use;
    const double log_s = log_.requests.back().time_s;
    const double late = ended_ - log_s;
    constexpr double kNoticed = 0.02;
    const bool behind = late > kNoticed * log_s;
    out.why = fmt::format("{}: the last request ends {} after the log does",
                          behind ? "the storage falls behind" : "the storage keeps up",
                          text(Seconds{late}, 3));
    if (busiest) {
      out.resource = busiest->id;
      out.why += fmt::format("; {} is busy {} of the time", busiest->id,
                             share_text(std::min(1.0, busiest->utilization)));
    }
    return out;
  }

  const Scenario& scenario_;
  const System& system_;
  const IoJob& io_;
  const AccessLog& log_;
  const Volume* volume_;
  const Store* store_ = nullptr;
  std::unique_ptr<Engine> engine_;
  const CachedLog cached_;
  std::vector<std::string> sources_;  ///< drives; of a store, the NICs that reach it
  Graph graph_;
  std::vector<LinkId> links_;    ///< of each resource
  std::vector<Way> ways_[2];     ///< of each source: reads, writes
  std::vector<RouteId> copies_;  ///< of each source: from or into the page cache
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> parts_left_;
  std::vector<double> took_;
  double stored_[2] = {0, 0};
  double ended_ = 0;
  Diagnostics missing_;
};

}  // namespace

Result replay_log(const Scenario& scenario) { return LogReplay(scenario).run(); }

}  // namespace gpufeed
