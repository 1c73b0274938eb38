// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "sim/model/catalog/products.h"
#include "sim/model/catalog/system.h"
#include "sim/model/checkpoint.h"
#include "sim/model/data.h"
#include "sim/model/exchange.h"
#include "sim/model/loader.h"
#include "sim/model/pipeline.h"
#include "sim/model/probes.h"
#include "sim/model/serving.h"
#include "sim/model/step_line.h"

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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("kind", &Workload::kind, "the job"));
    visit(key("model", &Workload::model,
              "training, inference: the network: a name, a path or a table"));
    visit(key("dataset", &Workload::dataset,
              "training, loader, inference, pipeline: the data: a name, a path or a table"));
    visit(key("dataset_samples", &Workload::dataset_samples,
              "how many samples it has; default: what the data set says, emulated: what the "
              "job's rules ask for")
              .between(1, 1000000000000));
    visit(key("job", &Workload::job, "emulated: the benchmark: a name, a path or a table"));
    visit(key("io", &Workload::io, "io: the requests"));
    visit(key("tests", &Workload::tests, "transfers: tests of nvbandwidth, one by one"));
    visit(key("copy", &Workload::copies, "transfers: copies that run at the same time"));
    visit(key("stage", &Workload::stages, "pipeline: its stages, one after the other"));
    visit(key("input", &Workload::input,
              "pipeline: instead of dataset: bytes that the first stage reads")
              .between(1_B, 1e5_PB));
    visit(key("serving", &Workload::serving, "inference: requests and batches"));
    visit(key("model_size", &Workload::model_size,
              "inference: bytes of the model as stored; default: its parameters")
              .between(1_B, 1_PB));
    visit(key("gpus", &Workload::gpus,
              "how many GPUs (emulated: accelerators, loader: loaders) of each node take "
              "part; default: all, and one where there are none")
              .between(1, 4096));
    visit(key("batch_per_gpu", &Workload::batch_per_gpu,
              "samples per GPU and step; default: 64, emulated: the job's")
              .between(1, 1000000));
    visit(key("global_batch", &Workload::global_batch,
              "instead of batch_per_gpu: samples of one step of all GPUs together (strong "
              "scaling)")
              .between(1, 1000000000));
    visit(key("samples", &Workload::samples,
              "how many samples to train on; default: every sample once")
              .between(1, 1000000000000000));
    visit(key("epochs", &Workload::epochs, "instead of samples: passes over the data set")
              .between(1, 1000000));
    visit(key("precision", &Workload::precision, "number format of the compute rates to use"));
    visit(
        key("optimizer", &Workload::optimizer, "training: what it keeps takes memory of the GPU"));
    visit(key("compute", &Workload::compute,
              "training rates to use instead of the model's own of the same GPU"));
    visit(key("forward", &Workload::forward,
              "inference: rates of the forward pass alone; default: three times those of "
              "training"));
    visit(key("step_overhead", &Workload::step_overhead,
              "host work of every step, during which a GPU stands still")
              .between(0_s, 1_h));
    visit(key("crowding_overhead", &Workload::crowding_overhead,
              "more of it per step, for every GPU that a core of the node has to serve")
              .between(0_s, 1_h));
    visit(key("step_jitter", &Workload::step_jitter,
              "standard deviation of a GPU's time for a step, as its share; at the barrier "
              "all wait for the slowest; default: 0 %, asynchronous 5 %")
              .between(0_percent, 100_percent));
    visit(key("target", &Workload::target,
              "samples to the wanted accuracy, by global batch; one table each"));
  }
};

/// The network between nodes: leaf switches joined by a spine that limits nothing.
struct Fabric {
  std::optional<std::int64_t> nodes_per_switch;
  std::optional<Bandwidth> uplink_bandwidth;
  bool rails = false;
  Seconds latency{2e-6};
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("nodes_per_switch", &Fabric::nodes_per_switch,
              "nodes on one leaf switch; default: all nodes on one")
              .between(1, 4096));
    visit(key("uplink_bandwidth", &Fabric::uplink_bandwidth,
              "of one leaf switch to the spine, each way; default: as much as its ports (half "
              "of that is an oversubscription of 2:1)")
              .between(1_MBps, 1e3_TBps));
    visit(key("rails", &Fabric::rails,
              "the n-th network card of every node hangs on switches of its own"));
    visit(key("latency", &Fabric::latency, "from network card to network card").between(0_s, 1_s));
  }
};

/// Swaps parts of the system for another product before anything else is checked.
struct Replace {
  PartRef part;
  PartRef with;
  std::optional<std::int64_t> count;
  std::optional<PartRef> at;
  std::optional<std::int64_t> lanes;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("part", &Replace::part, "ids of the parts; \"ssd*\" matches many").needed());
    visit(key("with", &Replace::with, "the product to use instead").needed());
    visit(key("count", &Replace::count, "how many there are afterwards; default: as many")
              .between(1, 1024));
    visit(key("at", &Replace::at, "hang them there; default: where they hang"));
    visit(key("lanes", &Replace::lanes, "lanes of each slot; default: as they are").between(1, 64));
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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("model", &Store::model, "the array").needed());
    visit(key("via", &Store::via, "network cards that reach it; default: all"));
    visit(key("protocol", &Store::protocol,
              "how this machine speaks to it; default: no limit of its own"));
    visit(key("connections", &Store::connections,
              "connections or threads of this machine (NFS: nconnect); default: the protocol's")
              .between(1, 100000));
    visit(key("blades", &Store::blades, "blades it has; default: those of the array's figures")
              .between(1, 100000));
    visit(key("stripes", &Store::stripes,
              "storage targets that a file lies on (Lustre); default: all")
              .between(1, 100000));
    visit(key("other_load", &Store::other_load, "part of the array that others use")
              .between(0_percent, 99_percent));
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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("seed", &Run::seed, "of the random numbers").between(0, 4294967295));
    visit(key("engine", &Run::engine,
              "what simulates flows: gpufeed's own engine, or SimGrid, the reference, to the "
              "same result but many times as slowly"));
    visit(key("precision", &Run::precision,
              "simulate until the step rate is known this well (95 % confidence)")
              .between(0.001_percent, 50_percent));
    visit(key("extrapolate", &Run::extrapolate, "false simulates every step of every epoch"));
    visit(key("fold", &Run::fold,
              "let a few nodes stand for all where all are alike; false simulates every node"));
    visit(key("max_steps", &Run::max_steps, "simulate at most so many steps, then extrapolate")
              .between(1, 1000000000000));
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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("schema", &Scenario::schema, "version of this file format").between(1, 1));
    visit(key("title", &Scenario::title, "shown with the result"));
    visit(key("system", &Scenario::system, "the machine: a name, a path or a table").needed());
    visit(key("nodes", &Scenario::nodes, "how many such machines train together").between(1, 4096));
    visit(key("fabric", &Scenario::fabric, "the network between them"));
    visit(key("workload", &Scenario::workload, "what is trained, on what").needed());
    visit(key("data", &Scenario::data, "where the data lie"));
    visit(key("loader", &Scenario::loader, "how samples reach the GPUs"));
    visit(key("exchange", &Scenario::exchange, "how gradients are exchanged"));
    visit(key("parallel", &Scenario::parallel,
              "how the model is split; default: every GPU holds all of it"));
    visit(key("checkpoint", &Scenario::checkpoint, "how the training's state is saved"));
    visit(key("replace", &Scenario::replace, "parts of the system to swap"));
    visit(key("store", &Scenario::store, "shared stores, by name"));
    visit(key("run", &Scenario::run, "how to simulate"));
  }
};

}  // namespace gpufeed
