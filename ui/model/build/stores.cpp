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
#include "ui/model/build/new_machine.h"

namespace gpufeed::ui {
namespace {

const std::string kUsualSoftware = "ceph";
constexpr Bandwidth kFastStore{100e9};

/// Null where the catalog has none of this name.
template <class Product>
std::shared_ptr<const Product> product_of(const std::string& name, const Catalog& catalog) {
  Diagnostics told_where_it_is_named;
  return Reader(catalog, "", told_where_it_is_named).entry_named<Product>(name);
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

/// As it is typed in: texts without quotes; empty where the key is not there.
std::string typed_at(const std::string& text, const KeyPath& path) {
  const std::string words = text_at(text, path);
  return words.empty() ? value_at(text, path).value_or("") : words;
}

/// None where the store is no table with keys of servers.
std::map<std::string, std::string> servers_at(const std::string& text, const KeyPath& store) {
  if (!value_at(text, store / "servers") && !value_at(text, store / "server")) return {};
  std::map<std::string, std::string> values;
  const bool by_name = !text_at(text, store / "server").empty();
  for (const ServersKey& one : kServersKeys) {
    const bool is_one = one.path(store) == store / "server";
    if (is_one ? !by_name : one.of_one && by_name) continue;
    values[one.key] = typed_at(text, one.path(store));
  }
  return values;
}

std::string with_protocol(const std::string& text, const KeyPath& store, const std::string& product,
                          const Catalog& catalog) {
  const auto array = product_of<Array>(product, catalog);
  const std::string protocol = array ? usual_client(*array, catalog) : "";
  return protocol.empty() ? without_value(text, store / "protocol")
                          : with_value(text, store / "protocol", toml_string(protocol));
}

using Lines = std::vector<std::pair<std::string, std::string>>;

/// A section at the end where stores have sections, or there are none yet.
std::string with_new_store(const std::string& text, const std::string& name, const Lines& lines) {
  const auto others = value_at(text, "store");
  std::string out = text;
  if (others && !others->starts_with('[')) {
    for (const auto& [key, value] : lines) out = with_value(out, path_of(name) / key, value);
    return out;
  }
  out += text.empty() || text.ends_with('\n') ? "" : "\n";
  out += fmt::format("\n[store.{}]\n", name);
  for (const auto& [key, value] : lines) out += fmt::format("{} = {}\n", key, value);
  return out;
}

/// The cheapest card for a slot of the chassis that carries what a store reads, or else the
/// fastest; nothing where none fits.
std::optional<std::string> card_for(Bandwidth reads, const Chassis& chassis,
                                    const Catalog& catalog) {
  constexpr Bandwidth kFast{50e9};  // of a port of 400 Gb/s: more takes several cards
  const Bandwidth wanted = std::min(reads, kFast);
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
std::string with_card(const std::string& text, Bandwidth reads, const Catalog& catalog) {
  const auto machine = requested_machine_of(text, catalog);
  if (!machine) return text;
  const auto nics = std::ranges::find(machine->parts, "nic", &RequestedParts::kind);
  if (nics == machine->parts.end() || !nics->parts.empty()) return text;
  const auto chassis = product_of<Chassis>(machine->chassis, catalog);
  const auto card = chassis ? card_for(reads, *chassis, catalog) : std::nullopt;
  if (!card) return text;  // whoever reads the scenario says that one is missing
  RequestedParts changed = *nics;
  changed.parts = {{1, *card}};
  return with_parts(text, changed);
}

/// One server in a chassis, with parts that fit it and a fast card.
std::string server_table(const std::string& chassis, const Catalog& catalog) {
  std::string table = server_of_chassis(chassis, catalog);
  const auto known = product_of<Chassis>(chassis, catalog);
  const auto card =
      known && known->nics.empty() ? card_for(kFastStore, *known, catalog) : std::nullopt;
  if (card) table += ", nics = " + toml_string(*card);
  return "{ " + table + " }";
}

Lines lines_of_servers(const std::string& chassis, const Catalog& catalog) {
  Lines lines{{"servers", "12"},
              {"server", server_table(chassis, catalog)},
              {"software", toml_string(kUsualSoftware)},
              {"redundancy", "\"8+2\""}};
  const auto software = product_of<StorageSoftware>(kUsualSoftware, catalog);
  Array spoken;
  if (software) spoken.protocols = software->protocols, spoken.client = software->client;
  const std::string protocol = usual_client(spoken, catalog);
  if (!protocol.empty()) lines.emplace_back("protocol", toml_string(protocol));
  return lines;
}

std::string free_name(const std::string& text) {
  const auto known = requested_stores(text);
  std::string name = "store";
  for (int i = 2; std::ranges::count(known, name, &RequestedStore::name) > 0; ++i)
    name = fmt::format("store{}", i);
  return name;
}

/// A scenario's first store holds the job's data.
std::string as_first(const std::string& before, const std::string& text, const std::string& name) {
  return requested_stores(before).empty() ? with_data_at(text, name) : text;
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
    auto servers = servers_at(text, path_of(word));
    if (product.empty() && servers.empty()) continue;
    stores.push_back({word, product, text_at(text, path_of(word) / "protocol"),
                      texts_at(text, path_of(word) / "via").value_or(std::vector<std::string>()),
                      word == at, std::move(servers)});
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
  return {
      std::string(Array::kKind), "A shared store to add", "",
      [catalog](const std::string& text, const std::string& product) {
        const auto array = product_of<Array>(product, catalog);
        const std::string name = free_name(text);
        const std::string carried = array ? with_card(text, array->read_bandwidth, catalog) : text;
        const std::string named = with_new_store(carried, name, {{"model", toml_string(product)}});
        return as_first(text, with_protocol(named, path_of(name), product, catalog), name);
      },
      false};
}

Choosing choosing_servers(const Catalog& catalog) {
  return {std::string(Chassis::kKind), "What each server of a shared store goes into", "",
          [catalog](const std::string& text, const std::string& chassis) {
            const std::string name = free_name(text);
            const std::string carried = with_card(text, kFastStore, catalog);
            return as_first(text, with_new_store(carried, name, lines_of_servers(chassis, catalog)),
                            name);
          },
          false};
}

Choosing choosing_for(const RequestedStore& store, const Catalog& catalog) {
  const KeyPath path = path_of(store.name);
  if (!store.servers.empty())
    return {std::string(Chassis::kKind), "Another chassis for the servers of " + store.name, "",
            [path, catalog](const std::string& text, const std::string& chassis) {
              return with_value(text, path / "server", server_table(chassis, catalog));
            },
            false};
  return {std::string(Array::kKind), "Another product for " + store.name, store.product,
          [path, catalog](const std::string& text, const std::string& product) {
            return with_protocol(with_value(text, path / "model", toml_string(product)), path,
                                 product, catalog);
          },
          false};
}

std::vector<std::string> protocols_of(const RequestedStore& store, const Catalog& catalog) {
  std::vector<std::string> families, names;
  if (const auto software = store.servers.find("software"); software != store.servers.end()) {
    if (const auto known = product_of<StorageSoftware>(software->second, catalog))
      families = known->protocols;
  } else if (const auto array = product_of<Array>(store.product, catalog)) {
    families = array->protocols;
  } else {
    return names;
  }
  for (const auto& name : catalog.names(Protocol::kKind)) {
    const auto protocol = product_of<Protocol>(name, catalog);
    if (protocol && (families.empty() || std::ranges::count(families, protocol->family) > 0))
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
