// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/storage/server_law.h"
#include "sim/model/store.h"

namespace gpufeed {

/// What a store's keys say of its servers.
/// \param store  with servers, a joined server and a redundancy, of its own or of its software
ServerLaw law_of(const Store& store);

/// Makes of the servers of a store the array that they are together, as `model`, and says what sets
/// its figures, as `of_servers`. All of it is an estimate: parts are known, the whole is not.
/// \param name  of the store
void make_array(Store& store, const std::string& name);

}  // namespace gpufeed
