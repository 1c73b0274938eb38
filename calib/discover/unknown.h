// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "calib/discover/found.h"
#include "sim/load/load.h"

namespace gpufeed {

// Products that the catalog does not know, as tables in the place of a name: what was found of
// them, and what is usual for their kind, marked as an estimate, for what a system cannot do
// without.

/// `[socket.model]` and its keys. \param like  the product whose other keys hold, of which this
/// machine has but some cores; null: none is known
std::string unknown_cpu(const FoundSocket& socket, const EntryText* like);

std::string unknown_switch(const FoundSwitch& found);

/// Nothing where not even its memory is known.
std::optional<std::string> unknown_gpu(const FoundDevice& found);

/// Nothing where its rate is not known.
std::optional<std::string> unknown_nic(const FoundDevice& found);

/// Nothing where its size is not known.
std::optional<std::string> unknown_drive(const FoundDevice& found);

/// The value of `link` between sockets whose kind is not known.
std::string unknown_socket_link();

}  // namespace gpufeed
