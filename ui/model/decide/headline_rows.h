// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/model/decide/comparison.h"

namespace gpufeed::ui {

/// The figures by which work is judged that trains nothing, as `gpufeed compare` names them; none
/// for other work. Better is what beats every other by more than both may be by chance.
std::vector<ComparedRow> headline_rows(const std::vector<Candidate>& candidates);

}  // namespace gpufeed::ui
