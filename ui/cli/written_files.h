// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpufeed::cli {

/// What the program itself wrote for people and other programs, told by what is in it: "the answer
/// of whatif, as --json writes it". Nothing of other files, and of results, which are read again.
std::optional<std::string> written_in_words(std::string_view text);

}  // namespace gpufeed::cli
