// SPDX-License-Identifier: Apache-2.0
#include "sim/base/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace gpufeed {
namespace {

constexpr char32_t kInvalid = 0xFFFFFFFF;

/// The character at the start of `rest`, which is not empty, and its bytes.
struct Character {
  char32_t code = kInvalid;
  std::string_view bytes;
};

Character first_of(std::string_view rest) {
  const std::size_t length = utf8_length(rest);
  if (length == 0) return {kInvalid, rest.substr(0, 1)};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  constexpr unsigned char kLead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = byte(0) & kLead[length];
  for (std::size_t i = 1; i < length; ++i) code = (code << 6U) | (byte(i) & 0x3FU);
  return {code, rest.substr(0, length)};
}

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

struct Codes {
  char32_t first, last;
};

/// What shows nothing, or orders what stands around it anew: the format characters of Unicode 15
/// (general category Cf, Zl, Zp), those that fonts draw as nothing (Default_Ignorable), and blanks
/// that are letters.
constexpr Codes kUnseen[] = {
    {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
    {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},
    {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

/// Those that letters of some scripts and pictures are joined, parted and varied by.
bool joins(char32_t code) {
  return code == 0x200C || code == 0x200D || (code >= 0xFE00 && code <= 0xFE0F) ||
         (code >= 0xE0100 && code <= 0xE01EF);
}

/// \param before  the character in front of it
bool is_unseen(char32_t code, char32_t before) {
  if (joins(code) && before != kInvalid && before >= 0x80) return false;
  for (const Codes& codes : kUnseen)
    if (code >= codes.first && code <= codes.last) return true;
  return false;
}

/// `text` with what `escape` gives for characters that are not to be seen as they are.
template <class Escape>
std::string with_escapes(std::string_view text, const Escape& escape) {
  std::string out;
  out.reserve(text.size());
  char32_t before = 0;
  while (!text.empty()) {
    const Character one = first_of(text);
    const bool bad = one.code == kInvalid || is_control(one.code) || is_unseen(one.code, before);
    if (!bad || !escape(one, out)) out += one.bytes;
    before = bad ? 0 : one.code;
    text.remove_prefix(one.bytes.size());
  }
  return out;
}

std::string shown(std::string_view text, std::string_view kept) {
  return with_escapes(text, [&](const Character& one, std::string& out) {
    if (one.code < 0x80 && kept.find(static_cast<char>(one.code)) != std::string_view::npos)
      return false;
    if (one.code != kInvalid && !is_control(one.code))
      out += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(one.code));
    else
      for (const char c : one.bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return true;
  });
}

}  // namespace

std::size_t utf8_length(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const auto tail = [&](std::size_t i) { return i < rest.size() && (byte(i) & 0xC0) == 0x80; };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    const bool overlong = lead == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = lead == 0xED && byte(1) > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    const bool out_of_range = (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
    return out_of_range ? 0 : 4;
  }
  return 0;
}

std::string printable(std::string_view text) { return shown(text, ""); }
std::string printable_lines(std::string_view text) { return shown(text, "\n\t"); }

bool has_controls(std::string_view text, std::string_view kept) {
  while (!text.empty()) {
    const Character one = first_of(text);
    if (one.code == kInvalid) return true;
    if (is_control(one.code) && kept.find(one.bytes) == std::string_view::npos) return true;
    text.remove_prefix(one.bytes.size());
  }
  return false;
}

std::string escaped_in(Notation notation, std::string_view text) {
  return with_escapes(text, [&](const Character& one, std::string& out) {
    if (one.code < 0x20 || one.code == kInvalid) return false;
    const auto code = static_cast<std::uint32_t>(one.code);
    if (code < 0x10000)
      out += fmt::format("\\u{:04x}", code);
    else if (notation == Notation::toml)
      out += fmt::format("\\U{:08x}", code);
    else
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (code >> 10U), 0xDC00 + (code & 0x3FFU));
    return true;
  });
}

namespace {

std::string escaped_signs(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string toml_string(std::string_view value) {
  std::string out = "\"";
  for (const char c : escaped_in(Notation::toml, escaped_signs(value))) {
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  out += '"';
  return out;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,@%+-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace gpufeed
