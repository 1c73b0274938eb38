// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/key_path.h"
#include "sim/load/read/reader.h"

namespace gpufeed {

/// Takes away what the file says by other names of the key that --set gives.
void give_way(toml::table& file, const KeyPath& set);

/// Puts the keys in place of other words for them, and of words that are values ("kv" of a route).
/// Two names of one key are an error.
void take_engine_words(toml::table& file, const Reader& reader, Diagnostics& out);

}  // namespace gpufeed
