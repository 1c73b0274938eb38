// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/store_text.h"

#include <fmt/format.h>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

std::string servers_text(const StoreOfServers& store) {
  const std::string all = fmt::format("{} server{}", store.servers, store.servers == 1 ? "" : "s");
  if (store.failed_servers == 0)
    return store.survives == 0 ? all + ", none of which may fail"
                               : fmt::format("{}, of which {} may fail", all, store.survives);
  return fmt::format("{}, {} of them failed, and {}", all, store.failed_servers,
                     store.survives == 0 ? "with one more data are lost"
                                         : fmt::format("{} more may", store.survives));
}

}  // namespace

std::string store_text(const StoreOfServers& store) {
  std::string out =
      fmt::format("{}: {}; redundancy {} leaves {} of {} for data", store.name, servers_text(store),
                  store.redundancy, text(Bytes{store.usable_B}, 3), text(Bytes{store.raw_B}, 3));
  out += fmt::format("; at most {} of reads ({} of its servers), {} reads of 4 KiB a second ({}{})",
                     text(Bandwidth{store.read_Bps}, 3), name_of(store.read_limit),
                     text_number(store.small_reads_per_s, 3), name_of(store.small_read_limit),
                     store.small_read_amplification > 1
                         ? fmt::format("; {} reads of drives for each",
                                       text_number(store.small_read_amplification, 3))
                         : "");
  out += fmt::format(", {} of writes ({}, at {} bytes kept for each)",
                     text(Bandwidth{store.write_Bps}, 3), name_of(store.write_limit),
                     text_number(store.overhead, 3));
  if (store.read_core_s_per_GB)
    out += fmt::format("; its software takes {} core-seconds for each GB read",
                       text_number(*store.read_core_s_per_GB, 3));
  if (store.rebuild_s)
    out += fmt::format("; a full store is whole again after {}", time_text(*store.rebuild_s));
  return out;
}

}  // namespace gpufeed
