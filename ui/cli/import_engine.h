// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/cli/options.h"

namespace gpufeed::cli {

int import_engine(const Arguments& arguments);

}  // namespace gpufeed::cli
