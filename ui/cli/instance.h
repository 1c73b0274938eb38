// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/load/read/catalog.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// The machine that a cloud rents under a name of its own, "p5.48xlarge", "ml.p5.48xlarge",
/// "Standard_ND96isr_H100_v5" or "a3-highgpu-8g": what it is on the screen, or its system in a
/// file that must not exist yet ("-": alone on standard output).
/// \throws UsageError  where the catalog has none so called; names the nearest
void show_instance(const std::string& name, const std::optional<std::string>& output,
                   const Catalog& catalog, const Options& options);

}  // namespace gpufeed::cli
