// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

/// By concurrent flows: what an event costs this engine, SimGrid's and a bare priority queue.
nlohmann::ordered_json engine_events();

/// By readers of a store that all share: what an event costs, over what it costs of 64.
nlohmann::ordered_json shared_store_events();
