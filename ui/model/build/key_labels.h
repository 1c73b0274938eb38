// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/key_path.h"
#include "sim/base/problem.h"

namespace gpufeed::ui {

/// What the window calls a key: "Batch per GPU" as beside the field that is always in sight, else
/// the key's words, "Drive ssd0: model".
std::string label_of(const KeyPath& key);

/// What is wrong in one sentence, without its place, that calls by its label what it is about. Of
/// what is no key it says what stands there.
std::string in_words(const Problem& problem);

}  // namespace gpufeed::ui
