// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/diagnostics.h"
#include "sim/model/serving/document.h"

namespace gpufeed {

/// That what each key says goes together, and that the machine can do it.
void check_serving(const serving::Document& document, Diagnostics& out);

}  // namespace gpufeed
