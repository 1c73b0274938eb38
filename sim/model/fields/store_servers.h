// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/model/fields/storage_software.h"

namespace gpufeed {

struct System;  // of model/catalog, which is above

/// What of a store's servers holds it back.
enum class ServerPart { drives, drive_slots, cards, card_slots, memory, cores, software };
template <>
struct EnumNames<ServerPart> {
  static constexpr auto names =
      words_of<ServerPart>({{ServerPart::drives, "drives"},
                            {ServerPart::drive_slots, "PCIe slots of drives"},
                            {ServerPart::cards, "network cards"},
                            {ServerPart::card_slots, "PCIe slots of network cards"},
                            {ServerPart::memory, "host memory"},
                            {ServerPart::cores, "cores"},
                            {ServerPart::software, "software at each drive"}});
};

/// What a store of servers is and gives (sim/model/storage/README.md).
struct StoreOfServers {
  std::string name;
  std::string software;
  std::int64_t servers = 0;
  std::int64_t failed_servers = 0;
  std::string redundancy;
  std::int64_t chunks_per_server = 1;
  std::int64_t may_fail = 0;
  std::int64_t may_fail_for_writes = 0;
  std::int64_t survives = 0;
  double raw_B = 0;
  double usable_B = 0;
  double overhead = 1;
  double read_Bps = 0;
  ServerPart read_limit{};
  double small_reads_per_s = 0;
  ServerPart small_read_limit{};
  double small_read_amplification = 1;
  double write_Bps = 0;
  ServerPart write_limit{};
  double front_end_Bps = 0;
  std::optional<double> read_core_s_per_GB;
  std::optional<double> rebuild_s;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using S = StoreOfServers;
    visit(key("name", &S::name, "of the store"));
    visit(key("software", &S::software, "that makes one store of them; empty: not said"));
    visit(key("servers", &S::servers, "how many it has, failed ones included"));
    visit(key("failed_servers", &S::failed_servers, "of these"));
    visit(key("redundancy", &S::redundancy, "\"8+2\", \"replica 3\" or \"none\""));
    visit(
        key("chunks_per_server", &S::chunks_per_server, "chunks of one stripe that a server has"));
    visit(key("may_fail", &S::may_fail, "how many more may fail while all data are read"));
    visit(key("may_fail_for_writes", &S::may_fail_for_writes,
              "the same of writes; below 0: none are taken"));
    visit(key("survives", &S::survives, "how many more may fail before data are lost"));
    visit(key("raw_B", &S::raw_B, "on all its drives"));
    visit(key("usable_B", &S::usable_B, "left for data by redundancy, software and compression"));
    visit(key("overhead", &S::overhead, "bytes kept for each byte saved, before compression"));
    visit(key("read_Bps", &S::read_Bps, "most that all clients read"));
    visit(key("read_limit", &S::read_limit, "what of its servers sets that"));
    visit(key("small_reads_per_s", &S::small_reads_per_s, "most reads of 4 KiB"));
    visit(key("small_read_limit", &S::small_read_limit, "what sets that"));
    visit(key("small_read_amplification", &S::small_read_amplification,
              "reads of drives for each, in the mean"));
    visit(key("write_Bps", &S::write_Bps, "most that all clients write; 0: none are taken"));
    visit(key("write_limit", &S::write_limit, "what sets that"));
    visit(key("front_end_Bps", &S::front_end_Bps, "what the cards that are left send at most"));
    visit(key("read_core_s_per_GB", &S::read_core_s_per_GB,
              "of its cores, for each GB read; null: not known"));
    visit(key("rebuild_s", &S::rebuild_s,
              "until a full store has made up for failed servers; null: it is not rebuilding"));
  }
};

/// A store of servers, in the place of an array: [store.NAME] has these keys or `model`.
struct ServersOfStore {
  std::optional<std::int64_t> servers;
  std::optional<Ref<System>> server;
  std::optional<Ref<StorageSoftware>> software;
  std::optional<Redundancy> redundancy;
  std::optional<std::int64_t> min_size;
  std::optional<bool> encrypted;
  std::optional<Ratio> compression;
  std::optional<std::int64_t> failed_servers;
  std::optional<Ratio> rebuilding;
  std::optional<StoreOfServers> of_servers = {};  ///< what they make together; the loader finds it
};

template <class Visit>
constexpr void servers_fields(Visit&& visit) {
  using namespace literals;
  using S = ServersOfStore;
  visit(key("servers", &S::servers, "instead of model: how many servers it is made of")
            .between(1, 100000));
  visit(key("server", &S::server,
            "one of its servers: a machine of the catalog, or { chassis, cpu, memory, drives, nics "
            "}"));
  visit(key("software", &S::software,
            "what makes one store of its servers; default: none that costs anything"));
  visit(key("redundancy", &S::redundancy,
            "how it keeps data when servers fail: \"8+2\" (an erasure code), \"replica 3\" or "
            "\"none\"; default: as its software usually does"));
  visit(key("min_size", &S::min_size,
            "chunks or copies of a stripe that must be left for it to be read and written, as Ceph "
            "calls it; default: as its software has it")
            .between(1, kWidestStripe));
  visit(key("encrypted", &S::encrypted,
            "whether its servers encrypt what their drives hold; default: they do not"));
  visit(key("compression", &S::compression,
            "bytes of data for each byte that its drives hold of them (2 to 1: 200 %); default: "
            "100 %")
            .between(100_percent, 10000_percent));
  visit(key("failed_servers", &S::failed_servers, "of its servers, that are down; default: none")
            .between(0, 100000));
  visit(key("rebuilding", &S::rebuilding,
            "part of what the servers that are left can do, spent on making up for those that "
            "failed; default: none")
            .between(0_percent, 99_percent));
}

}  // namespace gpufeed
