// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/base/labels/label_text.h"
#include "sim/base/pattern.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/join_parts.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/read/usual_clients.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Of ext4, XFS and the like, whose directories are read once for many files. An estimate: files
/// whose inodes lie in one block share its read while it stays in memory.
constexpr std::int64_t kInode = 1;

/// One of a few places has to be named.
void add_choices(Problem& missing, const Names& known) {
  missing.code = ProblemCode::missing_key;
  missing.known = known;
  for (const auto& name : known)
    missing.fixes.push_back({Fix::Kind::set, missing.subject, toml_string(name)});
}

class ScenarioChecker {
 public:
  ScenarioChecker(Scenario& scenario, Diagnostics& out)
      : scenario_(scenario), system_(*scenario.system), out_(out) {}

  void check() {
    join_system(system_);
    expand_volumes();
    check_stores();
    check_workload(scenario_, system_, out_);
    const Workload& workload = scenario_.workload;
    // Where a pipeline's data lie follows from its stages.
    if (!workload.is<kind::Transfers>() && !workload.is<kind::Pipeline>()) check_data();
    choose_clients(scenario_, system_);
    check_opening();
    check_huge_pages();
    check_format(scenario_, out_);
    if (const auto* own = workload.find<kind::Io>();
        own && own->io && own->io->read_share.value < 1)
      check_writable(scenario_, scenario_.data.at, "data.at", out_);
    if (workload.is<kind::Checkpointing>()) check_saved();
    check_checkpoint(scenario_, system_, out_);
    check_failures(scenario_, system_, out_);
    if (workload.is<RunsEpochs>()) check_staging();
    if (workload.is<FeedsGpus>()) check_loader();
    check_buildable(scenario_.system.name, system_, out_);
    check_fit(scenario_, system_, out_);
    check_run();
    check_cost();
    scenario_.system.entry = std::make_shared<const System>(std::move(system_));
  }

 private:
  /// The ids that `patterns` match, in the order of `ids`; a pattern without a match is reported.
  std::vector<PartRef> expand(const std::vector<PartRef>& patterns, const Names& ids,
                              const std::string& who, PartKind kind) {
    std::vector<PartRef> found;
    for (const auto& pattern : patterns) {
      bool any = false;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!matches(text_of(pattern.id), ids[i])) continue;
        any = true;
        const PartId part{kind, i};
        if (!std::ranges::count(found, part, &PartRef::part))
          found.push_back({Label(ids[i]), pattern.where, part});
      }
      if (!any)
        out_.error(ProblemCode::unknown_part, pattern.where, "{}: no {} is called \"{}\"; {}", who,
                   name_of(kind), text_of(pattern.id), suggestion_for(text_of(pattern.id), ids));
    }
    return found;
  }

  void expand_volumes() {
    Names drives;
    for (const auto& drive : system_.drives) drives.push_back(text_of(drive.id));
    for (auto& volume : system_.volumes)
      volume.drives = expand(volume.drives, drives,
                             fmt::format("volume \"{}\"", text_of(volume.id)), PartKind::drive);
    Names gpus;
    for (const auto& gpu : system_.gpus) gpus.push_back(text_of(gpu.id));
    for (auto& part : system_.nvswitches)
      part.gpus =
          expand(part.gpus, gpus, fmt::format("nvswitch \"{}\"", text_of(part.id)), PartKind::gpu);
  }

  void check_stores() {
    Names nics;
    for (const auto& nic : system_.nics) nics.push_back(text_of(nic.id));
    for (auto& [name, store] : scenario_.store) {
      const auto who = fmt::format("store.{}", name);
      if (store.via.empty()) store.via = {{Label("*"), store.where}};
      if (nics.empty())
        out_.error(ProblemCode::missing_key, store.where,
                   "{}: {} has no [[nic]] to reach it through", who, scenario_.system.name);
      else
        store.via = expand(store.via, nics, who + ".via", PartKind::nic);
    }
  }

  Names places() const {
    Names names;
    for (const auto& volume : system_.volumes) names.push_back(text_of(volume.id));
    for (const auto& [name, store] : scenario_.store) names.push_back(name);
    return names;
  }

  void check_data() {
    if (scenario_.workload.is<kind::Collective>() || scenario_.workload.is<kind::Matmul>())
      return;  // they read nothing
    auto& at = scenario_.data.at;
    Names known = places();
    if (!at.given()) {
      if (known.empty())
        out_.refuse(ProblemCode::missing_key, "data.at", scenario_.where,
                    " is missing and {} has no [[volume]]; name a drive, or "
                    "add a [store.NAME]",
                    scenario_.system.name);
      else if (known.size() > 1)
        add_choices(out_.refuse(ProblemCode::missing_key, "data.at", scenario_.where,
                                " is missing and there is more than one place; name one: {}",
                                fmt::join(known, ", ")),
                    known);
      else
        at = {Label(known.front()), scenario_.where};
      if (at.given()) scenario_.defaults.push_back({"data.at", toml_value(at)});
    }
    if (!at.given()) return;
    for (const auto& drive : system_.drives) known.push_back(text_of(drive.id));
    join_part(at, kPlaces, scenario_, system_);
    if (!at.part)
      out_.add(unknown_part(at.where, "data.at", "volume, drive or store", text_of(at.id), known));
  }

  /// Where all hosts can save.
  void check_saved() {
    const auto& at = scenario_.data.at;
    if (at.is(PartKind::volume) || at.is(PartKind::drive))
      out_.refuse(ProblemCode::conflict, "data.at", at.where,
                  ": checkpointing saves onto a store that all hosts share, and \"{}\" is "
                  "none; add a [store.NAME]",
                  text_of(at.id));
    else
      check_writable(scenario_, at, "data.at", out_);
  }

  void check_staging() {
    if (!scenario_.data.staging) return;
    auto& from = scenario_.data.staging->from;
    join_part(from, {PartKind::store}, scenario_, system_);
    Names stores;
    for (const auto& [name, store] : scenario_.store) stores.push_back(name);
    const std::string& own = text_of(from.id);
    const auto is_own = [&](const auto& device) { return text_of(device.id) == own; };
    if (from.given() && !from.part && !stores.empty() &&
        (std::ranges::any_of(system_.volumes, is_own) ||
         std::ranges::any_of(system_.drives, is_own)))
      out_.refuse(ProblemCode::conflict, "data.staging.from", from.where,
                  ": \"{}\" is of the machine itself, and a copy of its data is of a store; name "
                  "one: {}",
                  own, fmt::join(stores, ", "));
    else if (from.given() && !from.part)
      out_.refuse("data.staging.from", from.where, ": there is no store \"{}\"; {}",
                  text_of(from.id),
                  stores.empty() ? "add a [store.NAME]" : suggestion(text_of(from.id), stores))
          .code = ProblemCode::unknown_part;
    const auto& at = scenario_.data.at;
    if (at.is(PartKind::store))
      out_.refuse(ProblemCode::conflict, "data.staging", at.where,
                  " copies onto drives, but data.at is the store \"{}\"; name "
                  "a volume, or leave the staging out",
                  text_of(at.id));
    check_read_through(scenario_, system_, out_);
    const bool meanwhile = scenario_.data.staging->mode == StagingMode::first_epoch;
    if (meanwhile && scenario_.data.path != ReadPath::host)
      out_.refuse(ProblemCode::conflict, "data.staging", from.where,
                  ": what the first epoch reads is written to the drives from host "
                  "memory; set data.path = \"host\", or mode = \"before\"");
  }

  void check_loader() {
    auto& loader = scenario_.loader;
    Names sockets{Loader::kLocal};
    std::int64_t cores = 0;
    for (const auto& socket : system_.sockets) {
      sockets.push_back(text_of(socket.id));
      if (!socket.model) return;
      cores += socket.model->cores;
    }
    auto& placement = loader.placement;
    if (text_of(placement.id) != Loader::kLocal)
      join_part(placement, {PartKind::socket}, scenario_, system_);
    if (text_of(placement.id) != Loader::kLocal && !placement.part)
      out_.add(unknown_part(placement.where, "loader.placement", "socket", text_of(placement.id),
                            sockets));
    if (loader.decode_cores.value_or(0) > cores)
      out_.refuse(ProblemCode::too_large, "loader.decode_cores", loader.where,
                  " is {}, but {} has {} cores", *loader.decode_cores, scenario_.system.name,
                  cores);
    if (loader.readers && loader.style != LoaderStyle::tensorflow)
      out_.refuse(ProblemCode::idle_key, "loader.readers", loader.where,
                  " is for style = \"tensorflow\"; each worker of pytorch reads for "
                  "itself");
    check_copies();
    check_workers();
    check_processes();
  }

  /// What opening a file costs: on a store, what its protocol says.
  void check_opening() {
    auto& requests = scenario_.data.open_requests;
    const auto& at = scenario_.data.at;
    const Store* store = find_store(scenario_, at);
    const bool opens = scenario_.workload.is<RunsEpochs>();
    const bool spoken = store && store->protocol;
    if (requests.given && !opens)
      out_.refuse(ProblemCode::idle_key, "data.open_requests", at.where,
                  " is for jobs that read the files of a data set; leave it out "
                  "where workload.kind is \"{}\"",
                  name_of(scenario_.workload.kind()));
    else if (requests.given && requests > 0 && spoken)  // a told scenario says 0
      out_.refuse(ProblemCode::idle_key, "data.open_requests", at.where,
                  " is for drives and volumes; what opening a file of the store "
                  "\"{}\" costs, its protocol says: leave it out",
                  text_of(at.id));
    const bool calibrated = std::erase_if(scenario_.calibrated, [&](const CalibratedValue& one) {
                              return (!opens || spoken) && one.key == "data.open_time";
                            }) > 0;
    if (calibrated) scenario_.data.open_time = {};  // of drives, and these are elsewhere
    if (scenario_.data.open_time.value > 0 && (!opens || spoken))
      out_.refuse(ProblemCode::idle_key, "data.open_time", at.where,
                  " is for jobs that read the files of a data set from drives and "
                  "volumes; leave it out");
    if (requests.given || !opens || spoken) return;
    requests.value = kInode;
    scenario_.defaults.push_back({"data.open_requests", toml_value(kInode)});
  }

  /// Where the memory of direct reads lies: a fact of the readers, whatever drives they read.
  void check_huge_pages() {
    auto& huge = scenario_.data.huge_pages;
    const auto& at = scenario_.data.at;
    const bool direct = scenario_.data.mode == ReadMode::direct &&
                        scenario_.data.path == ReadPath::host && !at.is(PartKind::store);
    const auto* const reads = scenario_.workload.find<ReadsDataset>();
    if (!direct || !reads) {
      if (huge.given && huge.value)
        out_.refuse(ProblemCode::idle_key, "data.huge_pages", at.where,
                    " is for reads of a data set around the page cache (data.mode = "
                    "\"direct\") from drives and volumes into host memory; leave it out");
      return;
    }
    if (huge.given || !reads->dataset) return;
    huge.value = asks_for_huge_pages(scenario_.data, reads->dataset->sample_size);
    scenario_.defaults.push_back({"data.huge_pages", toml_value(huge.value)});
  }

  void check_copies() {
    const auto& loader = scenario_.loader;
    if (!loader.copy.given) return;
    if (scenario_.data.path == ReadPath::gpudirect)
      out_.refuse(ProblemCode::idle_key, "loader.copy", loader.where,
                  " has no effect where data.path is \"gpudirect\": nothing is copied; "
                  "leave it out");
    else if (loader.copy == BatchCopy::overlapped && !loader.pinned_memory)
      out_.refuse(ProblemCode::conflict, "loader.copy", loader.where,
                  ": memory that is not pinned is copied while the GPU waits; set "
                  "loader.pinned_memory = true, or copy = \"in-order\"");
  }

  void check_workers() {
    const auto& loader = scenario_.loader;
    const auto refuse = [&](std::string_view key, std::string_view why) {
      out_.error(ProblemCode::idle_key, loader.where, "loader.{} {}; leave it out", key, why);
    };
    const bool pytorch = loader.style == LoaderStyle::pytorch;
    const bool none = loader.workers_per_gpu == 0;
    if (none && !pytorch)
      out_.refuse(ProblemCode::out_of_range, "loader.workers_per_gpu", loader.where,
                  " is 0, and a loader in the style of tensorflow decodes in "
                  "threads; set it to 1 at least");
    const auto refuse_taking_over = [&](std::string_view why) {
      if (takes("take_over_time", scenario_.loader.take_over_time)) refuse("take_over_time", why);
      if (takes("take_over_wait", scenario_.loader.take_over_wait)) refuse("take_over_wait", why);
      if (takes("pin_time", scenario_.loader.pin_time)) refuse("pin_time", why);
      if (takes("take_over_busy_wait", scenario_.loader.take_over_busy_wait))
        refuse("take_over_busy_wait", why);
    };
    if (!pytorch) {
      constexpr std::string_view kPytorch = "is for style = \"pytorch\"";
      if (loader.worker_start.given) refuse("worker_start", kPytorch);
      if (loader.persistent_workers) refuse("persistent_workers", kPytorch);
      refuse_taking_over(kPytorch);
    } else if (none) {
      constexpr std::string_view kNone = "has no effect without workers (workers_per_gpu is 0)";
      if (loader.prefetch_batches.given) refuse("prefetch_batches", kNone);
      if (loader.worker_start.given) refuse("worker_start", kNone);
      if (loader.persistent_workers) refuse("persistent_workers", kNone);
      refuse_taking_over(kNone);
    } else if (loader.persistent_workers && loader.worker_start.given) {
      refuse("worker_start", "has no effect where persistent_workers is true");
    }
  }

  /// Whether the user asks for a time that this loader does not take. One that was calibrated of
  /// the machine is for others, and is not counted as used.
  bool takes(std::string_view key, Seconds& time) {
    const bool calibrated = std::erase_if(scenario_.calibrated, [&](const CalibratedValue& one) {
                              return one.key == fmt::format("loader.{}", key);
                            }) > 0;
    if (calibrated) time = {};
    return time.value > 0;
  }

  void check_processes() {
    const auto& loader = scenario_.loader;
    const auto refuse_idle = [&](bool given, const char* key, std::string_view why) {
      if (!given) return;
      const KeyPath path(key);
      Problem& idle =
          out_.refuse(ProblemCode::idle_key, path, loader.where, " has no effect {}", why);
      idle.fixes.push_back({Fix::Kind::remove, path});
    };
    const bool pins = loader.pin_time.value > 0 || loader.pin_bandwidth;
    refuse_idle(loader.tensors_per_batch > 1 && loader.take_over_time.value == 0 &&
                    loader.pin_time.value == 0,
                "loader.tensors_per_batch",
                "without loader.take_over_time or loader.pin_time, what each of them takes");
    if (!loader.pinned_memory && pins)
      refuse_idle(true, loader.pin_time.value > 0 ? "loader.pin_time" : "loader.pin_bandwidth",
                  "where loader.pinned_memory is false");
    if (loader.processes && !loader.process_bandwidth && loader.take_over_time.value == 0)
      out_.refuse(ProblemCode::idle_key, "loader.processes", loader.where,
                  " has no effect without loader.process_bandwidth or "
                  "loader.take_over_time, what each of them takes over");
    const std::int64_t gpus = gpus_per_node(scenario_.workload, system_);
    if (loader.processes.value_or(1) > gpus)
      out_.refuse(ProblemCode::too_large, "loader.processes", loader.where,
                  " is {}, but {} GPU{} there", *loader.processes, gpus,
                  gpus == 1 ? " is" : "s are");
  }

  void check_run() {
    const auto& run = scenario_.run;
    if (run.max_steps && !run.extrapolate)
      out_.refuse(ProblemCode::conflict, "run.max_steps", run.where,
                  " stops early and run.extrapolate = false forbids it; leave one out");
  }

  void check_cost() {
    const double pue = scenario_.cost.power_usage_effectiveness;
    if (!(pue >= 1 && pue <= 10))
      out_.refuse(ProblemCode::out_of_range, "cost.power_usage_effectiveness", scenario_.cost.where,
                  " must be from 1 to 10; found {}", pue);
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
