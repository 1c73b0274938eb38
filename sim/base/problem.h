// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/key_path.h"

namespace gpufeed {

/// A place in the user's input. Line and column count from 1; 0 means the whole file or option.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;

  auto operator<=>(const Location&) const = default;
};

/// `file:line:column`, or the file alone where no line is known.
std::string text(const Location& where);

/// What kind of mistake it is.
enum class ProblemCode {
  other,          ///< what no code below says
  syntax,         ///< the text is no TOML
  bad_path,       ///< `found` is no path of keys
  unknown_key,    ///< the table has no such key
  missing_key,    ///< the table needs this key
  idle_key,       ///< the key has no effect here
  conflict,       ///< keys that exclude, or need, each other
  wrong_type,     ///< the value has another form
  out_of_range,   ///< the number is too small or too large, or does not divide what it must
  too_large,      ///< it takes more than the machine, the part or the place has
  unknown_entry,  ///< the catalog has no such entry
  unknown_part,   ///< the scenario has no part, store or place of that name
  unfit_part,     ///< the part does not go into its chassis, or beside the others
  unusable_file   ///< it cannot be read or written, or is not what is wanted here
};

/// Its name in JSON: "unknown_key".
std::string_view name_of(ProblemCode code);

/// An edit of the user's text that a problem asks for.
struct Fix {
  enum class Kind {
    set,     ///< give the key another value
    rename,  ///< give the key another name
    remove   ///< leave the key out
  };
  Kind kind = Kind::set;
  KeyPath key;
  std::string value = {};  ///< set: as TOML writes it; rename: the new name

  bool operator==(const Fix&) const = default;
};

/// Its name in JSON: "set".
std::string_view name_of(Fix::Kind kind);

/// A mistake of the user's, for programs as much as for people.
struct Problem {
  Location where;
  std::string message =
      {};  ///< the sentence that says it; empty where the code and what follows do
  ProblemCode code = ProblemCode::other;
  KeyPath subject = {};                 ///< the key or table that it is about, where one is
  std::string found = {};               ///< what stands there, as it is shown
  std::string expected = {};            ///< what may stand there, in words
  std::vector<std::string> known = {};  ///< the names that may stand there
  std::string note = {};                ///< what else there is to say of what was found
  std::vector<Fix> fixes = {};          ///< what to do, the most likely first
  bool of_subject = false;              ///< `message` goes on behind the subject's name
};

/// The problem in one sentence, without its place.
std::string sentence(const Problem& problem);
/// The same, its subject called `name`; but a key that is unknown stays as it is spelled.
std::string sentence(const Problem& problem, const std::string& name);
/// With its place, as a terminal shows it, control characters made visible: "PLACE: error: ...".
std::string line_of(const Problem& problem);

/// A table's key that it does not have; the fix is the nearest of `known`.
Problem unknown_key(Location where, const KeyPath& table, const std::string& key,
                    std::vector<std::string> known);
/// \param expected  what the key must be
Problem missing_key(Location where, const KeyPath& table, std::string_view key,
                    std::string expected);
/// No entry of `kind` in the catalog; the fix is the nearest of `known`.
Problem unknown_entry(Location where, KeyPath subject, std::string_view kind,
                      const std::string& found, std::vector<std::string> known);
/// No `what` ("store", "volume, drive or store") of this name in the scenario, likewise.
Problem unknown_part(Location where, KeyPath subject, std::string_view what,
                     const std::string& found, std::vector<std::string> known);

}  // namespace gpufeed
