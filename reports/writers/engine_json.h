// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/serving/answer.h"

namespace gpufeed {

/// What an engine that serves a language model did, in the way of json.h.
std::string to_json(const serving::Answer& answer);

}  // namespace gpufeed
