// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include "sim/load/read/reader.h"
#include "sim/load/scenario_build.h"
#include "sim/model/catalog/generations.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/model/step_estimate.h"
#include "sim/model/transformer/job.h"

namespace gpufeed {
namespace {

/// Null where the catalog lacks it.
std::shared_ptr<const Framework> usual_framework(const Catalog& catalog) {
  Diagnostics problems;
  return Reader(catalog, "", problems).entry_named<Framework>("pytorch");
}

bool of_one_family(const Model& a, const Model& b) {
  return a.name == b.name || (a.family != Label() && a.family == b.family);
}

class RateFinder {
 public:
  RateFinder(Scenario& scenario, const Catalog& catalog, Diagnostics& out)
      : workload_(scenario.workload.get<ComputesModel>()),
        as_read_(workload_.model.entry),
        model_(*as_read_),
        gpus_(scenario.system->gpus),
        in_use_(gpus_per_node(scenario)),
        catalog_(catalog),
        out_(out) {
    const auto* training = scenario.workload.find<kind::Training>();
    framework_ =
        training && training->framework ? training->framework->entry : scenario.usual_framework;
  }

  void find() {
    if (workload_.learn_from != LearnFrom::all) forget_own();
    std::set<std::string> seen;
    for (std::size_t i = 0; i < gpus_.size() && static_cast<std::int64_t>(i) < in_use_; ++i)
      if (gpus_[i].model && seen.insert(gpus_[i].model.name).second) find_for(gpus_[i].model);
  }

 private:
  /// The scenario goes on with the model without its rates; what they teach is in `model_`.
  void forget_own() {
    if (!workload_.compute.empty())
      out_.refuse(ProblemCode::conflict, "workload.compute", workload_.compute.front().where,
                  ": rates of its own are used as they are; leave them out, or "
                  "workload.learn_from");
    auto without = std::make_shared<Model>(model_);
    without->compute.clear();
    workload_.model.entry = std::move(without);
  }

  /// Of the same chip: there are as many multiprocessors.
  bool is_ours(const ComputeRow& row) const {
    return std::ranges::any_of(gpus_, [&](const Device<Gpu>& gpu) {
      return gpu.model &&
             (gpu.model.name == row.gpu.name || (row.gpu->sms && gpu.model->sms == row.gpu->sms));
    });
  }

  bool may_learn(const Model& model, const ComputeRow& row) const {
    switch (workload_.learn_from) {
      case LearnFrom::all:
        return true;
      case LearnFrom::other_networks:
        return !of_one_family(model, model_);
      case LearnFrom::other_gpus:
        return !is_ours(row);
    }
    return true;
  }

  void find_for(const Ref<Gpu>& gpu) {
    const auto rows = compute_rows(workload_, gpu.name);
    refuse_doubles(rows);
    std::optional<StepLine> line;
    if (rows.empty())
      line = estimate(gpu);
    else if (rows.size() == 1)
      line = line_through(rows.front(), of_this_model(), step_start());
    if (line) workload_.step_lines.push_back(std::move(*line));
  }

  void refuse_doubles(const std::vector<ComputeRow>& rows) {
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (rows[i].batch == rows[i - 1].batch)
        out_.error(ProblemCode::conflict, rows[i].where,
                   "{} has two training rates on {} in {} at batch {}; leave one out",
                   workload_.model.name, rows[i].gpu.name, rows[i].precision, rows[i].batch);
  }

  /// What is known of this model on other GPUs, the workload's own rates first.
  std::vector<MeasuredRate> of_this_model() const {
    std::vector<MeasuredRate> rates;
    for (const auto* rows : {&std::as_const(workload_).compute, &model_.compute})
      for (const auto& row : *rows)
        if (can_teach(model_, row, workload_.precision) && may_learn(model_, row))
          rates.push_back({&model_, &row});
    return rates;
  }

  std::vector<MeasuredRate> of_other_models() {
    load_models();
    std::vector<MeasuredRate> rates;
    for (const auto& other : others_)
      for (const auto& row : other->compute)
        if (can_teach_others(*other) && can_teach(*other, row, workload_.precision) &&
            may_learn(*other, row))
          rates.push_back({other.get(), &row});
    return rates;
  }

  /// Those on which anything was measured in this format; also what is not to be learned from, for
  /// by leaving it out it was seen how estimates fare there - but for the newest, beyond which
  /// nothing is left to learn from: its estimates fare as those of a generation to come.
  Generations measured_generations() {
    load_models();
    std::vector<const ComputeRow*> left_out;
    Generations out;
    std::int64_t newest = 0;
    const auto note = [&](const Model& model, const std::vector<ComputeRow>& rows) {
      for (const auto& row : rows) {
        if (!can_teach(model, row, workload_.precision) || !row.gpu->generation) continue;
        if (!may_learn(model, row)) {
          left_out.push_back(&row);
          continue;
        }
        out.insert(*row.gpu->generation);
        newest = std::max(newest, row.gpu->released.value_or(0));
      }
    };
    note(model_, std::as_const(workload_).compute);
    note(model_, model_.compute);
    for (const auto& other : others_) note(*other, other->compute);
    for (const ComputeRow* row : left_out)
      if (row->gpu->released.value_or(0) <= newest) out.insert(*row->gpu->generation);
    return out;
  }

  void say_whether_seen(const Ref<Gpu>& gpu, StepLine& line) {
    const Generations measured = measured_generations();
    const Familiarity familiar = familiarity(*gpu, measured);
    if (familiar == Familiarity::seen) return;
    const bool of_new_maker = familiar == Familiarity::new_maker;
    line.generation = gpu->generation;
    line.beyond.push_back(!gpu->generation ? Beyond::generation_unknown
                          : of_new_maker   ? Beyond::maker_unmeasured
                                           : Beyond::generation_unmeasured);
    line.likeness =
        std::max(line.likeness, of_new_maker ? Likeness::unlike : Likeness::other_generation);
  }

  /// The fixed part of a step: of the framework that is named, else of the most usual one.
  Seconds step_start() { return framework_ ? framework_->step_start : Seconds{}; }

  /// Entries that do not load teach nothing; whoever uses one reads why.
  void load_models() {
    if (!others_.empty()) return;
    Diagnostics problems;
    Reader reader(catalog_, "", problems);
    for (const auto& name : catalog_.names(Model::kKind)) {
      if (name == workload_.model.name) continue;
      const auto before = problems.count();
      auto entry = reader.entry_of<Model>(*catalog_.find(Model::kKind, name));
      if (entry && problems.count() == before) others_.push_back(std::move(entry));
    }
  }

  std::optional<StepLine> estimate(const Ref<Gpu>& gpu) {
    std::string missing;
    if (!model_.multiply_adds)
      missing = fmt::format("{} does not say its multiply_adds", workload_.model.name);
    else if (!peak_rate(*gpu, workload_.precision))
      missing = fmt::format("{} does not say its peak in {}", gpu.name, workload_.precision);
    else if (auto line = estimate_step(model_, gpu, workload_.precision, of_this_model(),
                                       of_other_models(), step_start())) {
      say_whether_seen(gpu, *line);
      return line;
    } else
      missing = fmt::format("no measured rate of any model in {} is known to learn from",
                            workload_.precision);
    refuse(gpu.name, missing);
    return {};
  }

  void refuse(const std::string& gpu, const std::string& missing) {
    std::set<std::string> known;
    for (const auto* rows : {&std::as_const(workload_).compute, &model_.compute})
      for (const auto& row : *rows) known.insert(row.gpu.name + " " + row.precision);
    out_.refuse(
        ProblemCode::missing_key, "workload.model", workload_.model.where,
        ": no training rate of {} on {} in {} is known; {}; none can be "
        "estimated: {}; add a [[workload.compute]] table with a measured rate",
        workload_.model.name, gpu, workload_.precision,
        known.empty() ? "none is known at all" : fmt::format("known: {}", fmt::join(known, ", ")),
        missing);
  }

  ComputesModel& workload_;
  const std::shared_ptr<const Model> as_read_;
  const Model& model_;
  const std::vector<Device<Gpu>>& gpus_;
  const std::int64_t in_use_;
  const Catalog& catalog_;
  Diagnostics& out_;
  std::shared_ptr<const Framework> framework_;
  std::vector<std::shared_ptr<const Model>> others_;
};

}  // namespace

void find_compute_rates(Scenario& scenario, const Catalog& catalog,
                        const std::set<std::string, std::less<>>& misspelt, Diagnostics& out) {
  const auto* workload = scenario.workload.find<ComputesModel>();
  if (!workload || !workload->model) return;
  const auto* training = scenario.workload.find<kind::Training>();
  if (!training || !training->framework) scenario.usual_framework = usual_framework(catalog);
  // Without rates of its own, a forward pass is a third of a training step.
  const auto* served = scenario.workload.find<kind::Inference>();
  if (served && !served->forward.empty()) return;
  const Model& model = *workload->model;
  // Timed once batches and layout are known.
  if (transformer_job(scenario)) return;
  // What is wrong with layers, or misspelt, has been reported.
  const bool meant = !model.layers.empty() || model.architecture ||
                     misspelt.contains("workload.model.multiply_adds");
  if (meant && !model.multiply_adds) return;
  RateFinder(scenario, catalog, out).find();
}

}  // namespace gpufeed
