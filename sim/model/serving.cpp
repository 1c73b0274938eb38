// SPDX-License-Identifier: Apache-2.0
#include "sim/model/serving.h"

namespace gpufeed {

double bytes_per_parameter(std::string_view precision) {
  if (precision == "fp16" || precision == "bf16") return 2;
  if (precision == "fp8" || precision == "int8") return 1;
  if (precision == "int4") return 0.5;
  return 4;
}

}  // namespace gpufeed
