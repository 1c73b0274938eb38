// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/field.h"
#include "sim/model/io_result.h"
#include "sim/model/pipeline.h"
#include "sim/model/serving.h"

namespace gpufeed {

/// Where the time of a GPU goes; the shares add up to 1.
struct GpuShare {
  double compute = 0, storage = 0, decode = 0, copy = 0, exchange = 0, barrier = 0, checkpoint = 0;

  static constexpr auto fields() {
    return std::tuple{
        key<GpuShare>("compute", &GpuShare::compute, "computing"),
        key<GpuShare>("storage", &GpuShare::storage,
                      "waiting for the loader: the part that its batch spent being read"),
        key<GpuShare>("decode", &GpuShare::decode,
                      "waiting for the loader: the part that its batch spent being decoded"),
        key<GpuShare>("copy", &GpuShare::copy, "waiting while its next batch is copied in"),
        key<GpuShare>("exchange", &GpuShare::exchange, "waiting for gradients"),
        key<GpuShare>("barrier", &GpuShare::barrier, "waiting for the slowest GPU"),
        key<GpuShare>("checkpoint", &GpuShare::checkpoint,
                      "standing still while the state is saved")};
  }
};

/// GPUs that spend their time alike.
struct GpuGroup {
  std::string group;
  std::int64_t count = 0;
  GpuShare share;

  static constexpr auto fields() {
    return std::tuple{key<GpuGroup>("group", &GpuGroup::group, "ids"),
                      key<GpuGroup>("count", &GpuGroup::count, "how many"),
                      key<GpuGroup>("share", &GpuGroup::share, "of the time of one GPU, 0 to 1")};
  }
};

/// What one stage of the way could deliver if nothing else limited it.
struct Stage {
  std::string name;
  double capacity_samples_per_s = 0;  ///< infinite where the workload does not use it
  std::string limited_by;

  static constexpr auto fields() {
    return std::tuple{key<Stage>("name", &Stage::name, "stage"),
                      key<Stage>("capacity_samples_per_s", &Stage::capacity_samples_per_s,
                                 "samples/s that it could deliver; null: unlimited"),
                      key<Stage>("limited_by", &Stage::limited_by, "the resource that sets it")};
  }
};

struct ResourceUse {
  std::string id;
  std::string kind;
  double capacity = 0;
  std::string unit;
  double utilization = 0;
  std::string source;
  std::string basis;

  static constexpr auto fields() {
    return std::tuple{
        key<ResourceUse>("id", &ResourceUse::id, "resource"),
        key<ResourceUse>("kind", &ResourceUse::kind, "what it is"),
        key<ResourceUse>("capacity", &ResourceUse::capacity, "in unit"),
        key<ResourceUse>("unit", &ResourceUse::unit, "B/s, core or GPU"),
        key<ResourceUse>("utilization", &ResourceUse::utilization, "mean share in use, 0 to 1"),
        key<ResourceUse>("source", &ResourceUse::source, "where the capacity is known from"),
        key<ResourceUse>("basis", &ResourceUse::basis, "how it is known")};
  }
};

struct Bottleneck {
  std::string resource;
  std::string why;
  std::string next;
  double distance = 0;

  static constexpr auto fields() {
    return std::tuple{
        key<Bottleneck>("resource", &Bottleneck::resource, "what holds the machine back"),
        key<Bottleneck>("why", &Bottleneck::why, "one sentence with the evidence"),
        key<Bottleneck>("next", &Bottleneck::next, "what would hold it back next"),
        key<Bottleneck>("distance", &Bottleneck::distance,
                        "throughput at which that happens, over the present one")};
  }
};

struct BoundResult {
  double samples_per_s = 0;
  std::vector<std::string> cut;

  static constexpr auto fields() {
    return std::tuple{key<BoundResult>("samples_per_s", &BoundResult::samples_per_s,
                                       "no schedule is faster: max-flow, cores and GPUs"),
                      key<BoundResult>("cut", &BoundResult::cut, "what sets it")};
  }
};

struct TopologyNode {
  std::string id;
  std::string kind;

  static constexpr auto fields() {
    return std::tuple{key<TopologyNode>("id", &TopologyNode::id, "part"),
                      key<TopologyNode>("kind", &TopologyNode::kind, "what it is")};
  }
};
struct TopologyEdge {
  std::string from;
  std::string to;
  std::string resource;

  static constexpr auto fields() {
    return std::tuple{
        key<TopologyEdge>("from", &TopologyEdge::from, "node"),
        key<TopologyEdge>("to", &TopologyEdge::to, "node"),
        key<TopologyEdge>("resource", &TopologyEdge::resource, "whose capacity it takes")};
  }
};
struct Topology {
  std::vector<TopologyNode> nodes;
  std::vector<TopologyEdge> edges;

  static constexpr auto fields() {
    return std::tuple{key<Topology>("nodes", &Topology::nodes, "parts"),
                      key<Topology>("edges", &Topology::edges, "ways between them")};
  }
};

/// One bar of a time line: what a GPU did or waited for.
struct Interval {
  std::int64_t gpu = 0;
  std::int64_t step = 0;
  std::string kind;
  double start_s = 0;
  double end_s = 0;

  static constexpr auto fields() {
    return std::tuple{key<Interval>("gpu", &Interval::gpu, "number"),
                      key<Interval>("step", &Interval::step, "from 0"),
                      key<Interval>("kind", &Interval::kind, "a key of the shares"),
                      key<Interval>("start_s", &Interval::start_s, "since training began"),
                      key<Interval>("end_s", &Interval::end_s, "since training began")};
  }
};

/// Nodes that are alike, of which a few stand for all.
struct Folded {
  std::int64_t simulated_nodes = 1;
  std::string why;

  static constexpr auto fields() {
    return std::tuple{
        key<Folded>("simulated_nodes", &Folded::simulated_nodes,
                    "nodes simulated one by one; the others were taken to do as they do"),
        key<Folded>("why", &Folded::why,
                    "what makes nodes alike, or why each was simulated; empty for one node")};
  }
};

struct Simulated {
  std::int64_t steps = 0;
  std::int64_t extrapolated_steps = 0;
  double step_rate_uncertainty = 0;
  Folded folded;

  static constexpr auto fields() {
    return std::tuple{
        key<Simulated>("steps", &Simulated::steps, "steps simulated one by one"),
        key<Simulated>("extrapolated_steps", &Simulated::extrapolated_steps,
                       "steps taken to last as long as the simulated ones"),
        key<Simulated>(
            "step_rate_uncertainty", &Simulated::step_rate_uncertainty,
            "half width of the 95 % confidence interval of the step rate, relative; null: too few "
            "steps to tell"),
        key<Simulated>("folded", &Simulated::folded, "nodes that stand for others")};
  }
};

/// What a run of the benchmark that is emulated would report, mean over its epochs. Version 1.0 of
/// MLPerf Storage: utilization = nominal compute after the first step / (epoch - own first step);
/// throughput = samples / epoch, first fill included. Later versions leave the first step (and in
/// the sample count the last) out of both.
struct BenchmarkScore {
  double utilization_v1 = 0;
  double throughput_v1_samples_per_s = 0;
  double throughput_v1_MiBps = 0;
  double throughput_later_samples_per_s = 0;
  double first_step_s = 0;
  double threshold = 0;
  bool passes = false;

  static constexpr auto fields() {
    return std::tuple{
        key<BenchmarkScore>("utilization_v1", &BenchmarkScore::utilization_v1,
                            "accelerator utilization by the rules of version 1.0, 0 to 1"),
        key<BenchmarkScore>("throughput_v1_samples_per_s",
                            &BenchmarkScore::throughput_v1_samples_per_s,
                            "by the rules of version 1.0: the first fill included"),
        key<BenchmarkScore>("throughput_v1_MiBps", &BenchmarkScore::throughput_v1_MiBps,
                            "the same in MiB/s of nominal sample sizes"),
        key<BenchmarkScore>("throughput_later_samples_per_s",
                            &BenchmarkScore::throughput_later_samples_per_s,
                            "by the rules of later versions: the first step left out"),
        key<BenchmarkScore>(
            "first_step_s", &BenchmarkScore::first_step_s,
            "from the first read until an accelerator has ended its first step, mean"),
        key<BenchmarkScore>("threshold", &BenchmarkScore::threshold,
                            "utilization that a run must reach"),
        key<BenchmarkScore>("passes", &BenchmarkScore::passes, "whether this one does")};
  }
};

/// What the page cache did. All 0 where reads go around it.
struct CacheUse {
  double memory_B = 0;
  double share_of_data = 0;
  double hit_rate = 0;
  double read_first_epoch_B = 0;
  double read_later_epoch_B = 0;

  static constexpr auto fields() {
    return std::tuple{
        key<CacheUse>("memory_B", &CacheUse::memory_B, "memory that it may fill"),
        key<CacheUse>("share_of_data", &CacheUse::share_of_data,
                      "the same over the size of the data set"),
        key<CacheUse>("hit_rate", &CacheUse::hit_rate,
                      "share of the bytes that epochs after the first find there, 0 to 1"),
        key<CacheUse>("read_first_epoch_B", &CacheUse::read_first_epoch_B,
                      "bytes that the first epoch reads from storage, all jobs together"),
        key<CacheUse>("read_later_epoch_B", &CacheUse::read_later_epoch_B, "and each later one")};
  }
};

/// What saving the state of the training takes. A checkpoint costs more than its pause where writes
/// hold back reads, and less where loaders catch up while GPUs stand still.
struct CheckpointUse {
  std::int64_t count = 0;
  double size_B = 0;
  double pause_s = 0;
  double write_s = 0;
  double cost_s = 0;
  double share = 0;
  double restart_s = 0;

  static constexpr auto fields() {
    return std::tuple{
        key<CheckpointUse>("count", &CheckpointUse::count, "of each job, in all its epochs"),
        key<CheckpointUse>("size_B", &CheckpointUse::size_B, "of one checkpoint of one job"),
        key<CheckpointUse>("pause_s", &CheckpointUse::pause_s,
                           "how long GPUs stand still for one, mean"),
        key<CheckpointUse>("write_s", &CheckpointUse::write_s,
                           "from the first byte written to the last, mean"),
        key<CheckpointUse>("cost_s", &CheckpointUse::cost_s,
                           "by how much one lengthens the training, mean"),
        key<CheckpointUse>("share", &CheckpointUse::share,
                           "of the training's time that they cost, 0 to 1"),
        key<CheckpointUse>("restart_s", &CheckpointUse::restart_s,
                           "reading one back by those who wrote it, and copying it to their GPUs")};
  }
};

/// How gradients, and what split models pass on, travel in a step.
struct ExchangeUse {
  std::string mode;
  std::string algorithm;
  double alone_s = 0;
  double sent_B = 0;

  static constexpr auto fields() {
    return std::tuple{
        key<ExchangeUse>("mode", &ExchangeUse::mode, "synchronous or asynchronous"),
        key<ExchangeUse>("algorithm", &ExchangeUse::algorithm, "the one that auto chose, if so"),
        key<ExchangeUse>(
            "alone_s", &ExchangeUse::alone_s,
            "time of a step's exchange when nothing else travels; asynchronous: of one "
            "GPU's, the slowest"),
        key<ExchangeUse>("sent_B", &ExchangeUse::sent_B, "sent in a step, by one GPU on average")};
  }
};

/// The answer. Reports and windows read only this. Keys carry their unit.
struct Result {
  std::int64_t schema_version = 1;
  std::string title;
  std::string kind;
  std::string engine;
  std::int64_t seed = 0;
  std::string version;
  std::string scenario;
  std::string system;
  std::int64_t nodes = 1;
  std::string workload;
  std::string storage;
  double throughput_samples_per_s = 0;
  double accelerator_utilization = 0;
  double step_s = 0;
  double epoch_s = 0;
  double first_epoch_s = 0;
  std::string staging;
  double staging_s = 0;
  double training_s = 0;
  double time_to_first_result_s = 0;
  double time_to_result_s = 0;
  std::optional<double> time_to_target_s;
  double bytes_per_gpu_second = 0;
  double storage_limit_bytes_per_gpu_second = 0;
  std::optional<BenchmarkScore> benchmark;
  CacheUse cache;
  std::optional<CheckpointUse> checkpoint;
  std::vector<GpuGroup> gpus;
  std::optional<ExchangeUse> exchange;
  std::vector<Stage> stages;
  std::vector<IoLine> io;
  std::optional<LogReplaySummary> replay;
  std::vector<TransferMatrix> transfers;
  std::vector<CopyRate> copies;
  std::optional<PipelineSummary> pipeline;
  std::optional<ServingSummary> serving;
  std::vector<ResourceUse> resources;
  Bottleneck bottleneck;
  BoundResult bound;
  Topology topology;
  std::vector<Interval> timeline;
  Simulated simulated;
  std::vector<std::string> defaults;
  std::vector<std::string> estimates;
  std::vector<std::string> warnings;

  static constexpr auto fields() {
    return std::tuple{
        key<Result>("schema_version", &Result::schema_version, "of this form"),
        key<Result>("title", &Result::title, "the scenario's title"),
        key<Result>("kind", &Result::kind,
                    "of the workload; io, transfers, pipeline and inference train nothing: what is "
                    "said of training alone is null there"),
        key<Result>("engine", &Result::engine, "which engine simulated"),
        key<Result>("seed", &Result::seed, "of the random numbers"),
        key<Result>("version", &Result::version, "of gpufeed"),
        key<Result>("scenario", &Result::scenario, "the scenario as TOML, every default spelled"),
        key<Result>("system", &Result::system, "the machine, in words"),
        key<Result>("nodes", &Result::nodes,
                    "machines; of those that are alike, resources show the first"),
        key<Result>("workload", &Result::workload, "the job, in words"),
        key<Result>("storage", &Result::storage, "where the data lie, in words"),
        key<Result>("throughput_samples_per_s", &Result::throughput_samples_per_s,
                    "all GPUs together, steady; checkpoints included"),
        key<Result>("accelerator_utilization", &Result::accelerator_utilization,
                    "share of the time that GPUs compute, 0 to 1"),
        key<Result>("step_s", &Result::step_s, "one step, steady; between checkpoints"),
        key<Result>("epoch_s", &Result::epoch_s, "one epoch after the first, mean"),
        key<Result>("first_epoch_s", &Result::first_epoch_s, "the first epoch"),
        key<Result>("staging", &Result::staging,
                    "when the data are copied in: none, before, first-epoch"),
        key<Result>("staging_s", &Result::staging_s, "copying the data in before training"),
        key<Result>("training_s", &Result::training_s, "from the first read to the last step"),
        key<Result>("time_to_first_result_s", &Result::time_to_first_result_s,
                    "until the first step ends, staging included"),
        key<Result>("time_to_result_s", &Result::time_to_result_s, "staging and training"),
        key<Result>(
            "time_to_target_s", &Result::time_to_target_s,
            "staging and training to the wanted accuracy; null where no [[workload.target]] "
            "is given"),
        key<Result>("bytes_per_gpu_second", &Result::bytes_per_gpu_second,
                    "data density: stored bytes that one GPU consumes per second when never idle"),
        key<Result>("storage_limit_bytes_per_gpu_second",
                    &Result::storage_limit_bytes_per_gpu_second,
                    "data density at which this storage and its links give up"),
        key<Result>("benchmark", &Result::benchmark,
                    "emulated: what the benchmark would report; null for other kinds"),
        key<Result>("cache", &Result::cache, "what the page cache did"),
        key<Result>("checkpoint", &Result::checkpoint,
                    "what saving the training's state takes; null where it is not saved"),
        key<Result>("gpus", &Result::gpus, "groups of GPUs that behave alike"),
        key<Result>("exchange", &Result::exchange,
                    "of gradients; null where nothing is exchanged beside what the rates include"),
        key<Result>("stages", &Result::stages, "what each stage could deliver"),
        key<Result>("io", &Result::io, "io: what fio reports"),
        key<Result>("replay", &Result::replay,
                    "io: what became of a log that was replayed; null where there is none"),
        key<Result>("transfers", &Result::transfers, "transfers: what nvbandwidth prints"),
        key<Result>("copies", &Result::copies, "transfers: the copies that run at the same time"),
        key<Result>("pipeline", &Result::pipeline,
                    "pipeline: its steps and copies; null for other kinds"),
        key<Result>("serving", &Result::serving,
                    "inference: cold start, latency and load; null for other kinds"),
        key<Result>("resources", &Result::resources, "what was in use, and how much"),
        key<Result>("bottleneck", &Result::bottleneck, "what holds the machine back"),
        key<Result>("bound", &Result::bound, "the analytic upper bound"),
        key<Result>("topology", &Result::topology, "the machine as a graph"),
        key<Result>("timeline", &Result::timeline, "the first steps, GPU by GPU"),
        key<Result>("simulated", &Result::simulated, "what was simulated and what extrapolated"),
        key<Result>("defaults", &Result::defaults, "keys left to their default, with the value"),
        key<Result>("estimates", &Result::estimates, "inputs in use that are only estimates"),
        key<Result>("warnings", &Result::warnings, "what the reader must know")};
  }
};

}  // namespace gpufeed
