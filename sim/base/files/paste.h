// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

/// The lines of a text without what its way here added: a byte order mark, colors of a terminal,
/// carriage returns, hard spaces, entities and frames of HTML, and what stands before every line:
/// quotation of a letter, line numbers, labels of srun, times of a log. As many as the text has.
std::vector<std::string> pasted_lines(std::string_view text);

/// Whether a line is what a shell shows before a command, and the command: "root@node:~# lscpu".
bool is_prompt(std::string_view line);

}  // namespace gpufeed
