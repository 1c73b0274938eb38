// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "sim/base/key_path.h"
#include "ui/model/build/choosing.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// A key of a store of servers, as the form has it.
struct ServersKey {
  const char* key;
  const char* label;
  const char* help;
  bool of_one = false;  ///< of `server` where its parts are named, not of the store

  KeyPath path(const KeyPath& store) const { return of_one ? store / "server" / key : store / key; }
};
inline constexpr std::array kServersKeys{
    ServersKey{"servers", "Servers", "How many it is made of, failed ones included"},
    ServersKey{"server", "Each", "One of them: a machine of the catalog, or a file"},
    ServersKey{"cpu", "CPU", "Of each server, such as amd-epyc-9354p", true},
    ServersKey{"memory", "Memory", "Of each server, such as 384 GB", true},
    ServersKey{"drives", "Drives", "Of each server, such as 10 x micron-7450-pro-7.68tb", true},
    ServersKey{"nics", "Cards", "Of each server, such as nvidia-connectx-7-ndr200-200g", true},
    ServersKey{"software", "Software", "What makes one store of them"},
    ServersKey{"redundancy", "Redundancy",
               "8+2 (a code), replica 3 or none; usual: as its software has it"},
    ServersKey{"min_size", "Served with",
               "Chunks or copies of a stripe that must be left, Ceph's min_size; usual: as its "
               "software has it"},
    ServersKey{"encrypted", "Encrypted", "Whether the servers encrypt what their drives hold"},
    ServersKey{"compression", "Compression", "Bytes of data for each that drives hold: 200 %"},
    ServersKey{"failed_servers", "Failed", "Servers of these that are down"},
    ServersKey{"rebuilding", "Rebuilding",
               "Part of what is left that makes up for those that failed, such as 20 %"}};

/// A shared store as a scenario's text asks for it, whether or not it can be simulated.
struct RequestedStore {
  std::string name;
  std::string product;
  std::string protocol;          ///< empty where it is left out
  std::vector<std::string> via;  ///< network cards, or patterns of them; none: all
  bool holds_data = false;       ///< the job's data lie on it
  /// What its keys say, by `ServersKey::key`, where it is made of servers; none: it is an array.
  std::map<std::string, std::string> servers = {};
};

/// In the order of their names. None where the text is no TOML.
std::vector<RequestedStore> requested_stores(const std::string& text);

/// A further store from the catalog, with the protocol that most hosts speak to it; where the
/// machine is one of a chassis without network cards, with the cheapest card that it does not wait
/// for, and where it is the first store, with the job's data.
Choosing choosing_store(const Catalog& catalog);
/// A further store made of servers in a chassis, with parts that fit it, 8+2 by Ceph on twelve of
/// them, and the usual protocol; cards and the job's data likewise.
Choosing choosing_servers(const Catalog& catalog);
/// Another product for a store, with its own usual protocol; of one of servers, another chassis.
Choosing choosing_for(const RequestedStore& store, const Catalog& catalog);

/// The protocols of the catalog that a store speaks.
std::vector<std::string> protocols_of(const RequestedStore& store, const Catalog& catalog);

/// `text` without the store; its data lie on `place` then, where that is not empty.
/// \throws InputError  where the text cannot take it
std::string without_store(const std::string& text, const RequestedStore& store,
                          const std::string& place);

/// Where data could lie: volumes, drives in none, stores.
std::vector<std::string> places_of(const Scenario& scenario);

/// `text` with the job's data at a volume, drive or store; what copied them in from there is left
/// out. \throws InputError  where the text cannot take it
std::string with_data_at(const std::string& text, const std::string& place);

}  // namespace gpufeed::ui
