// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/cost.h"

#include <algorithm>

#include "sim/answer/failures/failure_answer.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/purchase/bill_of.h"

namespace gpufeed {
namespace {

void add(std::optional<double>& sum, double more) { sum = sum.value_or(0) + more; }

void list(std::string& names, const BillLine& line) {
  names += (names.empty() ? "" : " + ") + in_words(line);  // no comma: a column of CSV
}

constexpr double kSecondsOfHour = 3600;

void rent(const Scenario& scenario, RunningCost& cost) {
  const auto& quoted = scenario.cost.rent_per_hour;
  const System& system = *scenario.system;
  const auto& price = quoted ? quoted : system.rent_per_hour;
  if (!price) return;
  cost.rent_per_hour_USD = price->value * static_cast<double>(scenario.nodes);
  cost.rent_basis = quoted ? kQuoted : name_of(system.provenance_of("rent_per_hour").basis);
  if (!quoted) cost.rent_year = system.rent_year;
}

void rent_of_stores(const Result& result, RunningCost& cost) {
  for (const BillLine& line : result.bill)
    if (line.rent_per_hour_USD)
      cost.store_rent_per_hour_USD =
          cost.store_rent_per_hour_USD.value_or(0) + *line.rent_per_hour_USD * line.count;
}

/// The requests by which one sample is read off a store.
Bytes request_of(const Scenario& scenario, const Store& store, Bytes sample) {
  Bytes one = sample;
  if (scenario.data.request) one = std::min(one, *scenario.data.request);
  if (store.protocol && (*store.protocol)->largest_request)
    one = std::min(one, *(*store.protocol)->largest_request);
  return one;
}

double times_trained(const Result& result);

/// Off the store of a staging: all data once, or what a cache on drives lacks in every epoch.
Bytes copied_in(const Result& result, Bytes data, double epochs) {
  if (!result.drive_cache) return data;
  const DriveCacheUse& cache = *result.drive_cache;
  return Bytes{cache.store_first_epoch_B + (epochs - 1) * cache.store_later_epoch_B} *
         times_trained(result);
}

/// How often a sample is trained on: more than once where failures threw the job back.
double times_trained(const Result& result) {
  if (!result.failures || !(result.training_s > 0)) return 1;
  return 1 + result.failures->lost_s / result.training_s;
}

/// What stores charge for all that the job reads off them and saves to them, what failures make it
/// read again included.
std::optional<double> charges(const Scenario& scenario, const Result& result) {
  const auto* reads = scenario.workload.find<ReadsDataset>();
  if (!reads) return {};
  const Bytes sample = reads->dataset->sample_size;
  const auto all = static_cast<double>(dataset_samples(*reads));
  const double epochs = std::max(1.0, static_cast<double>(result.job_samples) / all);
  const auto& cache = result.cache;
  const Bytes trained = Bytes{cache.read_first_epoch_B + (epochs - 1) * cache.read_later_epoch_B} *
                        times_trained(result);
  const auto& staging = scenario.data.staging;
  std::optional<double> sum;
  for (std::size_t i = 0; i < scenario.store.size(); ++i) {
    const Store& store = scenario.store.at(i);
    const PartId part{PartKind::store, i};
    const auto& rent = store.model->rent;
    if (!rent || store.model->price) continue;
    Bytes read{}, written{};
    if (scenario.data.at.part == part) read += trained;
    if (staging && staging->from.part == part) read += copied_in(result, sample * all, epochs);
    if (scenario.checkpoint && result.checkpoint && scenario.checkpoint->at.part == part) {
      const Bytes one{result.checkpoint->size_B};
      written += one * static_cast<double>(result.checkpoint->count);
      if (result.failures && result.checkpoint->count > 0) read += one * result.failures->count;
    }
    const double more = charges_USD(*rent, read, request_of(scenario, store, sample), written);
    if (more > 0) sum = sum.value_or(0) + more;
  }
  return sum;
}

/// Whether the data are passed at least once.
bool has_epoch(const Workload& workload) {
  const auto& asked = workload.get<RunsEpochs>();
  return asked.epochs || !asked.samples || *asked.samples >= dataset_samples(workload);
}

/// Of the time to the result, what GPUs compute: on the way to an accuracy, in a first epoch that
/// is longer as much as in a later one.
double computing_s(const Result& result) {
  if (!result.time_to_target_s) return result.time_to_result_s * result.job_gpu_utilization;
  const double longer =
      result.later_epochs_samples_per_s ? result.first_epoch_s - result.epoch_s : 0;
  const double trained =
      (*result.time_to_target_s - result.before_training_s()) / times_longer_by_failures(result);
  return (trained - longer) * result.accelerator_utilization;
}

}  // namespace

std::optional<RunningCost> running_cost(const Scenario& scenario, const Result& result) {
  if (!scenario.workload.is<RunsEpochs>() || !(result.throughput_samples_per_s > 0)) return {};
  RunningCost cost;
  rent(scenario, cost);
  rent_of_stores(result, cost);
  cost.requests_per_result_USD = charges(scenario, result);
  cost.without = result.without_price;
  const bool rented = result.rented;
  const double result_s = result.time_to_target_s.value_or(result.time_to_result_s);
  cost.how = rented ? "rented" : "bought";
  if (const auto price = result.price_USD)
    cost.write_off_per_hour_USD = *price / (scenario.cost.life_time.value / kSecondsOfHour);
  if (result.power_W) {
    const double kilowatts = *result.power_W * scenario.cost.power_usage_effectiveness / 1000;
    if (!rented)
      cost.electricity_per_hour_USD = kilowatts * scenario.cost.electricity_per_kwh.value;
    if (has_epoch(scenario.workload))
      cost.energy_per_epoch_kWh = kilowatts * result.epoch_s / kSecondsOfHour;
    cost.energy_per_result_kWh = kilowatts * result_s / kSecondsOfHour;
  }
  if (!rented && !cost.write_off_per_hour_USD && !cost.electricity_per_hour_USD &&
      !cost.store_rent_per_hour_USD)
    return {};
  cost.per_hour_USD =
      cost.rent_per_hour_USD.value_or(0) + cost.store_rent_per_hour_USD.value_or(0) +
      cost.write_off_per_hour_USD.value_or(0) + cost.electricity_per_hour_USD.value_or(0);
  const double per_s = cost.per_hour_USD / kSecondsOfHour;
  const double requests = cost.requests_per_result_USD.value_or(0);
  cost.job_per_million_samples_USD = per_s * 1e6 / result.job_samples_per_s;
  if (requests > 0 && result.job_samples > 0)
    *cost.job_per_million_samples_USD += requests * 1e6 / static_cast<double>(result.job_samples);
  cost.per_million_samples_USD = per_s * 1e6 / result.throughput_samples_per_s;
  if (has_epoch(scenario.workload)) cost.per_epoch_USD = per_s * result.epoch_s;
  cost.per_result_USD = per_s * result_s + requests;
  cost.gpus_waiting_USD = per_s * (result_s - computing_s(result));
  return cost;
}

void answer_cost(const Scenario& scenario, Result& result) {
  result.bill = bill_of(scenario);
  result.rented = scenario.cost.rent_per_hour || scenario.system->rent_per_hour;
  for (const BillLine& line : result.bill) {
    if (line.price_USD && is_bought(line, result.rented)) {
      add(result.price_USD, *line.price_USD * line.count);
      const std::int64_t year = *line.price_year;
      result.oldest_price_year = std::min(result.oldest_price_year.value_or(year), year);
      result.newest_price_year = std::max(result.newest_price_year.value_or(year), year);
    }
    if (line.power_W) add(result.power_W, *line.power_W * line.count);
    if (lacks_price(line, result.rented)) list(result.without_price, line);
    if (lacks_power(line)) list(result.without_power, line);
    if (keeps_power(line)) list(result.removed_power, line);
  }
  for (const auto& [name, store] : scenario.store)
    if (store.of_servers) result.stores_of_servers.push_back(*store.of_servers);
  result.running_cost = running_cost(scenario, result);
}

}  // namespace gpufeed
