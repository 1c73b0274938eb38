// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "sim/load/checks.h"
#include "sim/load/toml_text.h"
#include "sim/model/compute.h"

namespace gpufeed {
namespace {

class ScenarioChecker {
 public:
  ScenarioChecker(Scenario& scenario, Diagnostics& out)
      : scenario_(scenario), system_(*scenario.system), out_(out) {}

  void check() {
    expand_volumes();
    check_stores();
    check_data();
    check_staging();
    check_loader();
    check_workload();
    check_run();
    scenario_.system.entry = std::make_shared<const System>(std::move(system_));
  }

 private:
  /// The ids that `patterns` match, in the order of `ids`; a pattern without a match is reported.
  std::vector<PartRef> expand(const std::vector<PartRef>& patterns, const Names& ids,
                              const std::string& who, std::string_view kind) {
    std::vector<PartRef> found;
    for (const auto& pattern : patterns) {
      bool any = false;
      for (const auto& id : ids) {
        if (!matches(pattern.id, id)) continue;
        any = true;
        if (!std::ranges::count(found, id, &PartRef::id)) found.push_back({id, pattern.where});
      }
      if (!any)
        out_.error(pattern.where, "{}: no {} is called \"{}\"; {}", who, kind, pattern.id,
                   suggestion(pattern.id, ids));
    }
    return found;
  }

  void expand_volumes() {
    Names drives;
    for (const auto& drive : system_.drives) drives.push_back(drive.id);
    for (auto& volume : system_.volumes)
      volume.drives =
          expand(volume.drives, drives, fmt::format("volume \"{}\"", volume.id), "drive");
  }

  void check_stores() {
    Names nics;
    for (const auto& nic : system_.nics) nics.push_back(nic.id);
    for (auto& [name, store] : scenario_.store) {
      const auto who = fmt::format("store.{}", name);
      if (store.via.empty()) store.via = {{"*", store.where}};
      if (nics.empty())
        out_.error(store.where, "{}: {} has no [[nic]] to reach it through", who,
                   scenario_.system.name);
      else
        store.via = expand(store.via, nics, who + ".via", "nic");
    }
  }

  Names places() const {
    Names names;
    for (const auto& volume : system_.volumes) names.push_back(volume.id);
    for (const auto& [name, store] : scenario_.store) names.push_back(name);
    return names;
  }

  void check_data() {
    auto& at = scenario_.data.at;
    Names known = places();
    if (at.id.empty()) {
      if (known.empty())
        out_.error(scenario_.where,
                   "data.at is missing and {} has no [[volume]]; name a drive, or "
                   "add a [store.NAME]",
                   scenario_.system.name);
      else if (known.size() > 1)
        out_.error(scenario_.where,
                   "data.at is missing and there is more than one place; name one: "
                   "{}",
                   fmt::join(known, ", "));
      else
        at = {known.front(), scenario_.where};
      if (!at.id.empty()) scenario_.defaults.push_back("data.at = " + toml_value(at));
    }
    if (at.id.empty()) return;
    for (const auto& drive : system_.drives) known.push_back(drive.id);
    if (!std::ranges::count(known, at.id)) {
      out_.error(at.where, "data.at: there is no volume, drive or store \"{}\"; {}", at.id,
                 suggestion(at.id, known));
      return;
    }
    check_capacity(at);
  }

  void check_capacity(const PartRef& at) {
    if (!scenario_.workload.dataset) return;
    const auto& dataset = *scenario_.workload.dataset;
    const Bytes needed = dataset.sample_size * static_cast<double>(dataset.samples);
    Bytes capacity{};
    if (const auto store = scenario_.store.find(at.id); store != scenario_.store.end()) {
      if (!store->second.model) return;
      capacity = store->second.model->capacity;
    } else {
      for (const std::size_t i : drives_of(system_, at.id)) {
        if (!system_.drives[i].model) return;
        capacity += system_.drives[i].model->capacity;
      }
    }
    if (capacity.value > 0 && needed > capacity)  // no drives: reported with the volume
      out_.error(at.where,
                 "data.at: the data set {} is {} and \"{}\" holds {}; use more or larger drives, "
                 "or another place",
                 scenario_.workload.dataset.name, text(needed, 3), at.id, text(capacity, 3));
  }

  void check_staging() {
    if (!scenario_.data.staging) return;
    const auto& from = scenario_.data.staging->from;
    Names stores;
    for (const auto& [name, store] : scenario_.store) stores.push_back(name);
    if (!from.id.empty() && !scenario_.store.contains(from.id))
      out_.error(from.where, "data.staging.from: there is no store \"{}\"; {}", from.id,
                 stores.empty() ? "add a [store.NAME]" : suggestion(from.id, stores));
    const auto& at = scenario_.data.at;
    if (scenario_.store.contains(at.id))
      out_.error(at.where,
                 "data.staging copies onto drives, but data.at is the store \"{}\"; name "
                 "a volume, or leave the staging out",
                 at.id);
  }

  void check_loader() {
    const auto& loader = scenario_.loader;
    Names sockets{"local"};
    std::int64_t cores = 0;
    for (const auto& socket : system_.sockets) {
      sockets.push_back(socket.id);
      if (!socket.model) return;
      cores += socket.model->cores;
    }
    if (!std::ranges::count(sockets, loader.placement.id))
      out_.error(loader.placement.where, "loader.placement: there is no socket \"{}\"; {}",
                 loader.placement.id, suggestion(loader.placement.id, sockets));
    if (loader.decode_cores.value_or(0) > cores)
      out_.error(loader.where, "loader.decode_cores is {}, but {} has {} cores",
                 *loader.decode_cores, scenario_.system.name, cores);
  }

  void check_run() {
    const auto& run = scenario_.run;
    if (run.max_steps && !run.extrapolate)
      out_.error(run.where,
                 "run.max_steps stops early and run.extrapolate = false forbids it; leave one out");
  }

  void check_workload() {
    const auto& workload = scenario_.workload;
    if (workload.samples && workload.epochs)
      out_.error(workload.where,
                 "workload.samples and workload.epochs exclude each other; leave one out");
    const auto present = static_cast<std::int64_t>(system_.gpus.size());
    if (workload.gpus.value_or(0) > present) {
      out_.error(workload.where, "workload.gpus is {}, but {} has {} GPUs", *workload.gpus,
                 scenario_.system.name, present);
      return;
    }
    if (workload.model) check_compute_rates();
    if (!workload.dataset) return;
    check_batch_size();
    const std::int64_t batch = workload.gpus.value_or(present) * workload.batch_per_gpu;
    const std::int64_t fewest =
        std::min(workload.dataset->samples, workload.samples.value_or(workload.dataset->samples));
    if (fewest < batch)
      out_.error(workload.where,
                 "one step of all GPUs takes {} samples, but there are only {}; lower "
                 "workload.batch_per_gpu or workload.gpus",
                 batch, fewest);
  }

  /// The engines count bytes exactly up to 1 PiB a flow.
  void check_batch_size() {
    using namespace literals;
    const auto& workload = scenario_.workload;
    const auto samples = static_cast<double>(workload.batch_per_gpu);
    const auto refuse = [&](Bytes batch, std::string_view what) {
      if (batch > 1_PB)
        out_.error(workload.where, "a batch of {} {} is {}; at most 1 PB can be simulated",
                   workload.batch_per_gpu, what, text(batch, 3));
    };
    refuse(workload.dataset->sample_size * samples, "stored samples");
    if (workload.model) refuse(workload.model->input_size * samples, "decoded samples");
  }

  void check_compute_rates() {
    const auto& workload = scenario_.workload;
    std::set<std::string> seen;
    const auto used = static_cast<std::size_t>(
        workload.gpus.value_or(static_cast<std::int64_t>(system_.gpus.size())));
    for (std::size_t i = 0; i < used; ++i) {
      const auto& gpu = system_.gpus[i].model;
      if (!gpu || !seen.insert(gpu.name).second) continue;
      if (!compute_rows(workload, gpu.name).empty()) continue;
      std::set<std::string> known;
      const auto& all = workload.compute.empty() ? workload.model->compute : workload.compute;
      for (const auto& row : all) known.insert(row.gpu.name + " " + row.precision);
      out_.error(workload.model.where,
                 "workload.model: no training rate of {} on {} in {} is known; {}; add a "
                 "[[workload.compute]] table with a measured rate",
                 workload.model.name, gpu.name, workload.precision,
                 known.empty() ? "none is known at all"
                               : fmt::format("known: {}", fmt::join(known, ", ")));
    }
  }

  Scenario& scenario_;
  System system_;
  Diagnostics& out_;
};

}  // namespace

void check_scenario(Scenario& scenario, Diagnostics& out) {
  ScenarioChecker(scenario, out).check();
}

}  // namespace gpufeed
