// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "calib/discover/found.h"
#include "calib/discover/part_text.h"
#include "calib/discover/recognize.h"

namespace gpufeed {

/// A machine as a system of the catalog.
struct SystemText {
  std::string toml;                    ///< a file that `system = "FILE"` takes
  std::vector<PartText> parts;         ///< what it holds, for the screen
  std::vector<std::string> questions;  ///< what a person must say; also comments of the file
  std::vector<std::string> left_out;   ///< what was read and is no part of a system, by name
};

/// Parts that the catalog knows go by its names. Of others, what was found goes into the file, with
/// estimates for what a system cannot do without; a GPU or card of which nothing is known stands as
/// a comment. Every guess is a question.
SystemText system_of(const FoundMachine& machine, const Recognizer& recognizer);

}  // namespace gpufeed
