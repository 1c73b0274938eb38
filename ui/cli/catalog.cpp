// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/load/load.h"
#include "sim/load/read/conditions.h"
#include "ui/cli/catalog_list.h"
#include "ui/cli/catalog_prices.h"
#include "ui/cli/output.h"
#include "ui/cli/verb_parts.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

struct Row {
  std::string kind;
  std::string name;
  std::string title;
};

std::vector<Row> all_rows(const Catalog& catalog) {
  std::vector<Row> rows;
  Diagnostics told_by_show;
  for (const auto& kind : catalog_kinds()) {
    const auto entries = entries_of_kind(catalog, kind, {}, told_by_show);
    for (const auto& name : catalog.names(kind)) {
      const auto entry = std::ranges::find(entries, name, &EntryText::name);
      rows.push_back({kind, name,
                      entry != entries.end()
                          ? entry->title
                          : fmt::format("(wrong; gpufeed catalog show {} says why)", name)});
    }
  }
  return rows;
}

/// The rows whose name or title contains `word`.
std::vector<Row> rows_about(const std::string& word, const std::vector<Row>& all,
                            const Options& options) {
  std::vector<Row> found;
  Names known = catalog_kinds();
  for (const auto& row : all) {
    known.push_back(row.name);
    if (contains(row.name, word) || contains(row.title, word)) found.push_back(row);
  }
  if (found.empty())
    throw options.error(
        fmt::format("no kind and no entry is called \"{}\"; {}", word, suggestion(word, known)));
  return found;
}

std::string lines_of(const std::vector<Row>& rows) {
  std::size_t kinds = 0;
  std::size_t names = 0;
  for (const auto& row : rows) {
    kinds = std::max(kinds, row.kind.size() + 2);
    names = std::max(names, row.name.size() + 2);
  }
  std::string out;
  for (const auto& row : rows)
    out += fmt::format("{:<{}}{:<{}}{}\n", row.kind, kinds, row.name, names,
                       title_in(row.title, kinds + names, columns_of_output()));
  return out;
}

struct ListArguments {
  std::string word;
  std::vector<std::string> where;
  std::optional<std::string> sort;
  bool reverse = false;
  bool json = false;
  std::vector<std::string> folders;
  std::optional<std::string> prices;

  void add_to(Options& options) {
    options.optional_operand("KIND", word,
                             fmt::format("only this kind, with the values that matter: {}; or only "
                                         "what is called like this",
                                         fmt::join(catalog_kinds(), ", ")));
    options.repeatable("--where", "CONDITION", where,
                       "only entries of KIND that meet it, such as \"price <= 600 USD\" or "
                       "\"form = 'u.2'\"; an entry that does not say the key fails. gpufeed check "
                       "--keys lists the keys");
    options.value("--sort", "KEY", sort, "least first; entries that do not say the key are last");
    options.flag("--reverse", reverse, "greatest first");
    options.flag("--json", json, "every value of every entry as JSON, numbers in SI units");
    options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
    options.value("--prices", "FILE", prices, kPricesHelp).seldom();
  }
};

std::vector<Condition> conditions_of(const ListArguments& given, const Names& keys) {
  std::vector<Condition> conditions;
  Diagnostics problems;
  for (const auto& text : given.where) {
    auto condition = parse_condition(text, "a condition", {"--where " + text, 0, 0}, problems);
    if (!condition) continue;
    check_names(*condition, keys, problems);
    conditions.push_back(std::move(*condition));
  }
  problems.throw_if_any();
  return conditions;
}

/// Entries of the kind `given.word`, as asked for; what is wrong with others goes to `problems`.
std::vector<EntryText> entries_asked_for(const ListArguments& given, const Catalog& catalog,
                                         const Options& options, Diagnostics& problems) {
  const Names keys = names_in_conditions(given.word);
  if (given.sort && !std::ranges::count(keys, *given.sort))
    throw options.error(fmt::format("--sort {}: a {} has no such key; {}", *given.sort, given.word,
                                    suggestion(*given.sort, keys)));
  auto entries = entries_of_kind(catalog, given.word, conditions_of(given, keys), problems);
  if (given.sort) sort_by(entries, *given.sort, given.reverse);
  return entries;
}

/// The keys that were asked about: they are shown, whatever the kind.
Names keys_asked_about(const ListArguments& given) {
  Names keys;
  for (const auto& condition : conditions_of(given, names_in_conditions(given.word)))
    for (const Side* side : {&condition.left, &condition.right})
      keys.insert(keys.end(), side->names.begin(), side->names.end());
  if (given.sort) keys.push_back(*given.sort);
  return keys;
}

/// Why conditions leave nothing: an entry that does not say a key fails, which is easily forgotten.
std::string nothing_found(const ListArguments& given, const Catalog& catalog) {
  Diagnostics told_by_list;
  const auto all = entries_of_kind(catalog, given.word, {}, told_by_list);
  std::string out = fmt::format("no {} meets that, of {}", given.word, all.size());
  for (const auto& key : keys_asked_about(given))
    if (const auto silent = std::ranges::count_if(
            all, [&](const EntryText& entry) { return key != "name" && !says(entry, key); });
        silent > 0)
      out += fmt::format("; {} do not say {}", silent, key);
  return out + "\n";
}

int list(const Arguments& arguments) {
  Options options("catalog list",
                  "Lists the products, machines, models and data sets that scenarios may name.",
                  "gpufeed catalog list drive --where \"price <= 600 USD\" --sort read_bandwidth");
  ListArguments given;
  given.add_to(options);
  if (!options.parse(arguments)) return kGood;
  const Catalog catalog = catalog_with(given.folders, given.prices);
  const bool is_kind = std::ranges::count(catalog_kinds(), given.word) > 0;
  if (!is_kind && (!given.where.empty() || given.sort || given.json))
    throw options.error(fmt::format(
        "--where, --sort and --json are about the keys of one kind; name it before them: {}",
        fmt::join(catalog_kinds(), ", ")));
  if (given.reverse && !given.sort) throw options.error("--reverse needs --sort KEY");
  if (!is_kind) {
    const auto all = all_rows(catalog);
    print(lines_of(given.word.empty() ? all : rows_about(given.word, all, options)));
    return kGood;
  }
  Diagnostics problems;
  const auto entries = entries_asked_for(given, catalog, options, problems);
  print(given.json ? json_of(entries)
                   : table_of(entries, keys_asked_about(given), columns_of_output()));
  if (entries.empty()) complain(nothing_found(given, catalog));
  problems.throw_if_any();
  return kGood;
}

std::string entry_text(const EntryText& entry) {
  constexpr std::size_t kIndent = 26;
  std::string out = fmt::format("{} {}: ", entry.kind, entry.name);
  out = labeled(out, entry.title, out.size());
  out += labeled("  file", entry.file.string(), kIndent) +
         labeled("  basis", entry.basis, kIndent) + labeled("  source", entry.source, kIndent);
  if (!entry.like.empty()) out += labeled("  like", entry.like, kIndent);
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
  std::optional<std::string> prices;
  options.operands("NAME", names, "as gpufeed catalog list prints it");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  options.value("--prices", "FILE", prices, kPricesHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (names.empty()) throw options.error("name at least one entry");
  const Catalog catalog = catalog_with(folders, prices);
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
  if (verb == "prices") return catalog_prices(rest);
  if (helped("catalog", {list, show, catalog_prices}, arguments)) return kGood;
  if (verb.empty()) throw UsageError("gpufeed catalog: say what: list, show or prices");
  throw UsageError(fmt::format("gpufeed catalog: cannot \"{}\"; {}", verb,
                               suggestion(verb, {"list", "show", "prices"})));
}

}  // namespace gpufeed::cli
