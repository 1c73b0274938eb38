// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/bill.h"
#include "sim/model/facts/warnings.h"
#include "sim/model/failures/failure_cost.h"
#include "sim/model/fields/calibrated.h"
#include "sim/model/fields/default_value.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/mechanism.h"
#include "sim/model/fields/part_id.h"
#include "sim/model/fields/told.h"
#include "sim/model/result/benchmark_score.h"
#include "sim/model/result/bottleneck.h"
#include "sim/model/result/cache_use.h"
#include "sim/model/result/checkpoint_use.h"
#include "sim/model/result/checkpointing_summary.h"
#include "sim/model/result/exchange_use.h"
#include "sim/model/result/gpu_group.h"
#include "sim/model/result/io_result.h"
#include "sim/model/result/pipeline_summary.h"
#include "sim/model/result/prediction_interval.h"
#include "sim/model/result/product_time.h"
#include "sim/model/result/range.h"
#include "sim/model/result/resource_use.h"
#include "sim/model/result/running_cost.h"
#include "sim/model/result/serving_summary.h"
#include "sim/model/result/simulated.h"
#include "sim/model/result/stage.h"
#include "sim/model/result/storage_demand.h"
#include "sim/model/result/timeline.h"
#include "sim/model/result/topology.h"
#include "sim/model/result/transformer_summary.h"
#include "sim/model/store.h"

namespace gpufeed {

enum class WorkloadKind : std::size_t;

/// The answer. Reports and windows read only this. Keys carry their unit.
///
/// A job is the whole of what the scenario describes, as a clock on the wall sees it: copying the
/// data in before, filling the loaders, the first epoch, in which the page cache is cold, all later
/// epochs, the checkpoints in them, and on the mean what failures add where they are described:
/// the times of the whole job, its rates, shares and costs have them; `training_s`, epochs, steps
/// and the throughput are those of a job that nothing stops.
///   job_samples_per_s   = job_samples / time_to_result_s
///   job_gpu_utilization = time in which GPUs compute / time_to_result_s
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
  double job_samples_per_s = 0;
  double job_gpu_utilization = 0;
  std::int64_t job_samples = 0;
  std::optional<double> job_tokens_per_s;
  double first_epoch_samples_per_s = 0;
  std::optional<double> later_epochs_samples_per_s;
  double throughput_samples_per_s = 0;
  std::optional<double> steady_samples_per_s;
  std::optional<double> tokens_per_s;
  double accelerator_utilization = 0;
  double step_s = 0;
  double epoch_s = 0;
  double first_epoch_s = 0;
  std::string staging;
  double staging_s = 0;
  double index_s = 0;
  double training_s = 0;
  double time_to_first_result_s = 0;
  double time_to_result_s = 0;
  std::optional<double> time_to_target_s;
  double bytes_per_gpu_second = 0;
  double storage_limit_bytes_per_gpu_second = 0;
  double storage_limit_first_epoch_bytes_per_gpu_second = 0;
  std::optional<StorageDemand> storage_demand;
  std::optional<BenchmarkScore> benchmark;
  CacheUse cache;
  std::optional<DriveCacheUse> drive_cache;
  std::optional<CheckpointUse> checkpoint;
  std::optional<FailureCost> failures;
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
  std::string removed_power;
  std::vector<BillLine> bill;
  std::vector<StoreOfServers> stores_of_servers;
  std::optional<RunningCost> running_cost;
  std::vector<ResourceUse> resources;
  Bottleneck bottleneck;
  BoundResult bound;
  Topology topology;
  std::vector<TimelineStretch> timeline;
  Simulated simulated;
  std::optional<Range> range;
  std::vector<PredictionInterval> prediction_intervals;
  std::optional<NoInterval> no_interval;
  Steps steps;
  std::vector<DefaultValue> defaults;
  std::vector<DecidingDefault> deciding_defaults;
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

  /// What comes before training, once, whatever fails later.
  double before_training_s() const { return staging_s + index_s; }

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
    visit(key("job_samples_per_s", &Result::job_samples_per_s,
              "the answer, all GPUs together: samples of the whole job over its time_to_result_s, "
              "with staging, the first epoch and checkpoints; inference: requests answered")
              .foreseen(Foresight::at_most)
              .as_rate());
    visit(key("job_gpu_utilization", &Result::job_gpu_utilization,
              "share of time_to_result_s that GPUs compute, or decode on their processors, 0 to "
              "1; what is computed again after a failure does not count")
              .foreseen(Foresight::at_most));
    visit(key("job_samples", &Result::job_samples,
              "trained on in all epochs, by all GPUs and jobs; what does not fill a step left "
              "out"));
    visit(key("job_tokens_per_s", &Result::job_tokens_per_s,
              "job_samples_per_s in tokens; null where the model does not say its tokens")
              .as_rate());
    visit(key("first_epoch_samples_per_s", &Result::first_epoch_samples_per_s,
              "in the first epoch, after a staging before it; nothing is in the page cache yet")
              .as_rate());
    visit(key("later_epochs_samples_per_s", &Result::later_epochs_samples_per_s,
              "in all epochs after the first; null where there is one only")
              .as_rate());
    visit(
        key("throughput_samples_per_s", &Result::throughput_samples_per_s,
            "deprecated: job_samples_per_s, of whose time this leaves out staging and a first "
            "epoch that differs; samples of the other epochs over their time, fills of the loaders "
            "and checkpoints included")
            .as_rate());
    visit(key("tokens_per_s", &Result::tokens_per_s,
              "deprecated: job_tokens_per_s; throughput_samples_per_s in tokens")
              .as_rate());
    visit(key("steady_samples_per_s", &Result::steady_samples_per_s,
              "the same between fills, ends of epochs and checkpoints; null where epochs are too "
              "short to have it")
              .as_rate());
    visit(key("accelerator_utilization", &Result::accelerator_utilization,
              "deprecated: job_gpu_utilization; the same in the epochs of "
              "throughput_samples_per_s"));
    visit(key("step_s", &Result::step_s, "one step, mean over the epochs of the throughput")
              .foreseen(Foresight::at_least)
              .as_time());
    visit(key("epoch_s", &Result::epoch_s, "one epoch after the first, mean").as_time());
    visit(key("first_epoch_s", &Result::first_epoch_s, "the first epoch").as_time());
    visit(key("staging", &Result::staging,
              "when the data are copied in: none, before, first-epoch, read-through"));
    visit(key("staging_s", &Result::staging_s, "copying the data in before training").as_time());
    visit(key("index_s", &Result::index_s, "building the order of all samples before training")
              .as_time());
    visit(key("training_s", &Result::training_s,
              "from the first read to the last step, as if nothing failed")
              .foreseen(Foresight::at_least)
              .as_time());
    visit(key("time_to_first_result_s", &Result::time_to_first_result_s,
              "until the first step ends, with what comes before training")
              .as_time());
    visit(key("time_to_result_s", &Result::time_to_result_s,
              "all that comes before training, and it, with what failures add on the mean where "
              "they are described")
              .foreseen(Foresight::at_least)
              .as_time());
    visit(key("time_to_target_s", &Result::time_to_target_s,
              "staging and training to the wanted accuracy; null where no [[workload.target]] "
              "is given")
              .as_time());
    visit(key("bytes_per_gpu_second", &Result::bytes_per_gpu_second,
              "data density: stored bytes that one GPU consumes per second when it never waits for "
              "data"));
    visit(key("storage_limit_bytes_per_gpu_second", &Result::storage_limit_bytes_per_gpu_second,
              "data density at which this storage and its links give up, once the page cache "
              "holds what it will"));
    visit(key("storage_limit_first_epoch_bytes_per_gpu_second",
              &Result::storage_limit_first_epoch_bytes_per_gpu_second,
              "the same in the first epoch, in which all is read from storage"));
    visit(key("storage_demand", &Result::storage_demand,
              "what storage must deliver so that no GPU waits for it; null where none computes"));
    visit(key("benchmark", &Result::benchmark,
              "emulated: what the benchmark would report; null for other kinds"));
    visit(key("cache", &Result::cache, "what the page cache did"));
    visit(key("drive_cache", &Result::drive_cache,
              "what drives did that are a cache of a store; null where none are"));
    visit(key("checkpoint", &Result::checkpoint,
              "what saving the training's state takes; null where it is not saved"));
    visit(key("failures", &Result::failures,
              "what they make of the job, on the mean; null where none are described"));
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
              "null: none has")
              .foreseen(Foresight::exact)
              .sums(SumOf::prices));
    visit(key("oldest_price_year", &Result::oldest_price_year, "of the prices in it")
              .foreseen(Foresight::exact));
    visit(key("newest_price_year", &Result::newest_price_year, "of the prices in it")
              .foreseen(Foresight::exact));
    visit(key("without_price", &Result::without_price,
              "the parts whose price is not known and not in price_USD; empty: it is whole")
              .foreseen(Foresight::exact));
    visit(key("power_W", &Result::power_W,
              "drawn at full load, without the parts that do not say; null: none does")
              .foreseen(Foresight::exact)
              .sums(SumOf::powers));
    visit(key("without_power", &Result::without_power,
              "the parts whose power is not known and not in power_W; empty: it is whole")
              .foreseen(Foresight::exact));
    visit(key("removed_power", &Result::removed_power,
              "the parts taken out of the system as sold whose power is not known and so still in "
              "power_W; empty: none")
              .foreseen(Foresight::exact));
    visit(key("bill", &Result::bill, "what the machines and stores consist of"));
    visit(key("stores_of_servers", &Result::stores_of_servers,
              "what stores that are made of servers give, and what of their servers sets it"));
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
    visit(key("prediction_intervals", &Result::prediction_intervals,
              "of its rates, times and shares: where what is measured will lie"));
    visit(key("no_interval", &Result::no_interval,
              "why it has none: not-asked, not-learned, no-value; null: it has some"));
    visit(key("steps", &Result::steps,
              "in what it lies outside what was measured; what counts twice stands twice"));
    visit(told("defaults", &Result::defaults, "deprecated: default_values, each as a line"));
    visit(key("default_values", &Result::defaults, "keys left to their default, with the value"));
    visit(key("deciding_defaults", &Result::deciding_defaults,
              "those of them on which the bottleneck, or more than a tenth of the throughput, "
              "rests, the largest effect first; none where only the headline was asked for"));
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
