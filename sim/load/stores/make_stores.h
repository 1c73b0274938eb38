// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// The array that the servers of a store make together (sim/model/storage), of which `of_servers`
/// tells then; nothing where it has none, or something is wrong with them. Refused by name: keys of
/// an array beside them, servers without drives, cards or processors, redundancy that the software
/// does not know or that needs more servers, and failures that lose data or keep them back.
/// \param has_model  whether the store names an array as well
std::optional<Ref<Array>> array_of(const std::string& name, ServersOfStore& store,
                                   const Location& where, bool has_model, Diagnostics& out);

/// Puts the array in the place of each store that is made of servers.
void make_stores(Scenario& scenario, Diagnostics& out);

/// The same of stores that may have an array, or a bandwidth alone.
template <class Stores>
void make_arrays(Stores& stores, Diagnostics& out) {
  for (auto& [name, store] : stores) {
    auto array = array_of(name, store, store.where, store.model.has_value(), out);
    if (!array) continue;
    store.model = std::move(*array);
    if (store.bandwidth)
      out.refuse(ProblemCode::conflict, KeyPath("store") / name / "bandwidth", store.where,
                 " is given, and servers, too: leave one of them out");
  }
}

}  // namespace gpufeed
