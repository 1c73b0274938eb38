// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "sim/model/pipeline.h"
#include "sim/model/probes.h"
#include "sim/model/serving.h"
#include "sim/model/step_line.h"
#include "sim/model/system.h"
#include "sim/model/workload.h"

namespace gpufeed {

/// training: GPUs train a model. emulated: a storage benchmark only sleeps in their place. loader:
/// reading and decoding alone. io: what fio does. transfers: what nvbandwidth does. pipeline:
/// stages that hand all data on, with copies between their places. inference: requests answered by
/// a model.
enum class WorkloadKind { training, emulated, loader, io, transfers, pipeline, inference };
template <>
struct EnumNames<WorkloadKind> {
  static constexpr std::array<std::string_view, 7> names{"training",  "emulated", "loader",   "io",
                                                         "transfers", "pipeline", "inference"};
};

/// How weights follow from gradients, and what it keeps for each weight: nothing, one number or
/// two.
enum class Optimizer { sgd, momentum, adam };
template <>
struct EnumNames<Optimizer> {
  static constexpr std::array<std::string_view, 3> names{"sgd", "momentum", "adam"};
};

struct Workload {
  WorkloadKind kind = WorkloadKind::training;
  Ref<Model> model;
  Ref<Dataset> dataset;
  std::optional<Ref<Job>> job;
  std::optional<IoJob> io;
  std::vector<TransferTest> tests;
  std::vector<Copy> copies;
  std::vector<PipelineStage> stages;
  std::optional<Bytes> input;
  std::optional<Serving> serving;
  std::optional<Bytes> model_size;
  std::optional<std::int64_t> dataset_samples;
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> batch_per_gpu;
  std::optional<std::int64_t> global_batch;
  std::optional<std::int64_t> samples;
  std::optional<std::int64_t> epochs;
  std::string precision = "fp32";
  Optimizer optimizer = Optimizer::momentum;
  std::vector<ComputeRow> compute;
  std::vector<ComputeRow> forward;
  Seconds step_overhead;
  Seconds crowding_overhead;
  std::optional<Ratio> step_jitter;
  std::vector<TargetRow> target;
  std::vector<StepLine> step_lines;  ///< the loader's, for GPUs with one rate or none
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Workload>("kind", &Workload::kind, "the job"),
        key<Workload>("model", &Workload::model,
                      "training, inference: the network: a name, a path or a table"),
        key<Workload>("dataset", &Workload::dataset,
                      "training, loader, inference, pipeline: the data: a name, a path or a table"),
        key<Workload>(
            "dataset_samples", &Workload::dataset_samples,
            "how many samples it has; default: what the data set says, emulated: what the "
            "job's rules ask for")
            .between(1, 1000000000000),
        key<Workload>("job", &Workload::job, "emulated: the benchmark: a name, a path or a table"),
        key<Workload>("io", &Workload::io, "io: the requests"),
        key<Workload>("tests", &Workload::tests, "transfers: tests of nvbandwidth, one by one"),
        key<Workload>("copy", &Workload::copies, "transfers: copies that run at the same time"),
        key<Workload>("stage", &Workload::stages, "pipeline: its stages, one after the other"),
        key<Workload>("input", &Workload::input,
                      "pipeline: instead of dataset: bytes that the first stage reads")
            .between(1_B, 1e5_PB),
        key<Workload>("serving", &Workload::serving, "inference: requests and batches"),
        key<Workload>("model_size", &Workload::model_size,
                      "inference: bytes of the model as stored; default: its parameters")
            .between(1_B, 1_PB),
        key<Workload>("gpus", &Workload::gpus,
                      "how many GPUs (emulated: accelerators, loader: loaders) of each node take "
                      "part; default: all, and one where there are none")
            .between(1, 4096),
        key<Workload>("batch_per_gpu", &Workload::batch_per_gpu,
                      "samples per GPU and step; default: 64, emulated: the job's")
            .between(1, 1000000),
        key<Workload>("global_batch", &Workload::global_batch,
                      "instead of batch_per_gpu: samples of one step of all GPUs together (strong "
                      "scaling)")
            .between(1, 1000000000),
        key<Workload>("samples", &Workload::samples,
                      "how many samples to train on; default: every sample once")
            .between(1, 1000000000000000),
        key<Workload>("epochs", &Workload::epochs, "instead of samples: passes over the data set")
            .between(1, 1000000),
        key<Workload>("precision", &Workload::precision,
                      "number format of the compute rates to use"),
        key<Workload>("optimizer", &Workload::optimizer,
                      "training: what it keeps takes memory of the GPU"),
        key<Workload>("compute", &Workload::compute,
                      "training rates to use instead of the model's own of the same GPU"),
        key<Workload>("forward", &Workload::forward,
                      "inference: rates of the forward pass alone; default: three times those of "
                      "training"),
        key<Workload>("step_overhead", &Workload::step_overhead,
                      "host work of every step, during which a GPU stands still")
            .between(0_s, 1_h),
        key<Workload>("crowding_overhead", &Workload::crowding_overhead,
                      "more of it per step, for every GPU that a core of the node has to serve")
            .between(0_s, 1_h),
        key<Workload>("step_jitter", &Workload::step_jitter,
                      "standard deviation of a GPU's time for a step, as its share; at the barrier "
                      "all wait for the slowest; default: 0 %, asynchronous 5 %")
            .between(0_percent, 100_percent),
        key<Workload>("target", &Workload::target,
                      "samples to the wanted accuracy, by global batch; one table each")};
  }
};

/// before: the whole data set before training; first_epoch: training reads from the store during
/// the first epoch, and what it reads is written to the drives at the same time.
enum class StagingMode { before, first_epoch };
template <>
struct EnumNames<StagingMode> {
  static constexpr std::array<std::string_view, 2> names{"before", "first-epoch"};
};

/// Copying the data set in from a store.
struct Staging {
  PartRef from;
  StagingMode mode = StagingMode::before;
  std::optional<Bandwidth> rate;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Staging>("from", &Staging::from, "the store to copy from").needed(),
        key<Staging>(
            "mode", &Staging::mode,
            "when to copy: before training, or while the first epoch reads from the store"),
        key<Staging>("rate", &Staging::rate, "the most that the copy attains, where measured")
            .between(1_kBps, 1e3_TBps)};
  }
};

/// Where the bytes of a read go first: through host memory, or by GPUDirect Storage straight into
/// the GPU.
enum class ReadPath { host, gpudirect };
template <>
struct EnumNames<ReadPath> {
  static constexpr std::array<std::string_view, 2> names{"host", "gpudirect"};
};

/// Through the page cache with its readahead, or around it (O_DIRECT).
enum class ReadMode { buffered, direct };
template <>
struct EnumNames<ReadMode> {
  static constexpr std::array<std::string_view, 2> names{"buffered", "direct"};
};

struct Data {
  PartRef at;
  std::optional<Staging> staging;
  ReadPath path = ReadPath::host;
  ReadMode mode = ReadMode::buffered;
  Bytes readahead{131072};
  std::optional<Bytes> request;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Data>("at", &Data::at,
                  "where training reads: a volume, a drive or a store; default: the only one"),
        key<Data>("staging", &Data::staging, "copy the data set in first"),
        key<Data>("path", &Data::path, "through host memory, or straight into the GPUs"),
        key<Data>("mode", &Data::mode, "through the page cache, or around it (O_DIRECT)"),
        key<Data>("readahead", &Data::readahead,
                  "buffered: what the kernel reads ahead (/sys/block/*/queue/read_ahead_kb)")
            .between(4_kB, 1_GB),
        key<Data>("request", &Data::request,
                  "direct: bytes that a reader asks for at once; default: the whole sample")
            .between(512_B, 1_TB)};
  }
};

/// Where samples are decoded; none: they are stored ready for training.
enum class DecodeOn { cpu, gpu, none };
template <>
struct EnumNames<DecodeOn> {
  static constexpr std::array<std::string_view, 3> names{"cpu", "gpu", "none"};
};

/// Which cores may serve a loader: any of the machine, or those of its memory's socket.
enum class CorePool { machine, socket };
template <>
struct EnumNames<CorePool> {
  static constexpr std::array<std::string_view, 2> names{"machine", "socket"};
};

/// Which files the page cache keeps. linux: as the system's kernel does; lru: the one read longest
/// ago leaves; pinned: what came first stays; none: every read goes to the drives.
enum class CacheRule { linux_kernel, lru, pinned, none };
template <>
struct EnumNames<CacheRule> {
  static constexpr std::array<std::string_view, 4> names{"linux", "lru", "pinned", "none"};
};

/// Who frees memory when the page cache is full: the machine (kswapd), or a memory cgroup, as a
/// container's limit is; cgroup-fresh: one whose counters the kernel reads without delay, as those
/// of about 2019 did.
enum class CacheLimit { machine, cgroup, cgroup_fresh };
template <>
struct EnumNames<CacheLimit> {
  static constexpr std::array<std::string_view, 3> names{"machine", "cgroup", "cgroup-fresh"};
};

/// The order in which an epoch reads: a new random one over all samples, record files in random
/// order, each from start to end, or always the same.
enum class SampleOrder { permutation, shards, sequential };
template <>
struct EnumNames<SampleOrder> {
  static constexpr std::array<std::string_view, 3> names{"permutation", "shards", "sequential"};
};

struct Loader {
  std::optional<LoaderStyle> style;
  std::optional<std::int64_t> workers_per_gpu;
  std::optional<std::int64_t> readers;
  std::optional<std::int64_t> prefetch_batches;
  std::optional<Seconds> shuffle_time_per_file;
  DecodeOn decode = DecodeOn::cpu;
  std::optional<std::int64_t> decode_cores;
  CorePool cores = CorePool::machine;
  PartRef placement{"local", {}};
  bool pinned_memory = true;
  Seconds batch_overhead;
  std::optional<Bandwidth> process_bandwidth;
  std::optional<std::int64_t> processes;
  Ratio jitter{0.05};
  CacheRule cache = CacheRule::linux_kernel;
  std::optional<Bytes> cache_memory;
  Ratio cache_active{0.0};
  CacheLimit cache_limit = CacheLimit::machine;
  SampleOrder order = SampleOrder::permutation;
  bool common_seed = true;
  std::int64_t jobs = 1;
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Loader>("style", &Loader::style,
                    "whose loader to mirror; default: pytorch, emulated: the job's"),
        key<Loader>("workers_per_gpu", &Loader::workers_per_gpu,
                    "worker processes of each GPU (tensorflow: threads that read and decode in "
                    "parallel); default: 8, emulated: the job's")
            .between(1, 1024),
        key<Loader>("readers", &Loader::readers,
                    "tensorflow: files that the loader of each GPU reads at the same time; "
                    "default: workers_per_gpu")
            .between(1, 1024),
        key<Loader>("prefetch_batches", &Loader::prefetch_batches,
                    "batches that each worker (tensorflow: all readers of a GPU) may have under "
                    "way or waiting; default: 2, emulated: the job's")
            .between(1, 1024),
        key<Loader>("shuffle_time_per_file", &Loader::shuffle_time_per_file,
                    "what shuffling the list of files takes for each file of the data set, before "
                    "an epoch's first is read; default: tensorflow 0.65 us, which fills a buffer "
                    "with all names; pytorch none")
            .between(0_s, 1_s),
        key<Loader>("decode", &Loader::decode, "where samples are decoded"),
        key<Loader>("decode_cores", &Loader::decode_cores,
                    "cores that decode, of all sockets together; default: all")
            .between(1, 65536),
        key<Loader>("cores", &Loader::cores,
                    "which of them serve a GPU's loader: any, or those of its memory's socket"),
        key<Loader>(
            "placement", &Loader::placement,
            "socket that holds the loaders' memory: \"local\" to each GPU, or a socket's id"),
        key<Loader>("pinned_memory", &Loader::pinned_memory,
                    "false: batches are copied once more on their way to the GPU"),
        key<Loader>("batch_overhead", &Loader::batch_overhead,
                    "time of a core per batch besides decoding: collating, passing it on")
            .between(0_s, 1_h),
        key<Loader>("process_bandwidth", &Loader::process_bandwidth,
                    "decoded bytes per second that one process takes over from its workers: one "
                    "thread collates or pins all batches; default: no limit")
            .between(1_MBps, 1_TBps),
        key<Loader>("processes", &Loader::processes,
                    "processes of a node that take batches over, sharing its GPUs equally; "
                    "default: one for each GPU")
            .between(1, 4096),
        key<Loader>("jitter", &Loader::jitter,
                    "standard deviation of a worker's time for a batch, as a scheduler causes it; "
                    "an estimate: without any, workers move in step as no real ones do")
            .between(0_percent, 100_percent),
        key<Loader>("cache", &Loader::cache, "which files the page cache keeps"),
        key<Loader>("cache_memory", &Loader::cache_memory,
                    "memory that the page cache may fill; default: all, less what the loader and "
                    "the system hold")
            .between(0_B, 1_PB),
        key<Loader>("cache_active", &Loader::cache_active,
                    "share of the page cache that other files hold as active when the job starts")
            .between(0_percent, 100_percent),
        key<Loader>("cache_limit", &Loader::cache_limit, "who frees memory when it is full"),
        key<Loader>("order", &Loader::order, "the order in which an epoch reads"),
        key<Loader>("common_seed", &Loader::common_seed,
                    "false: GPUs shuffle each for itself, so that the shares they read overlap"),
        key<Loader>("jobs", &Loader::jobs,
                    "jobs on this machine, sharing its GPUs equally, that read the data set each "
                    "in its own order")
            .between(1, 4096)};
  }
};

/// How gradients are summed. auto: on one node a ring, on several the fastest of those before
/// parameter-server. ring: over all GPUs. tree: two binary trees of nodes, a chain within each.
/// hierarchical: to one GPU a node and network card, a ring of these, and back. torus: along rows,
/// then columns. parameter-server: every GPU sends all gradients to the nodes' memory and fetches
/// all weights from there.
enum class Algorithm { automatic, ring, tree, hierarchical, torus, parameter_server };
template <>
struct EnumNames<Algorithm> {
  static constexpr std::array<std::string_view, 6> names{
      "auto", "ring", "tree", "hierarchical", "torus", "parameter-server"};
};

/// Whether the GPUs end every step together, or each goes on by itself: it sends its gradients to
/// the parameter servers, fetches the weights as they are by then, and computes on.
enum class ExchangeMode { synchronous, asynchronous };
template <>
struct EnumNames<ExchangeMode> {
  static constexpr std::array<std::string_view, 2> names{"synchronous", "asynchronous"};
};

/// The rings of a node. searched: as many as NVLink has room for (NCCL from version 2); without
/// any, one over PCIe. one: a single one in the order of the GPUs, in which each sends to the next
/// by the best way that there is (NCCL 1).
enum class Rings { searched, one };
template <>
struct EnumNames<Rings> {
  static constexpr std::array<std::string_view, 2> names{"searched", "one"};
};

struct Exchange {
  ExchangeMode mode = ExchangeMode::synchronous;
  std::optional<std::int64_t> staleness;
  Algorithm algorithm = Algorithm::automatic;
  Rings rings = Rings::searched;
  std::optional<Ratio> ring_efficiency;
  Ratio overlap{0.0};
  ReadPath path = ReadPath::gpudirect;
  std::optional<std::int64_t> torus_width;
  std::optional<std::int64_t> servers;
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Exchange>("mode", &Exchange::mode,
                      "whether GPUs wait for one another; asynchronous: by parameter-server"),
        key<Exchange>("staleness", &Exchange::staleness,
                      "asynchronous: steps that a GPU may be ahead of the slowest; default: any")
            .between(0, 1000000),
        key<Exchange>("algorithm", &Exchange::algorithm, "how gradients are summed"),
        key<Exchange>("rings", &Exchange::rings,
                      "of each node: as many as NVLink has room for, or one in the order of GPUs"),
        key<Exchange>(
            "ring_efficiency", &Exchange::ring_efficiency,
            "rate of gradients between GPUs of a node, over that of a copy; default: over "
            "NVLink what its link says, else 100 %")
            .between(1_percent, 100_percent),
        key<Exchange>("overlap", &Exchange::overlap,
                      "last part of the compute time during which gradients already travel")
            .between(0_percent, 100_percent),
        key<Exchange>("path", &Exchange::path,
                      "between nodes: from GPU to network card directly, or through host memory"),
        key<Exchange>("torus_width", &Exchange::torus_width,
                      "torus: GPUs of a row; default: those of a node, on one node the most even")
            .between(1, 1000000),
        key<Exchange>("servers", &Exchange::servers,
                      "parameter-server: nodes whose memory holds the weights; default: all")
            .between(1, 4096)};
  }
};

/// How the GPUs of a tensor-parallel group share a matrix: by its columns and rows in turn, so that
/// every block's output is summed up among them; or in tiles on a square grid (SUMMA), so that
/// tiles of inputs and weights travel.
enum class TensorLayout { columns, grid };
template <>
struct EnumNames<TensorLayout> {
  static constexpr std::array<std::string_view, 2> names{"columns", "grid"};
};

/// How a model too large for one GPU is split: `tensor` x `pipeline` GPUs hold it together.
struct Parallel {
  std::int64_t tensor = 1;
  TensorLayout layout = TensorLayout::columns;
  std::int64_t pipeline = 1;
  std::int64_t micro_batches = 1;
  Location where;

  static constexpr auto fields() {
    return std::tuple{
        key<Parallel>("tensor", &Parallel::tensor, "GPUs that share every matrix").between(1, 4096),
        key<Parallel>("layout", &Parallel::layout,
                      "how: by columns and rows in turn, or on a grid (SUMMA; a square number)"),
        key<Parallel>("pipeline", &Parallel::pipeline, "stages, each with its part of the blocks")
            .between(1, 4096),
        key<Parallel>("micro_batches", &Parallel::micro_batches,
                      "parts of a batch that pass the stages one after the other")
            .between(1, 100000)};
  }
};

/// The network between nodes: leaf switches joined by a spine that limits nothing.
struct Fabric {
  std::optional<std::int64_t> nodes_per_switch;
  std::optional<Bandwidth> uplink_bandwidth;
  bool rails = false;
  Seconds latency{2e-6};
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Fabric>("nodes_per_switch", &Fabric::nodes_per_switch,
                    "nodes on one leaf switch; default: all nodes on one")
            .between(1, 4096),
        key<Fabric>(
            "uplink_bandwidth", &Fabric::uplink_bandwidth,
            "of one leaf switch to the spine, each way; default: as much as its ports (half "
            "of that is an oversubscription of 2:1)")
            .between(1_MBps, 1e3_TBps),
        key<Fabric>("rails", &Fabric::rails,
                    "the n-th network card of every node hangs on switches of its own"),
        key<Fabric>("latency", &Fabric::latency, "from network card to network card")
            .between(0_s, 1_s)};
  }
};

/// synchronous: GPUs wait until the state is on the storage. asynchronous: they wait only while it
/// is copied to host memory; a checkpoint that comes while the one before is still being written
/// waits for it.
enum class CheckpointMode { synchronous, asynchronous };
template <>
struct EnumNames<CheckpointMode> {
  static constexpr std::array<std::string_view, 2> names{"synchronous", "asynchronous"};
};

/// one: the first GPU of a job writes the whole state; all: each of its GPUs an equal part.
enum class CheckpointWriters { one, all };
template <>
struct EnumNames<CheckpointWriters> {
  static constexpr std::array<std::string_view, 2> names{"one", "all"};
};

/// Saving the state of the training again and again. Written is what the storage holds (fsync):
/// what would only lie in the page cache is left out.
struct Checkpoint {
  std::int64_t interval_steps = 0;
  PartRef at;
  std::optional<Bytes> size;
  CheckpointMode mode = CheckpointMode::synchronous;
  CheckpointWriters writers = CheckpointWriters::one;
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Checkpoint>("interval_steps", &Checkpoint::interval_steps,
                        "steps from one checkpoint to the next; one that falls on the last step "
                        "is taken, too")
            .needed()
            .between(1, 1000000000000),
        key<Checkpoint>("at", &Checkpoint::at,
                        "where they are written: a volume, a drive or a store; default: data.at"),
        key<Checkpoint>("size", &Checkpoint::size,
                        "of one; default: 12 bytes a parameter, the weights and both moments of "
                        "Adam in FP32")
            .between(1_kB, 1_PB),
        key<Checkpoint>("mode", &Checkpoint::mode,
                        "whether GPUs wait until it is written, or only until it is copied to host "
                        "memory"),
        key<Checkpoint>("writers", &Checkpoint::writers,
                        "who writes (and at a restart reads): a job's first GPU the whole, or each "
                        "of its GPUs an equal part")};
  }
};

/// Swaps parts of the system for another product before anything else is checked.
struct Replace {
  PartRef part;
  PartRef with;
  std::optional<std::int64_t> count;
  std::optional<PartRef> at;
  std::optional<std::int64_t> lanes;

  static constexpr auto fields() {
    return std::tuple{
        key<Replace>("part", &Replace::part, "ids of the parts; \"ssd*\" matches many").needed(),
        key<Replace>("with", &Replace::with, "the product to use instead").needed(),
        key<Replace>("count", &Replace::count, "how many there are afterwards; default: as many")
            .between(1, 1024),
        key<Replace>("at", &Replace::at, "hang them there; default: where they hang"),
        key<Replace>("lanes", &Replace::lanes, "lanes of each slot; default: as they are")
            .between(1, 64)};
  }
};

/// A shared store on the network.
struct Store {
  Ref<Array> model;
  std::vector<PartRef> via;
  std::optional<Ref<Protocol>> protocol;
  std::optional<std::int64_t> connections;
  std::optional<std::int64_t> blades;
  std::optional<std::int64_t> stripes;
  Ratio other_load{0.0};
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Store>("model", &Store::model, "the array").needed(),
        key<Store>("via", &Store::via, "network cards that reach it; default: all"),
        key<Store>("protocol", &Store::protocol,
                   "how this machine speaks to it; default: no limit of its own"),
        key<Store>(
            "connections", &Store::connections,
            "connections or threads of this machine (NFS: nconnect); default: the protocol's")
            .between(1, 100000),
        key<Store>("blades", &Store::blades, "blades it has; default: those of the array's figures")
            .between(1, 100000),
        key<Store>("stripes", &Store::stripes,
                   "storage targets that a file lies on (Lustre); default: all")
            .between(1, 100000),
        key<Store>("other_load", &Store::other_load, "part of the array that others use")
            .between(0_percent, 99_percent)};
  }
};

/// What simulates flows: SimGrid, or gpufeed's own engine, whose cost follows the distinct routes.
enum class EngineKind { simgrid, fluid };
template <>
struct EnumNames<EngineKind> {
  static constexpr std::array<std::string_view, 2> names{"simgrid", "fluid"};
};

struct Run {
  std::int64_t seed = 1;
  EngineKind engine = EngineKind::fluid;
  Ratio precision{0.005};
  bool extrapolate = true;
  bool fold = true;
  std::optional<std::int64_t> max_steps;
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Run>("seed", &Run::seed, "of the random numbers").between(0, 4294967295),
        key<Run>("engine", &Run::engine,
                 "what simulates flows: gpufeed's own engine, or SimGrid, the reference, to the "
                 "same result but many times as slowly"),
        key<Run>("precision", &Run::precision,
                 "simulate until the step rate is known this well (95 % confidence)")
            .between(0.001_percent, 50_percent),
        key<Run>("extrapolate", &Run::extrapolate, "false simulates every step of every epoch"),
        key<Run>("fold", &Run::fold,
                 "let a few nodes stand for all where all are alike; false simulates every node"),
        key<Run>("max_steps", &Run::max_steps, "simulate at most so many steps, then extrapolate")
            .between(1, 1000000000000)};
  }
};

/// Everything one simulation needs: resolved, checked, with every default filled in.
struct Scenario {
  std::int64_t schema = 1;
  std::string title;
  Ref<System> system;
  std::int64_t nodes = 1;
  std::optional<Fabric> fabric;
  Workload workload;
  Data data;
  Loader loader;
  Exchange exchange;
  std::optional<Parallel> parallel;
  std::optional<Checkpoint> checkpoint;
  std::vector<Replace> replace;
  std::map<std::string, Store> store;
  Run run;
  std::vector<std::string> defaults;  ///< "key = value" of every key that was not given
  Location where;

  static constexpr auto fields() {
    return std::tuple{
        key<Scenario>("schema", &Scenario::schema, "version of this file format").between(1, 1),
        key<Scenario>("title", &Scenario::title, "shown with the result"),
        key<Scenario>("system", &Scenario::system, "the machine: a name, a path or a table")
            .needed(),
        key<Scenario>("nodes", &Scenario::nodes, "how many such machines train together")
            .between(1, 4096),
        key<Scenario>("fabric", &Scenario::fabric, "the network between them"),
        key<Scenario>("workload", &Scenario::workload, "what is trained, on what").needed(),
        key<Scenario>("data", &Scenario::data, "where the data lie"),
        key<Scenario>("loader", &Scenario::loader, "how samples reach the GPUs"),
        key<Scenario>("exchange", &Scenario::exchange, "how gradients are exchanged"),
        key<Scenario>("parallel", &Scenario::parallel,
                      "how the model is split; default: every GPU holds all of it"),
        key<Scenario>("checkpoint", &Scenario::checkpoint, "how the training's state is saved"),
        key<Scenario>("replace", &Scenario::replace, "parts of the system to swap"),
        key<Scenario>("store", &Scenario::store, "shared stores, by name"),
        key<Scenario>("run", &Scenario::run, "how to simulate")};
  }
};

}  // namespace gpufeed
