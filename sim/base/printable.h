// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gpufeed {

/// Number of bytes of the UTF-8 sequence at the start of `rest`, which is not empty; 0 where it is
/// invalid.
std::size_t utf8_length(std::string_view rest);

/// Text of others in one line, fit for a terminal, a page or a file of ours: control characters (C0
/// with line ends, DEL, C1) and bytes that are no UTF-8 are written as "\x1b"; what shows nothing
/// or orders the text around it anew (marks of direction, line separators, blanks of no width, byte
/// order marks) as "<U+202E>". Joiners and variation selectors stay behind what is no ASCII, where
/// scripts and pictures need them.
std::string printable(std::string_view text);
/// The same, but line ends and tabs stay.
std::string printable_lines(std::string_view text);

/// Whether it holds control characters but those of `kept`, or bytes that are no UTF-8.
bool has_controls(std::string_view text, std::string_view kept = "");

/// What `printable` shows, but C0 and bytes that are no UTF-8, as strings of JSON and TOML escape
/// it: they say the same text.
enum class Notation { json, toml };
std::string escaped_in(Notation notation, std::string_view text);

/// A string as TOML writes it, quoted and escaped.
std::string toml_string(std::string_view value);

/// As a shell takes it as one word: in single quotes where it holds more than letters, digits and
/// signs that mean nothing there.
std::string shell_word(std::string_view text);

}  // namespace gpufeed
