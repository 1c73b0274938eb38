// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/html/page.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// What a page tells beside its contents: its title, the command that made it, and copies of files.
/// \throws InputError  where one cannot be read
html::PageHead page_head(const std::string& verb, const Arguments& arguments, std::string title,
                         const std::vector<std::string>& files);

}  // namespace gpufeed::cli
