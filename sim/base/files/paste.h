// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

/// The lines of a text without what its way here added: a byte order mark, colors of a terminal,
/// carriage returns, hard spaces, entities and frames of HTML, and what stands before every line:
/// quotation of a letter, line numbers, labels of srun and mpirun, times of a log. As many as the
/// text has.
std::vector<std::string> pasted_lines(std::string_view text);

/// Without spaces around it.
std::string_view trimmed(std::string_view text);

/// What stands between blanks in a line.
std::vector<std::string> split_words(std::string_view line);

/// Whether a line is what a shell shows before a command, and the command: "root@node:~# lscpu".
bool is_prompt(std::string_view line);

}  // namespace gpufeed
