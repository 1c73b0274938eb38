// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/catalog/stores.h"
#include "sim/model/fields/store_servers.h"
#include "sim/model/storage/server_law.h"

namespace gpufeed {

/// What a store's keys say of its servers.
/// \param store  with servers, a joined server and a redundancy, of its own or of its software
ServerLaw law_of(const ServersOfStore& store);

/// The redundancy of a store, of its own or as its software usually has it; nothing where neither
/// says. Of software that spreads stripes over sets of drives, as wide as the sets are: nothing
/// where such servers make none.
std::optional<Redundancy> redundancy_of(const ServersOfStore& store);

/// How wide the stripes of such software may be on servers of so many drives each: sets of as many
/// drives must take all of them, and lie on the servers evenly (MinIO, erasure sets).
std::vector<std::int64_t> set_sizes(std::int64_t most, std::int64_t servers, std::int64_t drives);

/// The array that the servers of a store are together; says what sets its figures, as `of_servers`.
/// All of it is an estimate: parts are known, the whole is not.
/// \param name   of the store
/// \param where  it stands
Ref<Array> make_array(ServersOfStore& store, const Location& where, const std::string& name);

}  // namespace gpufeed
