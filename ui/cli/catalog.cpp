// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/load/load.h"
#include "ui/cli/output.h"
#include "ui/cli/places.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

struct Row {
  std::string kind;
  std::string name;
  std::string title;
};

std::string title_of(const Catalog& catalog, const std::string& kind, const std::string& name) {
  try {
    for (const auto& entry : describe_entry(catalog, name))
      if (entry.kind == kind) return entry.title;
  } catch (const InputError&) {
    return fmt::format("(wrong; gpufeed catalog show {} says why)", name);
  }
  return "";
}

std::vector<Row> all_rows(const Catalog& catalog) {
  std::vector<Row> rows;
  for (const auto& kind : catalog_kinds())
    for (const auto& name : catalog.names(kind))
      rows.push_back({kind, name, title_of(catalog, kind, name)});
  return rows;
}

/// The rows of the kind `word`; where it is no kind, those whose name or title contains it.
std::vector<Row> rows_about(const std::string& word, const std::vector<Row>& all,
                            const Options& options) {
  const bool is_kind = std::ranges::count(catalog_kinds(), word) > 0;
  std::vector<Row> found;
  Names known = catalog_kinds();
  for (const auto& row : all) {
    known.push_back(row.name);
    if (is_kind ? row.kind == word : contains(row.name, word) || contains(row.title, word))
      found.push_back(row);
  }
  if (found.empty() && !is_kind)
    throw options.error(
        fmt::format("no kind and no entry is called \"{}\"; {}", word, suggestion(word, known)));
  return found;
}

std::string table_of(const std::vector<Row>& rows) {
  std::size_t kinds = 0;
  std::size_t names = 0;
  for (const auto& row : rows) {
    kinds = std::max(kinds, row.kind.size() + 2);
    names = std::max(names, row.name.size() + 2);
  }
  std::string out;
  for (const auto& row : rows)
    out +=
        fmt::format("{:<{}}{:<{}}{}\n", row.kind, kinds, row.name, names, clipped(row.title, 60));
  return out;
}

int list(const Arguments& arguments) {
  Options options("catalog list",
                  "Lists the products, machines, models and data sets that scenarios may name.",
                  "gpufeed catalog list drive");
  std::string word;
  std::vector<std::string> folders;
  options.optional_operand("KIND", word,
                           fmt::format("only this kind: {}; or only what is called like this",
                                       fmt::join(catalog_kinds(), ", ")));
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp);
  if (!options.parse(arguments)) return kGood;
  const auto all = all_rows(catalog_with(folders));
  print(table_of(word.empty() ? all : rows_about(word, all, options)));
  return kGood;
}

std::string entry_text(const EntryText& entry) {
  constexpr std::size_t kIndent = 26;
  std::string out = fmt::format("{} {}: ", entry.kind, entry.name);
  out = labeled(out, entry.title, out.size());
  out += labeled("  file", entry.file.string(), kIndent) +
         labeled("  basis", entry.basis, kIndent) + labeled("  source", entry.source, kIndent);
  for (const auto& line : entry.lines) {
    out += labeled("  " + line.key + " ", line.value, kIndent);
    if (!line.basis.empty()) out += labeled("", line.basis + ": " + line.source, kIndent + 2);
  }
  return out;
}

int show(const Arguments& arguments) {
  Options options("catalog show",
                  "Prints every value of catalog entries, and where each is known from: what is "
                  "given for the whole entry, and below a value what holds for it alone.",
                  "gpufeed catalog show resnet-50");
  std::vector<std::string> names;
  std::vector<std::string> folders;
  options.operands("NAME", names, "as gpufeed catalog list prints it");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp);
  if (!options.parse(arguments)) return kGood;
  if (names.empty()) throw options.error("name at least one entry");
  const Catalog catalog = catalog_with(folders);
  Diagnostics problems;
  std::string out;
  for (const auto& name : names) try {
      for (const auto& entry : describe_entry(catalog, name))
        out += (out.empty() ? "" : "\n") + entry_text(entry);
    } catch (const InputError& error) {
      add(problems, error);
    }
  print(out);
  problems.throw_if_any();
  return kGood;
}

}  // namespace

int catalog_verb(const Arguments& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments.front();
  const Arguments rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (verb == "list") return list(rest);
  if (verb == "show") return show(rest);
  if (verb == "--help" || verb == "-h") {
    list({"--help"});
    print("\n");
    return show({"--help"});
  }
  if (verb.empty()) throw UsageError("gpufeed catalog: say what: list or show");
  throw UsageError(
      fmt::format("gpufeed catalog: cannot \"{}\"; {}", verb, suggestion(verb, {"list", "show"})));
}

}  // namespace gpufeed::cli
