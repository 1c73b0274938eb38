// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/store_text.h"

#include <fmt/format.h>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

std::string all_servers(const StoreOfServers& store) {
  return fmt::format("{} server{}", store.servers, store.servers == 1 ? "" : "s");
}

/// What comes before, or after, more fail than may while all is read.
std::string beside_that(const StoreOfServers& store) {
  std::string out;
  if (store.may_fail_for_writes < store.may_fail && store.may_fail_for_writes >= 0)
    out += fmt::format(" ({} while it takes writes)", store.may_fail_for_writes);
  if (store.survives > store.may_fail)
    out += fmt::format(" ({} before data are lost)", store.survives);
  return out;
}

std::string servers_text(const StoreOfServers& store) {
  const bool none = store.may_fail == 0;
  if (store.failed_servers == 0)
    return all_servers(store) +
           (none ? ", none of which" : fmt::format(", of which {}", store.may_fail)) + " may fail" +
           beside_that(store);
  const std::string more = !none ? fmt::format("{} more may{}", store.may_fail, beside_that(store))
                           : store.survives > 0 ? "with one more it pauses"
                                                : "with one more data are lost";
  return fmt::format("{}, {} of them failed, and {}", all_servers(store), store.failed_servers,
                     more);
}

std::string redundancy_text(const StoreOfServers& store) {
  if (store.chunks_per_server == 1) return store.redundancy;
  return fmt::format("{}, {} chunks on each server,", store.redundancy, store.chunks_per_server);
}

std::string writes_text(const StoreOfServers& store) {
  if (store.write_Bps == 0) return "no writes (too few chunks of a stripe are left)";
  return fmt::format("{} of writes ({}, each byte kept {})", text(Bandwidth{store.write_Bps}, 3),
                     name_of(store.write_limit),
                     store.overhead == 1 ? "once" : text_number(store.overhead, 3) + " times");
}

}  // namespace

std::string store_text(const StoreOfServers& store) {
  std::string out = fmt::format("{}: {}; redundancy {} leaves {} of {} for data", store.name,
                                servers_text(store), redundancy_text(store),
                                text(Bytes{store.usable_B}, 3), text(Bytes{store.raw_B}, 3));
  out += fmt::format("; at most {} of reads ({} of its servers), {} reads of 4 KiB a second ({}{})",
                     text(Bandwidth{store.read_Bps}, 3), name_of(store.read_limit),
                     text_number(store.small_reads_per_s, 3), name_of(store.small_read_limit),
                     store.small_read_amplification > 1
                         ? fmt::format("; {} reads of drives for each",
                                       text_number(store.small_read_amplification, 3))
                         : "");
  out += ", " + writes_text(store);
  if (store.read_core_s_per_GB)
    out += fmt::format("; its software takes {} core-seconds for each GB read",
                       text_number(*store.read_core_s_per_GB, 3));
  if (store.rebuild_s)
    out += fmt::format("; a full store is whole again after {}", time_text(*store.rebuild_s));
  return out;
}

}  // namespace gpufeed
