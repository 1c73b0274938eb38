// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

/// How long the window's user waits, without frames: from an edit to its answer, to the effects of
/// the choices in sight, and to advice.
nlohmann::ordered_json window_times();
