// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace gpufeed::ui {

/// Writes a file beside it first and then in its place: it is whole, or as it was before.
/// \throws InputError  where it cannot be written
void write_whole(const std::filesystem::path& file, const std::string& text);

}  // namespace gpufeed::ui
