// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/answer/checkpoint_answer.h"
#include "sim/answer/drives/drive_cache.h"
#include "sim/answer/failures/failure_answer.h"
#include "sim/answer/gpu_groups.h"
#include "sim/answer/machine.h"
#include "sim/answer/timeline.h"
#include "sim/answer/transformer_answer.h"
#include "sim/answer/unseen.h"
#include "sim/answer/words.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Whether the run had a stretch between its fill and its end that tells a pace.
bool steady_known(const Record& record) { return std::isfinite(record.step_time.half_width); }

std::optional<Warning> length_warning(const kind::Training& training) {
  using enum WarningCode;
  const auto& has = training.dataset->tokens;
  const auto& takes = training.model->tokens;
  if (!has || !takes) return {};
  const double filling = 1 - *tokens_of_sample(training) / static_cast<double>(*takes);
  if (filling > 0)
    return fact<samples_shorter_than_sequence>(training.dataset.name, *has, *takes, filling);
  if (*has == *takes) return {};
  return fact<samples_longer_than_sequence>(training.dataset.name, *has, *takes);
}

class ResultMaker {
 public:
  ResultMaker(const Scenario& scenario, const Plan& plan, const Outcome& outcome)
      : scenario_(scenario),
        plan_(plan),
        outcome_(outcome),
        record_(outcome.record),
        loads_(loads_of(plan)),
        stages_(stage_limits(plan, loads_)) {}

  Result make() {
    head();
    times();
    answer_whole_job(scenario_, plan_, stages_, outcome_, result_);
    cache();
    if (plan_.kind == kind_of<kind::Emulated>)
      result_.benchmark = benchmark_score(
          plan_, outcome_, (*scenario_.workload.get<kind::Emulated>().job)->threshold);
    result_.gpus = gpu_groups(scenario_, plan_, outcome_.spent);
    exchange();
    result_.transformer = transformer_summary(scenario_);
    stages();
    resources();
    result_.bottleneck = find_bottleneck(plan_, outcome_, stages_);
    add_step_evidence(scenario_, result_);
    result_.bound = {outcome_.bound.rate.value, outcome_.bound.cut};
    result_.topology = drawn(plan_.graph);
    result_.timeline = timeline_of(scenario_, plan_, outcome_);
    warnings();
    return std::move(result_);
  }

 private:
  void head() {
    result_.title = scenario_.title;
    result_.kind = plan_.kind;
    result_.engine = name_of(scenario_.run.engine);
    result_.seed = scenario_.run.seed;
    result_.system = scenario_.system->title;
    result_.nodes = plan_.nodes;
    result_.workload = workload_in_words(scenario_, plan_);
    result_.storage = storage_in_words(scenario_);
    result_.throughput_samples_per_s = outcome_.throughput.value;
    if (const auto tokens = tokens_of_sample(scenario_.workload))
      result_.tokens_per_s = outcome_.throughput.value * *tokens;
    if (steady_known(record_))
      result_.steady_samples_per_s = plan_.global_batch() / record_.step_time.mean;
    result_.accelerator_utilization = outcome_.utilization;
    result_.defaults = scenario_.defaults;
    result_.calibrated = scenario_.calibrated;
    const double gpus = static_cast<double>(plan_.gpus.size());
    if (plan_.kind != kind_of<kind::Loader>)
      result_.bytes_per_gpu_second = plan_.sample_size.value * static_cast<double>(plan_.batch) /
                                     undisturbed_step(plan_).value;
    result_.storage_limit_bytes_per_gpu_second =
        storage_limit(stages_) * plan_.sample_size.value / gpus;
  }

  void times() {
    const std::int64_t simulated =
        record_.simulated + (outcome_.first_epoch ? outcome_.first_epoch->simulated : 0);
    result_.step_s = outcome_.epochs.step_s();
    const auto& staging = scenario_.data.staging;
    result_.staging = staging ? name_of(staging->mode) : "none";
    result_.staging_s = outcome_.staging.value;
    result_.index_s = plan_.index_time.value;
    const EpochsAccount& later = outcome_.epochs;
    const EpochsAccount& first = outcome_.first ? *outcome_.first : later;
    result_.first_epoch_s = first.trained.first_s + first.saved.first_s;
    result_.epoch_s = outcome_.first ? later.step_s() * static_cast<double>(plan_.steps_per_epoch)
                                     : later.trained.later_s + later.saved.later_s;
    result_.training_s = later.all_s() + (outcome_.first ? first.all_s() : 0);
    answer_checkpoints(plan_, outcome_, result_);
    result_.time_to_first_result_s = result_.before_training_s() + first.first_step_s;
    result_.time_to_result_s = result_.before_training_s() + result_.training_s;
    answer_failures(scenario_, plan_, result_);
    result_.simulated = {.steps = simulated,
                         .extrapolated_steps = plan_.steps - simulated,
                         .runs = outcome_.runs,
                         .step_rate_uncertainty = record_.known_to,
                         .run_uncertainty = std::max(record_.runs_differ, outcome_.other_shares),
                         .store_shares = outcome_.other_shares > record_.runs_differ,
                         .folded = outcome_.folded};
  }

  void cache() {
    const Dataset& dataset = *scenario_.workload.dataset();
    const double data =
        dataset.sample_size.value * static_cast<double>(dataset_samples(scenario_.workload));
    // A job may end before its first epoch does; the times of epochs are of as many steps.
    const double epoch = plan_.sample_size.value * plan_.read_per_byte * plan_.global_batch() *
                         static_cast<double>(std::min(plan_.steps, plan_.steps_per_epoch));
    const double first = outcome_.first_plan ? 0 : plan_.first_hits.mean();
    const double later = plan_.later_hits.mean();
    const bool fills = !plan_.filling.empty();
    result_.cache = {plan_.cache.value,
                     plan_.cache.value / data,
                     later,
                     epoch * (1 - first),
                     epoch * (1 - later),
                     fills ? plan_.filling.front().hits.mean() : later,
                     fills ? plan_.filling.back().hits.mean() : later};
    if (!plan_.reads_through) return;
    result_.drive_cache = drive_cache_use(scenario_, plan_, result_);
    result_.cache.read_first_epoch_B = read_in_epoch(plan_, plan_.first_hits);
    result_.cache.read_later_epoch_B = read_in_epoch(plan_, plan_.later_hits);
  }

  void exchange() {
    Bytes sent{};
    const auto add = [&](const std::vector<ExchangePhase>& phases) {
      for (const auto& phase : phases)
        for (const auto& flow : phase.flows) sent += flow.size * (1 / phase.stretch);
    };
    add(plan_.exchange);
    for (const auto& gpu : plan_.gpus) add(gpu.exchange);
    if (sent.value == 0) return;
    result_.exchange = {std::string(name_of(scenario_.exchange.mode)),
                        std::string(name_of(plan_.algorithm)), exchange_time(plan_).value,
                        sent.value / static_cast<double>(plan_.gpus.size())};
  }

  void stages() {
    for (const auto& stage : stages_) {
      const bool used = std::isfinite(stage.capacity.value);
      const bool included = stage.kind == PathStage::exchange && plan_.exchange_included;
      Stage& told = result_.stages.emplace_back();
      told.stage = stage_name(plan_, stage.kind);
      told.capacity_samples_per_s = stage.capacity.value;
      if (used || included) told.limit = stage_limiter(plan_, stage);
    }
  }

  void resources() {
    const double rate = result_.throughput_samples_per_s;
    const ByResource<double> saved = checkpoint_load(plan_, outcome_);
    for (const ResourceIndex r : plan_.graph.resources.indices()) {
      const double load = rate * loads_.all(r) + saved[r];
      if (load == 0 || plan_.graph.resources[r].copy_of_first) continue;
      const Resource& resource = plan_.graph.resources[r];
      result_.resources.push_back(use_of(resource.label, name_of(resource.kind), resource.capacity,
                                         load / resource.capacity.value, resource.provenance,
                                         resource.key, r.position()));
    }
    const double busy = rate * core_time(plan_).value / cores_of(plan_);
    if (busy > 0) {
      Provenance decode = decode_provenance();
      if (plan_.smt)
        decode.source +=
            fmt::format("; SMT, {} ({}, {}): {}", text(plan_.smt->value, 3), plan_.smt->of,
                        name_of(plan_.smt->provenance.basis), plan_.smt->provenance.source);
      result_.resources.push_back({"decode cores", "cpu", cores_of(plan_), "core", busy,
                                   decode.source, std::string(name_of(decode.basis))});
    }
    if (plan_.kind == kind_of<kind::Loader>) return;
    result_.resources.push_back({"GPUs", "gpu", static_cast<double>(plan_.gpus.size()), "GPU",
                                 outcome_.utilization, plan_.compute.source,
                                 std::string(name_of(plan_.compute.basis))});
  }

  Provenance decode_provenance() const {
    const Dataset& dataset = *scenario_.workload.dataset();
    if (scenario_.loader.decode != DecodeOn::cpu)
      return scenario_.system->sockets.front().model->provenance_of("core_copy_bandwidth");
    if (dataset.decode_time)
      return at_load(dataset.provenance_of("decode_time"), dataset.decode_load);
    const auto& cpu = scenario_.system->sockets.front().model.name;
    const DecodeCost& cost = *decode_cost(**dataset.decoder, cpu, {});
    const Provenance own{cost.source, cost.basis};
    return cost.all_core_speed ? own : at_load(own, cost.load);
  }

  /// What is carried over to other loads is known no better than how cores slow down.
  Provenance at_load(const Provenance& cost, const std::optional<Ratio>& load) const {
    const Cpu& cpu = *scenario_.system->sockets.front().model;
    if (!load || !cpu.all_core_speed) return cost;
    return weaker(cost, cpu.provenance_of("all_core_speed"));
  }

  void warnings() {
    using enum WarningCode;
    result_.warnings.insert(result_.warnings.begin(), plan_.warnings.begin(), plan_.warnings.end());
    if (!plan_.synchronous && result_.time_to_target_s)
      result_.warnings.push_back(fact<target_of_synchronous_training>());
    if (const auto* training = scenario_.workload.find<kind::Training>())
      if (auto unlike = length_warning(*training)) result_.warnings.push_back(*std::move(unlike));
    if (auto short_memory = memory_warning(scenario_))
      result_.warnings.push_back(*std::move(short_memory));
    Unseen unseen = what_no_job_showed(scenario_, plan_, result_);
    std::ranges::move(unseen.warnings, std::back_inserter(result_.warnings));
    result_.steps = std::move(unseen.steps);
    const double uncertainty = record_.known_to;
    const Ratio precision = scenario_.run.precision;
    if (!record_.converged && record_.steps < plan_.steps && record_.epoch_ends.size() < 2 &&
        uncertainty > precision.value)
      result_.warnings.push_back(uncertainty == kUnknown
                                     ? fact<stopped_too_early_to_tell>(record_.steps, precision)
                                     : fact<stopped_early>(record_.steps, precision, uncertainty));
  }

  const Scenario& scenario_;
  const Plan& plan_;
  const Outcome& outcome_;
  const Record& record_;
  const Loads loads_;
  const std::vector<PathStageLimit> stages_;
  Result result_;
};

}  // namespace

Result make_result(const Scenario& scenario, const Plan& plan, const Outcome& outcome) {
  return ResultMaker(scenario, plan, outcome).make();
}

}  // namespace gpufeed
