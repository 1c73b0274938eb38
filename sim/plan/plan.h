// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "sim/engine/engine.h"
#include "sim/model/compute.h"
#include "sim/model/facts/warnings.h"
#include "sim/model/kinds/collective.h"
#include "sim/plan/checkpoint.h"
#include "sim/plan/compute_time.h"
#include "sim/plan/hit_curve.h"
#include "sim/topology/graph.h"
#include "sim/topology/rings.h"
#include "sim/topology/routes.h"

namespace gpufeed {

enum class DecodeEngine;
enum class WorkloadKind : std::size_t;

/// Bytes that travel over one route in every step.
struct Flow {
  RouteIndex route;
  Bytes size;
  Weight weight = {};  ///< so many flows are one

  bool operator==(const Flow&) const = default;
};

/// What GPUs' steps move over a resource beside what is simulated: their time is in the compute
/// rate.
struct StepLoad {
  ResourceIndex resource;  ///< of the first node
  Bytes moved;             ///< in a step of all GPUs of a node

  bool operator==(const StepLoad&) const = default;
};

/// Alike collectives, one after the other, each over so many GPUs of so many nodes.
struct CollectiveCalls {
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  int ranks = 1;
  int nodes = 1;
  Bytes size{};  ///< of the whole buffer of each, as nccl-tests counts it
  double count = 1;

  bool operator==(const CollectiveCalls&) const = default;
};

/// Flows that start together, after a wait.
struct ExchangePhase {
  Seconds latency;  ///< of all calls
  std::vector<Flow> flows;
  double stretch = 1;  ///< bytes of its flows over those that travel: what flags and pauses cost
  double ready = 0;    ///< it waits until so much of the computing that it overlaps is done; 1: all
  std::optional<CollectiveCalls> calls{};  ///< that its flows are together

  bool operator==(const ExchangePhase&) const = default;
};

/// How samples come to one GPU, or to what stands for it.
struct GpuFeed {
  std::size_t number = 0;  ///< in the system
  int node = 0;
  std::size_t finds = 0;          ///< in caches of unlike nodes: its place in HitCurve::unlike
  PartId socket;                  ///< whose memory holds its batches
  NicUser nic;                    ///< as which its loader takes the NICs of a store
  std::vector<RouteIndex> reads;  ///< one from each source
  Weight share;                   ///< of a busy store that its reads get, beside those of others
  Seconds read_latency;           ///< of one sample that the page cache does not hold
  /// Where drives are a cache of a store, and do not hold it either: from there, with what of it is
  /// written to them meanwhile, or without.
  std::vector<RouteIndex> pulls, passes;
  Seconds pull_latency;            ///< of one such sample
  std::optional<RouteIndex> hits;  ///< of what the page cache holds; none: nothing does
  std::optional<RouteIndex> copy;  ///< from host memory; none: the batch is where it is used
  std::size_t pool = 0;            ///< of cores, that decodes for it
  std::size_t process = 0;         ///< that takes its batches over, of all nodes

  bool operator==(const GpuFeed&) const = default;
};

/// What one GPU (or what stands for it) and its loader do in a step.
struct GpuPlan : GpuFeed {
  Seconds compute;            ///< all that its processors do in a step, decoding included
  Seconds decode_in_compute;  ///< the part of it that is decoding
  Ratio stages_wait;         ///< share of it, its last, in which other stages of a pipeline compute
  Seconds decode_by_engine;  ///< before it, beside other steps, of a batch: by engines of its own
  int stands_for = 1;        ///< GPUs of alike nodes, itself included
  double part = 1;           ///< of all batches, that it trains where it never waits for data
  std::vector<ExchangePhase> exchange;  ///< its own, where each GPU exchanges by itself

  bool operator==(const GpuPlan&) const = default;
};

/// Parts of batches that all makers of a job have under way, where few make them: more change
/// nothing. None has more.
constexpr std::int64_t kPartsUnderWay = 16;

/// How the loader of a GPU works on its batches.
/// - PyTorch: each of `num_workers` workers builds a batch of its own, up to `prefetch_factor`
///   ahead; without workers, the process of a GPU builds one when the GPU has nothing to do.
/// - TensorFlow: all batches of the prefetch buffer are built at once, by threads (tf.data's
///   `num_parallel_calls`) and readers (`cycle_length`) that share each of them.
struct LoaderShape {
  bool shared_batches = false;         ///< several threads and readers share a batch: TensorFlow
  bool on_demand = false;              ///< a batch is begun when its GPU waits for it
  std::int64_t batches_at_once = 1;    ///< of a GPU, in the making
  std::int64_t prefetch_factor = 1;    ///< batches for each of these, under way or waiting
  std::int64_t threads_per_batch = 1;  ///< that decode it
  std::int64_t readers_per_batch = 1;  ///< of its files, at the same time
  std::int64_t parts_per_batch = 1;    ///< each read, then decoded; the finest are samples
  bool streams = false;  ///< makes an epoch's first batches while the one before is trained

  /// Batches of a GPU that are under way or waiting at most.
  std::int64_t stock() const { return batches_at_once * prefetch_factor; }
  /// Threads that may decode for a GPU at the same time.
  std::int64_t threads() const { return batches_at_once * threads_per_batch; }

  bool operator==(const LoaderShape&) const = default;
};

/// What a loader's process takes for batches from its workers.
struct ProcessTimes {
  Seconds take_over;            ///< of a core and of a GPU's process, for a batch from its workers
  Seconds take_over_wait;       ///< before it, without a core
  Seconds take_over_busy_wait;  ///< and more, where all cores of the pool are busy

  /// Each of them: one that is left out does not compile.
  auto all() {
    auto& [core, wait, busy_wait] = *this;
    return std::array{&core, &wait, &busy_wait};
  }
  bool operator==(const ProcessTimes&) const = default;
};

/// What else cores take, all of it sooner done by faster ones.
struct CoreTimes {
  Seconds decode;          ///< time of one core for one sample
  Seconds fetch;           ///< and beside that, for one that the page cache does not hold
  Seconds fill;            ///< and before decoding it, for the page cache's sake
  Seconds batch_overhead;  ///< and for every batch
  Seconds worker_start;    ///< of all workers of a GPU, before an epoch's first file is read
  Seconds reader_time;     ///< decoding while reading: least of a stored sample, without a core
  Seconds shuffle;         ///< of the list of files, before an epoch's first is read
  Seconds pull;            ///< as `fetch`, of one from the store that a cache on drives lacks

  /// Each of them: one that is left out does not compile.
  auto all() {
    auto& [sample, miss, cached, batch, start, reader, list, far] = *this;
    return std::array{&sample, &miss, &cached, &batch, &start, &reader, &list, &far};
  }
  bool operator==(const CoreTimes&) const = default;
};

/// A scenario as numbers: every route, size and time that the job needs. What faster cores or a
/// faster process shorten is in its base classes: `--why` asks for all of it (make/lever.h).
struct Plan : CoreTimes, ProcessTimes {
  WorkloadKind kind{};
  Graph graph;
  Routes routes;
  std::vector<GpuPlan> gpus;
  std::vector<PartId> sources;  ///< drives, or the one store
  bool whole_files = false;     ///< each on one source; else every batch is striped over all
  bool told_together = false;   ///< the one source: readers wait until none is served any more
  std::int64_t batch = 0;       ///< samples per GPU and step
  std::int64_t steps_per_epoch = 0;
  std::int64_t epochs = 1;          ///< the last one may be shorter
  std::int64_t steps = 0;           ///< of all epochs together
  HitCurve first_hits;              ///< of the page cache in the first epoch
  HitCurve later_hits;              ///< and in those after it; their mean
  std::vector<HitStretch> filling;  ///< those, where they do not find the same; else empty
  Bytes cache;                      ///< that the page cache may fill
  ByResource<bool> uncontended;     ///< memories so little used that nothing ever waits for them
  Bytes sample_size;
  Bytes sample_size_deviation;
  double read_per_byte = 1;       ///< of a sample that is missed, with what comes along
  bool reads_through = false;     ///< the sources are a cache of a store
  double pull_per_byte = 1;       ///< of one that comes from there, with what comes along
  Seconds index_time;             ///< before the first epoch: building the order of samples
  Bytes input_size;               ///< of one decoded sample
  bool takes_over_beside = true;  ///< a thread does, while the GPU computes
  bool decodes_while_reading = false;
  std::vector<double> cores;   ///< of each pool, in cores without SMT
  double physical_cores = 0;   ///< of all pools
  std::optional<SmtGain> smt;  ///< where threads share cores: of the first CPU
  LoaderShape loader;
  bool copies_in_order = false;  ///< a GPU computes on nothing while its next batch is copied
  Ratio jitter;                  ///< of a worker's own time for a batch
  Ratio sample_jitter;           ///< and for one sample of a given size
  Ratio step_jitter;             ///< of a GPU's time to compute
  Ratio share_deviation;         ///< of GpuFeed::share, drawn once a run: of its logarithm
  std::int64_t nodes = 1;        ///< the graph shows the first
  bool synchronous = true;
  std::optional<std::int64_t> staleness;  ///< asynchronous: steps that a GPU may be ahead, if bound
  std::vector<ExchangePhase> exchange;    ///< of all GPUs together; none has no flows
  Algorithm algorithm = Algorithm::automatic;
  std::vector<StepLoad> step_loads;  ///< of an optimizer on the hosts
  bool exchange_included = false;    ///< in the compute rates
  bool whole_steps = false;          ///< these are, whatever GPUs exchange
  Ratio overlap;
  std::optional<CheckpointPlan> checkpoint;
  std::vector<SharedDrive> shared_drives;  ///< written while they are read
  DecodeEngine decode_engine{};            ///< where GPUs decode: what of them does
  ComputeTime compute;                     ///< of the slowest GPU
  Seconds nominal_compute;                 ///< emulated: what counts as computing
  std::vector<Warning> warnings;

  /// Whether loaders do for a GPU what they do only when it has nothing to do.
  bool waits_for_gpus() const { return loader.on_demand || (takes_over() && !takes_over_beside); }
  /// Whether a batch from workers takes a process any time.
  bool takes_over() const { return least_take_over().value > 0 || take_over_busy_wait.value > 0; }
  /// Where cores are free.
  Seconds least_take_over() const { return take_over_wait + take_over; }
  /// Whether some GPU's own processors decode.
  bool decodes_on_processors() const {
    return std::ranges::any_of(gpus,
                               [](const GpuPlan& gpu) { return gpu.decode_in_compute.value > 0; });
  }
  /// Whether in the long run all GPUs train as many batches.
  bool parts_equal() const { return synchronous || staleness; }
  /// Whether epochs run into one another, so that loaders fill up once; else each starts empty.
  bool streams() const { return loader.streams || !synchronous; }
  /// Of the page cache after the first epoch, or in the only one.
  double hit_rate() const { return hits().mean(); }
  double hit_rate(const GpuFeed& gpu) const { return hits(gpu).mean(); }
  const HitCurve& hits() const { return epochs > 1 ? later_hits : first_hits; }
  const NodeHits& hits(const GpuFeed& gpu) const { return hits().of(gpu.finds); }
  /// The share of samples that the sources give.
  double from_sources(const NodeHits& found) const {
    return reads_through ? found.mean_on_drives() : 1 - found.mean();
  }
  double from_sources() const { return from_sources(hits()); }
  /// And that come from the store of which these are a cache; with those that are not written.
  double from_store(const NodeHits& found) const {
    return reads_through ? std::max(0.0, 1 - found.found()) : 0;
  }
  double from_store() const { return from_store(hits()); }
  double global_batch() const {
    return static_cast<double>(batch) * static_cast<double>(gpus.size());
  }
  /// Sources whose whole files one batch is read from at the same time.
  std::size_t sources_at_once() const {
    return std::min(sources.size(), static_cast<std::size_t>(loader.readers_per_batch));
  }
  const Route& route(RouteIndex index) const { return routes[index]; }
  const Resource& resource(ResourceIndex index) const { return graph.resources[index]; }

  bool operator==(const Plan&) const = default;
};

/// The plan with later epochs that all find this.
Plan finding(Plan plan, const HitCurve& hits);

/// Cores of all pools.
double cores_of(const Plan& plan);

/// The rate of one transfer alone on a route.
Bandwidth solo_rate(const Graph& graph, const Route& route);

}  // namespace gpufeed
