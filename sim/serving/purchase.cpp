// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/purchase.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/assert.h"
#include "sim/model/purchase/bill_of.h"

namespace gpufeed::serving {
namespace {

constexpr double kHour = 3600;
constexpr double kKilo = 1000;

class Sum {
 public:
  explicit Sum(const Document& document) : document_(document), own_(document.serving) {
    out_.gpus = own_.tensor * own_.replicas;
  }

  Machines all() {
    add_machines();
    for (const TierRow& row : own_.tiers) add(row);
    add_cost();
    return std::move(out_);
  }

 private:
  /// \param known  whether it is bought, so that a price that is not known is missing
  void add(const std::string& what, double count, const Purchase& one) {
    add_price(what, one.price ? std::optional(one.price->value * count) : std::nullopt);
    add_power(what, one.power ? std::optional(one.power->value * count) : std::nullopt);
  }
  /// A part of a store's servers; what is included costs nothing more.
  void add(const std::string& store, const BillLine& line) {
    const auto all = [&](const std::optional<double>& each) {
      return each ? std::optional(*each * line.count) : std::nullopt;
    };
    const std::string what = fmt::format("{} of store {}", line.name, store);
    if (line.price_USD || line.price_basis.empty()) add_price(what, all(line.price_USD));
    if (line.power_W || line.power_basis.empty()) add_power(what, all(line.power_W));
  }
  void add_price(const std::string& what, std::optional<double> price) {
    if (price)
      out_.price_USD = out_.price_USD.value_or(0) + *price;
    else
      miss(out_.without_price, out_.unpriced, what);
  }
  void add_power(const std::string& what, std::optional<double> power) {
    if (power)
      out_.power_W = out_.power_W.value_or(0) + *power;
    else
      miss(out_.without_power, out_.unpowered, what);
  }
  static void miss(std::string& names, std::int64_t& count, const std::string& what) {
    names += (names.empty() ? "" : " + ") + what;
    ++count;
  }

  void add_machines() {
    const Gpu& gpu = **own_.gpu;
    const auto boards = static_cast<double>(out_.gpus) / static_cast<double>(gpu.dies_per_board);
    if (document_.system) {
      const System& system = **document_.system;
      const std::int64_t on_one = replicas_on_one(document_);
      out_.machines = (own_.replicas + on_one - 1) / on_one;
      const auto count = static_cast<double>(out_.machines);
      if (document_.cost.rent_per_hour || system.rent_per_hour)
        rent_per_hour_ =
            (document_.cost.rent_per_hour ? *document_.cost.rent_per_hour : *system.rent_per_hour)
                .value *
            count;
      if (system.price || rent_per_hour_) {
        if (!rent_per_hour_) add_price("", system.price->value * count);
        if (system.power)
          add_power("", system.power->value * count);
        else
          add_power("machines", {});
        return;
      }
    }
    add(gpu.title.empty() ? own_.gpu->name : gpu.title, boards, gpu);
    miss(out_.without_price, out_.unpriced, "what is around the GPUs");
    miss(out_.without_power, out_.unpowered, "what is around the GPUs");
  }

  void add(const TierRow& row) {
    const auto replicas = static_cast<double>(own_.replicas);
    if (row.at == "memory") {
      if (document_.system) return;
      if (!row.modules || !*row.modules) return add_price("host memory", {});
      const Memory& memory = **row.modules;
      const double modules = std::ceil(row.capacity->value / memory.priced_module.value);
      add("host memory", modules * replicas, memory);
    } else if (document_.volumes.contains(row.at)) {
      const OwnVolume& volume = document_.volumes.find(row.at)->second;
      add("drives of " + row.at, static_cast<double>(volume.count) * replicas, *volume.drive);
    } else if (document_.stores.contains(row.at)) {
      const OwnStore& store = document_.stores.find(row.at)->second;
      if (store.of_servers)
        for (const BillLine& line : bill_of_servers(store, row.at)) add(row.at, line);
      else if (store.model && *store.model)
        add("store " + row.at, 1, **store.model);
      else
        miss(out_.without_price, out_.unpriced, "store " + row.at),
            miss(out_.without_power, out_.unpowered, "store " + row.at);
    }
  }

  /// What is rented is paid by the hour; what is bought beside it is written off.
  void add_cost() {
    const Cost& cost = document_.cost;
    const double hours = cost.life_time.value / kHour;
    if (!out_.price_USD && !rent_per_hour_) return;
    double hourly = rent_per_hour_.value_or(0) + out_.price_USD.value_or(0) / hours;
    if (!rent_per_hour_)
      hourly += out_.power_W.value_or(0) * cost.power_usage_effectiveness / kKilo *
                cost.electricity_per_kwh.value;
    out_.usd_per_hour = hourly;
  }

  const Document& document_;
  const ServingTable& own_;
  Machines out_;
  std::optional<double> rent_per_hour_;
};

}  // namespace

std::int64_t replicas_on_one(const Document& document) {
  const ServingTable& own = document.serving;
  if (!document.system) return 1;
  const std::int64_t fit = std::ssize((*document.system)->gpus) / own.tensor;
  GPUFEED_ASSERT(fit >= 1 && own.replicas >= 1, "a replica fits a machine");
  return std::min(fit, own.replicas);
}

Machines machines_of(const Document& document) { return Sum(document).all(); }

}  // namespace gpufeed::serving
