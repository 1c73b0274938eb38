// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "reports/picture/picture.h"
#include "sim/model/result/result.h"

namespace gpufeed::html {

// Pictures of a Result as markup, each with its numbers below it in words; empty where the Result
// has nothing to draw. `id` begins the names within the page, so that several fit into one.

/// The machine with the load of each part and link.
std::string machine_picture(const Picture& picture);

/// A bar for each group of GPUs: what its time goes to.
std::string gpu_time_picture(const Result& result);

/// A bar for each stage: how much of what it could deliver is asked for.
std::string stages_picture(const Result& result);

/// What each GPU did in the steps that were recorded.
std::string timeline_picture(const Result& result, std::string_view id);

/// The class of a load's color: "idle", "low", "high" from 50 %, "full" from 85 %.
std::string_view load_class(double load);

}  // namespace gpufeed::html
