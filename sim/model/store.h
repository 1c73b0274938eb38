// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/catalog/parts.h"
#include "sim/model/catalog/system.h"
#include "sim/model/fields/store_servers.h"

namespace gpufeed {

/// Whether the entries of files, as a client looks them up, lie in its memory.
enum class Metadata { cold, cached };
template <>
struct EnumNames<Metadata> {
  static constexpr std::array<std::string_view, 2> names{"cold", "cached"};
};

/// A shared store on the network: an array, or servers that make one together. Of these the loader
/// derives the array that `model` then is (sim/model/storage).
struct Store : ServersOfStore {
  Ref<Array> model;
  std::vector<PartRef> via;
  std::optional<Ref<Protocol>> protocol;
  std::optional<std::int64_t> connections;
  std::optional<std::int64_t> blades;
  std::optional<std::int64_t> stripes;
  std::optional<Metadata> metadata;
  Ratio other_load{0.0};
  std::optional<Money> rent_per_hour;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("model", &Store::model, "the array; not where servers are given").needed());
    servers_fields(visit);
    visit(key("via", &Store::via, "network cards that reach it; default: all"));
    visit(key("protocol", &Store::protocol,
              "how this machine speaks to it; none: no client's cost is counted; default: the "
              "usual client of the product, where it has one that runs on these cards"));
    visit(key("connections", &Store::connections,
              "connections or threads of this machine (NFS: nconnect); default: the protocol's")
              .between(1, 100000));
    visit(key("blades", &Store::blades, "blades it has; default: those of the array's figures")
              .between(1, 100000));
    visit(
        key("stripes", &Store::stripes,
            "storage targets that a file lies on (stripe count of Lustre or BeeGFS); default: all")
            .between(1, 100000));
    visit(key("metadata", &Store::metadata,
              "whether this machine finds files in its memory, or asks the store for each first; "
              "default: cold"));
    visit(key("other_load", &Store::other_load, "part of the array that others use")
              .between(0_percent, 99_percent));
    visit(key("rent_per_hour", &Store::rent_per_hour,
              "of all of it, as quoted; default: by the array's rent, where it is one that is "
              "rented")
              .between(0_USD, 1000000_USD));
  }
};

}  // namespace gpufeed
