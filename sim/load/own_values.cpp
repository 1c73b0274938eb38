// SPDX-License-Identifier: Apache-2.0
#include "sim/load/scenario_build.h"

#include <algorithm>

#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

/// Numbers and truth values as they are, all else as text.
std::string as_toml(const std::string& text) {
  Diagnostics none;
  const auto plain = parse_toml("value = " + text, "", none);
  const bool bare = plain && plain->size() == 1 &&
                    (plain->get("value")->is_number() || plain->get("value")->is_boolean());
  return bare ? text : toml_string(text);
}

/// Notes the value for each kind that has such an entry with such a key.
void add(const toml::table& table, const Location& where, const Catalog& catalog, OwnValues& own,
         Diagnostics& out) {
  const std::string product = table["product"].value_or(std::string());
  const std::string key = table["key"].value_or(std::string());
  const auto value = table["value"].value<std::string>();
  if (product.empty() || key.empty() || !value) return;  // reported where the scenario is read
  Names products, keys;
  for (const auto& kind : catalog_kinds()) {
    const Names names = catalog.names(kind);
    products.insert(products.end(), names.begin(), names.end());
    if (!std::ranges::count(names, product)) continue;
    const Names of_kind = keys_of_kind(kind);
    keys.insert(keys.end(), of_kind.begin(), of_kind.end());
    if (std::ranges::count(of_kind, key))
      own[{std::string(kind), product}].push_back({key, as_toml(*value), where});
  }
  const auto refuse = [&](std::string_view at, const std::string& found, Names known,
                          const std::string& said) {
    Problem problem = unknown_entry(where, KeyPath("own") / at, "", found, std::move(known));
    problem.message = fmt::format("own: {}; {}", said, suggestion(found, problem.known));
    problem.fixes.clear();  // which of the tables it is, is not known
    out.add(std::move(problem));
  };
  if (!std::ranges::count(products, product))
    refuse("product", product, products, fmt::format("the catalog has no \"{}\"", product));
  else if (!std::ranges::count(keys, key))
    refuse("key", key, keys, fmt::format("{} has no key \"{}\"", product, key));
}

}  // namespace

Catalog with_own_values(const toml::table& scenario, const std::string& file,
                        const Catalog& catalog, Diagnostics& out) {
  const auto* tables = scenario.get_as<toml::array>("own");
  if (!tables) return catalog;
  OwnValues own;
  for (const auto& one : *tables)
    if (const auto* table = one.as_table())
      add(*table, location(one.source(), file), catalog, own, out);
  return catalog.with_own(std::move(own));
}

}  // namespace gpufeed
