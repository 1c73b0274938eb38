// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// gpufeed import model: config.json of a decoder or another network to an entry of a catalog.
int import_model(const Arguments& arguments);

}  // namespace gpufeed::cli
