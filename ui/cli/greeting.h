// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed::cli {

/// What `gpufeed` alone says on a terminal: three things to try.
std::string greeting();

}  // namespace gpufeed::cli
