// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

/// Columns of a screen; no writer goes beyond.
inline constexpr std::size_t kScreenWidth = 100;
inline constexpr std::size_t kNumbers = 4;  ///< columns of the number of a row that goes on below

/// `text` in lines of at most `width` characters, broken at spaces, and within words that are
/// longer than a line; a number stays with its unit. Control characters count as spaces, runs of
/// spaces as one. One line at least.
std::vector<std::string> lines_of(std::string_view text, std::size_t width);

/// `text` as it continues a line already filled up to column `indent`; later lines begin there.
std::string wrapped(std::string_view text, std::size_t indent);

/// `text` in one line, its end replaced by "..." where it is longer than `width`.
std::string clipped(std::string_view text, std::size_t width);

/// `label`, then `text` from column `indent` on, wrapped. Ends with a new line.
std::string labeled(std::string_view label, std::string_view text, std::size_t indent);

/// A share of 1: "99.9 %". Only exactly 0 and 1 are written as 0 % and 100 %.
std::string percent(double share);

/// What GPUs wait in all, as so many of them that always do: "0.79 of 8", "more than 127 of 128".
/// Never more than there are, and all of them only where none ever computes.
std::string idle_text(std::int64_t gpus, double busy);

/// 0.42 s: "420 ms"; 738 s: "12.3 min"; 6480 s: "1.80 h". `beside` is a time to be compared with:
/// its unit is taken unless that would leave less than a tenth.
std::string time_text(double seconds, double beside = 0);

/// `letters[i]` in as many of 20 places as `shares[i]` of 1 asks for, the rest dots, in brackets.
std::string bar(const std::vector<double>& shares, std::string_view letters);

}  // namespace gpufeed
