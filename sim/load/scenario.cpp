// SPDX-License-Identifier: Apache-2.0
#include "sim/model/scenario.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/files/read_file.h"
#include "sim/load/chassis/machines.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/check/join_parts.h"
#include "sim/load/idle_keys.h"
#include "sim/load/key_at.h"
#include "sim/load/load.h"
#include "sim/load/purchase/for_sale.h"
#include "sim/load/purchase/price_laws.h"
#include "sim/load/purchase/usual_network.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/read/usual_clients.h"
#include "sim/load/replace.h"
#include "sim/load/scenario_build.h"
#include "sim/load/stores/make_stores.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/taken.h"

namespace gpufeed {
namespace {

/// What the job is about, in a word or two.
std::string subject(const Workload& workload) {
  if (const auto* emulated = workload.find<kind::Emulated>(); emulated && emulated->job)
    return emulated->job->name;
  if (const auto* own = workload.find<FeedsGpus>(); own && !own->model.name.empty())
    return own->model.name;
  if (const auto* own = workload.find<ReadsDataset>(); own && !own->dataset.name.empty())
    return own->dataset.name;
  return std::string(name_of(workload.kind()));
}

/// Whether it changes a single part of the machine, or of a store's server, which may be one that a
/// chassis is filled with.
bool names_part(const Override& override) {
  const auto& steps = override.path.steps;
  const bool of_server = steps.size() > 3 && steps[0].key == "store" && steps[2].key == "server";
  const std::size_t machine = of_server ? 2 : 0;
  return steps.size() > machine + 1 && (of_server || steps[0].key == "system") &&
         steps[machine + 1].element;
}

void make_machines(toml::table& scenario, Reader& reader, Diagnostics& out) {
  if (!make_machine(scenario, "system", "system", reader, out)) reader.misspelt.insert("system");
  make_servers(scenario, reader, out);
}

/// The kind of workload that the overrides leave; nothing where there is none of that name.
std::optional<WorkloadKind> kind_after(const toml::table& scenario,
                                       const std::vector<Override>& overrides) {
  std::string kind = scenario["workload"]["kind"].value_or(std::string());
  for (const auto& override : overrides)
    if (override.path == KeyPath("workload.kind")) kind = override.value;
  std::erase(kind, '"');
  const auto& names = EnumNames<WorkloadKind>::names;
  const auto found = std::ranges::find(names, kind);
  if (found == names.end()) return {};
  return WorkloadKind{static_cast<std::size_t>(found - names.begin())};
}

/// A calibration tells of the machine, not of the job: what this kind has no use for is no fault.
bool is_idle_parameter(const Override& override, WorkloadKind kind) {
  const auto& steps = override.path.steps;
  if (!override.provenance || steps.size() < 2 || !is_section(steps[0].key)) return false;
  return !is_taken(kind, steps[0].key, steps[1].key);
}

/// Whether an override is of `[[own]]`.
bool is_own(const Override& override) { return override.path.steps.front().key == "own"; }

/// The store of `store.NAME.key` or `store.NAME`; empty of other paths.
std::string store_of(const Override& override) {
  const auto& steps = override.path.steps;
  return steps.size() > 1 && steps[0].key == "store" ? steps[1].key : "";
}

/// By name, the options that add stores to the file's. What only changes a store that is not there
/// is reported, and taken out.
std::map<std::string, std::string> added_stores(const toml::table& scenario,
                                                std::vector<Override>& overrides,
                                                Diagnostics& out) {
  Names known;
  if (const auto* stores = scenario["store"].as_table())
    for (const auto& [name, store] : *stores) known.emplace_back(name.str());
  std::map<std::string, std::string> added;
  for (const auto& override : overrides) {
    const std::string name = store_of(override);
    const KeyPath whole = KeyPath("store") / name;
    if (override.path == whole || override.path == whole / "model" ||
        override.path == whole / "servers")
      if (!std::ranges::count(known, name)) added[name] = override.option;
  }
  std::erase_if(overrides, [&](const Override& override) {
    const std::string name = store_of(override);
    if (name.empty() || added.contains(name) || std::ranges::count(known, name)) return false;
    Problem problem{{override.option, 0, 0},
                    fmt::format("there is no store \"{}\"; {}", name,
                                known.empty() ? fmt::format("--set store.{}.model=NAME adds one",
                                                            key_text(name))
                                              : suggestion(name, known))};
    problem.code = ProblemCode::unknown_part;
    problem.subject = override.path;
    problem.found = name;
    problem.known = known;
    out.add(std::move(problem));
    return true;
  });
  return added;
}

/// The entries of the scenario that are tables, as TOML.
std::map<std::string, std::string> tables_in(toml::table& scenario) {
  std::map<std::string, std::string> out;
  for (const auto& [place, table] : entry_tables(scenario))
    out[text(place)] = toml_at(place, *table);
  return out;
}

/// How to tell of the entries that are tables: as the file has them, for what was set within them
/// is told beside it; where an override is the table, as that is.
std::map<std::string, std::string> told_tables(toml::table& scenario, const Reader& reader,
                                               const std::vector<Override>& overrides) {
  std::map<std::string, std::string> out;
  for (const auto& entry : entry_tables(scenario)) {
    const KeyPath& path = entry.first;
    const std::string place = text(path);
    const bool replaced = std::ranges::any_of(
        overrides, [&](const Override& override) { return path.is_within(override.path); });
    if (const auto given = reader.tables.find(place); given != reader.tables.end() && !replaced)
      out[place] = given->second;
    else if (!reader.inlined.contains(place))
      out[place] = toml_at(path, *entry.second);
  }
  return out;
}

/// Of an override of what a CPU's memory moves, one that leaves out what the socket says of its
/// modules, which would go before it.
std::optional<Override> hidden_by(const Override& override) {
  const auto& steps = override.path.steps;
  const bool of_socket =
      steps.size() == 4 && steps[0].key == "system" && steps[1].key == "socket" && steps[1].element;
  if (!of_socket || steps[2].key != "model" || steps[3].key != "memory_bandwidth") return {};
  Override hidden = override;
  hidden.path = override.path.parent().parent() / "memory_bandwidth";
  hidden.value.clear();
  return hidden;
}

/// All overrides, and the machine made of its chassis before those of its single parts.
void apply_overrides(toml::table& scenario, const std::vector<Override>& all, Reader& reader,
                     Diagnostics& out) {
  std::vector<Override> overrides = all;
  if (const auto kind = kind_after(scenario, all))
    std::erase_if(overrides, [&](const Override& one) { return is_idle_parameter(one, *kind); });
  for (const auto& override : overrides)
    if (!names_part(override)) apply_override(scenario, override, reader, out);
  make_machines(scenario, reader, out);
  for (const auto& override : overrides) {
    if (!names_part(override)) continue;
    if (const auto hidden = hidden_by(override)) {
      apply_override(scenario, *hidden, reader, out);
      std::erase(reader.set_within, text(hidden->path) + "=");  // which nobody gave
    }
    apply_override(scenario, override, reader, out);
  }
}

/// The system before `--set` and `[[replace]]` changed its parts; null where they did not.
std::shared_ptr<const System> as_sold(const Scenario& scenario, Reader& reader) {
  if (scenario.system && scenario.system->chassis) {
    Ref<System> sold{(*scenario.system->chassis)->sold_as, scenario.where, nullptr};
    if (sold.name.empty())  // bought as its parts
      return scenario.replace.empty() ? nullptr : scenario.system.entry;
    reader.resolve(sold, "system");
    return sold.entry;
  }
  if (const auto name = reader.inlined.find("system"); name != reader.inlined.end()) {
    Ref<System> sold{name->second, scenario.where, nullptr};  // whose path was seen from there
    reader.resolve(sold, "system");
    return sold.entry;
  }
  return scenario.replace.empty() ? nullptr : scenario.system.entry;
}

}  // namespace

Scenario read_scenario(toml::table& table, const std::vector<Override>& overrides, Reader& reader,
                       Diagnostics& out) {
  std::vector<Override> known = overrides;
  const auto added = added_stores(table, known, out);
  reader.tables = tables_in(table);
  apply_overrides(table, known, reader, out);
  Scenario scenario;
  reader.read_table(table, "", scenario);
  check_added_stores(scenario, added, out);
  scenario.tables = told_tables(table, reader, known);
  scenario.set_within = std::move(reader.set_within);
  scenario.defaults = std::move(reader.defaults);
  scenario.old_names = std::move(reader.old_names);
  scenario.calibrated = std::move(reader.calibrated);
  if (reader.misspelt.contains("workload.kind")) return scenario;
  refuse_idle_keys(table, scenario.workload.kind(), reader, out);
  drop_idle_defaults(scenario.workload.kind(), scenario.defaults);
  return scenario;
}

namespace {

Scenario build_once(toml::table table, const std::string& name, const Catalog& known,
                    const std::vector<Override>& overrides, Diagnostics& out) {
  if (is_of_other_kind(keys_of(table), name, FileKind::scenario, out)) return {};
  // What is said of products goes into the catalog before anything is read from it.
  std::vector<Override> others = overrides;
  std::erase_if(others, is_own);
  Reader before(known, name, out);
  for (const auto& override : overrides)
    if (is_own(override)) apply_override(table, override, before, out);
  const Catalog catalog = with_own_values(table, name, known, out);
  Reader reader(catalog, name, out);
  Scenario scenario = read_scenario(table, others, reader, out);
  check_workload_keys(scenario, reader.misspelt, out);
  if (!scenario.system) return scenario;
  scenario.as_sold = as_sold(scenario, reader);
  apply_replacements(scenario, others, reader, out);
  check_system(*scenario.system, out);
  check_boards(scenario, out);
  tell_at_keys(table, name, out, [&](auto& found) { make_stores(scenario, found); });
  read_clients(scenario, catalog, out);
  check_for_sale(scenario, catalog, out);
  choose_network(scenario, catalog);
  set_sequence(scenario, out);
  pack_samples(scenario, out);
  find_compute_rates(scenario, catalog, reader.misspelt, out);
  check_scenario(scenario, out);
  check_memory(scenario, out);
  if (out.count() == 0)
    tell_at_keys(table, name, out, [&](auto& found) { check_transformer(scenario, found); });
  scenario.price_laws = price_laws_in(catalog, out);
  scenario.discrepancies = discrepancies_in(catalog, out);
  if (scenario.title.empty())
    scenario.title = fmt::format("{} on {}", subject(scenario.workload), scenario.system.name);
  return scenario;
}

/// The store whose client's own keys an override sets; empty of others.
std::string client_within(const Override& override) {
  const std::string name = store_of(override);
  const auto& steps = override.path.steps;
  return steps.size() > 3 && steps[2].key == "protocol" ? name : "";
}

/// Whether an override sets keys of a store's client that neither the file nor another names.
bool sets_within_unnamed(const Override& override, const toml::table& file,
                         const std::vector<Override>& overrides) {
  const std::string store = client_within(override);
  if (store.empty() || file["store"][store]["protocol"]) return false;
  return std::ranges::none_of(overrides, [&](const Override& other) {
    return other.path == KeyPath("store") / store / "protocol" && !other.value.empty();
  });
}

/// What stands for the protocol that nobody gave; empty where that is nothing.
std::string usual_client_of(const Scenario& scenario, const std::string& store) {
  for (std::size_t i = 0; i < scenario.store.size(); ++i)
    if (scenario.store.name(i) == store && scenario.client_of(i) == StoreClient::Word::usual)
      return scenario.store.at(i).protocol->name;
  return "";
}

/// With the usual client named where an override sets keys of one that nobody names.
std::vector<Override> with_clients_named(const FreshTable& fresh, const std::string& name,
                                         const Catalog& catalog,
                                         const std::vector<Override>& overrides) {
  const auto is_within = [](const Override& one) { return !client_within(one).empty(); };
  if (std::ranges::none_of(overrides, is_within)) return overrides;
  toml::table file = fresh();
  std::vector<Override> others = overrides;
  if (std::erase_if(others, [&](const Override& one) {
        return sets_within_unnamed(one, file, overrides);
      }) == 0)
    return overrides;
  Diagnostics told_later;
  const Scenario scenario = build_once(std::move(file), name, catalog, others, told_later);
  std::vector<Override> all;
  std::set<std::string> named;
  for (const Override& override : overrides) {
    const std::string store = client_within(override);
    const auto client_name = usual_client_of(scenario, store);
    if (!client_name.empty() && named.insert(store).second) {
      Override client = override;
      client.path = KeyPath("store") / store / "protocol";
      client.value = toml_string(client_name);
      client.provenance.reset();
      all.push_back(std::move(client));
    }
    all.push_back(override);
  }
  return all;
}

}  // namespace

Scenario build_scenario(const FreshTable& fresh, const std::string& name, const Catalog& catalog,
                        const std::vector<Override>& given, Blame blame, Diagnostics& out) {
  const auto overrides = with_clients_named(fresh, name, catalog, given);
  const Build build = [&](toml::table table, const std::vector<Override>& some,
                          Diagnostics& found) {
    build_once(std::move(table), name, catalog, some, found);
  };
  Diagnostics found;
  Scenario scenario = build_once(fresh(), name, catalog, overrides, found);
  if (blame == Blame::changes)
    blame_changes(fresh, name, overrides, build, found, out);
  else
    for (const Problem& problem : found.problems()) out.add(problem);
  return scenario;
}

std::shared_ptr<const System> parse_system(std::string_view text, const std::string& name,
                                           const Catalog& catalog,
                                           const std::vector<Override>& overrides) {
  Diagnostics out;
  auto table = parse_toml(text, name, out);
  out.throw_if_any();
  Reader reader(catalog, name, out);
  reader.misspelt.insert("workload");  // not asked for
  Scenario scenario;
  apply_overrides(*table, overrides, reader, out);
  reader.read_table(*table, "", scenario);
  out.throw_if_any();
  check_system(*scenario.system, out);
  auto machine = std::make_shared<System>(*scenario.system);
  join_system(*machine);
  System plain = *machine;
  plain.volumes.clear();  // their patterns are expanded with a whole scenario
  check_buildable(scenario.system.name, plain, out);
  out.throw_if_any();
  return machine;
}

Scenario parse_scenario(std::string_view text, const std::string& name, const Catalog& catalog,
                        const std::vector<Override>& overrides) {
  Diagnostics out;
  parse_toml(text, name, out);
  out.throw_if_any();
  const FreshTable fresh = [&] { return std::move(*parse_toml(text, name, out)); };
  Scenario scenario = build_scenario(fresh, name, catalog, overrides, Blame::changes, out);
  out.throw_if_any();
  return scenario;
}

Scenario load_scenario(const std::filesystem::path& file, const Catalog& catalog,
                       const std::vector<Override>& overrides) {
  Diagnostics out;
  const auto text = read_text_file(file, kMaxTextSize, out);
  out.throw_if_any();
  return parse_scenario(*text, file.lexically_normal().string(), catalog, overrides);
}

}  // namespace gpufeed
