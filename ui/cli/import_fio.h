// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// gpufeed import fio: a job of a job file of fio becomes a scenario of kind io.
int import_fio(const Arguments& arguments);

}  // namespace gpufeed::cli
