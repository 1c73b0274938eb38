// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/answer/checkpoint_answer.h"
#include "sim/answer/words.h"

namespace gpufeed {
namespace {

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
    cache();
    if (plan_.kind == kind_of<kind::Emulated>)
      result_.benchmark = benchmark_score(
          plan_, outcome_, (*scenario_.workload.get<kind::Emulated>().job)->threshold);
    gpu_groups();
    exchange();
    stages();
    resources();
    result_.bottleneck = find_bottleneck(plan_, outcome_, stages_);
    const Bound bound = throughput_bound(plan_);
    result_.bound = {bound.rate.value, bound.cut};
    topology();
    timeline();
    estimates();
    warnings();
    return std::move(result_);
  }

 private:
  void head() {
    result_.title = scenario_.title;
    result_.kind = name_of(plan_.kind);
    result_.engine = name_of(scenario_.run.engine);
    result_.seed = scenario_.run.seed;
    result_.system = scenario_.system->title;
    result_.nodes = plan_.nodes;
    result_.workload = workload_in_words(scenario_, plan_);
    result_.storage = storage_in_words(scenario_);
    result_.throughput_samples_per_s = rate_with_checkpoints(plan_, outcome_).value;
    result_.accelerator_utilization = outcome_.utilization;
    result_.defaults = scenario_.defaults;
    const double gpus = static_cast<double>(plan_.gpus.size());
    if (plan_.kind != kind_of<kind::Loader>)
      result_.bytes_per_gpu_second = plan_.sample_size.value * static_cast<double>(plan_.batch) /
                                     undisturbed_step(plan_).value;
    double limit = stages_[0].capacity.value;
    for (const auto& stage : stages_)
      if (stage.kind == StageKind::network || stage.kind == StageKind::pcie)
        limit = std::min(limit, stage.capacity.value);
    result_.storage_limit_bytes_per_gpu_second = limit * plan_.sample_size.value / gpus;
  }

  void times() {
    const Record& start = outcome_.first_epoch ? *outcome_.first_epoch : record_;
    const std::int64_t simulated =
        record_.steps + (outcome_.first_epoch ? outcome_.first_epoch->steps : 0);
    result_.step_s = plan_.global_batch() / outcome_.throughput.value;
    const auto& staging = scenario_.data.staging;
    result_.staging = staging ? name_of(staging->mode) : "none";
    result_.staging_s = outcome_.staging.value;
    if (outcome_.first_epoch) {
      const Plan& first = outcome_.first_plan ? *outcome_.first_plan : plan_;
      const EpochTimes cold = epoch_times(first, start, plan_.steps_per_epoch);
      const EpochTimes warm = epoch_times(plan_, record_, plan_.steps - plan_.steps_per_epoch);
      result_.first_epoch_s = cold.all;
      result_.epoch_s = warm.first;
      result_.training_s = cold.all + warm.all;
    } else {
      const EpochTimes all = epoch_times(plan_, record_, plan_.steps);
      result_.first_epoch_s = all.first;
      result_.epoch_s = all.later;
      result_.training_s = all.all;
    }
    answer_checkpoints(plan_, outcome_, result_);
    result_.time_to_first_result_s = result_.staging_s + start.first_step_end.value;
    result_.time_to_result_s = result_.staging_s + result_.training_s;
    const auto* training = scenario_.workload.find<kind::Training>();
    if (training && !training->target.empty())
      result_.time_to_target_s =
          result_.staging_s + samples_to_target(training->target, plan_.global_batch()) /
                                  result_.throughput_samples_per_s;
    result_.simulated = {simulated, plan_.steps - simulated, record_.step_time.half_width,
                         outcome_.folded};
  }

  void cache() {
    const Dataset& dataset = *scenario_.workload.dataset();
    const double data =
        dataset.sample_size.value * static_cast<double>(dataset_samples(scenario_.workload));
    const double epoch =
        plan_.sample_size.value * plan_.global_batch() * static_cast<double>(plan_.steps_per_epoch);
    result_.cache = {plan_.cache.value, plan_.cache.value / data, plan_.hit_rate, epoch,
                     epoch * (1 - plan_.hit_rate)};
  }

  /// GPUs that stand alike in the machine share a group, with the mean of their times; groups that
  /// spend their time alike become one.
  void gpu_groups() {
    struct Group {
      std::vector<std::string> ids;
      TimeSpent spent{};
    };
    std::map<std::array<double, 3>, Group> by_place;
    for (std::size_t g = 0; g < plan_.gpus.size(); ++g) {
      const GpuPlan& gpu = plan_.gpus[g];
      const auto hops = [&](int route) {
        return route < 0 ? 0.0 : static_cast<double>(plan_.route(route).resources.size());
      };
      Group& group = by_place[{gpu.compute.value, hops(gpu.reads.front()), hops(gpu.copy)}];
      group.ids.push_back(gpu_name(gpu));
      for (std::size_t a = 0; a < kActivities; ++a) group.spent[a] += outcome_.spent[g][a];
    }
    std::vector<Group> groups;
    for (auto& entry : by_place) {
      Group& group = entry.second;
      const auto it = std::ranges::find_if(
          groups, [&](const Group& other) { return alike(other.spent, group.spent); });
      if (it == groups.end()) {
        groups.push_back(std::move(group));
        continue;
      }
      it->ids.insert(it->ids.end(), group.ids.begin(), group.ids.end());
      for (std::size_t a = 0; a < kActivities; ++a) it->spent[a] += group.spent[a];
    }
    for (const auto& group : groups) {
      const TimeSpent s = shares(group.spent);
      result_.gpus.push_back({join_ids(group.ids),
                              static_cast<std::int64_t>(group.ids.size()),
                              {s[0], s[1], s[2], s[3], s[4], s[5], s[6]}});
    }
  }

  /// Emulated GPUs have no part in the machine.
  std::string gpu_name(const GpuPlan& gpu) const {
    std::string name = plan_.kind == kind_of<kind::Loader> ? "loader" : "accelerator";
    name += std::to_string(gpu.number);
    if (plan_.kind == kind_of<kind::Training>)
      name = scenario_.system->gpus[static_cast<std::size_t>(gpu.number)].id;
    return plan_.nodes > 1 ? fmt::format("node{} {}", gpu.node, name) : name;
  }

  void exchange() {
    Bytes sent{};
    const auto add = [&](const std::vector<ExchangePhase>& phases) {
      for (const auto& phase : phases)
        for (const auto& flow : phase.flows) sent += flow.size;
    };
    add(plan_.exchange);
    for (const auto& gpu : plan_.gpus) add(gpu.exchange);
    if (sent.value == 0) return;
    result_.exchange = {std::string(name_of(scenario_.exchange.mode)),
                        std::string(name_of(plan_.algorithm)), exchange_time(plan_).value,
                        sent.value / static_cast<double>(plan_.gpus.size())};
  }

  static TimeSpent shares(const TimeSpent& spent) {
    const double total = std::accumulate(spent.begin(), spent.end(), 0.0);
    TimeSpent out{};
    for (std::size_t a = 0; a < kActivities; ++a) out[a] = spent[a] / total;
    return out;
  }

  static bool alike(const TimeSpent& a, const TimeSpent& b) {
    constexpr double kAlike = 0.02;  // closer than that, a reader learns nothing from two rows
    return std::ranges::equal(shares(a), shares(b),
                              [](double x, double y) { return std::abs(x - y) <= kAlike; });
  }

  void stages() {
    for (const auto& stage : stages_) {
      const bool used = std::isfinite(stage.capacity.value);
      const bool included = stage.kind == StageKind::exchange && plan_.exchange_included;
      result_.stages.push_back({stage_name(plan_, stage.kind), stage.capacity.value,
                                used || included ? stage_limiter(plan_, stage) : ""});
    }
  }

  void resources() {
    const double rate = result_.throughput_samples_per_s;
    const std::vector<double> saved = checkpoint_load(plan_, outcome_);
    for (std::size_t r = 0; r < plan_.graph.resources.size(); ++r) {
      const double load = rate * loads_.total(r) + saved[r];
      if (load == 0 || plan_.graph.resources[r].copy_of_first) continue;
      const Resource& resource = plan_.graph.resources[r];
      result_.resources.push_back({resource.id, std::string(name_of(resource.kind)),
                                   resource.capacity.value, "B/s", load / resource.capacity.value,
                                   resource.provenance.source,
                                   std::string(name_of(resource.provenance.basis))});
    }
    const double busy = rate * core_time(plan_).value / cores_of(plan_);
    if (busy > 0) {
      const Provenance decode = decode_provenance();
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
    return at_load({cost.source, cost.basis}, cost.load);
  }

  /// What is carried over to other loads is known no better than how cores slow down.
  Provenance at_load(const Provenance& cost, const std::optional<Ratio>& load) const {
    const Cpu& cpu = *scenario_.system->sockets.front().model;
    if (!load || !cpu.all_core_speed) return cost;
    const Provenance& speed = cpu.provenance_of("all_core_speed");
    return cost.basis < speed.basis ? speed : cost;
  }

  void topology() {
    const Graph& graph = plan_.graph;
    for (const auto& node : graph.nodes)
      result_.topology.nodes.push_back({node.id, std::string(name_of(node.kind))});
    for (const auto& edge : graph.edges)
      result_.topology.edges.push_back(
          {graph.node(edge.from).id, graph.node(edge.to).id,
           edge.resource == kUnlimited ? "" : graph.resource(edge.resource).id});
  }

  void timeline() {
    for (const auto& span : record_.timeline)
      result_.timeline.push_back(
          {span.gpu, span.step, std::string(name_of(span.activity)), span.start_s, span.end_s});
  }

  /// What the answer leans on and nobody measured: whatever would bind if it were half as fast.
  void estimates() {
    constexpr double kCouldBind = 0.5;
    std::map<std::string, std::vector<std::string>> by_kind;
    for (const auto& resource : result_.resources)
      if (resource.basis == name_of(Basis::estimate) && resource.utilization >= kCouldBind)
        by_kind[resource.kind].push_back(resource.id);
    for (const auto& [kind, ids] : by_kind) {
      if (kind == "cpu")
        result_.estimates.push_back("decode time per sample");
      else if (kind == "gpu")
        result_.estimates.push_back("compute rate of the GPUs");
      else
        result_.estimates.push_back(
            fmt::format("{} {}", kind,
                        ids.size() > 2 && join_ids(ids).find(',') != std::string::npos
                            ? fmt::format("{} and {} like it", ids.front(), ids.size() - 1)
                            : join_ids(ids)));
    }
  }

  void warnings() {
    result_.warnings.insert(result_.warnings.begin(), plan_.warnings.begin(), plan_.warnings.end());
    if (!plan_.synchronous && result_.time_to_target_s)
      result_.warnings.push_back(
          "the samples to the target are those of synchronous training; gradients of older weights "
          "may take more");
    const double uncertainty = record_.step_time.half_width;
    if (!record_.converged && record_.steps < plan_.steps && record_.epoch_ends.size() < 2)
      result_.warnings.push_back(
          fmt::format("stopped after {} steps, before the step rate was known to {}; {}",
                      record_.steps, text(scenario_.run.precision, 3),
                      uncertainty == kUnknown
                          ? "how well it is known, so few do not tell"
                          : fmt::format("it is known to {} %", text_number(uncertainty * 100, 2))));
  }

  const Scenario& scenario_;
  const Plan& plan_;
  const Outcome& outcome_;
  const Record& record_;
  const Loads loads_;
  const std::vector<StageLimit> stages_;
  Result result_;
};

}  // namespace

Result make_result(const Scenario& scenario, const Plan& plan, const Outcome& outcome) {
  return ResultMaker(scenario, plan, outcome).make();
}

}  // namespace gpufeed
