// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/fio_text.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace gpufeed {
namespace {

/// Where the next line that begins with "{" starts.
std::size_t start_of_json(std::string_view text, std::size_t from = 0) {
  if (from == 0 && text.starts_with('{')) return 0;
  const std::size_t found = text.find("\n{", from);
  return found == std::string_view::npos ? found : found + 1;
}

/// Behind the bracket that closes the one at `start`; the text's end where none does.
std::size_t end_of_json(std::string_view text, std::size_t start) {
  std::int64_t depth = 0;
  bool quoted = false;
  for (std::size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return i + 1;
  }
  return text.size();
}

Location place_of(std::string_view text, std::size_t offset, const std::string& name) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1;  // 0 where there is none
  return {name, static_cast<int>(line), static_cast<int>(offset - start) + 1};
}

class Examiner : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::string fault;       ///< empty where it is good
  std::size_t offset = 0;  ///< of the fault

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return deeper(); }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t) override { return deeper(); }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    const std::string_view what = error.what();
    const std::size_t colon = what.find(": ");
    const bool has_place = what.find("parse error at") != std::string_view::npos;
    const std::size_t start =
        has_place && colon != std::string_view::npos ? colon : what.find("] ");
    fault = "not JSON: " + std::string(what.substr(start + 2));
    // A number is read to its end, and the character behind it looked at.
    offset = has_place ? position - std::min<std::size_t>(position, 1)
                       : position - std::min(position, token.size());
    return false;
  }

 private:
  bool deeper() {
    constexpr int kMostLevels = 32;
    if (++depth_ <= kMostLevels) return true;
    fault = "not fio's JSON: brackets are nested deeper than 32";
    return false;
  }

  int depth_ = 0;
};

}  // namespace

JsonPlace last_json(std::string_view text) {
  JsonPlace last;
  for (std::size_t start = start_of_json(text); start != std::string_view::npos;
       start = start_of_json(text, last.end)) {
    const std::size_t end = end_of_json(text, start);
    const bool whole = end < text.size() || text.substr(start).find('}') != std::string_view::npos;
    if (last.start != std::string_view::npos && !whole) break;
    last = {start, end};
    if (end >= text.size()) break;
  }
  return last;
}

void examine_json(std::string_view text, const JsonPlace& json, const std::string& name,
                  Diagnostics& out) {
  Examiner examiner;
  if (nlohmann::json::sax_parse(text.substr(json.start, json.end - json.start), &examiner)) return;
  const std::size_t at = std::min(json.start + examiner.offset, text.size());
  out.error(examiner.offset == 0 ? Location{name, 0, 0} : place_of(text, at, name), "{}",
            examiner.fault);
}

}  // namespace gpufeed
