// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sim/model/compute.h"
#include "sim/model/purchase/bill_of.h"
#include "sim/model/purchase/lines.h"

namespace gpufeed {
namespace {

using namespace literals;

constexpr double kHoursOfMonth = 730;

double arrays_in(const Store& store) {
  if (!store.blades || !store.model->blades) return 1;
  return static_cast<double>(*store.blades) / static_cast<double>(*store.model->blades);
}

/// What a scenario puts on a store: its data set, where that lies there.
std::optional<Bytes> stored_on(const Scenario& scenario, PartId store) {
  const auto* reads = scenario.workload.find<ReadsDataset>();
  const auto& staging = scenario.data.staging;
  if (!reads || (scenario.data.at.part != store && !(staging && staging->from.part == store)))
    return {};
  return reads->dataset->sample_size * static_cast<double>(dataset_samples(*reads));
}

std::optional<double> usd_an_hour(const StoreRent& rent, const Array& array,
                                  const std::optional<Bytes>& stored) {
  if (!rent.per_tb_month && !rent.per_gbps_month) return {};
  double month = 0;
  if (rent.per_tb_month) {
    const std::optional<Bytes> counted = rent.of_stored ? stored : array.capacity;
    if (!counted) return {};
    month += rent.per_tb_month->value * (*counted / 1_TB);
  }
  if (rent.per_gbps_month) month += rent.per_gbps_month->value * (array.read_bandwidth / 1_GBps);
  return month / kHoursOfMonth;
}

}  // namespace

BillLine store_line(const Scenario& scenario, std::size_t number) {
  const Store& store = scenario.store.at(number);
  BillLine line = line_of(store.model, arrays_in(store));
  const auto& rent = store.model->rent;
  if (store.rent_per_hour) {
    leave_out_price(line, kRented);
    line.count = 1;  // of all of it
    line.rent_per_hour_USD = store.rent_per_hour->value;
    line.rent_basis = kQuoted;
  } else if (rent && !line.price_USD) {
    line.rent_per_hour_USD =
        usd_an_hour(*rent, *store.model, stored_on(scenario, {PartKind::store, number}));
    if (!line.rent_per_hour_USD) return line;
    leave_out_price(line, kRented);
    line.rent_year = rent->year;
    line.rent_basis = name_of(rent->basis);
    line.rent_source = rent->source;
  }
  if (line.price_basis == kRented) leave_out_power(line, kInRent);
  return line;
}

double charges_USD(const StoreRent& rent, Bytes read, Bytes of_one, Bytes written) {
  double sum = 0;
  if (rent.per_million_reads) sum += rent.per_million_reads->value * (read / of_one) / 1e6;
  if (rent.per_million_writes) sum += rent.per_million_writes->value * (written / of_one) / 1e6;
  if (rent.per_tb_read) sum += rent.per_tb_read->value * (read / 1_TB);
  if (rent.per_tb_written) sum += rent.per_tb_written->value * (written / 1_TB);
  return sum;
}

}  // namespace gpufeed
