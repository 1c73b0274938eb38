// SPDX-License-Identifier: Apache-2.0
#include "reports/study/layout_choices.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/layouts.h"

namespace gpufeed {
namespace {

const KeyPath kParallel("parallel");

template <class T>
std::string toml_of(const std::optional<T>& value) {
  return toml_value(*value);
}
template <class T>
std::string toml_of(const T& value) {
  return toml_value(value);
}

/// A choice of the other axes, before layouts.
class Expansion {
 public:
  explicit Expansion(Choices& choices) : choices_(choices), plan_(choices.workloads.front()) {}

  void run() {
    const SweepPoints base = plan_.points;
    points_.values = base.values;
    points_.values.emplace_back();
    for (std::int64_t point = 0; point < base.count(); ++point) add(base, point);
    if (points_.chosen.empty()) throw InputError({why_none()});
    Axis layout;
    layout.path = kParallel;
    layout.name = "layout";
    layout.where = choices_.goal.where;
    plan_.sweep.axes.push_back(layout);
    choices_.goal.axes.push_back(layout);
    plan_.points = std::move(points_);
  }

 private:
  void add(const SweepPoints& base, std::int64_t point) {
    const auto scenario = divided(point);
    if (!scenario) return;
    const auto job = transformer_job(*scenario);
    if (!job) throw InputError({not_a_decoder(*scenario)});
    const EveryLayout every =
        every_layout(*job, job->micro_batch * job->micro_batches * job->replicas());
    choices_.layouts_tried += every.tried;
    for (const ParallelLayout& one : every.fit) {
      for (std::size_t axis = 0; axis < base.values.size(); ++axis)
        points_.chosen.push_back(
            base.chosen[static_cast<std::size_t>(point) * base.values.size() + axis]);
      points_.chosen.push_back(number_of(toml_table(one.job.parallel)));
      choices_.most_samples_per_s.push_back(one.samples_per_s);
      choices_.split.push_back(split_of(point, one.job.parallel));
    }
  }

  /// The scenario with what takes the least memory, for it may not fit as it is.
  std::optional<Scenario> divided(std::int64_t point) {
    for (const char* const table : {"{ shard = \"parameters\" }", "{ tensor = 1 }"}) {
      auto overrides = overrides_of(plan_, point);
      overrides.push_back({kParallel, table, "layouts"});
      try {
        return plan_.source.load(overrides);
      } catch (const InputError& error) {
        if (!refusal_) refusal_ = error.problems().front();
      }
    }
    return {};
  }

  std::uint32_t number_of(const std::string& table) {
    const auto [found, added] =
        numbers_.try_emplace(table, static_cast<std::uint32_t>(numbers_.size()));
    if (added) points_.values.back().push_back({table, false, choices_.goal.where});
    return found->second;
  }

  std::uint32_t split_of(std::int64_t point, const Parallel& parallel) {
    return splits_
        .try_emplace(std::tuple(point, parallel.tensor, parallel.pipeline, parallel.context,
                                parallel.expert),
                     static_cast<std::uint32_t>(splits_.size()))
        .first->second;
  }

  Problem not_a_decoder(const Scenario& scenario) const {
    const auto* own = scenario.workload.find<kind::Training>();
    return {choices_.goal.where,
            fmt::format("layouts are of a language model that is trained and given by its "
                        "architecture, on GPUs whose kernels are known{}",
                        own && own->model ? "; the scenario trains " + own->model.name : "")};
  }

  Problem why_none() const {
    if (choices_.layouts_tried == 0 && refusal_) return *refusal_;
    return {choices_.goal.where,
            fmt::format("none of {} layouts fits into the GPUs' memory; take more nodes, "
                        "workload.optimizer = \"adam-8bit\", or workload.lora = true",
                        choices_.layouts_tried)};
  }

  Choices& choices_;
  SweepPlan& plan_;
  SweepPoints points_;
  std::map<std::string, std::uint32_t> numbers_;
  using Split = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Split, std::uint32_t> splits_;
  std::optional<Problem> refusal_;
};

}  // namespace

std::vector<LayoutKey> unusual_keys(const Parallel& parallel) {
  const Parallel usual;
  std::vector<LayoutKey> out;
  for_each_field<Parallel>([&](const auto& field) {
    if (parallel.*field.member != usual.*field.member)
      out.push_back({std::string(field.name), toml_of(parallel.*field.member)});
  });
  return out;
}

std::string toml_table(const Parallel& parallel) {
  std::string out;
  for (const LayoutKey& one : unusual_keys(parallel))
    out += fmt::format("{}{} = {}", out.empty() ? "{ " : ", ", one.name, one.value);
  return out.empty() ? "{}" : out + " }";
}

void add_layouts(Choices& choices) {
  if (choices.goal.layouts) Expansion(choices).run();
}

}  // namespace gpufeed
