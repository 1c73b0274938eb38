// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/load/read/catalog.h"

namespace gpufeed::ui {

/// A change after which fewer problems are left.
struct Repair {
  std::string label;  ///< "Take 8 GPUs"
  std::string text;   ///< the whole scenario with it
};

/// What the problems of a machine in a chassis say would fit, tried out: other counts, other
/// products, another chassis, other memory, none.
/// \param name  stands for the scenario's file
std::vector<Repair> repairs_for(const std::vector<Problem>& problems, const std::string& text,
                                const std::string& name, const Catalog& catalog);

}  // namespace gpufeed::ui
