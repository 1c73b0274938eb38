// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gpufeed {

/// What every key of a TOML text says, by its path: `loader.workers_per_gpu`, `replace[0].with`.
/// Values are as TOML writes them, in one spelling; tables are taken apart, other arrays are not.
/// \throws InputError  where `text` is no TOML
std::map<std::string, std::string> key_values(std::string_view text);

/// The same of a scenario, in which an entry that is given as a table is one value: the chassis
/// that a machine is made of, else its place, as for an entry without a name.
std::map<std::string, std::string> scenario_values(std::string_view text);

}  // namespace gpufeed
