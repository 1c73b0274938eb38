// SPDX-License-Identifier: Apache-2.0
#include "sim/base/key_path.h"

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

constexpr std::string_view kBlanks = " \t";

bool is_bare(std::string_view key) {
  constexpr std::string_view kBare =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !key.empty() && key.find_first_not_of(kBare) == std::string_view::npos;
}

std::string quoted(std::string_view key) {
  std::string out = "\"";
  for (const char c : key) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::string element_text(std::string_view element) {
  const bool bare = !element.empty() && element.find_first_of("[]\"' \t") == std::string_view::npos;
  return bare ? std::string(element) : quoted(element);
}

namespace {

/// Takes a path from the beginning of a text, until its end or an "=" outside of the path's keys.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : rest_(text) {}

  /// Whether it is one; else `why` says why not.
  bool read() {
    while (true) {
      KeyStep step;
      if (!key(step.key)) return false;
      if (take('[')) {
        step.element.emplace();
        if (!element(*step.element)) return false;
      }
      path.steps.push_back(std::move(step));
      skip_blanks();
      if (at_end()) return true;
      if (!take('.')) return fail("a dot must follow before the next key");
    }
  }

  std::string_view rest() const { return rest_; }

  KeyPath path;
  const char* why = "";

 private:
  bool fail(const char* reason) {
    why = reason;
    return false;
  }
  bool at_end() const { return rest_.empty() || rest_.front() == '='; }
  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  }

  bool key(std::string& out) {
    skip_blanks();
    if (rest_.starts_with('"') || rest_.starts_with('\'')) return in_quotes(out);
    const std::size_t end = std::min(rest_.find_first_of(".[]=\"'"), rest_.size());
    const std::string_view bare = rest_.substr(0, end);
    out = bare.substr(0, bare.find_last_not_of(kBlanks) + 1);
    if (out.empty()) return fail("a key is missing");
    rest_.remove_prefix(end);
    return true;
  }

  bool element(std::string& out) {
    skip_blanks();
    if (rest_.starts_with('"') || rest_.starts_with('\'')) {
      if (!in_quotes(out)) return false;
      skip_blanks();
    } else {
      const std::size_t end = std::min(rest_.find(']'), rest_.size());
      out = rest_.substr(0, end);
      if (out.empty()) return fail("brackets hold the id or the number of an element");
      rest_.remove_prefix(end);
    }
    return take(']') || fail("a bracket is not closed");
  }

  bool in_quotes(std::string& out) {
    const char mark = rest_.front();
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_.front() != mark) {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\' && mark == '"') {
        // TOML's other escapes are of signs that can be written as they are.
        if (!rest_.starts_with('"') && !rest_.starts_with('\\'))
          return fail("behind a backslash may stand \" and \\ only");
        c = rest_.front();
        rest_.remove_prefix(1);
      }
      out += c;
    }
    return take(mark) || fail("a quotation mark is not closed");
  }

  std::string_view rest_;
};

}  // namespace

KeyPath::KeyPath(const char* literal) : KeyPath(own_path(literal)) {}

KeyPath own_path(std::string_view text) {
  if (text.empty()) return {};
  PathReader reader(text);
  const bool good = reader.read() && reader.rest().empty();
  GPUFEED_ASSERT(good, "a path of the program's own is one");
  return std::move(reader.path);
}

KeyPath KeyPath::operator/(std::string_view key) const {
  KeyPath below = *this;
  below.steps.push_back({std::string(key)});
  return below;
}

KeyPath KeyPath::operator[](std::string_view element) const {
  KeyPath one = *this;
  GPUFEED_ASSERT(!one.empty(), "an array has a key");
  one.steps.back().element = std::string(element);
  return one;
}

KeyPath KeyPath::parent() const {
  KeyPath above = *this;
  if (!above.empty()) above.steps.pop_back();
  return above;
}

bool KeyPath::is_within(const KeyPath& other) const {
  return steps.size() >= other.steps.size() &&
         std::equal(other.steps.begin(), other.steps.end(), steps.begin());
}

std::string key_text(std::string_view key) { return is_bare(key) ? std::string(key) : quoted(key); }

std::string text(const KeyPath& path) {
  std::string out;
  for (const KeyStep& step : path.steps) {
    if (!out.empty()) out += '.';
    out += key_text(step.key);
    if (step.element) out += '[' + element_text(*step.element) + ']';
  }
  return out;
}

std::optional<KeyPath> parse_key_path(std::string_view text, const Location& where,
                                      Diagnostics& out) {
  PathReader reader(text);
  const bool good = reader.read();
  if (good && reader.rest().empty()) return std::move(reader.path);
  Problem problem{where};
  problem.code = ProblemCode::bad_path;
  problem.found = text;
  problem.expected =
      "a path such as loader.workers_per_gpu, system.drive[ssd0].model or "
      "store.\"nas.lab\".model";
  problem.note = good ? "a key in quotation marks may hold =" : reader.why;
  out.add(std::move(problem));
  return {};
}

std::size_t end_of_path(std::string_view assignment) {
  PathReader reader(assignment);
  const bool good = reader.read();
  // Of what is no path, the first: what stands before it is reported as none.
  const std::size_t end = good ? assignment.size() - reader.rest().size() : assignment.find('=');
  return std::min(end, assignment.size());
}

}  // namespace gpufeed
