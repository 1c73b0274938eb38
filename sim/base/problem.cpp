// SPDX-License-Identifier: Apache-2.0
#include "sim/base/problem.h"

#include <fmt/format.h>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

/// What stands before a sentence about a table: nothing of the file itself.
std::string prefix(const KeyPath& table) { return table.empty() ? "" : text(table) + ": "; }

const std::string& last_key(const Problem& problem) { return problem.subject.steps.back().key; }

void fix_name(Problem& problem) {
  if (const auto near = nearest(problem.found, problem.known))
    problem.fixes.push_back({Fix::Kind::set, problem.subject, toml_string(*near)});
}

}  // namespace

std::string_view name_of(ProblemCode code) {
  using enum ProblemCode;
  switch (code) {
    case other:
      return "other";
    case syntax:
      return "syntax";
    case bad_path:
      return "bad_path";
    case unknown_key:
      return "unknown_key";
    case missing_key:
      return "missing_key";
    case idle_key:
      return "idle_key";
    case conflict:
      return "conflict";
    case wrong_type:
      return "wrong_type";
    case out_of_range:
      return "out_of_range";
    case too_large:
      return "too_large";
    case unknown_entry:
      return "unknown_entry";
    case unknown_part:
      return "unknown_part";
    case unfit_part:
      return "unfit_part";
    case unusable_file:
      return "unusable_file";
  }
  return "";
}

std::string_view name_of(Fix::Kind kind) {
  using enum Fix::Kind;
  switch (kind) {
    case set:
      return "set";
    case rename:
      return "rename";
    case remove:
      return "remove";
  }
  return "";
}

std::string text(const Location& where) {
  if (where.line == 0) return where.file;
  return fmt::format("{}:{}:{}", where.file, where.line, where.column);
}

std::string sentence(const Problem& one) {
  if (one.code == ProblemCode::missing_key && one.message.empty())
    return fmt::format("{}\"{}\" is missing; it must be {}", prefix(one.subject.parent()),
                       last_key(one), one.expected);
  return sentence(one, text(one.subject));
}

std::string sentence(const Problem& one, const std::string& name) {
  if (!one.message.empty()) return one.of_subject ? name + one.message : one.message;
  switch (one.code) {
    case ProblemCode::bad_path:
      return fmt::format("\"{}\" is not {}: {}", one.found, one.expected, one.note);
    case ProblemCode::unknown_key:
      return fmt::format("{}unknown key \"{}\"; {}", prefix(one.subject.parent()), last_key(one),
                         suggestion(last_key(one), one.known));
    case ProblemCode::missing_key:
      return fmt::format("{} is missing; it must be {}", name, one.expected);
    case ProblemCode::wrong_type:
    case ProblemCode::out_of_range:
      return fmt::format("{} must be {}{}{}; found {}", name, one.expected,
                         one.note.empty() ? "" : " ", one.note.empty() ? "" : '(' + one.note + ')',
                         one.found);
    case ProblemCode::unknown_entry:
      return fmt::format("{}: no {} \"{}\" in the catalog; {}", name, one.expected, one.found,
                         suggestion(one.found, one.known));
    case ProblemCode::unknown_part:
      return fmt::format("{}: there is no {} \"{}\"; {}", name, one.expected, one.found,
                         suggestion(one.found, one.known));
    case ProblemCode::other:
    case ProblemCode::syntax:
    case ProblemCode::idle_key:
    case ProblemCode::conflict:
    case ProblemCode::too_large:
    case ProblemCode::unfit_part:
    case ProblemCode::unusable_file:
      break;  // have a message
  }
  return "";
}

std::string line_of(const Problem& problem) {
  return fmt::format("{}: error: {}", printable(text(problem.where)), printable(sentence(problem)));
}

Problem unknown_key(Location where, const KeyPath& table, const std::string& key, Names known) {
  Problem one{std::move(where)};
  one.code = ProblemCode::unknown_key;
  one.subject = table / key;
  one.found = key;
  one.known = std::move(known);
  if (auto near = nearest(key, one.known))
    one.fixes.push_back({Fix::Kind::rename, one.subject, std::move(*near)});
  return one;
}

Problem missing_key(Location where, const KeyPath& table, std::string_view key,
                    std::string expected) {
  Problem one{std::move(where)};
  one.code = ProblemCode::missing_key;
  one.subject = table / key;
  one.expected = std::move(expected);
  return one;
}

namespace {

Problem unknown_name(ProblemCode code, Location where, KeyPath subject, std::string_view what,
                     const std::string& found, Names known) {
  Problem one{std::move(where)};
  one.code = code;
  one.subject = std::move(subject);
  one.found = found;
  one.expected = what;
  one.known = std::move(known);
  fix_name(one);
  return one;
}

}  // namespace

Problem unknown_entry(Location where, KeyPath subject, std::string_view kind,
                      const std::string& found, Names known) {
  return unknown_name(ProblemCode::unknown_entry, std::move(where), std::move(subject), kind, found,
                      std::move(known));
}

Problem unknown_part(Location where, KeyPath subject, std::string_view what,
                     const std::string& found, Names known) {
  return unknown_name(ProblemCode::unknown_part, std::move(where), std::move(subject), what, found,
                      std::move(known));
}

}  // namespace gpufeed
