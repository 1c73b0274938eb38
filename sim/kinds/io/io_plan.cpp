// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/io_plan.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/kinds/io/check_engine.h"
#include "sim/kinds/io/request_cost.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/model/transport/store_client.h"
#include "sim/plan/passes.h"
#include "sim/plan/reading.h"
#include "sim/plan/striping.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// What Linux writes back at once when neighboring pages are dirty (its requests reach 1280 KiB).
constexpr Bytes kWriteback{1048576};

class IoPlanner {
 public:
  explicit IoPlanner(const Scenario& scenario)
      : scenario_(scenario),
        system_(*scenario.system),
        io_(*scenario.workload.get<kind::Io>().io),
        volume_(find_volume(system_, scenario.data.at)),
        store_(find_store(scenario, scenario.data.at)),
        jobs_(static_cast<double>(io_.jobs)),
        client_(store_ && store_->protocol && reads_files(**store_->protocol)),
        depth_(io_.direct && io_.engine != IoEngine::psync && !client_
                   ? static_cast<double>(io_.queue_depth)
                   : 1),
        reads_(io_.read_share.value) {}

  IoPlan make() {
    plan_.under_way = jobs_ * depth_;
    check_files();
    if (client_ && io_.queue_depth > 1)
      plan_.warnings.push_back(
          fact<WarningCode::queue_depth_of_client>(io_.queue_depth, store_->protocol->name));
    else if (!io_.direct && io_.queue_depth > 1)
      plan_.warnings.push_back(fact<WarningCode::queue_depth_without_effect>(io_.queue_depth));
    if (store_)
      over_network();
    else
      over_drives();
    limit_software();
    missing_.throw_if_any();
    return std::move(plan_);
  }

 private:
  void check_files() {
    if (!io_.file_size) return;
    const Location& where = scenario_.workload.where;
    if (!store_ || !store_->protocol)
      missing_.refuse(ProblemCode::idle_key, "workload.io.file_size", where,
                      " has no effect on drives, and on stores without a protocol; leave it out");
    else if (io_.block_size > *io_.file_size)
      missing_.refuse(ProblemCode::conflict, "workload.io.block_size", where,
                      " is {}, more than a file of workload.io.file_size = {}",
                      text(io_.block_size, 4), text(*io_.file_size, 4));
    missing_.throw_if_any();
  }

  bool sequential() const { return io_.pattern == AccessPattern::sequential; }
  bool collected() const { return !io_.direct && sequential(); }

  Bytes read_request() const {
    if (io_.direct) return io_.block_size;
    Bytes window = readahead_window(scenario_, volume_);
    if (window.value == kNoLimit) window = scenario_.data.readahead;
    return sequential() ? window : std::min(io_.block_size, window);
  }
  Bytes write_request() const {
    return collected() ? std::max(io_.block_size, kWriteback) : io_.block_size;
  }

  void over_drives() {
    plan_.sources = drives_at(system_, scenario_.data.at);
    ask_drives();
    plan_.graph = build_graph(scenario_, plan_.access);
    plan_.limits = limits_of(plan_.graph);
    if (volume_ && volume_->layout == Layout::files)
      for (const PartId drive : plan_.sources) plan_.streams.push_back(over({drive}, 1));
    else
      plan_.streams.push_back(over(plan_.sources, plan_.active_drives));
    warn_of_missing_write_figures();
  }

  void ask_drives() {
    const DriveRequests read = split_read(volume_, read_request());
    const DriveRequests write = split_write(volume_, write_request(), collected());
    const double written = (1 - reads_) * (write.size / write_request());
    read_bytes_ = reads_ + written * write.reads;
    plan_.written = written * write.writes;
    plan_.active_drives = active_drives();
    const double on_each = plan_.under_way / plan_.active_drives;
    // A request that must read before it writes waits twice; a buffered write waits for nothing.
    const double waits = io_.direct && write.in_turn ? 1 : reads_;
    const double reads = reads_ * read.reads + (1 - reads_) * write.reads;
    const double reading = waits > 0 ? on_each * reads / waits : kNoLimit;
    const double writing = io_.direct ? on_each * write.writes : kNoLimit;
    plan_.access = {.request = reads_ > 0 ? read.size : write.size,
                    .outstanding = reading > 0 ? reading : kNoLimit,
                    .read_share = read_bytes_ / (read_bytes_ + plan_.written),
                    .write_request = write.size,
                    .write_outstanding = writing > 0 ? writing : kNoLimit,
                    .run = run()};
  }

  double drives() const { return static_cast<double>(plan_.sources.size()); }

  Bytes run() const {
    const bool whole_files = volume_ && volume_->layout == Layout::files;
    return sequential() && jobs_ <= (whole_files ? drives() : 1) ? kInARow : Bytes{};
  }

  /// Drives that the requests under way reach, when they follow one another.
  double active_drives() const {
    const bool unordered = !sequential() || !volume_ || !is_striped(*volume_);
    if (unordered || (!io_.direct && reads_ == 0)) return drives();
    const Bytes stretch = io_.direct ? io_.block_size * depth_ : read_request();
    double units = std::max(1.0, stretch / volume_->stripe_unit) * copies(volume_);
    if (reads_ < 1) units += parities(volume_);
    return std::min(drives(), jobs_ * units);
  }

  PartId socket_for(PartId nearest) const { return io_.memory.part.value_or(nearest); }

  /// One stream over `drives`, of which `active` work at a time, each on an equal part.
  Stream over(const std::vector<PartId>& drives, double active) {
    std::map<ResourceIndex, double> reading, writing,
        copying;  // drives whose way crosses each limit
    for (const PartId drive : drives) {
      const auto socket = socket_for(socket_of(system_, *find_drive(system_, drive)));
      const VertexIndex memory = plan_.graph.memory_of(socket);
      const VertexIndex media = plan_.graph.media_of(drive);
      cross(reading, media, memory);
      cross(writing, memory, media);
      copying[plan_.graph.memory_resource(socket)] += 1;
    }
    Stream stream;
    for (const auto& [limit, ways] : reading)
      take_more(stream, limit, read_bytes_ * std::min(ways / active, 1.0));
    for (const auto& [limit, ways] : writing)
      take_more(stream, limit, plan_.written * std::min(ways / active, 1.0));
    for (const auto& [limit, ways] : copying)
      if (!io_.direct)
        take_more(stream, limit, kCopyPasses * ways / static_cast<double>(drives.size()));
    return stream;
  }

  /// \param from, to  vertices of the graph
  void cross(std::map<ResourceIndex, double>& ways, VertexIndex from, VertexIndex to) {
    const Graph& graph = plan_.graph;
    const auto route = shortest_route(graph, from, to);
    if (!route)
      return report_no_way(missing_, scenario_.where, scenario_, graph.vertex(from).label,
                           graph.vertex(to).label);
    for (const ResourceIndex resource : route->resources) ways[resource] += 1;
  }

  void warn_of_missing_write_figures() {
    if (reads_ == 1) return;
    std::vector<std::string> seen;
    for (const PartId source : plan_.sources) {
      const auto& drive = *find_drive(system_, source)->model;
      if (std::ranges::count(seen, drive.name)) continue;
      seen.push_back(drive.name);
      if (!drive.write_rate) stand_in(drive, "write_rate", "read_rate");
      if (!drive.write_latency) stand_in(drive, "write_latency", "read_latency");
    }
  }

  void stand_in(const Drive& drive, std::string_view missing, std::string_view instead) {
    plan_.warnings.push_back(fact<WarningCode::drive_figure_unknown>(missing, drive.name, instead));
  }

  void over_network() {
    plan_.sources = {*scenario_.data.at};
    plan_.access = {.request = reads_ > 0 ? read_request() : write_request()};
    if (client_ && reads_ > 0) {
      plan_.access.request = io_.block_size * read_alone().fetched / read_alone().requests;
      plan_.access.readers_alone = io_.block_size * jobs_ / block_time();
    }
    plan_.graph = build_graph(scenario_, plan_.access);
    plan_.limits = limits_of(plan_.graph);
    if (io_.jobs % static_cast<std::int64_t>(store_->via.size()) == 0)
      for (const PartRef& port : store_->via)
        through({port}, io_.jobs / static_cast<std::int64_t>(store_->via.size()));
    else
      through(store_->via, io_.jobs);
    if (reads_ < 1) limit_store_requests();
    if (reads_ < 1 && store_->protocol) limit_client_writes();
    if (reads_ < 1)
      plan_.warnings.push_back(fact<WarningCode::store_write_figures_unknown>(store_->model.name));
  }

  /// The streams of `jobs` jobs whose bytes pass these NICs, each an equal part.
  void through(const std::vector<PartRef>& nics, std::int64_t jobs) {
    const Graph& graph = plan_.graph;
    const VertexIndex media = graph.media_of(plan_.sources.front());
    const double share = 1 / static_cast<double>(nics.size());
    Stream stream;
    stream.count = jobs;
    Bandwidth most{};
    for (const PartRef& nic : nics) {
      const auto socket = socket_for(socket_of(system_, *find_nic(system_, *nic)));
      const VertexIndex memory = graph.memory_of(socket);
      const VertexIndex port = graph.at(*nic);
      std::map<ResourceIndex, double> reading, writing;
      cross(reading, media, port);
      cross(reading, port, memory);
      cross(writing, memory, port);
      cross(writing, port, media);
      const double fetched = client_ ? read_alone().fetched : 1;
      const ResourceKey client{plan_.sources.front(), Role::client};  // what it gives its readers
      for (const auto& [limit, ways] : reading)
        take_more(stream, limit,
                  reads_ * share * (graph.resource(limit).key == client ? 1 : fetched));
      for (const auto& [limit, ways] : writing) take_more(stream, limit, (1 - reads_) * share);
      if (!io_.direct) take_more(stream, plan_.graph.memory_resource(socket), kCopyPasses * share);
      most += job_rate(reading) * share;
    }
    stream.cap = most;
    plan_.streams.push_back(std::move(stream));
  }

  /// Of one reader that has the store's client to itself.
  BlockRead read_alone() const {
    const Bytes file = io_.file_size.value_or(Bytes{kNoLimit});
    return block_read(*store_, {file, io_.block_size, !sequential()}, {kNoLimit});
  }
  Seconds block_time() const { return read_alone().time_of(io_.block_size); }

  /// What the store's client takes of writers, each with its files to create.
  void limit_client_writes() {
    const Protocol& protocol = **store_->protocol;
    const double created =
        io_.file_size ? protocol.create_time.value / io_.file_size->value : 0;  // s for a byte
    const double streamed =
        protocol.write_stream_bandwidth ? 1 / protocol.write_stream_bandwidth->value : 0;
    const Bandwidth most = write_ceiling(*store_, ports_to(system_, *store_).out);
    const Bandwidth alone{created + streamed > 0 ? jobs_ / (created + streamed) : kNoLimit};
    const Bandwidth rate = under_ceiling(alone, most);
    if (std::isinf(most.value) && alone.value == kNoLimit) return;
    add_limit({inside(label_of(scenario_, *scenario_.data.at), "client writes"), "network", rate,
               protocol.provenance_of(most < alone ? "write_client_bandwidth" : "create_time")},
              1 - reads_);
  }

  /// Little's law for one job, and what one file on few storage targets gives.
  Bandwidth job_rate(const std::map<ResourceIndex, double>& way) {
    Bandwidth narrowest{kNoLimit};
    for (const auto& [resource, ways] : way)
      if (plan_.graph.resource(resource).key != ResourceKey{plan_.sources.front(), Role::read})
        narrowest = std::min(narrowest, plan_.graph.resource(resource).capacity);
    Seconds latency = store_->model->read_latency;
    if (store_->protocol) {
      const Protocol& protocol = **store_->protocol;
      latency += protocol.request_latency;
      narrowest = std::min(narrowest, protocol.connection_bandwidth.value_or(narrowest));
    }
    const auto wait = [&](Bytes request) { return latency + request / narrowest; };
    const double reading = reads_ * (client_ ? block_time().value / io_.block_size.value
                                             : wait(read_request()).value / read_request().value);
    const double writing =
        io_.direct ? (1 - reads_) * wait(io_.block_size).value / io_.block_size.value : 0;
    plan_.wait =
        client_ && reads_ > 0 ? block_time() : wait(reads_ > 0 ? read_request() : io_.block_size);
    const Bandwidth rate{depth_ / (reading + writing)};
    return std::min(rate, stripes_bandwidth(*store_).value_or(rate));
  }

  void limit_store_requests() {
    const Array& array = *store_->model;
    const Bytes request = request_to(*store_, io_.block_size);
    add_limit({inside(label_of(scenario_, *scenario_.data.at), "requests"), "array",
               array.read_rate * request * (size_of(*store_) * (1 - store_->other_load.value)),
               array.provenance_of("read_rate")},
              1);
  }

  /// What is lent with a virtual machine, or hangs on no lanes, is its host's to serve.
  bool in_guest() const {
    return std::ranges::all_of(plan_.sources, [&](PartId place) {
      const Drive& drive = *system_.drives[place.number].model;
      return !drive.link || !drive.not_sold.empty();
    });
  }

  /// Each job submits, and takes what has ended, on a core.
  void limit_submitting(double cores) {
    check_engine(io_, scenario_.workload.where, store_ != nullptr, missing_);
    if (!io_.direct || store_) return;
    const RequestCost cost =
        request_cost(io_.engine, io_.block_size, in_guest(), static_cast<double>(io_.batch));
    add_limit({Label("submitting cores"),
               "cpu",
               io_.block_size / cost.time * std::min(jobs_, cores),
               {std::string(cost.source), Basis::measured}},
              1);
  }

  /// Of a block, in the mean of reads and writes.
  Seconds client_core_time() const {
    if (!store_ || !store_->protocol) return {};
    const double plain = io_.block_size / request_to(*store_, io_.block_size);
    const double reading = client_ ? read_alone().requests : plain;
    return core_time(**store_->protocol, io_.block_size, reads_ * reading + (1 - reads_) * plain);
  }

  void limit_software() {
    const Cpu& cpu = *system_.sockets.front().model;
    double cores = 0;
    for (const auto& socket : system_.sockets) cores += static_cast<double>(socket.model->cores);
    limit_submitting(cores);
    double of_byte = 0;  // seconds
    std::string_view key = "core_copy_bandwidth";
    const Entry* entry = &cpu;
    if (!io_.direct && cpu.core_copy_bandwidth) {
      of_byte += 1 / cpu.core_copy_bandwidth->value;
      add_limit({Label("copying cores"), "cpu", *cpu.core_copy_bandwidth * std::min(jobs_, cores),
                 cpu.provenance_of(key)},
                1);
    }
    if (const Seconds block = client_core_time(); block.value > 0) {
      const Protocol& protocol = **store_->protocol;
      entry = &protocol;
      const bool of_requests = !protocol.core_bandwidth ||
                               block.value > 2 * (io_.block_size / *protocol.core_bandwidth).value;
      key = of_requests ? "request_core_time" : "core_bandwidth";
      of_byte += block.value / io_.block_size.value;
    }
    if (of_byte > 0)
      add_limit({Label("client cores"), "cpu", {cores / of_byte}, entry->provenance_of(key)}, 1);
    if (cpu.thread_read_bandwidth)
      add_limit({Label("reading threads"), "cpu", *cpu.thread_read_bandwidth * jobs_,
                 cpu.provenance_of("thread_read_bandwidth")},
                reads_);
  }

  /// One that every stream takes alike.
  void add_limit(Limit limit, double share) {
    const LimitIndex added = plan_.limits.add(std::move(limit));
    for (auto& stream : plan_.streams) take_more(stream, added, share);
  }

  const Scenario& scenario_;
  const System& system_;
  const IoJob& io_;
  const Volume* volume_;
  const Store* const store_;  ///< null: drives
  const double jobs_;
  const bool client_;      ///< of the store, which reads a file request by request
  const double depth_;     ///< requests that each job has under way
  const double reads_;     ///< share of the requests
  double read_bytes_ = 0;  ///< from the drives, for each byte that is moved
  IoPlan plan_;
  Diagnostics missing_;
};

}  // namespace

IoPlan make_io_plan(const Scenario& scenario) { return IoPlanner(scenario).make(); }

}  // namespace gpufeed
