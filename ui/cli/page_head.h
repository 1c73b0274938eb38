// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/html/page.h"
#include "sim/load/load.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// What a page tells beside its contents: its title, the command that made it, and copies of files.
/// \throws InputError  where one cannot be read
html::PageHead page_head(const std::string& verb, const Arguments& arguments, std::string title,
                         const std::vector<std::string>& files);

/// Adds the titles of the products that a value of a key names, "2 x nvidia-l4", by their names;
/// nothing of words that the catalog does not know.
void add_titles(const std::string& value, const Catalog& catalog,
                std::map<std::string, std::string>& out);

}  // namespace gpufeed::cli
