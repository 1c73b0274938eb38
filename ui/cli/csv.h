// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "reports/study/sweep_store.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {

/// Writes the store's points to `output`, or to standard output for "-".
/// \param csv  the option's value, if it was given
void write_csv(const std::optional<std::string>& csv, const std::optional<OutputFile>& output,
               SweepStore& store);

}  // namespace gpufeed::cli
