// SPDX-License-Identifier: Apache-2.0
#include "sim/load/serving/document.h"

#include <algorithm>
#include <cmath>

#include "sim/base/labels/label_text.h"
#include "sim/base/pattern.h"
#include "sim/load/chassis/machines.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/read/front_door.h"
#include "sim/load/read/reader.h"
#include "sim/load/scenario_build.h"
#include "sim/load/serving/check.h"
#include "sim/load/serving/engine_words.h"
#include "sim/load/serving/request_log.h"
#include "sim/load/stores/make_stores.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;
using serving::Document;

constexpr const char* kUsualEngine = "vllm-hopper";
constexpr const char* kUsualDrive = "kioxia-cm7-r-7.68tb";
constexpr const char* kUsualMemory = "ddr5-4400-rdimm";

/// { mean, p95 } of lengths is short for two keys.
void spell_out(toml::table& table, std::string_view name, const Reader& reader, Diagnostics& out) {
  const auto requests = table["serving"]["requests"];
  toml::table* const own = requests[name].as_table();
  if (!own) return;
  toml::table lengths = std::move(*own);
  requests.as_table()->erase(name);
  const Names known{"mean", "p95"};
  for (auto&& entry : lengths) {
    const toml::key& key = entry.first;
    toml::node& node = entry.second;
    if (std::ranges::count(known, key.str()) == 0) {
      out.add(unknown_key(reader.at(node), KeyPath("serving.requests") / std::string(name),
                          std::string(key.str()), known));
      continue;
    }
    const std::string spelled = std::string(name) + (key == "mean" ? "" : "_p95");
    node.visit([&](auto& value) {
      requests.as_table()->insert(toml::key(spelled, key.source()), std::move(value));
    });
  }
}

/// The entry, where the catalog has it: a catalog of the user's own need not.
template <class T>
std::optional<Ref<T>> usual(const char* name, Reader& reader) {
  if (!reader.catalog().find(T::kKind, name)) return {};
  Ref<T> ref{name, {}, nullptr};
  reader.resolve(ref, name);
  return ref;
}

/// Where nothing is said: the engine, the only GPU of the system, modules of memory.
void describe(Document& document, Reader& reader) {
  auto& own = document.serving;
  if (!own.engine) {
    own.engine = Ref<ServingEngine>{kUsualEngine, own.where, nullptr};
    reader.resolve(*own.engine, "serving.engine");
  }
  if (!own.gpu && document.system && *document.system && !(*document.system)->gpus.empty())
    own.gpu = (*document.system)->gpus.front().model;
  std::erase_if(own.tiers, [](const auto& tier) { return tier.at == serving::kNoTier; });
  document.usual_drive = usual<Drive>(kUsualDrive, reader);
  document.usual_memory = usual<Memory>(kUsualMemory, reader);
  for (auto& tier : own.tiers)
    if (tier.at == serving::kHostMemory && !tier.modules) tier.modules = document.usual_memory;
}

/// A file need not say of each tier that it is none before --set or an axis makes it one.
void add_tiers_for(toml::table& table, const KeyPath& set) {
  constexpr std::size_t kMost = 8;
  const auto& steps = set.steps;
  toml::table* const own = table["serving"].as_table();
  if (!own || steps.size() < 2 || steps[0].key != "serving" || steps[1].key != "tier") return;
  const std::string& number = steps[1].element.value_or("");
  if (number.size() != 1 || number < "0" || number > "9") return;
  const auto wanted = static_cast<std::size_t>(number[0] - '0') + 1;
  if (!own->contains("tier")) own->insert("tier", toml::array{});
  toml::array* const tiers = (*own)["tier"].as_array();
  while (tiers && tiers->size() < std::min(wanted, kMost))
    tiers->push_back(toml::table{{"at", std::string(serving::kNoTier)}});
}

void read(toml::table& table, const std::vector<Override>& overrides, Reader& reader,
          Document& document, Diagnostics& out) {
  for (const Override& one : overrides) {
    add_tiers_for(table, one.path);
    give_way(table, one.path);
    apply_override(table, one, reader, out);
  }
  take_engine_words(table, reader, out);
  for (const char* const lengths : {"prompt", "answer"}) spell_out(table, lengths, reader, out);
  make_servers(table, reader, out);
  reader.read_table(table, "", document);
}

/// Training beside reads a store of the same name, as fast as this file has it.
void load_training(Document& document, const std::string& name, const Catalog& catalog,
                   Diagnostics& out) {
  constexpr double kSame = 0.01;
  for (auto& [key, store] : document.stores) {
    if (!store.training || store.training->path.empty()) continue;
    const fs::path file = (fs::path(name).parent_path() / store.training->path).lexically_normal();
    const KeyPath place = KeyPath("store") / key / "training";
    try {
      store.trained = std::make_shared<const Scenario>(load_scenario(file, catalog));
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) out.add(problem);
      continue;
    }
    const auto& stores = store.trained->store;
    if (!stores.contains(key)) {
      out.refuse(ProblemCode::conflict, place, store.where,
                 ": {} has no [store.{}]; call the store alike in both files", file.string(), key);
      continue;
    }
    const double there = stores.find(key)->second.model->read_bandwidth.value;
    const double here = store.bandwidth               ? store.bandwidth->value
                        : store.model && *store.model ? (*store.model)->read_bandwidth.value
                                                      : there;
    if (std::abs(here - there) > kSame * there)
      out.refuse(ProblemCode::conflict, place, store.where,
                 ": the store reads {} here and {} in {}; give the same model in both",
                 text(Bandwidth{here}, 3), text(Bandwidth{there}, 3), file.string());
  }
}

/// Of tiers on volumes of the system: the drives that these mean.
void find_drives(Document& document) {
  if (!document.system || !*document.system) return;
  const System& system = **document.system;
  for (auto& tier : document.serving.tiers) {
    const auto volume = std::ranges::find(system.volumes, Label(tier.at), &Volume::id);
    if (volume == system.volumes.end()) continue;
    tier.volume = static_cast<std::size_t>(volume - system.volumes.begin());
    tier.room = capacity_at({}, system, {volume->id, tier.where});
    for (const PartRef& pattern : volume->drives)
      for (std::size_t i = 0; i < system.drives.size(); ++i)
        if (matches(text_of(pattern.id), text_of(system.drives[i].id))) tier.drives.push_back(i);
  }
}

Document build(toml::table table, const std::string& name, const Catalog& catalog,
               const std::vector<Override>& overrides, Diagnostics& out) {
  Document document;
  if (is_of_other_kind(keys_of(table), name, FileKind::serving, out)) return document;
  Reader reader(catalog, name, out);
  if (const toml::node* const kind = table.get("kind")) {
    Problem misplaced{reader.at(*kind),
                      "kind stands in [workload]: give workload.kind = \"serving\""};
    misplaced.code = ProblemCode::unknown_key;
    out.add(std::move(misplaced));
    table.erase("kind");
  }
  read(table, overrides, reader, document, out);
  tell_at_keys(table, name, out, [&](auto& found) { make_arrays(document.stores, found); });
  describe(document, reader);
  const auto& log = document.serving.requests.log;
  if (log && !log->path.empty())
    document.log = load_request_log(fs::path(name).parent_path() / log->path, out);
  find_drives(document);
  load_training(document, name, catalog, out);
  if (out.empty()) check_serving(document, out);
  return document;
}

auto builder(const Catalog& catalog, const std::vector<Override>& overrides) {
  return [&](toml::table& table, const std::string& name, Diagnostics& out) {
    return build(std::move(table), name, catalog, overrides, out);
  };
}

}  // namespace

void read_serving_keys(std::string_view text, const std::string& name, const Catalog& catalog,
                       const std::vector<Override>& overrides, Diagnostics& out) {
  auto table = parse_toml(text, name, out);
  if (!table) return;
  Reader reader(catalog, name, out);
  Document document;
  read(*table, overrides, reader, document, out);
}

Document parse_serving(std::string_view text, const std::string& name, const Catalog& catalog,
                       const std::vector<Override>& overrides) {
  return built_from_text(text, name, builder(catalog, overrides));
}

Document load_serving(const fs::path& file, const Catalog& catalog,
                      const std::vector<Override>& overrides) {
  return built_from_file(file, builder(catalog, overrides));
}

}  // namespace gpufeed
