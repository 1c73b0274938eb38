// SPDX-License-Identifier: Apache-2.0
#include "sim/model/storage/array_of_servers.h"

#include <fmt/format.h>

namespace gpufeed {
namespace {

const StorageSoftware* software_of(const Store& store) {
  return store.software ? store.software->entry.get() : nullptr;
}

Redundancy redundancy_of(const Store& store) {
  if (store.redundancy) return *store.redundancy;
  return software_of(store)->redundancy.value();
}

std::string title_of(const Store& store, const Redundancy& redundancy) {
  const StorageSoftware* const software = software_of(store);
  const std::int64_t failed = store.failed_servers.value_or(0);
  return fmt::format("{} servers ({}){}, redundancy {}{}", *store.servers, (*store.server)->title,
                     software ? " with " + software->title : "", text(redundancy),
                     failed > 0 ? fmt::format(", {} of them failed", failed) : "");
}

StoreOfServers told(const ServerLaw& law, const Store& store, const std::string& name) {
  const StorageSoftware* const software = software_of(store);
  const ServerBound read = most_read(law);
  const ServerBound small = most_small_reads(law);
  const ServerBound written = most_written(law);
  StoreOfServers out;
  out.name = name;
  out.software = software ? software->title : "";
  out.servers = *store.servers;
  out.failed_servers = store.failed_servers.value_or(0);
  out.redundancy = text(law.redundancy);
  out.survives = law.redundancy.spare - out.failed_servers;
  out.raw_B = law.one.capacity.value * law.servers;
  out.usable_B = usable_capacity(law).value;
  out.overhead = write_amplification(law);
  out.read_Bps = read.most;
  out.read_limit = read.part;
  out.small_reads_per_s = small.most;
  out.small_read_limit = small.part;
  out.small_read_amplification = small_read_amplification(law);
  out.write_Bps = written.most;
  out.write_limit = written.part;
  out.front_end_Bps = law.one.sends.value * law.alive();
  if (const auto time = core_time_of_read(law)) out.read_core_s_per_GB = *time * 1e9;
  if (const auto time = rebuild_time(law)) out.rebuild_s = time->value;
  return out;
}

}  // namespace

ServerLaw law_of(const Store& store) {
  ServerLaw law;
  law.one = parts_of_server(**store.server);
  law.servers = static_cast<double>(*store.servers);
  law.failed = static_cast<double>(store.failed_servers.value_or(0));
  law.redundancy = redundancy_of(store);
  law.encrypted = store.encrypted.value_or(false);
  law.compression = store.compression.value_or(Ratio{1.0}).value;
  law.rebuilding = store.rebuilding.value_or(Ratio{0.0}).value;
  if (const StorageSoftware* const software = software_of(store)) {
    law.chunks_by = software->chunks_by;
    law.whole_stripes = software->whole_stripes;
    law.core_reads = software->core_read_bandwidth;
    law.core_writes = software->core_write_bandwidth;
    law.drive_read_rate = software->drive_read_rate;
    law.fill = software->fill.value;
  }
  return law;
}

void make_array(Store& store, const std::string& name) {
  const ServerLaw law = law_of(store);
  const StorageSoftware* const software = software_of(store);
  const StoreOfServers figures = told(law, store, name);
  Array array;
  array.name = fmt::format("{} x {}", *store.servers, store.server->name);
  array.title = title_of(store, law.redundancy);
  array.provenance = {"law of stores of servers (sim/model/storage), of the entries of their parts",
                      Basis::estimate};
  array.capacity = Bytes{figures.usable_B};
  array.read_bandwidth = Bandwidth{figures.read_Bps};
  array.read_rate = Rate{figures.small_reads_per_s};
  array.write_bandwidth = Bandwidth{figures.write_Bps};
  array.front_end_bandwidth = Bandwidth{figures.front_end_Bps};
  array.read_latency =
      small_read_latency(law, software ? software->latency.value_or(Seconds{}) : Seconds{});
  if (software) array.protocols = software->protocols, array.client = software->client;
  store.model = {array.name, store.where, std::make_shared<const Array>(std::move(array))};
  store.of_servers = figures;
}

}  // namespace gpufeed
