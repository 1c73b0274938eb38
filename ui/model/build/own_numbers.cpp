// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/own_numbers.h"

#include <fmt/format.h>

#include <optional>

#include "sim/load/key_help.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"

namespace gpufeed::ui {
namespace {

/// Which of the scenario's own values is this one's; nothing where none is.
std::optional<std::size_t> place_of(const std::string& text, const std::string& product,
                                    const std::string& key) {
  const auto products = texts_in(text, "own", "product");
  const auto keys = texts_in(text, "own", "key");
  for (std::size_t i = 0; i < products.size(); ++i)
    if (products[i] == product && keys[i] == key) return i;
  return {};
}

/// Years belong to prices; all other numbers, known or not, have a place here.
bool is_number(const EntryLine& line) {
  if (!line.single || line.key == "price_year" || line.key == "released") return false;
  return line.units || (line.operand && std::holds_alternative<Measure>(*line.operand));
}

std::string help_of(const std::vector<KeyHelp>& keys, const std::string& kind,
                    const std::string& name) {
  for (const KeyHelp& key : keys)
    if (key.table.is_top() && key.table.entry == kind && key.key == name) return key.help;
  return "";
}

}  // namespace

std::vector<ProductNumber> product_numbers(const std::string& text, const Catalog& catalog,
                                           const std::string& kind, const std::string& product) {
  const std::vector<KeyHelp> keys = all_keys();
  const auto own = texts_in(text, "own", "value");
  std::vector<ProductNumber> numbers;
  for (const EntryText& entry : describe_entry(catalog, product)) {
    if (entry.kind != kind) continue;
    for (const EntryLine& line : entry.lines) {
      if (!is_number(line)) continue;
      const auto place = place_of(text, product, line.key);
      numbers.push_back({line.key, help_of(keys, kind, line.key), line.value,
                         line.basis.empty() ? entry.basis : line.basis,
                         line.source.empty() ? entry.source : line.source,
                         place ? own[*place] : ""});
    }
  }
  return numbers;
}

std::string with_own_number(const std::string& text, const std::string& product,
                            const std::string& key, const std::string& value) {
  const auto place = place_of(text, product, key);
  if (value.empty()) return place ? without_table(text, "own", *place) : text;
  if (place)
    return with_value(text, KeyPath("own")[std::to_string(*place)] / "value", toml_string(value));
  return with_table(text, "own",
                    {{"product", toml_string(product)},
                     {"key", toml_string(key)},
                     {"value", toml_string(value)}});
}

std::string own_price(const std::string& text, const std::string& product) try {
  const auto place = place_of(text, product, "price");
  return place ? texts_in(text, "own", "value")[*place] : "";
} catch (const InputError&) {
  return "";
}

std::string with_quote(const std::string& text, const std::string& product,
                       const std::string& quote) {
  std::string value;
  for (const char letter : quote)
    if (letter != ',' && letter != ' ' && letter != '$') value += letter;
  const bool bare = value.find_first_not_of("0123456789.") == std::string::npos;
  if (value.ends_with("USD")) value.erase(value.size() - 3), value += " USD";
  return with_own_number(text, product, "price", bare && !value.empty() ? value + " USD" : value);
}

}  // namespace gpufeed::ui
