// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "sim/base/diagnostics.h"

namespace gpufeed {

// The files that this process reads and writes, so that no output takes the place of an input or of
// another output, whatever names and links lead there: files are told apart by device and inode,
// and by their place where there is none yet. One list for the whole process, for any number of
// threads: whatever opens a file of the user notes it here, and whatever writes one asks, so that
// nobody in between can forget one. Processes that are forked begin with a copy; `ChildProcess`
// brings home what they read.

/// Notes a file that is read.
/// \return the problem where it is an output of this process
std::optional<Problem> note_read(const std::filesystem::path& file);
/// All files of `folder` that end in .toml count as read from now on, whichever are.
void note_read_entries(const std::filesystem::path& folder);
/// Notes the file that is open in an editor: read like others, but the editor may write it. There
/// is one at a time.
void note_edited(const std::filesystem::path& file);
/// What was noted by `note_read`.
std::set<std::filesystem::path> files_read();

/// Notes a file that is going to be written.
/// \param option  how messages call it: "--json out.json"
/// \throws InputError  where it was read, or is another output; names both
void note_output(const std::string& option, const std::filesystem::path& file);

enum class Writer { any, editor };
/// To be asked before a file is written.
/// \param place  how messages call it
/// \throws InputError  where it was read; names both
void refuse_read(const std::string& place, const std::filesystem::path& file,
                 Writer writer = Writer::any);

/// Where writing to `file` would make one: links are followed, those that lead nowhere yet too.
std::filesystem::path place_of(std::filesystem::path file);

/// Begins anew, for tests.
void forget_files();

}  // namespace gpufeed
