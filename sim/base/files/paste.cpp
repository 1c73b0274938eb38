// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/paste.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <utility>

namespace gpufeed {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Behind an escape sequence that begins at `at`: of colors (CSI), or of titles (OSC).
std::size_t behind_escape(const std::string& line, std::size_t at) {
  constexpr char kBell = '\a';
  if (at + 1 >= line.size()) return line.size();
  if (line[at + 1] == ']') {
    const std::size_t end = line.find(kBell, at);
    return end == std::string::npos ? line.size() : end + 1;
  }
  if (line[at + 1] != '[') return at + 2;
  // ECMA-48, 5.4: parameters and intermediates, then one final byte from '@' to '~'
  std::size_t end = at + 2;
  while (end < line.size() && (line[end] < '@' || line[end] > '~')) ++end;
  return std::min(end + 1, line.size());
}

/// Begins what `without_terminal` takes off.
bool is_of_terminal(char c) {
  return c == '\x1b' || c == '\r' || c == '\xC2' || c == '\xEF' || c == '\xE2';
}

std::string without_terminal(std::string line) {
  if (std::ranges::none_of(line, is_of_terminal)) return line;
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\x1b') {
      i = behind_escape(line, i);
    } else if (line[i] == '\r') {
      ++i;
    } else if (line.compare(i, 2, "\xC2\xA0") == 0) {  // a hard space
      out += ' ';
      i += 2;
    } else if (line.compare(i, 3, "\xEF\xBB\xBF") == 0 || line.compare(i, 3, "\xE2\x80\x8B") == 0) {
      i += 3;  // a byte order mark, a space of no width
    } else {
      out += line[i++];
    }
  }
  return out;
}

void replace_all(std::string& text, std::string_view old, std::string_view now) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + now.size()))
    text.replace(at, old.size(), now);
}

/// Of a page: frames of code, and entities. XML has its own entities, which stay.
void take_off_html(std::vector<std::string>& lines) {
  const auto is_xml = [](const std::string& line) {
    const std::size_t tag = line.find('<');
    return tag != std::string::npos &&
           std::ranges::any_of(
               std::array{"<?xml", "<topology", "<system", "<object", "<pci", "<cpu"},
               [&](const char* name) { return line.find(name, tag) != std::string::npos; });
  };
  const bool xml = std::ranges::any_of(lines, is_xml);
  constexpr std::array kFrames{"<pre>", "</pre>", "<code>", "</code>", "<br>", "<br/>", "<br />"};
  constexpr std::array<std::pair<const char*, const char*>, 6> kEntities{{{"&lt;", "<"},
                                                                          {"&gt;", ">"},
                                                                          {"&quot;", "\""},
                                                                          {"&#39;", "'"},
                                                                          {"&#x27;", "'"},
                                                                          {"&amp;", "&"}}};
  for (std::string& line : lines) {
    if (line.find('<') != std::string::npos)
      for (const char* frame : kFrames) replace_all(line, frame, "");
    if (line.find('&') == std::string::npos) continue;
    replace_all(line, "&nbsp;", " ");
    if (!xml)
      for (const auto& [entity, letter] : kEntities) replace_all(line, entity, letter);
  }
}

/// How long what stands before a line is; 0: nothing does.
using Prefix = std::function<std::size_t(const std::string&)>;

std::size_t quotation(const std::string& line) {
  if (!line.starts_with('>')) return 0;
  return line.starts_with("> ") ? 2 : 1;
}

std::size_t digits_at(const std::string& line, std::size_t from) {
  while (from < line.size() && is_digit(line[from])) ++from;
  return from;
}

/// "  12\t", "12: ", "12 | ".
std::size_t line_number(const std::string& line) {
  const std::size_t from = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t end = digits_at(line, from);
  if (end == from || end == line.size()) return 0;
  if (line[end] == '\t') return end + 1;
  if (line.compare(end, 2, ": ") == 0 || line.compare(end, 2, "| ") == 0) return end + 2;
  return line.compare(end, 3, " | ") == 0 ? end + 3 : 0;
}

/// "2026-01-02T03:04:05.678Z ", "[2026-01-02 03:04:05,678] ".
std::size_t time_of_log(const std::string& line) {
  const std::size_t from = line.starts_with('[') ? 1 : 0;
  constexpr std::string_view kForm = "dddd-dd-dd?dd:dd:dd";
  if (line.size() < from + kForm.size()) return 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const char c = line[from + i];
    if (kForm[i] == 'd' ? !is_digit(c) : kForm[i] != '?' && kForm[i] != c) return 0;
  }
  const std::size_t end = line.find(' ', from + kForm.size());
  return end == std::string::npos ? 0 : end + 1;
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t") == std::string::npos;
}

/// Takes it off where it stands before every line that has words. \return whether it does
bool take_off(std::vector<std::string>& lines, const Prefix& prefix) {
  constexpr std::size_t kFewest = 3;  // fewer may be chance
  std::size_t count = 0;
  for (const std::string& line : lines) {
    if (is_blank(line)) continue;
    ++count;
    if (prefix(line) == 0) return false;
  }
  if (count < kFewest) return false;
  for (std::string& line : lines)
    if (!is_blank(line)) line.erase(0, prefix(line));
  return true;
}

/// The first word of the first line, where it is a label: "0: " of srun, "node7: " of pdsh.
std::string label_of(const std::vector<std::string>& lines, bool behind_a_time) {
  const auto first = std::ranges::find_if_not(lines, is_blank);
  if (first == lines.end()) return "";
  const std::size_t end = first->find(' ');
  if (end == std::string::npos || end == 0) return "";
  const bool label = (*first)[end - 1] == ':';
  return label || behind_a_time ? first->substr(0, end + 1) : "";
}

/// What all lines are indented by, as code in a letter is.
void take_off_indentation(std::vector<std::string>& lines) {
  std::size_t least = std::string::npos;
  for (const std::string& line : lines)
    if (!is_blank(line)) least = std::min(least, line.find_first_not_of(' '));
  if (least == std::string::npos || least == 0) return;
  for (std::string& line : lines)
    if (!is_blank(line)) line.erase(0, least);
}

void take_off_prefixes(std::vector<std::string>& lines) {
  constexpr int kMostQuotations = 4;
  for (int i = 0; i < kMostQuotations && take_off(lines, quotation); ++i) continue;
  const bool timed = take_off(lines, time_of_log);
  const std::string label = label_of(lines, timed);
  const auto labeled = [&](const std::string& line) -> std::size_t {
    return !label.empty() && line.starts_with(label) ? label.size() : 0;
  };
  if (!take_off(lines, labeled)) take_off(lines, line_number);
  take_off_indentation(lines);
}

}  // namespace

namespace {

/// Behind "[1,0]<stdout>:" of mpirun --tag-output, which only some lines may have.
std::size_t tag_of_mpirun(std::string_view line) {
  if (!line.starts_with('[')) return 0;
  for (const std::string_view tag : {"]<stdout>:", "]<stderr>:"}) {
    constexpr std::size_t kLongest = 20;
    const std::size_t at = line.substr(0, kLongest).find(tag);
    if (at != std::string_view::npos) return at + tag.size();
  }
  return 0;
}

}  // namespace

std::vector<std::string> pasted_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    lines.push_back(without_terminal(std::string(line.substr(tag_of_mpirun(line)))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  take_off_html(lines);
  take_off_prefixes(lines);
  return lines;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

bool is_prompt(std::string_view line) {
  const std::size_t at = line.find('@');
  const std::size_t blank = line.find(' ');
  if (at == 0 || at == std::string_view::npos) return false;
  const bool bracket = line.starts_with('[');
  if (!bracket && blank != std::string_view::npos && blank < at) return false;
  constexpr std::size_t kLongest = 80;
  const std::size_t end = line.substr(0, kLongest).find_first_of("$#%", at);
  return end != std::string_view::npos && (end + 1 == line.size() || line[end + 1] == ' ');
}

}  // namespace gpufeed
