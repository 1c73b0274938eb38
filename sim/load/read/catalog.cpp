// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>

#include "sim/base/files/read_file.h"
#include "sim/base/files/run_files.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/fields/discrepancy.h"
#include "sim/model/fields/price_law.h"
#include "sim/model/scenario.h"
#include "sim/model/serving/engine.h"

namespace gpufeed {

namespace fs = std::filesystem;

Catalog::Catalog(std::vector<fs::path> roots) : roots_(std::move(roots)) {
  for (const auto& root : roots_)
    for (const auto& kind : catalog_kinds()) note_read_entries(root / kind);
}

std::optional<fs::path> Catalog::find(std::string_view kind, std::string_view name) const {
  if (!cache_) return look_for(kind, name);
  return cache_->file({std::string(kind), std::string(name)}, [&] { return look_for(kind, name); });
}

Names Catalog::names(std::string_view kind) const {
  if (!cache_) return look_for_all(kind);
  return cache_->names(std::string(kind), [&] { return look_for_all(kind); });
}

std::optional<fs::path> Catalog::look_for(std::string_view kind, std::string_view name) const {
  for (const auto& root : roots_) {
    fs::path file = root / kind / (std::string(name) + ".toml");
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) continue;
    refuse_outsider(root, file);
    return file;
  }
  return {};
}

Names Catalog::look_for_all(std::string_view kind) const {
  Names found;
  for (const auto& root : roots_) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(root / kind, missing))
      if (entry.path().extension() == ".toml") found.push_back(entry.path().stem().string());
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Catalog Catalog::remembering() const {
  Catalog copy = *this;
  copy.cache_ = std::make_shared<EntryCache>();
  return copy;
}

Catalog Catalog::with_prices(PriceList prices) const {
  Catalog copy = cache_ ? remembering() : *this;
  copy.prices_ = std::make_shared<const PriceList>(std::move(prices));
  return copy;
}

namespace {

std::string told_apart(const OwnValues& own) {
  std::string all;
  const auto add = [&](const std::string& part) {
    all += fmt::format("{}:{},", part.size(), part);
  };
  for (const auto& [entry, values] : own)
    for (const auto& value : values)
      for (const auto& part :
           {entry.first, entry.second, value.key, value.value, text(value.where)})
        add(part);
  return all;
}

}  // namespace

Catalog Catalog::with_own(OwnValues own) const {
  Catalog copy = *this;
  if (cache_) copy.cache_ = cache_->changed(told_apart(own));
  copy.own_ = std::make_shared<const OwnValues>(std::move(own));
  return copy;
}

Catalog Catalog::apart() const {
  Catalog copy = *this;
  if (cache_) copy.cache_ = std::make_shared<EntryCache>();
  return copy;
}

Catalog Catalog::confined_to(const fs::path& folder, const std::vector<fs::path>& named) const {
  Catalog copy = *this;
  std::vector<fs::path> within{folder};
  for (const auto& root : roots_)
    if (!std::ranges::count(named, root)) within.push_back(root);
  copy.strangers_ = named;
  copy.confinement_ = std::make_shared<Confinement>(within);
  return copy;
}

void Catalog::refuse_outsider(const fs::path& root, const fs::path& file) const {
  if (!std::ranges::count(strangers_, root) || confinement_->allows(file)) return;
  throw InputError({{{file.lexically_normal().string(), 0, 0},
                     "lies outside the folder of --confine and the catalogs"}});
}

namespace {

template <class... T>
Names names_of_kinds(bool only_bought) {
  Names names;
  const auto add = [&](std::string_view kind, bool is_bought) {
    if (is_bought || !only_bought) names.emplace_back(kind);
  };
  (add(T::kKind, std::derived_from<T, Purchase>), ...);
  return names;
}

constexpr auto kNamesOfKinds =
    names_of_kinds<System, Chassis, Gpu, Cpu, Memory, Drive, Array, Nic, Switch, NetworkSwitch,
                   Cable, Link, Protocol, ProtocolFamily, StorageSoftware, Model, Dataset, Decoder,
                   Job, CollectiveLibrary, Framework, KernelLibrary, TransformerLibrary,
                   ServingEngine, Discrepancy, PriceLaw>;

}  // namespace

PriceList load_prices(const fs::path& file, const Catalog& catalog) {
  Names known;
  for (const auto& kind : kNamesOfKinds(true))
    for (auto& name : catalog.names(kind)) known.push_back(std::move(name));
  Diagnostics out;
  PriceList prices;
  if (const auto text = read_text_file(file, kMaxTextSize, out))
    prices = parse_prices(*text, file.lexically_normal().string(), known, out);
  out.throw_if_any();
  return prices;
}

const Names& catalog_kinds() {
  static const Names kinds = kNamesOfKinds(false);
  return kinds;
}

}  // namespace gpufeed
