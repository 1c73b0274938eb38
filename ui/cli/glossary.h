// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed::cli {

/// What the words on the screen mean: the table of GLOSSARY.md, in columns.
/// \throws InputError  where the file did not come with the program
std::string glossary();

}  // namespace gpufeed::cli
