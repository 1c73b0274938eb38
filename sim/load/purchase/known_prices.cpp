// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/known_prices.h"

#include <algorithm>
#include <tuple>

#include "sim/load/read/reader.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/catalog/system.h"
#include "sim/model/network/network.h"

namespace gpufeed {
namespace {

class Prices {
 public:
  Prices(const Catalog& catalog, Diagnostics& out) : catalog_(catalog), out_(out) {}

  template <class... T>
  std::vector<KnownPrice> of_kinds() {
    (of_kind<T>(), ...);
    std::ranges::stable_sort(found_, [](const KnownPrice& a, const KnownPrice& b) {
      return std::tie(a.year, a.kind, a.name) < std::tie(b.year, b.kind, b.name);
    });
    return std::move(found_);
  }

 private:
  template <class T>
  void of_kind() {
    Reader reader(catalog_, "", out_);
    for (const auto& name : catalog_.names(T::kKind)) {
      const auto entry = reader.entry_named<T>(name);
      if (!entry) continue;
      if (entry->price) add(T::kKind, name, *entry, "price", *entry->price, *entry->price_year);
      rents(name, *entry);
    }
  }

  void add(std::string_view kind, const std::string& name, const Entry& entry, const char* key,
           Money amount, std::int64_t year) {
    const Provenance& known = entry.provenance_of(key);
    found_.push_back({std::string(kind), name, key, amount, year, known.basis, known.source});
  }

  template <class T>
  void rents(const std::string& /*name*/, const T& /*entry*/) {}

  void rents(const std::string& name, const System& system) {
    if (!system.rent_per_hour) return;
    add(System::kKind, name, system, "rent_per_hour", *system.rent_per_hour, *system.rent_year);
    found_.back().what = "rent an hour";
  }

  void rents(const std::string& name, const Array& array) {
    if (!array.rent) return;
    const StoreRent& rent = *array.rent;
    const auto one = [&](const char* what, const std::optional<Money>& amount) {
      if (amount)
        found_.push_back(
            {std::string(Array::kKind), name, what, *amount, rent.year, rent.basis, rent.source});
    };
    one("rent of a TB and month", rent.per_tb_month);
    one("rent of a GB/s and month", rent.per_gbps_month);
    one("a million reads", rent.per_million_reads);
    one("a million writes", rent.per_million_writes);
    one("a TB read", rent.per_tb_read);
    one("a TB written", rent.per_tb_written);
  }

  const Catalog& catalog_;
  Diagnostics& out_;
  std::vector<KnownPrice> found_;
};

bool is_documented(Basis basis) { return basis != Basis::estimate; }

/// Whether a rent is known, and whether a document tells it.
std::optional<bool> rent_of(const Purchase& /*entry*/) { return {}; }
std::optional<bool> rent_of(const System& system) {
  if (!system.rent_per_hour) return {};
  return is_documented(system.provenance_of("rent_per_hour").basis);
}
std::optional<bool> rent_of(const Array& array) {
  if (!array.rent) return {};
  return is_documented(array.rent->basis);
}

/// Whether it is bought as something else: as a chassis and its parts.
bool is_bought_by_parts(const Purchase& /*entry*/) { return false; }
bool is_bought_by_parts(const System& system) { return !system.price && !system.rent_per_hour; }

template <class T>
void add_share(const Catalog& catalog, Diagnostics& out, std::vector<PriceShare>& shares) {
  PriceShare share{std::string(T::kKind)};
  Reader reader(catalog, "", out);
  for (const auto& name : catalog.names(T::kKind)) {
    const auto entry = reader.entry_named<T>(name);
    const bool comes_with_others = entry && entry->price && entry->price->value == 0;
    if (!entry || !entry->not_sold.empty() || comes_with_others || is_bought_by_parts(*entry))
      continue;
    const auto rented = rent_of(*entry);
    const bool documented =
        entry->price ? is_documented(entry->provenance_of("price").basis) : rented.value_or(false);
    const bool is_late = entry->released && *entry->released >= kLately;
    ++share.sold;
    share.documented += documented ? 1 : 0;
    share.unpriced += entry->price || rented ? 0 : 1;
    share.sold_lately += is_late ? 1 : 0;
    share.documented_lately += is_late && documented ? 1 : 0;
  }
  if (share.sold > 0) shares.push_back(std::move(share));
}

template <class... T>
std::vector<PriceShare> shares_of(const Catalog& catalog, Diagnostics& out) {
  std::vector<PriceShare> shares;
  (add_share<T>(catalog, out, shares), ...);
  return shares;
}

}  // namespace

std::vector<PriceShare> price_shares(const Catalog& catalog, Diagnostics& out) {
  return shares_of<System, Chassis, Gpu, Cpu, Memory, Drive, Array, Nic, Switch, NetworkSwitch,
                   Cable>(catalog, out);
}

std::vector<KnownPrice> known_prices(const Catalog& catalog, Diagnostics& out) {
  return Prices(catalog, out)
      .of_kinds<System, Chassis, Gpu, Cpu, Memory, Drive, Array, Nic, Switch, NetworkSwitch,
                Cable>();
}

std::int64_t months_old(const KnownPrice& price, std::int64_t year, std::int64_t month) {
  return 12 * (year - price.year - 1) + month;
}

}  // namespace gpufeed
