// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "sim/model/system.h"
#include "sim/model/workload.h"

namespace gpufeed {

enum class WorkloadKind { training };
template <>
struct EnumNames<WorkloadKind> {
  static constexpr std::array<std::string_view, 1> names{"training"};
};

struct Workload {
  WorkloadKind kind = WorkloadKind::training;
  Ref<Model> model;
  Ref<Dataset> dataset;
  std::optional<std::int64_t> gpus;
  std::int64_t batch_per_gpu = 64;
  std::optional<std::int64_t> samples;
  std::optional<std::int64_t> epochs;
  std::string precision = "fp32";
  std::vector<ComputeRow> compute;
  Location where;

  static constexpr auto fields() {
    return std::tuple{
        key<Workload>("kind", &Workload::kind, "the job"),
        key<Workload>("model", &Workload::model, "the network: a name, a path or a table").needed(),
        key<Workload>("dataset", &Workload::dataset, "the data: a name, a path or a table")
            .needed(),
        key<Workload>("gpus", &Workload::gpus, "how many GPUs take part; default: all")
            .between(1, 4096),
        key<Workload>("batch_per_gpu", &Workload::batch_per_gpu, "samples per GPU and step")
            .between(1, 1000000),
        key<Workload>("samples", &Workload::samples,
                      "how many samples to train on; default: every sample once")
            .between(1, 1000000000000000),
        key<Workload>("epochs", &Workload::epochs, "instead of samples: passes over the data set")
            .between(1, 1000000),
        key<Workload>("precision", &Workload::precision,
                      "number format of the compute rates to use"),
        key<Workload>("compute", &Workload::compute,
                      "training rates to use instead of the model's own")};
  }
};

enum class StagingMode { before };
template <>
struct EnumNames<StagingMode> {
  static constexpr std::array<std::string_view, 1> names{"before"};
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
        key<Staging>("mode", &Staging::mode, "when to copy"),
        key<Staging>("rate", &Staging::rate, "the most that the copy attains, where measured")
            .between(1_kBps, 1e3_TBps)};
  }
};

struct Data {
  PartRef at;
  std::optional<Staging> staging;

  static constexpr auto fields() {
    return std::tuple{
        key<Data>("at", &Data::at,
                  "where training reads: a volume, a drive or a store; default: the only one"),
        key<Data>("staging", &Data::staging, "copy the data set in first")};
  }
};

enum class LoaderStyle { pytorch };
template <>
struct EnumNames<LoaderStyle> {
  static constexpr std::array<std::string_view, 1> names{"pytorch"};
};

struct Loader {
  LoaderStyle style = LoaderStyle::pytorch;
  std::int64_t workers_per_gpu = 8;
  std::int64_t prefetch_batches = 2;
  std::optional<std::int64_t> decode_cores;
  PartRef placement{"local", {}};
  Ratio jitter{0.05};
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Loader>("style", &Loader::style, "whose loader to mirror"),
        key<Loader>("workers_per_gpu", &Loader::workers_per_gpu,
                    "worker processes of each GPU; each builds whole batches")
            .between(1, 1024),
        key<Loader>("prefetch_batches", &Loader::prefetch_batches,
                    "batches that each worker may have under way or waiting")
            .between(1, 1024),
        key<Loader>("decode_cores", &Loader::decode_cores,
                    "cores that decode, of all sockets together; default: all")
            .between(1, 65536),
        key<Loader>(
            "placement", &Loader::placement,
            "socket that holds the loaders' memory: \"local\" to each GPU, or a socket's id"),
        key<Loader>("jitter", &Loader::jitter,
                    "standard deviation of a worker's time for a batch, as a scheduler causes it; "
                    "an estimate: without any, workers move in step as no real ones do")
            .between(0_percent, 100_percent)};
  }
};

enum class Algorithm { automatic, ring };
template <>
struct EnumNames<Algorithm> {
  static constexpr std::array<std::string_view, 2> names{"auto", "ring"};
};

struct Exchange {
  Algorithm algorithm = Algorithm::automatic;
  Ratio overlap{0.0};

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Exchange>("algorithm", &Exchange::algorithm, "how gradients are summed"),
        key<Exchange>("overlap", &Exchange::overlap,
                      "last part of the compute time during which gradients already travel")
            .between(0_percent, 100_percent)};
  }
};

/// Swaps parts of the system for another product before anything else is checked.
struct Replace {
  PartRef part;
  PartRef with;
  std::optional<std::int64_t> count;

  static constexpr auto fields() {
    return std::tuple{
        key<Replace>("part", &Replace::part, "ids of the parts; \"ssd*\" matches many").needed(),
        key<Replace>("with", &Replace::with, "the product to use instead").needed(),
        key<Replace>("count", &Replace::count, "how many there are afterwards; default: as many")
            .between(1, 1024)};
  }
};

/// A shared store on the network.
struct Store {
  Ref<Array> model;
  std::vector<PartRef> via;
  Location where;

  static constexpr auto fields() {
    return std::tuple{key<Store>("model", &Store::model, "the array").needed(),
                      key<Store>("via", &Store::via, "network cards that reach it; default: all")};
  }
};

struct Run {
  std::int64_t seed = 1;
  Ratio precision{0.005};
  bool extrapolate = true;
  std::optional<std::int64_t> max_steps;
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<Run>("seed", &Run::seed, "of the random numbers").between(0, 4294967295),
        key<Run>("precision", &Run::precision,
                 "simulate until the step rate is known this well (95 % confidence)")
            .between(0.001_percent, 50_percent),
        key<Run>("extrapolate", &Run::extrapolate, "false simulates every step of every epoch"),
        key<Run>("max_steps", &Run::max_steps, "simulate at most so many steps, then extrapolate")
            .between(1, 1000000000000)};
  }
};

/// Everything one simulation needs: resolved, checked, with every default filled in.
struct Scenario {
  std::int64_t schema = 1;
  std::string title;
  Ref<System> system;
  Workload workload;
  Data data;
  Loader loader;
  Exchange exchange;
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
        key<Scenario>("workload", &Scenario::workload, "what is trained, on what").needed(),
        key<Scenario>("data", &Scenario::data, "where the data lie"),
        key<Scenario>("loader", &Scenario::loader, "how samples reach the GPUs"),
        key<Scenario>("exchange", &Scenario::exchange, "how gradients are exchanged"),
        key<Scenario>("replace", &Scenario::replace, "parts of the system to swap"),
        key<Scenario>("store", &Scenario::store, "shared stores, by name"),
        key<Scenario>("run", &Scenario::run, "how to simulate")};
  }
};

}  // namespace gpufeed
