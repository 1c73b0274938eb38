// SPDX-License-Identifier: Apache-2.0
// What a Reader says of keys and values that may not stand where they do.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "sim/base/printable.h"
#include "sim/load/read/reader.h"

namespace gpufeed {
namespace {

/// `unknown unit "GBps"; did you mean "GB/s"?` where a number with another unit was found.
std::string unknown_unit(const UnitTable& units, std::string_view text) {
  double number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  const auto unit =
      std::find_if(text.begin() + (end - text.data()), text.end(),
                   [](unsigned char c) { return std::isalpha(c) || c == '%' || c == '/'; });
  const std::string_view name(unit, text.end());
  Names known;
  for (const auto& one : units.names) known.emplace_back(one.name);
  if (unit == text.begin() || name.empty() || std::ranges::count(known, name)) return "";
  return fmt::format("unknown unit \"{}\"; {}", name, suggestion(name, known));
}

}  // namespace

std::string Reader::prefix(const std::string& place) { return place.empty() ? "" : place + ": "; }

std::string Reader::join(const std::string& place, std::string_view key) {
  return place.empty() ? key_text(key) : fmt::format("{}.{}", place, key_text(key));
}

std::string Reader::element_place(const std::string& place, const toml::node& item,
                                  std::size_t index) {
  if (const auto* table = item.as_table())
    if (const auto* id = table->get("id"); id && id->as_string())
      return fmt::format("{}[{}]", place, element_text(id->as_string()->get()));
  return fmt::format("{}[{}]", place, index);
}

void Reader::report_unknown(Here& here, const KeyNames& keys) {
  Names known(keys.names.begin(), keys.names.end());
  if (here.entry) known.insert(known.end(), {"source", "basis"});
  const Names of_files{std::string(kLikeKey), std::string(kWithoutKey)};
  for (const auto& [key, node] : here.table) {
    if (std::ranges::count(known, key.str()) || std::ranges::count(keys.aliases, key.str()))
      continue;
    const auto& region = key.source().path ? key.source() : node.source();
    if (here.entry && std::ranges::count(of_files, key.str())) {
      out_.refuse(ProblemCode::conflict, own_path(here.place), location(region, file_),
                  ": only an entry in a file of its own has \"{}\"", key.str());
      continue;
    }
    if (const auto foreign = here.foreign.find(key.str()); foreign != here.foreign.end()) {
      Problem idle{location(region, file_), prefix(here.place) + foreign->second};
      idle.code = ProblemCode::idle_key;
      idle.subject = own_path(here.place) / key.str();
      idle.fixes.push_back({Fix::Kind::remove, idle.subject});
      out_.add(std::move(idle));
      continue;
    }
    if (is_new(location(region, file_), fmt::format("unknown {}", key.str())))
      out_.add(unknown_key(location(region, file_), own_path(here.place), std::string(key.str()),
                           known));
    if (const auto near = nearest(key.str(), known)) {
      here.meant.insert(*near);
      misspelt.insert(join(here.place, *near));
    }
  }
}

const toml::node* Reader::node_of(const Here& here, std::string_view name, std::string_view alias,
                                  std::string_view deprecated) {
  const toml::node* const node = here.table.get(name);
  const toml::node* const other = alias.empty() ? nullptr : here.table.get(alias);
  if (!other) return node;
  if (node) {
    Problem both{at(*other), fmt::format("{}{} and {} are two names of one key; leave one out",
                                         prefix(here.place), alias, name)};
    both.code = ProblemCode::conflict;
    both.subject = own_path(here.place) / alias;
    both.fixes.push_back({Fix::Kind::remove, both.subject});
    out_.add(std::move(both));
  } else if (!deprecated.empty()) {
    old_names.push_back(
        {at(*other), own_path(here.place) / alias, std::string(name), std::string(deprecated)});
  }
  return other;
}

void Reader::missing(const toml::table& table, const std::string& place, std::string_view key,
                     const std::string& must_be) {
  out_.add(missing_key(at(table), own_path(place), key, must_be));
}

void Reader::add_mismatch(const toml::node& node, const std::string& place, Problem problem) {
  if (!is_new(at(node), problem.expected + problem.note)) return;
  problem.where = at(node);
  problem.subject = own_path(place);
  problem.found = shown(node);
  for (Fix& fix : problem.fixes) fix.key = problem.subject;
  out_.add(std::move(problem));
}

void Reader::mismatch(const toml::node& node, const std::string& place, const std::string& must_be,
                      const UnitTable* units) {
  Problem problem;
  problem.code = ProblemCode::wrong_type;
  problem.expected = must_be;
  if (const auto* text = node.as_string(); units && text)
    problem.note = unknown_unit(*units, text->get());
  add_mismatch(node, place, std::move(problem));
}

void Reader::out_of_range(const toml::node& node, const std::string& place,
                          const std::string& must_be, const std::string& nearest) {
  Problem problem;
  problem.code = ProblemCode::out_of_range;
  problem.expected = must_be;
  problem.fixes.push_back({Fix::Kind::set, {}, nearest});
  add_mismatch(node, place, std::move(problem));
}

void Reader::wrong_word(const toml::node& node, const std::string& place, Keys words) {
  Problem problem;
  problem.code = ProblemCode::wrong_type;
  problem.expected = expected_word(words);
  problem.known.assign(words.begin(), words.end());
  const auto* text = node.as_string();
  if (const auto near = text ? nearest(text->get(), problem.known) : std::nullopt) {
    problem.note = fmt::format("did you mean \"{}\"?", *near);
    problem.fixes.push_back({Fix::Kind::set, {}, toml_string(*near)});
  }
  add_mismatch(node, place, std::move(problem));
}

void Reader::must_stand_together(const toml::table& table, const std::string& place,
                                 std::string_view one, std::string_view other) {
  Problem problem{at(table),
                  fmt::format("{}{} and {} must stand together", prefix(place), one, other)};
  problem.code = ProblemCode::conflict;
  problem.subject = own_path(place) / (table.contains(one) ? other : one);
  out_.add(std::move(problem));
}

void Reader::note_default(const std::string& place, const std::string& value) {
  if (value != "\"\"") defaults.push_back({own_path(place), value});
}

bool Reader::is_printable(std::string_view text, const Location& where, const std::string& place) {
  const bool in_one_line = place.ends_with("id");
  if (!has_controls(text, in_one_line ? "" : "\n\t")) return true;
  out_.error(ProblemCode::wrong_type, where, "{}: control characters are not allowed; found \"{}\"",
             place, text);
  return false;
}

}  // namespace gpufeed
