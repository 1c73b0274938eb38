// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/rates_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/writers/layout.h"
#include "reports/writers/range_text.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

constexpr double kWorthSaying = 0.01;

std::string rate_text(double rate) { return text_number(rate) + " samples/s"; }

bool copies_in_first_epoch(const Result& result) { return result.staging == "first-epoch"; }

/// Of the whole job, had nothing failed.
double unfailing_rate(const Result& result) {
  if (!result.failures) return result.job_samples_per_s;
  return static_cast<double>(result.job_samples) / (result.before_training_s() + result.training_s);
}

/// Whether a step takes another time than the whole job's rate tells.
bool other_pace(const Result& result) {
  return differs(result.throughput_samples_per_s, result.job_samples_per_s);
}

std::string step_text(const Result& result) {
  return other_pace(result) ? fmt::format(" (one step takes {})", time_text(result.step_s)) : "";
}

std::string epochs_text(const Result& result) {
  return fmt::format("the first {}{} at {}, later ones {} {} at {}{}",
                     time_text(result.first_epoch_s),
                     copies_in_first_epoch(result) ? ", which copies the data in," : "",
                     rate_text(result.first_epoch_samples_per_s), time_text(result.epoch_s),
                     fills(result.cache) ? "in the mean" : "each",
                     rate_text(*result.later_epochs_samples_per_s), step_text(result));
}

/// Whether there is more to say of epochs than of the whole job.
bool epochs_differ(const Result& result) {
  if (!result.later_epochs_samples_per_s) return false;
  return result.cache.hit_rate > 0 || result.drive_cache || copies_in_first_epoch(result) ||
         differs(result.first_epoch_samples_per_s, unfailing_rate(result)) ||
         differs(*result.later_epochs_samples_per_s, unfailing_rate(result));
}

/// The pace between fills, where it is another one.
std::string steady_text(const Result& result) {
  if (!result.steady_samples_per_s) return "";
  const double steady = *result.steady_samples_per_s;
  const double other = std::abs(steady / unfailing_rate(result) - 1);
  if (other <= std::max(kWorthSaying, result.simulated.step_rate_uncertainty)) return "";
  return fmt::format("{}, between the loaders' fill at the start of an epoch and its end{}",
                     rate_text(steady), result.checkpoint ? ", and between checkpoints" : "");
}

/// "78.3 % in later epochs".
std::string busy_beside(const Result& result) {
  const double busy = result.accelerator_utilization;
  if (!differs(busy, result.job_gpu_utilization)) return "";
  const bool later = result.later_epochs_samples_per_s &&
                     differs(result.first_epoch_samples_per_s, *result.later_epochs_samples_per_s);
  return fmt::format("; {} in {}", percent(busy), later ? "later epochs" : "training");
}

std::string limit_text(double limit, double demand, bool times) {
  if (!std::isfinite(limit)) return "never storage-bound";
  return "storage-bound above " + text(Bytes{limit}, 3) +
         (times ? fmt::format(" ({} x)", text_number(limit / demand, 2)) : "");
}

std::string read_text(double rate) {
  return rate > 0 ? text(Bandwidth{rate}, 3) : std::string("nothing");
}

}  // namespace

bool differs(double rate, double of_job) {
  return std::abs(rate - of_job) > kWorthSaying * std::abs(of_job);
}

bool fills(const CacheUse& cache) {
  return cache.hit_rate_second_epoch != cache.hit_rate_last_epoch;
}

std::string job_rate_text(const Result& result) {
  if (!result.range || !order_of_magnitude(result.range->job_samples_per_s))
    return rate_text(result.job_samples_per_s);
  return fmt::format("about {} samples/s, order of magnitude",
                     text_number(result.job_samples_per_s, 2));
}

bool is_exchange(LimiterCode part) {
  using enum LimiterCode;
  constexpr std::array kExchange{step_tensor,     step_experts, step_context,
                                 step_parameters, step_stages,  step_gradients};
  return std::ranges::count(kExchange, part) > 0;
}

NotComputed not_computed(const Result& result) {
  NotComputed out;
  if (!result.transformer) return out;
  for (const StepPartTime& part : result.transformer->parts) {
    if (is_exchange(part.part.code)) out.exchange += part.share;
    if (part.part.code == LimiterCode::step_bubble) out.bubble += part.share;
  }
  return out;
}

std::string not_computed_text(const Result& result) {
  constexpr double kTold = 0.005;
  const NotComputed own = not_computed(result);
  std::string out;
  if (own.exchange >= kTold) out = percent(own.exchange) + " exchange";
  if (own.bubble >= kTold)
    out += (out.empty() ? "" : ", ") + percent(own.bubble) + " pipeline bubble";
  return out;
}

std::string job_utilization_text(const Result& result) {
  constexpr double kBusy = 0.95;
  const double busy = result.job_gpu_utilization;
  const auto gpus = gpus_of(result);
  const std::string beside = busy_beside(result);
  std::string out = percent(busy) + (beside.empty() ? "" : " of the whole job");
  if (gpus > 0 && busy < kBusy)
    out += fmt::format("  (as if {} GPUs stood still)", idle_text(gpus, busy));
  if (const std::string of_it = not_computed_text(result); !of_it.empty())
    out += ", of it " + of_it;
  return out + beside;
}

std::vector<TextRow> rates_beside(const Result& result) {
  std::vector<TextRow> rows;
  const auto add = [&](std::string_view label, std::string words) {
    if (!words.empty()) rows.emplace_back(label, std::move(words));
  };
  if (epochs_differ(result))
    add("Epochs", epochs_text(result));
  else if (other_pace(result))
    add("Training",
        fmt::format("{} {}{}", rate_text(result.throughput_samples_per_s),
                    result.failures ? "while nothing fails" : "once the data are copied in",
                    step_text(result)));
  add("Steady rate", steady_text(result));
  return rows;
}

std::string density_text(const Result& result, bool times) {
  const double demand = result.bytes_per_gpu_second;
  const double later = result.storage_limit_bytes_per_gpu_second;
  const double first = result.storage_limit_first_epoch_bytes_per_gpu_second;
  std::string out = fmt::format("storage demand {} per GPU-second; ", text(Bytes{demand}, 3));
  const bool alike = first == later || !result.later_epochs_samples_per_s ||
                     (std::isfinite(first) && !differs(later, first));
  if (alike) return out + limit_text(later, demand, times);
  return out + fmt::format("{} in the first epoch, {} in later ones",
                           limit_text(first, demand, times), limit_text(later, demand, times));
}

std::string storage_demand_text(const Result& result) {
  if (!result.storage_demand) return "";
  const StorageDemand& demand = *result.storage_demand;
  const double cold = demand.read_first_epoch_Bps;
  std::string out = fmt::format("reads of {}", read_text(cold));
  if (!demand.read_later_epochs_Bps)
    out += " (the only epoch)";
  else if (!differs(*demand.read_later_epochs_Bps, cold))
    out += " in every epoch";
  else
    out += fmt::format(" cold (first epoch), {} warm (later epochs)",
                       read_text(*demand.read_later_epochs_Bps));
  out += fmt::format(", {} at the peak", read_text(demand.read_peak_Bps));
  if (demand.checkpoint_write_Bps)
    out += fmt::format("; writes of {} (checkpoints)", read_text(*demand.checkpoint_write_Bps));
  return out;
}

std::vector<TextRow> storage_demand_rows(const Result& result) {
  if (!result.storage_demand) return {};
  const StorageDemand& demand = *result.storage_demand;
  std::vector<TextRow> rows;
  const auto add = [&](std::string_view label, const std::optional<double>& rate) {
    if (rate) rows.emplace_back(label, read_text(*rate));
  };
  add("Storage must give, cold (first epoch)", demand.read_first_epoch_Bps);
  add("Storage must give, warm (later epochs)", demand.read_later_epochs_Bps);
  add("Storage must give, at the peak", demand.read_peak_Bps);
  add("Storage must take, of checkpoints", demand.checkpoint_write_Bps);
  return rows;
}

}  // namespace gpufeed
