// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/model/build/choosing.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// A shared store as a scenario's text asks for it, whether or not it can be simulated.
struct RequestedStore {
  std::string name;
  std::string product;
  std::string protocol;          ///< empty where it is left out
  std::vector<std::string> via;  ///< network cards, or patterns of them; none: all
  bool holds_data = false;       ///< the job's data lie on it
};

/// In the order of their names. None where the text is no TOML.
std::vector<RequestedStore> requested_stores(const std::string& text);

/// A further store from the catalog, with the protocol that most hosts speak to it; where the
/// machine is one of a chassis without network cards, with the cheapest card that it does not wait
/// for, and where it is the first store, with the job's data.
Choosing choosing_store(const Catalog& catalog);
/// Another product for a store, with its own usual protocol.
Choosing choosing_for(const RequestedStore& store, const Catalog& catalog);

/// The protocols of the catalog that a store of this product speaks.
std::vector<std::string> protocols_of(const std::string& product, const Catalog& catalog);

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
