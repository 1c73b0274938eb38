// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "calib/observe/monitors/series.h"

namespace gpufeed {

using Json = nlohmann::json;

/// \throws InputError  where it is none, with the place
Json json_of(const MonitorReader& in);

/// A text or number as text; empty where there is none.
std::string word_in(const Json& object, const char* key);
bool has_number(const Json& object, const char* key);
/// A number, also one that is written as text; 0 where there is none.
double number_in(const Json& object, const char* key);
/// A list; an empty one where there is none.
const Json& list_in(const Json& object, const char* key);

}  // namespace gpufeed
