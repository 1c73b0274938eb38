// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What the job costs: its part of the machines' life and their electricity, or their rent.
///
///   per hour = rents + power x effectiveness x electricity + price / life time
///
/// where rented machines and stores have no price, and rented machines no electricity of their own.
/// Requests to stores that count them, and bytes, are paid by the job, not by the hour. What has no
/// price or rent is not in it: then each of these is a least sum.
struct RunningCost {
  std::string how;
  double per_hour_USD = 0;
  std::optional<double> write_off_per_hour_USD;
  std::optional<double> electricity_per_hour_USD;
  std::optional<double> rent_per_hour_USD;
  std::optional<std::int64_t> rent_year;
  std::string rent_basis;
  std::optional<double> store_rent_per_hour_USD;
  std::optional<double> requests_per_result_USD;
  std::string without;
  std::optional<double> job_per_million_samples_USD;
  std::optional<double> per_million_samples_USD;
  std::optional<double> per_epoch_USD;
  std::optional<double> per_result_USD;
  std::optional<double> gpus_waiting_USD;
  std::optional<double> energy_per_epoch_kWh;
  std::optional<double> energy_per_result_kWh;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = RunningCost;
    visit(key("how", &C::how, "bought or rented").foreseen(Foresight::exact));
    visit(key("per_hour_USD", &C::per_hour_USD, "of all machines and stores")
              .foreseen(Foresight::exact)
              .sums(SumOf::prices));
    visit(key("write_off_per_hour_USD", &C::write_off_per_hour_USD,
              "price over life time, in per_hour_USD; null: nothing in it has a price")
              .foreseen(Foresight::exact)
              .sums(SumOf::prices));
    visit(key("electricity_per_hour_USD", &C::electricity_per_hour_USD,
              "at full load, cooling and losses included, in per_hour_USD; null: not known, or in "
              "the rent")
              .foreseen(Foresight::exact)
              .sums(SumOf::prices));
    visit(key("rent_per_hour_USD", &C::rent_per_hour_USD,
              "of all machines, in per_hour_USD; null: none is rented")
              .foreseen(Foresight::exact)
              .sums(SumOf::prices));
    visit(key("rent_year", &C::rent_year, "of the rent; null: quoted in the scenario"));
    visit(key("rent_basis", &C::rent_basis, "how the rent is known; empty: none is rented"));
    visit(key("store_rent_per_hour_USD", &C::store_rent_per_hour_USD,
              "of all stores that are rented, in per_hour_USD; null: none is, or nobody knows")
              .foreseen(Foresight::exact)
              .sums(SumOf::prices));
    visit(key("requests_per_result_USD", &C::requests_per_result_USD,
              "what stores charge for requests and bytes until the result, in per_result_USD and "
              "what follows from it; null: none does")
              .sums(SumOf::prices));
    visit(key("without", &C::without,
              "the parts whose price or rent is not in these sums; empty: they are whole, else "
              "each is "
              "a least one")
              .foreseen(Foresight::exact));
    visit(key("job_per_million_samples_USD", &C::job_per_million_samples_USD,
              "of the whole job, at job_samples_per_s; null where nothing is trained")
              .foreseen(Foresight::at_least)
              .sums(SumOf::prices)
              .as_time());
    visit(key("per_million_samples_USD", &C::per_million_samples_USD,
              "deprecated: job_per_million_samples_USD; at throughput_samples_per_s")
              .sums(SumOf::prices)
              .as_time());
    visit(key("per_epoch_USD", &C::per_epoch_USD,
              "of one epoch after the first; null: the data are not passed once")
              .sums(SumOf::prices)
              .as_time());
    visit(key("per_result_USD", &C::per_result_USD,
              "of the time to the result, or to the wanted accuracy where one is given")
              .sums(SumOf::prices)
              .as_time());
    visit(key("gpus_waiting_USD", &C::gpus_waiting_USD,
              "of per_result_USD: the part of the time in which GPUs wait, for the copy-in and in "
              "the "
              "first epoch, too")
              .sums(SumOf::prices)
              .as_time());
    visit(key("energy_per_epoch_kWh", &C::energy_per_epoch_kWh,
              "at full load, cooling and losses included; null: no power is known, or no epoch")
              .as_time());
    visit(key("energy_per_result_kWh", &C::energy_per_result_kWh,
              "of the time that per_result_USD counts, likewise")
              .as_time());
  }
};

}  // namespace gpufeed
