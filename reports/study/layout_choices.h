// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/study/choices.h"
#include "sim/model/exchange.h"

namespace gpufeed {

/// A key of `[parallel]`, and its value as TOML writes it.
struct LayoutKey {
  std::string name;
  std::string value;
};

/// Those that are other than usual.
std::vector<LayoutKey> unusual_keys(const Parallel& parallel);

/// `[parallel]` as an inline table: what is other than usual. "{ tensor = 8, micro_batch = 1 }"
std::string toml_table(const Parallel& parallel);

/// Of a goal that asks for layouts, each choice becomes as many as there are layouts that fit, with
/// a rate that none exceeds; of other goals, nothing changes.
/// \throws InputError  where a model is not given by its architecture, or no layout fits
void add_layouts(Choices& choices);

}  // namespace gpufeed
