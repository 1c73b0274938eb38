// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/products.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {

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
  static constexpr auto names = words_of<CacheRule>({{CacheRule::linux_kernel, "linux"},
                                                     {CacheRule::lru, "lru"},
                                                     {CacheRule::pinned, "pinned"},
                                                     {CacheRule::none, "none"}});
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

/// When a batch is copied to its GPU: while the GPU computes on the one before, or after that.
enum class BatchCopy { overlapped, in_order };
template <>
struct EnumNames<BatchCopy> {
  static constexpr std::array<std::string_view, 2> names{"overlapped", "in-order"};
};

/// What an epoch begins with. restart: empty loaders; stream: they make its first batches while the
/// last ones of the epoch before are trained.
enum class BetweenEpochs { restart, stream };
template <>
struct EnumNames<BetweenEpochs> {
  static constexpr std::array<std::string_view, 2> names{"restart", "stream"};
};

struct Loader {
  Defaulted<LoaderStyle> style{LoaderStyle::pytorch};
  Defaulted<std::int64_t> workers_per_gpu{8};
  std::optional<std::int64_t> readers;
  Defaulted<std::int64_t> prefetch_batches{2};
  Defaulted<BetweenEpochs> between_epochs{BetweenEpochs::restart};
  Defaulted<Seconds> shuffle_time_per_file;
  /// Every rank's tf.data passes the names of all files through a shuffle buffer. Calibrated: the
  /// first steps of MLPerf Storage's CosmoFlow on one Micron 9400 with 485,909 files lasted 0.3 s,
  /// on an EPYC 74F3, whose cores have this speed. Others take as long as their speed tells.
  static constexpr Seconds kTensorflowShuffle{0.65e-6};
  static constexpr double kShufflingCore = 0.88;
  DecodeOn decode = DecodeOn::cpu;
  std::optional<std::int64_t> decode_cores;
  CorePool cores = CorePool::machine;
  static constexpr const char* kLocal = "local";  ///< on the socket of the GPU that they feed
  PartRef placement{Label(kLocal), {}};
  bool pinned_memory = true;
  Defaulted<BatchCopy> copy{BatchCopy::overlapped};
  Defaulted<Seconds> worker_start;
  /// An estimate: one worker is forked after the other, which took 30 ms of a core in the process
  /// that forks (PyTorch 1.13 on Linux); as much again until a worker is ready was not measured.
  static constexpr Seconds kPytorchWorkerStart{0.06};
  bool persistent_workers = false;
  bool drop_last = true;
  Seconds batch_overhead;
  Seconds take_over_time;
  std::int64_t tensors_per_batch = 1;
  Seconds pin_time;
  std::optional<Bandwidth> pin_bandwidth;
  Seconds take_over_wait;
  Seconds take_over_busy_wait;
  std::optional<Bandwidth> process_bandwidth;
  std::optional<std::int64_t> processes;
  Ratio jitter{0.05};
  Defaulted<Ratio> sample_jitter{Ratio{0.2}};
  CacheRule cache = CacheRule::linux_kernel;
  std::optional<Bytes> cache_memory;
  Ratio cache_active{0.0};
  CacheLimit cache_limit = CacheLimit::machine;
  Defaulted<SampleOrder> order{SampleOrder::permutation};
  Defaulted<Seconds> index_time;
  /// Of the first rank, which builds the order of documents and of samples (Megatron-LM) while all
  /// others wait. Measured with NumPy 1.24 and 60 million of each on a Xeon that others use: to
  /// shuffle one takes 0.1 us, to cut a document into samples 0.03 to 0.04 us.
  static constexpr Seconds kIndexOfSample{0.1e-6};
  static constexpr Seconds kIndexOfDocument{0.14e-6};
  bool common_seed = true;
  std::int64_t jobs = 1;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    constexpr std::string_view kJobs = "emulated: as the job says";
    visit(key("style", &Loader::style, "whose loader to mirror").except(kJobs));
    visit(key("workers_per_gpu", &Loader::workers_per_gpu,
              "worker processes of each GPU, PyTorch's num_workers (tensorflow: threads that read "
              "and decode in parallel, tf.data's num_parallel_calls); 0: PyTorch's main process "
              "makes each batch when its GPU has nothing to do")
              .between(0, 1024)
              .except(kJobs)
              .or_else(16, 4));
    visit(key("readers", &Loader::readers,
              "tensorflow: files that the loader of each GPU reads at the same time, tf.data's "
              "cycle_length; default: workers_per_gpu")
              .between(1, 1024));
    visit(key("prefetch_batches", &Loader::prefetch_batches,
              "batches that each worker may have under way or waiting, PyTorch's prefetch_factor "
              "(tensorflow: all readers of a GPU together, tf.data's prefetch)")
              .between(1, 1024)
              .except(kJobs)
              .or_else(4));
    visit(
        key("worker_start", &Loader::worker_start,
            "what starting and ending a worker process takes in every epoch; they are started one "
            "after the other")
            .between(0_s, 1_h)
            .except("pytorch: 60 ms"));
    visit(key("persistent_workers", &Loader::persistent_workers,
              "PyTorch's word for workers that start once, before the first epoch, which is not "
              "counted")
              .or_else(true));
    visit(key("drop_last", &Loader::drop_last,
              "PyTorch's word; false: the samples that whole steps leave over make one more step, "
              "which counts as a whole one"));
    visit(key("between_epochs", &Loader::between_epochs,
              "restart: each epoch begins with a fill of empty loaders, as PyTorch's do; stream: "
              "the next one's first batches are made meanwhile, as by tf.data's repeat()")
              .except("tensorflow: stream; emulated: restart")
              .or_else(BetweenEpochs::stream));
    visit(key("shuffle_time_per_file", &Loader::shuffle_time_per_file,
              "what shuffling the list of files takes for each file of the data set, before "
              "an epoch's first is read: tf.data fills a buffer with all names")
              .between(0_s, 1_s)
              .except("tensorflow: 0.65 us on an EPYC 74F3, elsewhere by core_speed"));
    visit(key("decode", &Loader::decode, "where samples are decoded"));
    visit(key("decode_cores", &Loader::decode_cores,
              "cores that decode, of all sockets together; default: all")
              .between(1, 65536));
    visit(key("cores", &Loader::cores,
              "which of them serve a GPU's loader: any, or those of its memory's socket"));
    visit(key("placement", &Loader::placement,
              "socket that holds the loaders' memory (NUMA binding): \"local\" to each GPU, or a "
              "socket's id"));
    visit(key("pinned_memory", &Loader::pinned_memory,
              "PyTorch's pin_memory; false: batches are copied once more on their way to the GPU, "
              "which waits for them")
              .or_else(false));
    visit(
        key("copy", &Loader::copy,
            "overlapped: batches are copied to a GPU while it computes, on a stream of their own, "
            "as by DALI or a prefetcher; in-order: between two steps, as PyTorch's .to(device) "
            "does")
            .except("pinned_memory = false: in-order"));
    visit(key("batch_overhead", &Loader::batch_overhead,
              "time of a core per batch besides decoding: collating, passing it on")
              .between(0_s, 1_h));
    visit(key("take_over_time", &Loader::take_over_time,
              "time of a core in which a process takes a tensor over from its workers, besides its "
              "bytes: unpickling it (about 1 ms in PyTorch); a thread of its own does it where "
              "memory is pinned, else the GPU waits for it")
              .between(0_s, 1_h));
    visit(key("tensors_per_batch", &Loader::tensors_per_batch,
              "tensors that a batch is handed over in: each has a segment of shared memory and a "
              "descriptor of its own, and takes take_over_time")
              .between(1, 1000000));
    visit(
        key("pin_time", &Loader::pin_time,
            "time besides, of each tensor, where memory is pinned: its thread allocates and copies")
            .between(0_s, 1_h));
    visit(key("pin_bandwidth", &Loader::pin_bandwidth,
              "and the rate at which it copies, where memory is pinned; default: as "
              "process_bandwidth has it")
              .between(1_MBps, 1_TBps));
    visit(key("take_over_wait", &Loader::take_over_wait,
              "time by clock besides, in which that process waits for the thread of a worker that "
              "hands the batch over, and for being woken, where cores are free")
              .between(0_s, 1_h));
    visit(key("take_over_busy_wait", &Loader::take_over_busy_wait,
              "how much longer it waits while all cores are busy: both wake up for each of several "
              "answers, and wait for a core each time")
              .between(0_s, 1_h));
    visit(key("process_bandwidth", &Loader::process_bandwidth,
              "decoded bytes per second that one process takes over from its workers: one "
              "thread collates or pins all batches, on a core; default: no limit")
              .between(1_MBps, 1_TBps));
    visit(key("processes", &Loader::processes,
              "processes of a node that take batches over, sharing its GPUs equally; "
              "default: one for each GPU")
              .between(1, 4096));
    visit(key("jitter", &Loader::jitter,
              "standard deviation of a worker's time for a batch, as a scheduler causes it; "
              "an estimate: without any, workers move in step as no real ones do")
              .between(0_percent, 100_percent));
    visit(key("sample_jitter", &Loader::sample_jitter,
              "standard deviation of a worker's time for one sample beyond what its size makes of "
              "it, as contents, crops and latencies vary; a batch averages it; an estimate")
              .between(0_percent, 100_percent)
              .except("emulated: 0 %, for nothing is decoded"));
    visit(key("cache", &Loader::cache, "which files the page cache keeps"));
    visit(key("cache_memory", &Loader::cache_memory,
              "memory that the page cache may fill; default: all, less what the loader and "
              "the system hold")
              .between(0_B, 1_PB));
    visit(key("cache_active", &Loader::cache_active,
              "share of the page cache that other files hold as active when the job starts")
              .between(0_percent, 100_percent));
    visit(key("cache_limit", &Loader::cache_limit, "who frees memory when it is full"));
    visit(key("order", &Loader::order, "the order in which an epoch reads")
              .except("data sets of format mds, webdataset or parquet: shards"));
    visit(key("index_time", &Loader::index_time,
              "before training: what the first rank takes to build the order of all samples, for "
              "which the others wait; 0 s: it was kept of an earlier run")
              .between(0_s, 1000_h)
              .except("data sets of format indexed: 0.1 us a sample and 0.14 us a document"));
    visit(key("common_seed", &Loader::common_seed,
              "false: GPUs shuffle each for itself, so that the shares they read overlap"));
    visit(key("jobs", &Loader::jobs,
              "jobs on this machine, sharing its GPUs equally, that read the data set each "
              "in its own order")
              .between(1, 4096));
  }

  /// Whether processes are started for every epoch.
  bool starts_workers() const {
    return style == LoaderStyle::pytorch && workers_per_gpu > 0 && !persistent_workers;
  }
  /// Memory that is not pinned is copied while the GPU waits, whatever the stream.
  bool copies_in_order() const { return !pinned_memory || copy == BatchCopy::in_order; }
};

}  // namespace gpufeed
