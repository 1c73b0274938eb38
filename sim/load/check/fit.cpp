// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/model/transport/store_client.h"

namespace gpufeed {
namespace {

using namespace literals;

Bytes capacity_of(const System& system, const Volume& volume,
                  const std::vector<std::size_t>& drives) {
  Bytes least{};
  for (const std::size_t i : drives) {
    const Bytes one = system.drives[i].model->capacity;
    least = least.value == 0 ? one : std::min(least, one);
  }
  const double count = static_cast<double>(drives.size());
  switch (volume.layout) {
    case Layout::raid1:
      return least;
    case Layout::raid5:
      return least * (count - 1);
    case Layout::raid6:
      return least * (count - 2);
    case Layout::raid10:
      return least * (count / 2);
    case Layout::files:
      break;
    case Layout::raid0:
      return least * count;
  }
  Bytes sum{};
  for (const std::size_t i : drives) sum += system.drives[i].model->capacity;
  return sum;
}

/// Whether things are large, many and strong enough for one another. Each message names the cause
/// and a repair. Parts whose product was not found are passed over: that has been reported.
class FitChecker {
 public:
  FitChecker(const Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario), system_(system), out_(out) {}

  void check() {
    for (std::size_t i = 0; i < scenario_.store.size(); ++i) check_store(i);
    if (scenario_.data.path == ReadPath::gpudirect) check_past_memory();
    if (!scenario_.workload.is<RunsEpochs>() || !scenario_.workload.dataset()) return;
    check_data_set();
    check_checkpoint_fits();
    check_buffers();
    check_gpudirect();
  }

 private:
  void check_store(std::size_t number) {
    const std::string& name = scenario_.store.name(number);
    const Store& store = scenario_.store.at(number);
    if (!store.model) return;
    const Array& array = *store.model;
    const KeyPath place = KeyPath("store") / name;
    if (store.blades && !array.blades)
      out_.refuse(ProblemCode::idle_key, place, store.where,
                  ": blades is given, but {} does not say how many its figures are for; "
                  "leave it out",
                  store.model.name);
    if (store.blades && array.most_blades && *store.blades > *array.most_blades)
      out_.refuse(ProblemCode::too_large, place, store.where,
                  ": {} blades are asked for, and {} takes {} at most", *store.blades,
                  store.model.name, *array.most_blades);
    if (store.stripes && !array.stripe_bandwidth)
      out_.refuse(ProblemCode::idle_key, place, store.where,
                  ": stripes is given, but {} does not say what one of its storage targets "
                  "gives (stripe_bandwidth); leave it out",
                  store.model.name);
    if (store.protocol && *store.protocol && !array.protocols.empty()) {
      const std::string& family = (*store.protocol)->family;
      if (!family.empty() && !std::ranges::count(array.protocols, family))
        out_.refuse(ProblemCode::conflict, place, store.where,
                    ": {} speaks {}, and {} is of the family {}; choose another protocol or "
                    "store",
                    store.model.name, fmt::format("{}", fmt::join(array.protocols, ", ")),
                    store.protocol->name, family);
    }
    if (store.metadata && !(store.protocol && (*store.protocol)->lookup_latency.value > 0))
      out_.refuse(
          ProblemCode::idle_key, place, store.where,
          ": metadata is given, but {} no time to find a file (lookup_latency); leave it out",
          store.protocol ? fmt::format("{} says", store.protocol->name)
                         : "without a protocol there is");
    if (store.protocol && *store.protocol && (*store.protocol)->readahead &&
        !((*store.protocol)->largest_request && (*store.protocol)->connection_bandwidth))
      out_.refuse(ProblemCode::missing_key, place, store.where,
                  ": {} has a readahead, which needs its largest_request and connection_bandwidth",
                  store.protocol->name);
    if (store.protocol && *store.protocol && !reads_files(**store.protocol)) {
      const Protocol& spoken = **store.protocol;
      const std::pair<std::string_view, bool> of_files[] = {
          {"reconnect_latency", spoken.reconnect_latency.value > 0},
          {"jump_loss", spoken.jump_loss.value > 0},
          {"skip", spoken.skip.value > 0},
          {"keeps_parts", spoken.keeps_parts}};
      for (const auto& [key, given] : of_files)
        if (given)
          out_.refuse(ProblemCode::idle_key, place, store.where,
                      ": {} of {} has no effect without lookup_latency, readahead or "
                      "stream_bandwidth, which say how it reads files; leave it out",
                      key, store.protocol->name);
    }
    const auto& usual = scenario_.clients.at(number).of_product;
    if (store.connections && !store.protocol)
      out_.refuse(ProblemCode::idle_key, place, store.where,
                  ": connections is given, but no protocol to say what one carries; add {}",
                  usual.empty() ? "one" : "one, such as protocol = " + toml_string(usual));
  }

  Bytes data_size() const {
    const auto& workload = scenario_.workload;
    return workload.dataset()->sample_size * static_cast<double>(dataset_samples(workload));
  }

  /// Of the data set, what lies on data.at.
  Bytes data_beside() const {
    const auto& staging = scenario_.data.staging;
    if (!staging || staging->mode != StagingMode::read_through) return data_size();
    return std::min(data_size(), staging->capacity.value_or(data_size()));
  }

  void check_data_set() {
    const auto& staging = scenario_.data.staging;
    const bool cache = staging && staging->mode == StagingMode::read_through;
    const PartRef& at = cache ? staging->from : scenario_.data.at;
    const auto& workload = scenario_.workload;
    const Bytes needed = data_size();
    const Bytes capacity = capacity_at(scenario_, system_, at);
    if (capacity.value > 0 && needed > capacity)  // no drives: reported with the volume
      out_.refuse(ProblemCode::too_large, cache ? "data.staging.from" : "data.at", at.where,
                  ": the data set {} is {} and \"{}\" holds {}; use more or larger drives, "
                  "or another place",
                  workload.dataset().name, text(needed, 3), text_of(at.id), text(capacity, 3));
  }

  void check_checkpoint_fits() {
    const auto& checkpoint = scenario_.checkpoint;
    if (!checkpoint || !checkpoint->size) return;
    const Bytes size = *checkpoint->size * static_cast<double>(scenario_.loader.jobs);
    const bool beside_data = checkpoint->at.part == scenario_.data.at.part;
    const Bytes data = beside_data ? data_beside() : Bytes{};
    const Bytes capacity = capacity_at(scenario_, system_, checkpoint->at);
    if (capacity.value > 0 && data <= capacity && size + data > capacity)
      out_.refuse(
          ProblemCode::too_large, "checkpoint", checkpoint->where,
          ": one is {}, and \"{}\" holds {}{}; use another place", text(size, 3),
          text_of(checkpoint->at.id), text(capacity, 3),
          beside_data ? fmt::format(", of which the data set takes {}", text(data, 3)) : "");
  }

  void check_buffers() {
    const auto& loader = scenario_.loader;
    const auto& workload = scenario_.workload;
    Bytes memory{};
    for (const auto& socket : system_.sockets) memory += socket.memory;
    if (memory <= system_.reserved_memory) return;  // reported with the machine
    memory -= system_.reserved_memory;
    const std::int64_t gpus = gpus_per_node(workload, system_);
    const auto batches = static_cast<double>(loader_batches(loader, gpus));
    const Bytes held = held_by_loaders(workload, loader, gpus);
    if (held > memory)
      out_.error(ProblemCode::too_large, loader.where.line > 0 ? loader.where : workload.where,
                 "the loaders may hold {} batches, {} of stored and decoded samples, and {} has {} "
                 "of memory for them; lower loader.workers_per_gpu, loader.prefetch_batches or "
                 "workload.batch_per_gpu",
                 text_number(batches, 15), text(held, 3), scenario_.system.name, text(memory, 3));
    if (loader.cache_memory && *loader.cache_memory > memory)
      out_.refuse(ProblemCode::too_large, "loader.cache_memory", loader.where,
                  " is {}, and {} has {} of memory for it; lower it", text(*loader.cache_memory, 3),
                  scenario_.system.name, text(memory, 3));
  }

  void check_gpudirect() {
    const auto& data = scenario_.data;
    if (data.path != ReadPath::gpudirect || !scenario_.workload.is<kind::Training>()) return;
    if (scenario_.loader.decode == DecodeOn::cpu)
      out_.refuse(
          ProblemCode::conflict, "data.path", data.at.where,
          " = \"gpudirect\" reads into GPUs, where no core can decode; set "
          "loader.decode = \"gpu\", or \"none\" where samples are stored ready for training");
  }

  void check_past_memory() {
    const auto& data = scenario_.data;
    if (data.mode.given && data.mode == ReadMode::buffered)
      out_.refuse(ProblemCode::conflict, "data.path", data.at.where,
                  " = \"gpudirect\" goes around the page cache; set data.mode = "
                  "\"direct\", or leave it out");
    if (const auto* transfers = scenario_.workload.find<kind::Transfers>()) {
      for (const auto& copy : transfers->copies)
        for (const PartRef* end : {&copy.from, &copy.to})
          if ((end == &copy.from ? copy.to : copy.from).is(PartKind::gpu)) check_network(*end);
    } else {
      check_network(data.at);
    }
  }

  void check_network(const PartRef& place) {
    const Store* store = find_store(scenario_, place);
    if (!store) return;
    const auto& protocol = store->protocol;
    if (protocol && *protocol && !(*protocol)->rdma)
      out_.refuse(ProblemCode::conflict, "data.path", place.where,
                  " = \"gpudirect\" needs RDMA to the store \"{}\", and {} goes through "
                  "host memory; use nfs-rdma, nvme-rdma, lustre or weka, whichever it speaks, or "
                  "data.path = \"host\"",
                  text_of(place.id), protocol->name);
  }

  const Scenario& scenario_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

Bytes capacity_at(const Scenario& scenario, const System& system, const PartRef& place) {
  if (const Store* store = find_store(scenario, place))
    return store->model ? store->model->capacity : Bytes{};
  const auto drives = drives_of(system, place);
  if (drives.empty()) return {};
  for (const std::size_t i : drives)
    if (!system.drives[i].model) return {};
  if (const Volume* volume = find_volume(system, place))
    return capacity_of(system, *volume, drives);
  return system.drives[drives.front()].model->capacity;
}

void check_fit(const Scenario& scenario, const System& system, Diagnostics& out) {
  FitChecker(scenario, system, out).check();
}

}  // namespace gpufeed
