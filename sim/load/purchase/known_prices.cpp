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
      const auto file = catalog_.find(T::kKind, name);
      const auto entry = file ? reader.entry_of<T>(*file) : nullptr;
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

}  // namespace

std::vector<KnownPrice> known_prices(const Catalog& catalog, Diagnostics& out) {
  return Prices(catalog, out)
      .of_kinds<System, Chassis, Gpu, Cpu, Memory, Drive, Array, Nic, Switch, NetworkSwitch,
                Cable>();
}

std::int64_t months_old(const KnownPrice& price, std::int64_t year, std::int64_t month) {
  return 12 * (year - price.year - 1) + month;
}

}  // namespace gpufeed
