// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed::cli {

/// A path of the command line as the file at `file` must write it; an empty one, or "-", is none.
std::string beside(const std::string& file, const std::string& path);

/// The same of a name or path; names stay as they are.
std::string as_seen_from(const std::string& file, const std::string& name);

}  // namespace gpufeed::cli
