// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/model/study/pooled.h"

namespace gpufeed {

// What workers of a pool tell each other, as json.h writes and reads all else.

std::string to_json(const PooledCase& one);
std::string to_json(const PooledChange& change);
std::string to_json(const PooledChance& chance);
std::string to_json(const PooledChoices& choices);

/// \throws InputError
PooledCase pooled_case_from_json(std::string_view json);
PooledChange pooled_change_from_json(std::string_view json);
PooledChance pooled_chance_from_json(std::string_view json);
PooledChoices pooled_choices_from_json(std::string_view json);

}  // namespace gpufeed
