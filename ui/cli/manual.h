// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ui/cli/verb_table.h"

namespace gpufeed::cli {

/// The manual page gpufeed(1), of the man macros of groff and mandoc.
std::string manual_of_program(const std::string& version);

/// The manual page gpufeed-VERB(1).
std::string manual_of(const Verb& verb, const std::string& version);

}  // namespace gpufeed::cli
