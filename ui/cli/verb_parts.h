// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/cli/verb_table.h"

namespace gpufeed::cli {

/// What a verb takes that describes itself for `kDescribe` behind `before`.
VerbText text_of(VerbFunction run, Arguments before = {});

/// Where `arguments` ask for the help of a verb that has parts, prints it: a line for each of them,
/// or all of each. \return whether they did
bool helped(const std::string& verb, const std::vector<VerbFunction>& parts,
            const Arguments& arguments);

}  // namespace gpufeed::cli
