// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/machines.h"

#include "sim/base/files/read_file.h"
#include "sim/load/chassis/chassis.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {
namespace {

/// Where a machine is the name of a file that has a chassis and parts, puts its table there.
void read_chassis_file(toml::table& of, std::string_view key, const KeyPath& place,
                       Reader& reader) {
  const toml::node* node = of.get(key);
  if (!node || !node->is_string()) return;
  const std::string& name = node->as_string()->get();
  const auto file = reader.locate(System::kKind, name, reader.at(*node), text(place));
  if (!file) return;       // reported
  Diagnostics of_reading;  // reported where it is read as a parts list
  const auto text = read_text_file(*file, kMaxTextSize, of_reading);
  if (!text ||
      (text->find("chassis") == std::string::npos && text->find(kLikeKey) == std::string::npos))
    return;
  auto entry = Reader(reader.catalog(), name, of_reading).entry_table(System::kKind, *file);
  if (!entry || !is_chassis_with_parts(entry->table)) return;
  reader.inlined[gpufeed::text(place)] = name;
  of.insert_or_assign(key, std::move(entry->table));
}

}  // namespace

bool make_machine(toml::table& of, std::string_view key, const KeyPath& place, Reader& reader,
                  Diagnostics& out) {
  read_chassis_file(of, key, place, reader);
  toml::table* machine = of[key].as_table();
  if (!machine || !is_chassis_with_parts(*machine)) return true;
  const auto chassis = (*machine)["chassis"].value_or(std::string(key));
  if (!make_of_chassis(*machine, place, reader, out)) {
    of.erase(key);
    return false;
  }
  reader.inlined.try_emplace(text(place), chassis);
  return true;
}

void make_servers(toml::table& file, Reader& reader, Diagnostics& out) {
  toml::table* stores = file["store"].as_table();
  if (!stores) return;
  for (auto&& [name, node] : *stores)
    if (toml::table* store = node.as_table())
      make_machine(*store, "server", KeyPath("store") / name.str() / "server", reader, out);
}

}  // namespace gpufeed
