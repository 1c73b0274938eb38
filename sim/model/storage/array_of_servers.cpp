// SPDX-License-Identifier: Apache-2.0
#include "sim/model/storage/array_of_servers.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpufeed {
namespace {

const StorageSoftware* software_of(const ServersOfStore& store) {
  return store.software ? store.software->entry.get() : nullptr;
}

std::string title_of(const ServersOfStore& store, const Redundancy& redundancy) {
  const StorageSoftware* const software = software_of(store);
  const std::int64_t failed = store.failed_servers.value_or(0);
  return fmt::format("{} servers ({}){}, redundancy {}{}", *store.servers, (*store.server)->title,
                     software ? " with " + software->title : "", text(redundancy),
                     failed > 0 ? fmt::format(", {} of them failed", failed) : "");
}

/// Chunks of a stripe that must be left for it to be read, and written.
struct Served {
  std::int64_t reads = 1, writes = 1;
};
Served served(const ServersOfStore& store, const Redundancy& kept) {
  const StorageSoftware* const software = software_of(store);
  const LeastChunks usual = software ? software->min_size : LeastChunks::data;
  const LeastChunks writing = software ? software->write_quorum.value_or(usual) : usual;
  const std::int64_t reads = store.min_size.value_or(least_chunks(usual, kept));
  return {reads, store.min_size && writing == usual ? reads
                                                    : std::max(reads, least_chunks(writing, kept))};
}

StoreOfServers told(const ServerLaw& law, const ServersOfStore& store, const std::string& name) {
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
  out.chunks_per_server = static_cast<std::int64_t>(law.chunks_per_server);
  out.may_fail = may_fail(law, law.min_size) - out.failed_servers;
  out.may_fail_for_writes = may_fail(law, law.write_quorum) - out.failed_servers;
  out.survives = may_fail(law, law.redundancy.data) - out.failed_servers;
  out.raw_B = law.one.capacity.value * law.servers;
  out.usable_B = usable_capacity(law).value;
  out.overhead = write_amplification(law);
  out.read_Bps = read.most;
  out.read_limit = read.part;
  out.small_reads_per_s = small.most;
  out.small_read_limit = small.part;
  out.small_read_amplification = small_read_amplification(law);
  out.write_Bps = out.may_fail_for_writes < 0 ? 0 : written.most;
  out.write_limit = written.part;
  out.front_end_Bps = law.one.sends.value * law.alive();
  if (const auto time = core_time_of_read(law)) out.read_core_s_per_GB = *time * 1e9;
  if (const auto time = rebuild_time(law)) out.rebuild_s = time->value;
  return out;
}

}  // namespace

ServerLaw law_of(const ServersOfStore& store) {
  ServerLaw law;
  law.one = parts_of_server(**store.server);
  law.servers = static_cast<double>(*store.servers);
  law.failed = static_cast<double>(store.failed_servers.value_or(0));
  law.redundancy = *redundancy_of(store);
  const Served least = served(store, law.redundancy);
  law.min_size = least.reads;
  law.write_quorum = least.writes;
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
    if (software->set_drives)
      law.chunks_per_server =
          std::max(1.0, static_cast<double>(law.redundancy.width()) / law.servers);
  }
  return law;
}

std::vector<std::int64_t> set_sizes(std::int64_t most, std::int64_t servers, std::int64_t drives) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 2; size <= most; ++size)
    if (servers * drives % size == 0 && (size <= servers || size % servers == 0))
      sizes.push_back(size);
  return sizes;
}

std::optional<Redundancy> redundancy_of(const ServersOfStore& store) {
  const StorageSoftware* const software = software_of(store);
  if (store.redundancy || !software) return store.redundancy;
  if (!software->redundancy || !software->set_drives) return software->redundancy;
  const std::int64_t servers = *store.servers;
  auto sizes = set_sizes(*software->set_drives, servers, std::ssize((*store.server)->drives));
  std::erase_if(sizes, [&](auto size) { return size < servers && servers % size != 0; });
  if (sizes.empty()) return {};
  const std::int64_t spare = std::min(software->redundancy->spare, sizes.back() / 2);
  return Redundancy{sizes.back() - spare, spare};
}

Ref<Array> make_array(ServersOfStore& store, const Location& where, const std::string& name) {
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
  if (figures.write_Bps > 0) array.write_bandwidth = Bandwidth{figures.write_Bps};
  array.front_end_bandwidth = Bandwidth{figures.front_end_Bps};
  array.read_latency =
      small_read_latency(law, software ? software->latency.value_or(Seconds{}) : Seconds{});
  if (software) array.protocols = software->protocols, array.client = software->client;
  store.of_servers = figures;
  return {array.name, where, std::make_shared<const Array>(std::move(array))};
}

}  // namespace gpufeed
