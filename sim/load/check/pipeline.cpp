// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/join_parts.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

class PipelineChecker {
 public:
  PipelineChecker(Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario),
        workload_(scenario.workload.get<kind::Pipeline>()),
        system_(system),
        out_(out) {}

  void check() {
    if (workload_.stages.empty()) return;
    check_data();
    const auto trains = std::ranges::count(workload_.stages, true, &PipelineStage::trains);
    if (trains > 1)
      out_.refuse(ProblemCode::conflict, "workload.stage", scenario_.workload.where,
                  ": {} stages have trains = true; leave one", trains);
    for (auto& stage : workload_.stages) check_stage(stage);
    follow_data();
  }

 private:
  void check_data() {
    auto& data = scenario_.data;
    if (workload_.input && !workload_.dataset.name.empty())
      out_.refuse("workload.dataset", scenario_.workload.where,
                  " and workload.input exclude each other; leave one out")
          .code = ProblemCode::conflict;
    if (data.at.given()) return check_place(data.at, "data.at");
    data.at = workload_.stages.front().at;
    join_part(data.at, kPlaces, scenario_, system_);
    if (data.at.given()) scenario_.defaults.push_back({"data.at", toml_value(data.at)});
  }

  Names places() const {
    Names names;
    for (const auto& volume : system_.volumes) names.push_back(text_of(volume.id));
    for (const auto& drive : system_.drives) names.push_back(text_of(drive.id));
    for (const auto& [name, store] : scenario_.store) names.push_back(name);
    return names;
  }

  void check_stage(PipelineStage& stage) {
    const auto same = std::ranges::find(workload_.stages, stage.name, &PipelineStage::name);
    if (!stage.name.empty() && &*same != &stage)
      out_.refuse(ProblemCode::conflict, "workload.stage", stage.where,
                  ": two stages are called \"{}\"; rename one", stage.name);
    if (stage.rate && stage.samples_rate)
      out_.refuse("workload.stage", stage.where,
                  ": rate and samples_rate of \"{}\" exclude each other; leave one "
                  "out",
                  stage.name)
          .code = ProblemCode::conflict;
    if (stage.samples_rate && workload_.input)
      out_.refuse(ProblemCode::conflict, "workload.stage", stage.where,
                  ": samples_rate of \"{}\" needs samples, and workload.input has "
                  "none; give rate, or a dataset",
                  stage.name);
    check_place(stage.at, "workload.stage.at");
  }

  void check_place(PartRef& place, std::string_view key) {
    const Names known = places();
    join_part(place, kPlaces, scenario_, system_);
    if (place.given() && !place.part)
      out_.add(unknown_part(place.where, own_path(key), "volume, drive or store", text_of(place.id),
                            known));
  }

  /// From place to place, as they grow and shrink.
  void follow_data() {
    if (!workload_.input && !workload_.dataset) return;
    Bytes size = workload_.input ? *workload_.input
                                 : workload_.dataset->sample_size *
                                       static_cast<double>(dataset_samples(workload_));
    PartRef place = scenario_.data.at;
    for (const auto& stage : workload_.stages) {
      if (stage.copy_rate && stage.at.id == place.id)
        out_.refuse(ProblemCode::idle_key, "workload.stage", stage.where,
                    ": copy_rate of \"{}\" has nothing to limit: its data lie at "
                    "\"{}\" already; leave it out",
                    stage.name, text_of(place.id));
      const Bytes output = size * stage.output;
      if (stage.at.id != place.id || output.value > 0)
        check_writable(scenario_, stage.at, "workload.stage.at", out_);
      check_room(stage, size + output);
      if (output.value > 0) size = output;
      place = stage.at;
    }
  }

  void check_room(const PipelineStage& stage, Bytes needed) {
    const Bytes capacity = capacity_at(scenario_, system_, stage.at);
    if (capacity.value > 0 && needed > capacity)
      out_.refuse(ProblemCode::too_large, "workload.stage.at", stage.at.where,
                  ": \"{}\" reads and writes {}, and \"{}\" holds {}; use more or "
                  "larger drives, or another place",
                  stage.name, text(needed, 3), text_of(stage.at.id), text(capacity, 3));
  }

  Scenario& scenario_;
  kind::Pipeline& workload_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

void check_pipeline(Scenario& scenario, const System& system, Diagnostics& out) {
  PipelineChecker(scenario, system, out).check();
}

}  // namespace gpufeed
