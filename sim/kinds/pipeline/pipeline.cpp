// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/pipeline/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/answer/without_training.h"
#include "sim/answer/words.h"
#include "sim/base/labels/label_text.h"
#include "sim/kinds/pipeline/pipeline_ways.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Of the data set's samples; of plain bytes as many at once as storage likes.
StorageAccess access_of(const Scenario& scenario) {
  constexpr Bytes kLarge{1e9};
  if (scenario.workload.get<kind::Pipeline>().input) return {.request = kLarge, .run = kInARow};
  return {.request = scenario.workload.dataset()->sample_size};
}

class Pipeline {
 public:
  explicit Pipeline(const Scenario& scenario)
      : scenario_(scenario),
        workload_(scenario.workload.get<kind::Pipeline>()),
        graph_(build_graph(scenario, access_of(scenario))),
        limits_(limits_of(graph_)),
        shared_(limits_.size()),
        busy_(shared_, 0) {}

  Result run() {
    if (workload_.dataset) samples_ = static_cast<double>(dataset_samples(workload_));
    bytes_ = workload_.input ? *workload_.input : workload_.dataset->sample_size * samples_;
    place_ = scenario_.data.at;
    const PipelineStage& first = first_result();
    for (const auto& stage : workload_.stages) {
      if (stage.at.part != place_.part) copy_to(stage);
      if (&stage == &first) first_result_s_ = total_s_;
      work(stage);
    }
    return answer(first.name);
  }

 private:
  const PipelineStage& first_result() const {
    const auto it = std::ranges::find(workload_.stages, true, &PipelineStage::trains);
    return it == workload_.stages.end() ? workload_.stages.back() : *it;
  }

  void copy_to(const PipelineStage& stage) {
    PipelineStep step;
    step.name = "copy to " + stage.name;
    step.copies = true;
    step.place = text_of(link_label(place_.id, stage.at.id));
    run_step(std::move(step), *stage.at, 1,
             {stage.copy_rate, fact<LimiterCode::given_copy_rate>()});
    place_ = stage.at;
  }

  void work(const PipelineStage& stage) {
    std::optional<Bandwidth> rate = stage.rate;
    if (stage.samples_rate) rate = *stage.samples_rate * (bytes_ / samples_);
    if (rate) *rate = *rate * static_cast<double>(stage.servers);
    const Limiter own = stage.servers == 1 ? fact<LimiterCode::given_rate>()
                                           : fact<LimiterCode::servers>(stage.servers);
    PipelineStep step;
    step.name = stage.name;
    step.place = text_of(place_.id);
    run_step(std::move(step), *place_, stage.output.value, {rate, own});
    if (stage.output.value > 0) bytes_ = bytes_ * stage.output;
  }

  /// What a step's own servers do, where that is known.
  struct Own {
    std::optional<Bandwidth> rate;
    Limiter limiter;
  };

  void run_step(PipelineStep step, PartId to, double written, const Own& own) {
    PipelineWays ways(scenario_, graph_);
    auto streams = ways.between(*place_, to, written);
    ways.throw_if_any();
    limits_.resize(shared_);
    if (own.rate) {
      const LimitIndex servers =
          limits_.add({Label("servers"), "servers", *own.rate, {"the scenario", Basis::estimate}});
      for (auto& stream : streams) take_more(stream, servers, 1);
    }
    const SteadyRates rates = steady_rates(limits_, streams, scenario_.run.engine);
    Bandwidth all{};
    for (const auto& one : rates.of_one) all += one;
    step.read_B = bytes_.value;
    step.written_B = bytes_.value * written;
    step.time_s = (bytes_ / all).value;
    step.limit = limit_of(rates, own.limiter);
    total_s_ += step.time_s;
    for (const LimitIndex i : busy_.indices()) busy_[i] += rates.load[i] * step.time_s;
    summary_.steps.push_back(std::move(step));
  }

  /// All limits that are full, of the kind of the one that binds the first stream.
  Limiter limit_of(const SteadyRates& rates, const Limiter& own) const {
    const LimitIndex first = rates.limited_by.front().value();
    if (first.position() >= shared_) return own;
    return fact<LimiterCode::parts>(labels_of(limits_, full_like(limits_, rates, first)));
  }

  Result answer(const std::string& first) {
    limits_.resize(shared_);
    for (double& busy : busy_) busy /= total_s_;
    Result result = result_without_training(scenario_, graph_, limits_, busy_);
    for (const auto& step : summary_.steps) {
      if (!step.copies) continue;
      summary_.copied_B += step.written_B;
      summary_.copy_s += step.time_s;
    }
    summary_.copy_share = summary_.copy_s / total_s_;
    summary_.first_result = first;
    result.warnings.push_back(fact<WarningCode::pipeline_unseen>());
    result.workload = in_words();
    result.storage = places();
    result.time_to_first_result_s = first_result_s_;
    result.time_to_result_s = total_s_;
    result.bottleneck = bottleneck();
    result.pipeline = std::move(summary_);
    return result;
  }

  std::string in_words() const {
    std::vector<std::string> names;
    for (const auto& stage : workload_.stages) names.push_back(stage.name);
    const std::string data =
        workload_.input
            ? text(*workload_.input, 3)
            : fmt::format("{} samples of {} ({})", text_number(samples_, 15),
                          text(workload_.dataset->sample_size, 3), workload_.dataset.name);
    return fmt::format("{}; {}", fmt::join(names, ", "), data);
  }

  /// Each place once.
  std::string places() const {
    std::vector<PartId> known;
    std::string out;
    const auto add = [&](const PartRef& at) {
      if (std::ranges::count(known, *at)) return;
      known.push_back(*at);
      out += (out.empty() ? "" : "; ") + io_storage_in_words(scenario_, at);
    };
    add(scenario_.data.at);
    for (const auto& stage : workload_.stages) add(stage.at);
    return out;
  }

  static Limiter limiter_of(const PipelineStep& one) {
    using enum LimiterCode;
    switch (one.limit.code) {
      case given_rate:
        return fact<step_at_given_rate>(one.name);
      case servers:
        return {step_by_servers, {one.name, one.limit.arguments.front()}};
      case given_copy_rate:
        return fact<step_at_given_copy_rate>(one.name);
      default:
        return {step, {one.name, one.limit.arguments.front()}};
    }
  }

  /// The longest step, and what copying costs.
  Bottleneck bottleneck() const {
    const auto& longest = *std::ranges::max_element(summary_.steps, {}, &PipelineStep::time_s);
    Bottleneck out;
    out.resource = limiter_of(longest);
    out.evidence = {
        evidence_of<EvidenceCode::step_takes>(*out.resource, longest.time_s / total_s_)};
    if (summary_.copy_s > 0)
      out.evidence.push_back(evidence<EvidenceCode::copying_takes>(summary_.copy_share));
    return out;
  }

  const Scenario& scenario_;
  const kind::Pipeline& workload_;
  const Graph graph_;
  Limits limits_;  ///< those of the graph; then that of a stage's servers
  const std::size_t shared_;
  ByLimit<double> busy_;  ///< seconds
  double samples_ = 0;
  Bytes bytes_;  ///< of the data as they are now
  PartRef place_;
  double total_s_ = 0;
  double first_result_s_ = 0;
  PipelineSummary summary_;
};

}  // namespace

Result simulate_kind(const kind::Pipeline&, const Scenario& scenario) {
  return Pipeline(scenario).run();
}

}  // namespace gpufeed
