// SPDX-License-Identifier: Apache-2.0
#include "sim/training/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/training/words.h"

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
    gpu_groups();
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
    result_.engine = "simgrid";
    result_.seed = scenario_.run.seed;
    result_.system = scenario_.system->title;
    result_.workload = workload_in_words(scenario_, plan_);
    result_.storage = storage_in_words(scenario_, plan_);
    result_.throughput_samples_per_s = outcome_.throughput.value;
    result_.accelerator_utilization = outcome_.utilization;
    result_.defaults = scenario_.defaults;
    const double gpus = static_cast<double>(plan_.gpus.size());
    result_.bytes_per_gpu_second =
        plan_.sample_size.value * static_cast<double>(plan_.batch) / undisturbed_step(plan_).value;
    double limit = stages_[0].capacity.value;
    for (const auto& stage : stages_)
      if (stage.kind == StageKind::network || stage.kind == StageKind::pcie)
        limit = std::min(limit, stage.capacity.value);
    result_.storage_limit_bytes_per_gpu_second = limit * plan_.sample_size.value / gpus;
  }

  void times() {
    const double step = record_.step_time.mean;
    const std::int64_t left = plan_.steps - record_.steps;
    result_.step_s = plan_.global_batch() / outcome_.throughput.value;
    result_.staging_s = outcome_.staging.value;
    if (record_.epoch_ends.empty()) {
      // The cache is not modeled: every epoch reads and fills the pipeline like the first.
      const double fill = record_.end.value - record_.passed * step + tail().value;
      result_.first_epoch_s = static_cast<double>(epoch_steps(0)) * step + fill;
      result_.epoch_s = result_.first_epoch_s;
      result_.training_s =
          static_cast<double>(plan_.steps) * step + static_cast<double>(plan_.epochs) * fill;
    } else {
      const auto epochs = static_cast<double>(record_.epoch_ends.size());
      const double last = record_.epoch_ends.back().value;
      result_.first_epoch_s = record_.epoch_ends.front().value;
      result_.epoch_s = epochs > 1 ? (last - result_.first_epoch_s) / (epochs - 1) : last;
      const double per_step = last / static_cast<double>(steps_of(record_.epoch_ends.size()));
      result_.training_s = record_.end.value + static_cast<double>(left) * per_step;
    }
    result_.time_to_first_result_s = result_.staging_s + record_.first_step_end.value;
    result_.time_to_result_s = result_.staging_s + result_.training_s;
    result_.simulated = {record_.steps, left, record_.step_time.half_width};
  }

  /// From the last batch's passing the place that sets the pace to the end of its step.
  Seconds tail() const {
    if (record_.pace == Pace::trained) return {};
    const auto batch = static_cast<double>(plan_.batch);
    const Route& copy = plan_.route(plan_.gpus.front().copy);
    const Seconds decode = record_.pace == Pace::read ? plan_.decode * batch : Seconds{};
    return decode + copy.latency + plan_.input_size * batch / solo_rate(plan_, copy) +
           undisturbed_step(plan_);
  }

  std::int64_t epoch_steps(std::int64_t epoch) const {
    return std::min(plan_.steps_per_epoch, plan_.steps - epoch * plan_.steps_per_epoch);
  }
  std::int64_t steps_of(std::size_t epochs) const {
    return std::min(plan_.steps, static_cast<std::int64_t>(epochs) * plan_.steps_per_epoch);
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
        return static_cast<double>(plan_.route(route).resources.size());
      };
      Group& group = by_place[{gpu.compute.value, hops(gpu.reads.front()), hops(gpu.copy)}];
      group.ids.push_back(scenario_.system->gpus[static_cast<std::size_t>(gpu.number)].id);
      for (std::size_t a = 0; a < kActivities; ++a) group.spent[a] += record_.spent[g][a];
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
                              {s[0], s[1], s[2], s[3], s[4], s[5]}});
    }
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
    const double rate = outcome_.throughput.value;
    for (std::size_t r = 0; r < plan_.graph.resources.size(); ++r) {
      if (loads_.total(r) == 0) continue;
      const Resource& resource = plan_.graph.resources[r];
      result_.resources.push_back(
          {resource.id, std::string(name_of(resource.kind)), resource.capacity.value, "B/s",
           rate * loads_.total(r) / resource.capacity.value, resource.provenance.source,
           std::string(name_of(resource.provenance.basis))});
    }
    const Provenance& decode = scenario_.workload.dataset->provenance_of("decode_time");
    result_.resources.push_back({"decode cores", "cpu", static_cast<double>(plan_.cores), "core",
                                 rate * plan_.decode.value / static_cast<double>(plan_.cores),
                                 decode.source, std::string(name_of(decode.basis))});
    result_.resources.push_back({"GPUs", "gpu", static_cast<double>(plan_.gpus.size()), "GPU",
                                 outcome_.utilization, plan_.compute.source,
                                 std::string(name_of(plan_.compute.basis))});
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
    result_.warnings = plan_.warnings;
    const double uncertainty = record_.step_time.half_width;
    if (!record_.converged && record_.steps < plan_.steps && record_.epoch_ends.size() < 2)
      result_.warnings.push_back(
          fmt::format("stopped after {} steps, before the step rate was known to {}; {}",
                      record_.steps, text(scenario_.run.precision, 3),
                      uncertainty == kUnknown
                          ? "how well it is known, so few do not tell"
                          : fmt::format("it is known to {} %", text_number(uncertainty * 100, 2))));
    const Bytes data = plan_.sample_size * static_cast<double>(scenario_.workload.dataset->samples);
    Bytes memory{};
    for (const auto& socket : scenario_.system->sockets) memory += socket.memory;
    if (plan_.epochs > 1 && data < memory)
      result_.warnings.push_back(fmt::format(
          "the page cache is not modeled: the data set of {} would fit into memory, and "
          "later epochs would hardly read",
          text(data, 3)));
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
