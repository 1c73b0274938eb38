// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/bill.h"
#include "sim/model/facts/warnings.h"
#include "sim/model/fields/calibrated.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/part_id.h"
#include "sim/model/result/bottleneck.h"
#include "sim/model/result/checkpointing_summary.h"
#include "sim/model/result/io_result.h"
#include "sim/model/result/pipeline_summary.h"
#include "sim/model/result/product_time.h"
#include "sim/model/result/range.h"
#include "sim/model/result/running_cost.h"
#include "sim/model/result/serving_summary.h"
#include "sim/model/result/stage.h"
#include "sim/model/result/timeline.h"
#include "sim/model/result/told.h"
#include "sim/model/result/transformer_summary.h"

namespace gpufeed {

enum class WorkloadKind : std::size_t;

/// Where the time of a GPU goes; the shares add up to 1.
struct GpuShare {
  double compute = 0, gpu_decode = 0, storage = 0, decode = 0, copy = 0, exchange = 0, barrier = 0,
         checkpoint = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("compute", &GpuShare::compute, "computing"));
    visit(key("gpu_decode", &GpuShare::gpu_decode,
              "decoding on the GPU and not computing: its processors decode, or what computes "
              "waits for its decoding engines, its own or of the GPU that holds up the step"));
    visit(key("storage", &GpuShare::storage,
              "waiting for the loader, its own or of the GPU that holds up the step: the part that "
              "the batch spent being read"));
    visit(key("decode", &GpuShare::decode,
              "waiting for the loader, so: the part that the batch spent being decoded"));
    visit(key("copy", &GpuShare::copy, "waiting while the next batch is copied in, so"));
    visit(key("exchange", &GpuShare::exchange, "waiting for gradients"));
    visit(key("barrier", &GpuShare::barrier, "waiting for a GPU that computes longer"));
    visit(key("checkpoint", &GpuShare::checkpoint, "standing still while the state is saved"));
  }
};

/// GPUs that spend their time alike.
struct GpuGroup {
  std::string group;
  std::int64_t count = 0;
  GpuShare share;
  std::vector<std::int64_t> numbers = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("group", &GpuGroup::group, "ids"));
    visit(key("count", &GpuGroup::count, "how many"));
    visit(key("share", &GpuGroup::share, "of the time of one GPU, 0 to 1"));
    visit(key("numbers", &GpuGroup::numbers, "those of the first node, by their number from 0"));
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
  std::optional<PartKind> part = {};
  std::optional<std::int64_t> number = {};
  std::optional<Role> role = {};
  std::optional<std::int64_t> index = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("id", &ResourceUse::id, "resource"));
    visit(key("kind", &ResourceUse::kind, "what it is"));
    visit(key("capacity", &ResourceUse::capacity, "in unit"));
    visit(key("unit", &ResourceUse::unit, "B/s, core or GPU"));
    visit(key("utilization", &ResourceUse::utilization, "mean share in use, 0 to 1"));
    visit(key("source", &ResourceUse::source, "where the capacity is known from"));
    visit(key("basis", &ResourceUse::basis, "how it is known"));
    visit(key("part", &ResourceUse::part, "what it is of; null: cores, or GPUs"));
    visit(key("number", &ResourceUse::number, "which of these, from 0"));
    visit(key("role", &ResourceUse::role, "what of it"));
    visit(key("index", &ResourceUse::index, "as edges of the topology name it"));
  }
};

struct BoundResult {
  double samples_per_s = 0;
  std::vector<std::string> cut;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("samples_per_s", &BoundResult::samples_per_s,
              "the most that is possible in the long run: max-flow, cores and GPUs"));
    visit(key("cut", &BoundResult::cut, "what sets it"));
  }
};

struct TopologyNode {
  std::string id;
  std::string kind;
  PartKind part{};
  std::int64_t number = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("id", &TopologyNode::id, "part"));
    visit(key("kind", &TopologyNode::kind, "what it is"));
    visit(key("part", &TopologyNode::part, "the part that it is, or lies in"));
    visit(key("number", &TopologyNode::number, "which of these, from 0"));
  }
};
struct TopologyEdge {
  std::string from;
  std::string to;
  std::string resource;
  std::int64_t from_node = 0;
  std::int64_t to_node = 0;
  std::optional<std::int64_t> resource_index = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("from", &TopologyEdge::from, "node"));
    visit(key("to", &TopologyEdge::to, "node"));
    visit(key("resource", &TopologyEdge::resource, "whose capacity it takes"));
    visit(key("from_node", &TopologyEdge::from_node, "position among nodes"));
    visit(key("to_node", &TopologyEdge::to_node, "position among nodes"));
    visit(key("resource_index", &TopologyEdge::resource_index,
              "that of the resource; null: nothing limits it"));
  }
};
struct Topology {
  std::vector<TopologyNode> nodes;
  std::vector<TopologyEdge> edges;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("nodes", &Topology::nodes, "parts"));
    visit(key("edges", &Topology::edges, "ways between them"));
  }
};

/// Nodes that are alike, of which a few stand for all.
struct Folded {
  std::int64_t simulated_nodes = 1;
  std::string why;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("simulated_nodes", &Folded::simulated_nodes,
              "nodes simulated one by one; the others were taken to do as they do"));
    visit(key("why", &Folded::why,
              "what makes nodes alike, or why each was simulated; empty for one node"));
  }
};

struct Simulated {
  std::int64_t steps = 0;
  std::int64_t extrapolated_steps = 0;
  std::int64_t runs = 1;
  double step_rate_uncertainty = 0;
  double run_uncertainty = 0;
  bool store_shares = false;
  Folded folded{};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("steps", &Simulated::steps, "steps simulated one by one"));
    visit(key("extrapolated_steps", &Simulated::extrapolated_steps,
              "steps taken to last as long as the simulated ones"));
    visit(
        key("runs", &Simulated::runs,
            "runs of all steps with other random numbers, whose mean is told: more than one where "
            "one leaves it open by more than run.precision"));
    visit(key("step_rate_uncertainty", &Simulated::step_rate_uncertainty,
              "half width of the 95 % confidence interval of the mean throughput of such runs, "
              "relative, readers' other shares of a store among them; null: too few steps to "
              "tell"));
    visit(key("run_uncertainty", &Simulated::run_uncertainty,
              "by how much the throughput of one run may lie off that mean, relative, by its own "
              "random numbers: half width of the 95 % interval"));
    visit(key("store_shares", &Simulated::store_shares,
              "whether that is because readers get other shares of a store, drawn once a run"));
    visit(key("folded", &Simulated::folded, "nodes that stand for others"));
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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("utilization_v1", &BenchmarkScore::utilization_v1,
              "accelerator utilization by the rules of version 1.0, 0 to 1"));
    visit(key("throughput_v1_samples_per_s", &BenchmarkScore::throughput_v1_samples_per_s,
              "by the rules of version 1.0: the first fill included"));
    visit(key("throughput_v1_MiBps", &BenchmarkScore::throughput_v1_MiBps,
              "the same in MiB/s of nominal sample sizes"));
    visit(key("throughput_later_samples_per_s", &BenchmarkScore::throughput_later_samples_per_s,
              "by the rules of later versions: the first step left out"));
    visit(key("first_step_s", &BenchmarkScore::first_step_s,
              "from the first read until an accelerator has ended its first step, mean"));
    visit(key("threshold", &BenchmarkScore::threshold, "utilization that a run must reach"));
    visit(key("passes", &BenchmarkScore::passes, "whether this one does"));
  }
};

/// What the page cache did. All 0 where reads go around it.
struct CacheUse {
  double memory_B = 0;
  double share_of_data = 0;
  double hit_rate = 0;
  double read_first_epoch_B = 0;
  double read_later_epoch_B = 0;
  double hit_rate_second_epoch = 0;
  double hit_rate_last_epoch = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("memory_B", &CacheUse::memory_B, "memory that it may fill"));
    visit(key("share_of_data", &CacheUse::share_of_data, "the same over the size of the data set"));
    visit(key("hit_rate", &CacheUse::hit_rate,
              "share of the bytes that epochs after the first find there, mean, 0 to 1"));
    visit(key("read_first_epoch_B", &CacheUse::read_first_epoch_B,
              "bytes that the first epoch reads from storage, all jobs together; of a job that is "
              "shorter than an epoch, what it reads"));
    visit(key("read_later_epoch_B", &CacheUse::read_later_epoch_B, "and a later one, mean"));
    visit(
        key("hit_rate_second_epoch", &CacheUse::hit_rate_second_epoch,
            "share that the second epoch finds there; where nodes read other parts of the data in "
            "each epoch, later ones find more"));
    visit(key("hit_rate_last_epoch", &CacheUse::hit_rate_last_epoch, "and the last one"));
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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("count", &CheckpointUse::count, "of each job, in all its epochs"));
    visit(key("size_B", &CheckpointUse::size_B, "of one checkpoint of one job"));
    visit(key("pause_s", &CheckpointUse::pause_s,
              "how long GPUs stand still for one, mean; null, as times and share below, where "
              "training ends before the first"));
    visit(key("write_s", &CheckpointUse::write_s, "from the first byte written to the last, mean"));
    visit(key("cost_s", &CheckpointUse::cost_s, "by how much one lengthens the training, mean")
              .or_negative());
    visit(key("share", &CheckpointUse::share, "of the training's time that they cost, 0 to 1")
              .or_negative());
    visit(key("restart_s", &CheckpointUse::restart_s,
              "reading one back by those who wrote it, and copying it to their GPUs"));
  }
};

/// How gradients, and what split models pass on, travel in a step.
struct ExchangeUse {
  std::string mode;
  std::string algorithm;
  double alone_s = 0;
  double sent_B = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("mode", &ExchangeUse::mode, "synchronous or asynchronous"));
    visit(key("algorithm", &ExchangeUse::algorithm, "the one that auto chose, if so"));
    visit(key("alone_s", &ExchangeUse::alone_s,
              "time of a step's exchange when nothing else travels; asynchronous: of one "
              "GPU's, the slowest"));
    visit(key("sent_B", &ExchangeUse::sent_B, "sent in a step, by one GPU on average"));
  }
};

/// The answer. Reports and windows read only this. Keys carry their unit.
struct Result {
  std::int64_t schema_version = 1;
  std::string title;
  WorkloadKind kind{};
  std::string engine;
  std::int64_t seed = 0;
  std::string version;
  std::string scenario;
  std::string system;
  std::int64_t nodes = 1;
  std::string workload;
  std::string storage;
  double throughput_samples_per_s = 0;
  std::optional<double> steady_samples_per_s;
  std::optional<double> tokens_per_s;
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
  std::optional<TransformerSummary> transformer;
  std::vector<Stage> stages;
  std::vector<IoLine> io;
  std::optional<LogReplaySummary> replay;
  std::vector<TransferMatrix> transfers;
  std::vector<CopyRate> copies;
  std::vector<CollectiveTime> collectives;
  std::vector<ProductTime> products;
  std::optional<CheckpointingSummary> checkpointing;
  std::optional<PipelineSummary> pipeline;
  std::optional<ServingSummary> serving;
  bool rented = false;
  std::optional<double> price_USD;
  std::optional<std::int64_t> oldest_price_year;
  std::optional<std::int64_t> newest_price_year;
  std::string without_price;
  std::optional<double> power_W;
  std::string without_power;
  std::vector<BillLine> bill;
  std::optional<RunningCost> running_cost;
  std::vector<ResourceUse> resources;
  Bottleneck bottleneck;
  BoundResult bound;
  Topology topology;
  std::vector<TimelineStretch> timeline;
  Simulated simulated;
  std::optional<Range> range;
  std::vector<std::string> defaults;
  std::vector<Assumption> assumptions;
  std::vector<std::string> estimates;
  std::vector<CalibratedValue> calibrated;
  std::vector<Warning> warnings;

  // What the compiler writes for so many members is written once, in result.cpp.
  Result();
  Result(const Result&);
  Result(Result&&) noexcept;
  Result& operator=(const Result&);
  Result& operator=(Result&&) noexcept;
  ~Result();

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("schema_version", &Result::schema_version, "of this form"));
    visit(key("title", &Result::title, "the scenario's title"));
    visit(key("kind", &Result::kind,
              "of the workload; io, transfers, pipeline and inference train nothing: what is "
              "said of training alone is null there"));
    visit(key("engine", &Result::engine, "which engine simulated"));
    visit(key("seed", &Result::seed, "of the random numbers"));
    visit(key("version", &Result::version, "of gpufeed"));
    visit(key("scenario", &Result::scenario, "the scenario as TOML, every default spelled"));
    visit(key("system", &Result::system, "the machine, in words"));
    visit(key("nodes", &Result::nodes,
              "machines; of those that are alike, resources show the first"));
    visit(key("workload", &Result::workload, "the job, in words"));
    visit(key("storage", &Result::storage, "where the data lie, in words"));
    visit(
        key("throughput_samples_per_s", &Result::throughput_samples_per_s,
            "all GPUs together: samples of whole epochs over their time, of those after the first "
            "where that one differs; fills of the loaders and checkpoints included"));
    visit(key("tokens_per_s", &Result::tokens_per_s,
              "throughput in tokens; null where the model does not say its tokens"));
    visit(key("steady_samples_per_s", &Result::steady_samples_per_s,
              "the same between fills, ends of epochs and checkpoints; null where epochs are too "
              "short to have it"));
    visit(key("accelerator_utilization", &Result::accelerator_utilization,
              "share of the time that GPUs compute, or decode on their processors, 0 to 1"));
    visit(key("step_s", &Result::step_s, "one step, mean over the epochs of the throughput"));
    visit(key("epoch_s", &Result::epoch_s, "one epoch after the first, mean"));
    visit(key("first_epoch_s", &Result::first_epoch_s, "the first epoch"));
    visit(
        key("staging", &Result::staging, "when the data are copied in: none, before, first-epoch"));
    visit(key("staging_s", &Result::staging_s, "copying the data in before training"));
    visit(key("training_s", &Result::training_s, "from the first read to the last step"));
    visit(key("time_to_first_result_s", &Result::time_to_first_result_s,
              "until the first step ends, staging included"));
    visit(key("time_to_result_s", &Result::time_to_result_s, "staging and training"));
    visit(key("time_to_target_s", &Result::time_to_target_s,
              "staging and training to the wanted accuracy; null where no [[workload.target]] "
              "is given"));
    visit(key("bytes_per_gpu_second", &Result::bytes_per_gpu_second,
              "data density: stored bytes that one GPU consumes per second when it never waits for "
              "data"));
    visit(key("storage_limit_bytes_per_gpu_second", &Result::storage_limit_bytes_per_gpu_second,
              "data density at which this storage and its links give up"));
    visit(key("benchmark", &Result::benchmark,
              "emulated: what the benchmark would report; null for other kinds"));
    visit(key("cache", &Result::cache, "what the page cache did"));
    visit(key("checkpoint", &Result::checkpoint,
              "what saving the training's state takes; null where it is not saved"));
    visit(key("gpus", &Result::gpus, "groups of GPUs that behave alike"));
    visit(key("exchange", &Result::exchange,
              "of gradients; null where nothing is exchanged beside what the rates include"));
    visit(key("transformer", &Result::transformer,
              "how a model given by its architecture is split, what a step goes to and what GPUs "
              "hold; null for others"));
    visit(key("stages", &Result::stages, "what each stage could deliver"));
    visit(key("io", &Result::io, "io: what fio reports"));
    visit(key("replay", &Result::replay,
              "io: what became of a log that was replayed; null where there is none"));
    visit(key("transfers", &Result::transfers, "transfers: what nvbandwidth prints"));
    visit(key("copies", &Result::copies, "transfers: the copies that run at the same time"));
    visit(key("collectives", &Result::collectives, "of nccl-tests, by operation and size"));
    visit(key("products", &Result::products, "matrix products, by shape"));
    visit(key("checkpointing", &Result::checkpointing,
              "checkpointing: saves and loads; null for other kinds"));
    visit(
        key("pipeline", &Result::pipeline, "pipeline: its steps and copies; null for other kinds"));
    visit(key("serving", &Result::serving,
              "inference: cold start, latency and load; null for other kinds"));
    visit(key("rented", &Result::rented,
              "whether the machines are rented, and only stores beside them bought"));
    visit(key("price_USD", &Result::price_USD,
              "of all machines and stores that are bought, without the parts that have no price; "
              "null: none has"));
    visit(key("oldest_price_year", &Result::oldest_price_year, "of the prices in it"));
    visit(key("newest_price_year", &Result::newest_price_year, "of the prices in it"));
    visit(key("without_price", &Result::without_price,
              "the parts whose price is not known and not in price_USD; empty: it is whole"));
    visit(key("power_W", &Result::power_W,
              "drawn at full load, without the parts that do not say; null: none does"));
    visit(key("without_power", &Result::without_power,
              "the parts whose power is not known and not in power_W; empty: it is whole"));
    visit(key("bill", &Result::bill, "what the machines and stores consist of"));
    visit(key("running_cost", &Result::running_cost,
              "what the job costs; null where neither price, power nor rent is known"));
    visit(key("resources", &Result::resources, "what was in use, and how much"));
    visit(key("bottleneck", &Result::bottleneck, "what holds the machine back"));
    visit(key("bound", &Result::bound, "the analytic upper bound"));
    visit(key("topology", &Result::topology, "the machine as a graph"));
    visit(key("timeline", &Result::timeline,
              "what GPUs did in some steps; empty unless it was asked for"));
    visit(key("simulated", &Result::simulated, "what was simulated and what extrapolated"));
    visit(
        key("range", &Result::range,
            "how far uncertain parameters leave the result open; null where it was not asked for, "
            "or nothing is trained"));
    visit(key("defaults", &Result::defaults, "keys left to their default, with the value"));
    visit(told("assumptions", &Result::assumptions, "deprecated: assumption_codes, in sentences"));
    visit(key("assumption_codes", &Result::assumptions,
              "what is taken where the scenario does not say it, and what that changes"));
    visit(key("estimates", &Result::estimates,
              "inputs in use that are only estimates, where no range is told"));
    visit(
        key("calibrated", &Result::calibrated, "values that --params put in the place of others"));
    visit(told("warnings", &Result::warnings, "deprecated: warning_codes, in sentences"));
    visit(key("warning_codes", &Result::warnings, "what the reader must know"));
  }
};

}  // namespace gpufeed
