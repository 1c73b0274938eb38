// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/load/read/catalog.h"

namespace gpufeed::ui {

/// A change after which fewer problems are left.
struct Repair {
  std::string label;  ///< "Take 8 × NVIDIA L40S"
  std::string text;   ///< the whole scenario with it
};

/// What the fixes of the problems make of the scenario, those that help: a problem is gone, and the
/// section it was in has no new one.
/// \param name  stands for the scenario's file
std::vector<Repair> repairs_for(const std::vector<Problem>& problems, const std::string& text,
                                const std::string& name, const Catalog& catalog);

}  // namespace gpufeed::ui
