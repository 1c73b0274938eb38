// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/front_door.h"

#include <cstdlib>
#include <sstream>

#include "sim/base/files/text_input.h"

namespace gpufeed {
namespace {

constexpr int kMaxDepth = 32;

/// Follows the text as the parser would, as far as strings, comments and brackets go.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& name, Diagnostics& out)
      : text_(text), out_(out), where_{name, 1, 1} {}

  bool accepts() {
    while (position_ < text_.size())
      if (!accepts_one()) return false;
    return true;
  }

 private:
  bool refuse(const char* what) {
    out_.error(ProblemCode::syntax, where_, "{}", what);
    return false;
  }

  bool accepts_one() {
    const std::size_t length = utf8_length(text_.substr(position_));
    if (length == 0) return refuse("the text is not valid UTF-8");
    const char c = text_[position_];
    const auto byte = static_cast<unsigned char>(c);
    const bool line_end = c == '\n' || (c == '\r' && text_.substr(position_).starts_with("\r\n"));
    if ((byte < 0x20 && c != '\t' && !line_end) || byte == 0x7F)
      return refuse("control characters are not allowed");
    const std::size_t quote = quote_length();
    if (quote > 0) {
      advance(quote);
      return true;
    }
    if (!in_string() && !comment_ && !structure(c)) return false;
    if (quote_ == '"' && c == '\\' && position_ + 1 < text_.size() &&
        static_cast<unsigned char>(text_[position_ + 1]) >= 0x20 &&
        static_cast<unsigned char>(text_[position_ + 1]) < 0x7F)
      advance(1);
    advance(length);
    if (c == '\n') new_line();
    return true;
  }

  bool in_string() const { return quote_ != 0; }

  /// Opens or closes a string here; the number of quotation marks that did, else 0.
  std::size_t quote_length() {
    const auto rest = text_.substr(position_);
    if (comment_) return 0;
    if (in_string()) {
      const std::string mark(multiline_ ? 3 : 1, quote_);
      if (!rest.starts_with(mark)) return 0;
      std::size_t length = mark.size();
      // Up to two quotation marks may stand before the closing three.
      while (multiline_ && length < 5 && length < rest.size() && rest[length] == quote_) ++length;
      quote_ = 0;
      return length;
    }
    if (rest.front() != '"' && rest.front() != '\'') return 0;
    quote_ = rest.front();
    multiline_ = rest.starts_with(std::string(3, quote_));
    return multiline_ ? 3 : 1;
  }

  bool structure(char c) {
    if (c == '#') comment_ = true;
    if (c == '[' || c == '{') ++depth_;
    if (c == ']' || c == '}') --depth_;
    if (c == '=' || c == ',') dots_ = 0;
    if (c == '.') ++dots_;
    if (depth_ > kMaxDepth) return refuse("brackets are nested deeper than 32");
    if (dots_ > kMaxDepth) return refuse("a dotted key has more than 32 parts");
    return true;
  }

  void new_line() {
    comment_ = false;
    dots_ = 0;
    if (in_string() && !multiline_) quote_ = 0;  // unterminated: the parser says so
    ++where_.line;
    where_.column = 1;
  }

  void advance(std::size_t bytes) {
    position_ += bytes;
    ++where_.column;
  }

  std::string_view text_;
  Diagnostics& out_;
  Location where_;
  std::size_t position_ = 0;
  char quote_ = 0;
  bool multiline_ = false;
  bool comment_ = false;
  int depth_ = 0;
  int dots_ = 0;
};

}  // namespace

bool names_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".toml");
}

Names keys_of(const toml::table& table) {
  Names keys;
  for (const auto& [key, node] : table) keys.emplace_back(key.str());
  return keys;
}

/// Divides file, line and column in the name of text that was made for a place.
constexpr char kMadeFor = '\x1f';

std::string made_for(const Location& where) {
  return fmt::format("{}{}{}{}{}", where.file, kMadeFor, where.line, kMadeFor, where.column);
}

Location location(const toml::source_region& region, const std::string& fallback) {
  const std::string file = region.path ? *region.path : fallback;
  if (const std::size_t mark = file.find(kMadeFor); mark != std::string::npos) {
    const std::size_t next = file.find(kMadeFor, mark + 1);
    return {file.substr(0, mark), std::atoi(file.c_str() + mark + 1),
            std::atoi(file.c_str() + next + 1)};
  }
  if (file.starts_with("--") || region.begin.line == 0) return {file, 0, 0};
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

std::optional<Location> place_of_key(const toml::table& root, const KeyPath& path,
                                     const std::string& file) {
  const toml::table* table = &root;
  for (std::size_t i = 0; table && i < path.steps.size(); ++i) {
    const auto found = table->find(path.steps[i].key);
    if (found == table->end() || path.steps[i].element) return {};
    if (i + 1 == path.steps.size()) {
      const Location value = location(found->second.source(), file);
      return value.file == file ? location(found->first.source(), file) : value;  // of an option
    }
    table = found->second.as_table();
  }
  return {};
}

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return in_quotes(text->get());
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  if (node.is_array()) return "an array";
  if (node.is_table()) return "a table";
  return "a date or time";
}

std::optional<toml::table> parse_toml(std::string_view text, const std::string& name,
                                      Diagnostics& out) {
  if (text.size() > kMaxTextSize) {
    out.error(ProblemCode::unusable_file, {name, 0, 0}, "the file is larger than 4 MiB");
    return {};
  }
  if (!Scanner(text, name, out).accepts()) return {};
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    out.error(ProblemCode::syntax, location(error.source(), name), "TOML syntax: {}",
              error.description());
    return {};
  }
}

std::optional<toml::table> parse_toml_file(const std::filesystem::path& file, Diagnostics& out) {
  const auto text = read_text_file(file, kMaxTextSize, out);
  if (!text) return {};
  return parse_toml(*text, file.lexically_normal().string(), out);
}

std::string toml_at(const KeyPath& place, const toml::table& table) {
  toml::table root;
  toml::table* owner = &root;
  for (const KeyStep& step : place.parent().steps)
    owner = owner->insert(step.key, toml::table{}).first->second.as_table();
  toml::table* const own = owner->insert(place.steps.back().key, table).first->second.as_table();
  own->is_inline(false);
  std::ostringstream text;
  text << toml::default_formatter{root} << '\n';
  return text.str();
}

}  // namespace gpufeed
