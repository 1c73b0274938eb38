// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "sim/base/labels/label_text.h"
#include "sim/load/chassis/fits.h"
#include "sim/load/read/reader.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/read/usual_clients.h"
#include "sim/load/text/patch.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/catalog/stores.h"
#include "sim/model/scenario.h"

namespace gpufeed::ui {
namespace {

/// Null where the catalog has none of this name.
template <class Product>
std::shared_ptr<const Product> product_of(const std::string& name, const Catalog& catalog) {
  const auto file = catalog.find(Product::kKind, name);
  if (!file) return nullptr;
  Diagnostics told_where_it_is_named;
  return Reader(catalog, "", told_where_it_is_named).entry_of<Product>(*file);
}

bool is_of_key(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

/// All that could be a key in a text, each once, in order.
std::set<std::string> words_in(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char letter : text + "\n") {
    if (is_of_key(letter)) {
      word += letter;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

KeyPath path_of(const std::string& store) { return KeyPath("store") / store; }

std::string text_at(const std::string& text, const KeyPath& path) {
  const auto texts = texts_at(text, path);
  return texts && texts->size() == 1 ? texts->front() : "";
}

std::string with_protocol(const std::string& text, const KeyPath& store, const std::string& product,
                          const Catalog& catalog) {
  const auto array = product_of<Array>(product, catalog);
  const std::string protocol = array ? usual_client(*array) : "";
  return protocol.empty() ? without_value(text, store / "protocol")
                          : with_value(text, store / "protocol", toml_string(protocol));
}

/// A section at the end where stores have sections, or there are none yet.
std::string with_new_store(const std::string& text, const std::string& name,
                           const std::string& product, const Catalog& catalog) {
  const auto others = value_at(text, "store");
  if (others && !others->starts_with('[')) {
    return with_protocol(with_value(text, path_of(name) / "model", toml_string(product)),
                         path_of(name), product, catalog);
  }
  const std::string end = text.empty() || text.ends_with('\n') ? "" : "\n";
  const std::string section = fmt::format("\n[store.{}]\nmodel = {}\n", name, toml_string(product));
  return with_protocol(text + end + section, path_of(name), product, catalog);
}

/// The cheapest card for a slot of the chassis that carries what the store reads, or else the
/// fastest; nothing where none fits.
std::optional<std::string> card_for(const Array& array, const Chassis& chassis,
                                    const Catalog& catalog) {
  constexpr Bandwidth kFast{50e9};  // of a port of 400 Gb/s: more takes several cards
  const Bandwidth wanted = std::min(array.read_bandwidth, kFast);
  std::vector<std::tuple<bool, double, std::string>> found;
  for (const auto& name : catalog.names(Nic::kKind)) {
    const auto nic = product_of<Nic>(name, catalog);
    if (!nic || !nic->price || !nic->not_sold.empty()) continue;
    const bool has_place = std::ranges::any_of(chassis.slots, [&](const Slot& slot) {
      return fits(slot, *nic) && unsaid(slot, *nic).empty();
    });
    if (!has_place) continue;
    const Bandwidth rate = nic->port_bandwidth;
    const bool slow = rate < wanted;
    found.emplace_back(slow, slow ? -rate.value : nic->price->value, name);
  }
  if (found.empty()) return {};
  return std::get<2>(*std::ranges::min_element(found));
}

/// A machine of a chassis has at least one network card then.
std::string with_card(const std::string& text, const std::string& product, const Catalog& catalog) {
  const auto machine = requested_machine_of(text, catalog);
  if (!machine) return text;
  const auto nics = std::ranges::find(machine->parts, "nic", &RequestedParts::kind);
  if (nics == machine->parts.end() || !nics->parts.empty()) return text;
  const auto array = product_of<Array>(product, catalog);
  const auto chassis = product_of<Chassis>(machine->chassis, catalog);
  const auto card = array && chassis ? card_for(*array, *chassis, catalog) : std::nullopt;
  if (!card) return text;  // whoever reads the scenario says that one is missing
  RequestedParts changed = *nics;
  changed.parts = {{1, *card}};
  return with_parts(text, changed);
}

/// Without the lines from the header of a table to the next header.
std::string without_section(const std::string& text, const std::string& header) {
  std::string out;
  bool inside = false;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('[')) inside = line.starts_with(header);
    if (!inside) out += line + "\n";
  }
  return out;
}

}  // namespace

std::vector<RequestedStore> requested_stores(const std::string& text) try {
  const auto all = value_at(text, "store");
  if (!all) return {};
  std::vector<RequestedStore> stores;
  const std::string at = text_at(text, "data.at");
  for (const std::string& word : words_in(*all)) {
    const std::string product = text_at(text, path_of(word) / "model");
    if (product.empty()) continue;
    stores.push_back({word, product, text_at(text, path_of(word) / "protocol"),
                      texts_at(text, path_of(word) / "via").value_or(std::vector<std::string>()),
                      word == at});
  }
  return stores;
} catch (const InputError&) {
  return {};
}

std::vector<std::string> places_of(const Scenario& scenario) {
  std::vector<std::string> places;
  for (const auto& volume : scenario.system->volumes) places.push_back(text_of(volume.id));
  if (places.empty())
    for (const auto& drive : scenario.system->drives) places.push_back(text_of(drive.id));
  for (const auto& [name, store] : scenario.store) places.push_back(name);
  return places;
}

std::string with_data_at(const std::string& text, const std::string& place) {
  const auto from = texts_at(text, "data.staging.from");
  const bool copied = from && std::ranges::count(*from, place) > 0;
  return with_value(copied ? without_value(text, "data.staging") : text, "data.at",
                    toml_string(place));
}

Choosing choosing_store(const Catalog& catalog) {
  return {std::string(Array::kKind), "A shared store to add", "",
          [catalog](const std::string& text, const std::string& product) {
            const auto known = requested_stores(text);
            std::string name = "store";
            for (int i = 2; std::ranges::count(known, name, &RequestedStore::name) > 0; ++i)
              name = fmt::format("store{}", i);
            const std::string out =
                with_new_store(with_card(text, product, catalog), name, product, catalog);
            return known.empty() ? with_data_at(out, name) : out;
          },
          false};
}

Choosing choosing_for(const RequestedStore& store, const Catalog& catalog) {
  return {
      std::string(Array::kKind), "Another product for " + store.name, store.product,
      [path = path_of(store.name), catalog](const std::string& text, const std::string& product) {
        return with_protocol(with_value(text, path / "model", toml_string(product)), path, product,
                             catalog);
      },
      false};
}

std::vector<std::string> protocols_of(const std::string& product, const Catalog& catalog) {
  const auto array = product_of<Array>(product, catalog);
  std::vector<std::string> names;
  if (!array) return names;
  for (const auto& name : catalog.names(Protocol::kKind)) {
    const auto protocol = product_of<Protocol>(name, catalog);
    if (protocol &&
        (array->protocols.empty() || std::ranges::count(array->protocols, protocol->family) > 0))
      names.push_back(name);
  }
  return names;
}

std::string without_store(const std::string& text, const RequestedStore& store,
                          const std::string& place) {
  const std::string moved = store.holds_data && !place.empty() ? with_data_at(text, place) : text;
  const std::string out = without_section(moved, "[store." + store.name + "]");
  return out.size() == moved.size() ? without_value(moved, path_of(store.name)) : out;
}

}  // namespace gpufeed::ui
