// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed::cli {

/// Whether `word` stands in `text`, whatever the case.
bool contains(std::string_view text, std::string_view word);

/// Collects the problems of `error`.
void add(Diagnostics& problems, const InputError& error);

/// "12,345".
std::string with_commas(std::int64_t number);

/// `gpufeed VERB ARGUMENT...` as a shell takes it.
std::string command_line(const std::string& verb, const std::vector<std::string>& arguments);

/// What `--catalog` does, wherever it is taken.
inline constexpr const char* kCatalogHelp =
    "a folder of KIND/NAME.toml that goes before the catalogs known anyway";

/// What `--prices` does, wherever it is taken.
inline constexpr const char* kPricesHelp =
    "your own quotes, which go before the catalog's prices: CSV with the columns name (as the "
    "catalog has it), price (USD) and year";

}  // namespace gpufeed::cli
