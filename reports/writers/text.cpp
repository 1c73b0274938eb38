// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/writers/activities.h"
#include "reports/writers/cost_text.h"
#include "reports/writers/job_text.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "reports/writers/range_text.h"
#include "reports/writers/rates_text.h"
#include "reports/writers/store_text.h"
#include "reports/writers/terms.h"
#include "reports/writers/without_training_text.h"
#include "sim/base/units.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

std::string head(const Result& result) {
  std::string out = labeled("", result.title, 0) + "\n";
  if (const Warning* const lacking = memory_short(result))
    out += item("Does not fit", sentence(*lacking));
  if (const Warning* const length = other_length(result)) out += item("Mind", sentence(*length));
  if (!result.system.empty())
    out += item("System", result.nodes > 1 ? fmt::format("{} x {}", result.nodes, result.system)
                                           : result.system);
  if (!result.workload.empty()) out += item("Workload", result.workload);
  if (!result.storage.empty()) out += item("Storage", result.storage);
  for (const auto& store : result.stores_of_servers)
    out += item(kStoreOfServers, store_text(store));
  return out + cost_rows(result);
}

/// A row, where there is something to tell.
std::string told(std::string_view label, const std::string& value) {
  return value.empty() ? "" : item(label, value);
}

std::string rates(const Result& result) {
  const auto gpus = static_cast<double>(gpus_of(result));
  const bool one_pace = !differs(result.throughput_samples_per_s, result.job_samples_per_s);
  std::string speed = job_rate_text(result) + std::string(if_it_fitted(result)) +
                      (one_pace ? "" : " over the whole job");
  if (gpus > 0)
    speed +=
        fmt::format("  ({} per GPU{})", text_number(result.job_samples_per_s / gpus),
                    one_pace ? fmt::format("; one step takes {}", time_text(result.step_s)) : "");
  std::string out = item(term::kJobRate, speed) + told("Tokens", token_rate_text(result));
  for (const auto& [label, words] : rates_beside(result)) out += item(label, words);
  if (result.kind == kind_of<kind::Loader>) return out;
  return out + item(term::kGpuUtilization, job_utilization_text(result));
}

std::string score(const Result& result) {
  if (!result.benchmark) return "";
  const BenchmarkScore& score = *result.benchmark;
  return item("Benchmark, v1.0",
              fmt::format("AU {} ({}: {} is needed), {} samples/s, {} MiB/s, first fill included",
                          percent(score.utilization_v1), score.passes ? "passes" : "fails",
                          percent(score.threshold), text_number(score.throughput_v1_samples_per_s),
                          text_number(score.throughput_v1_MiBps))) +
         item("Benchmark, later", fmt::format("{} samples/s, first step left out; it took {}",
                                              text_number(score.throughput_later_samples_per_s),
                                              time_text(score.first_step_s)));
}

std::string cache(const Result& result) {
  const CacheUse& cache = result.cache;
  if (cache.hit_rate <= 0) return "";
  const std::string parts =
      fills(cache)
          ? fmt::format(" in the mean ({} in the second, {} in the last)",
                        percent(cache.hit_rate_second_epoch), percent(cache.hit_rate_last_epoch))
          : "";
  return item(
      "Page cache",
      fmt::format("{} for {} of data; epochs after the first find {} there{} and read {}",
                  text(Bytes{cache.memory_B}, 3),
                  text(Bytes{cache.memory_B / cache.share_of_data}, 3), percent(cache.hit_rate),
                  parts, text(Bytes{cache.read_later_epoch_B}, 3)));
}

/// "page cache 3 %, drives 31 %, store 66 %": what shares of its samples an epoch finds where.
std::string levels(double memory, double drives, double store) {
  return fmt::format("page cache {}, drives {}, store {}", percent(memory), percent(drives),
                     percent(store));
}

std::string drive_cache(const Result& result) {
  if (!result.drive_cache) return "";
  const DriveCacheUse& use = *result.drive_cache;
  const double first_memory =
      std::max(0.0, 1 - use.hit_rate_first_epoch - use.store_share_first_epoch);
  std::string out =
      item("Cache on drives",
           fmt::format("{} on each node, {} of the data; first epoch: {}; later ones: {}",
                       text(Bytes{use.capacity_B}, 3), percent(use.share_of_data),
                       levels(first_memory, use.hit_rate_first_epoch, use.store_share_first_epoch),
                       levels(std::max(0.0, 1 - use.hit_rate - use.store_share), use.hit_rate,
                              use.store_share)));
  const auto bytes = [](double value) { return text(Bytes{value}, 3); };
  out +=
      item("Read from the store",
           fmt::format("{} in the first epoch, {} in a later one; written to the cache: {}, {}{}",
                       bytes(use.store_first_epoch_B), bytes(use.store_later_epoch_B),
                       bytes(use.written_first_epoch_B), bytes(use.written_later_epoch_B),
                       use.drive_life_s ? fmt::format(", which wears its drives out in {}",
                                                      time_text(*use.drive_life_s))
                                        : ""));
  return out;
}

std::string times(const Result& result) {
  const double whole = result.time_to_result_s;
  std::string all = total_time(result);
  if (const double before = result.before_training_s(); before > 0) {
    const std::string index =
        result.index_s > 0 ? fmt::format("index of samples {} + ", time_text(result.index_s, whole))
                           : "";
    const std::string copy =
        result.staging_s > 0 ? fmt::format("copy-in {} + ", copy_in_time(result)) : "";
    all += fmt::format("  ({}{}training {})", copy, index, time_text(whole - before, whole));
  }
  if (result.failures && std::isfinite(whole))
    all += fmt::format("  (failures included; {} without)",
                       time_text(result.before_training_s() + result.training_s));
  std::string first = first_result_time(result);
  if (first == kAtOnce)
    first =
        fmt::format("{}, nothing is copied in first", time_text(result.time_to_first_result_s, 1));
  if (result.staging_s > 0) first += ", after the copy-in";
  if (result.staging_s <= 0 && result.index_s > 0) first += ", after the index of samples is built";
  std::string out = item(term::kFirstStep, first) + item("Time to result", all);
  if (result.time_to_target_s) out += item("Time to target", time_text(*result.time_to_target_s));
  return out;
}

std::string density(const Result& result) {
  if (result.bytes_per_gpu_second <= 0) return "";
  return item("Data density", density_text(result, true)) +
         told("Storage must give", storage_demand_text(result));
}

/// \param only  the group has all GPUs; else its name stands above, where it is long
std::string gpu_row(const GpuGroup& group, bool only) {
  constexpr double kRounding = 1e-12;  // of the dates between which a wait lies
  std::vector<double> shares;
  std::string letters;
  std::string words;
  const char* separator = "; waiting for ";
  for (std::size_t i = 0; i < kActivityTexts.size(); ++i) {
    const ActivityText& activity = kActivityTexts[i];
    const double share = group.share.*activity.share;
    shares.push_back(share);
    letters += activity.letter;
    if (share <= kRounding && i > 0) continue;
    if (i < kWorkActivities) {
      words += fmt::format("{}{} {}", i == 0 ? "" : ", ", activity.words, percent(share));
      continue;
    }
    words += fmt::format("{}{} {}", separator, activity.words, percent(share));
    separator = ", ";
  }
  const std::string count = fmt::format("({}) ", group.count);
  const std::string row = bar(shares, letters) + " " + words;
  if (group.group.size() + 3 + count.size() <= kLabels)
    return item(fmt::format("  {} {}", group.group, count), row);
  if (only) return item("  all " + count, row);
  return fmt::format("  {}\n", wrapped(group.group, 2)) + item("    " + count, row);
}

std::string gpu_rows(const Result& result) {
  constexpr std::size_t kShown = 8;
  if (result.gpus.empty()) return "";
  std::string out = "\nWhere each GPU's time goes\n";
  for (std::size_t i = 0; i < std::min(kShown, result.gpus.size()); ++i)
    out += gpu_row(result.gpus[i], result.gpus.size() == 1);
  if (result.gpus.size() > kShown)
    out += fmt::format("  and {} more groups\n", result.gpus.size() - kShown);
  return out;
}

std::string stage_row(const Result& result, const Stage& stage, bool marked) {
  const std::string name = "  " + clipped(sentence(stage.stage), kLabels - 3);
  if (!std::isfinite(stage.capacity_samples_per_s))
    return item(name, stage.limit ? sentence(*stage.limit) : "not used");
  const double load = stage.capacity_samples_per_s > 0
                          ? result.throughput_samples_per_s / stage.capacity_samples_per_s
                          : 0;
  const std::string before = fmt::format("{:<{}}{}{:>9} {:>10}  ", name, kLabels, bar({load}, "#"),
                                         percent(load), text_number(stage.capacity_samples_per_s));
  constexpr std::size_t kBefore = 66, kMark = 4;
  const auto limits = lines_of(in_words(stage.limit), kScreenWidth - kBefore - kMark);
  std::string row = before + limits.front();
  row.resize(row.find_last_not_of(' ') + 1);
  if (marked) row += " <--";
  for (std::size_t i = 1; i < limits.size(); ++i)
    row += "\n" + std::string(kBefore, ' ') + limits[i];
  return row + "\n";
}

std::string stage_rows(const Result& result) {
  if (result.stages.empty()) return "";
  std::string out = fmt::format("\n{:<44}{:>9}{:>11}  {}\n", "What each stage could deliver",
                                "load", "samples/s", "limited by");
  const Stage* marked = tightest_stage(result);
  for (const Stage& stage : result.stages) out += stage_row(result, stage, &stage == marked);
  return out;
}

std::string reasons(const Result& result) {
  std::string out = limit_lines(result.bottleneck);
  for (const std::string& line : deciding_lines(result)) out += item("Rests on a default", line);
  if (result.bound.samples_per_s > 0 && std::isfinite(result.bound.samples_per_s))
    out += item("Bound",
                fmt::format("at most {} samples/s in the long run{} with these values: set by {}",
                            text_number(result.bound.samples_per_s),
                            result.checkpoint ? ", between checkpoints," : "",
                            some_of(in_words(result.bound.cut), ", ")));
  return out;
}

std::string count_text(std::int64_t count) {
  return text_number(static_cast<double>(count), 15);  // digits of the largest exact one
}

std::string known_text(const Simulated& simulated) {
  const double uncertainty = 100 * simulated.step_rate_uncertainty;
  if (!std::isfinite(uncertainty)) return "too few to tell how well the throughput is known";
  return fmt::format("throughput known to {} %",
                     uncertainty < 0.01 ? "better than 0.01" : text_number(uncertainty, 1));
}

std::string steps_text(const Result& result) {
  const Simulated& simulated = result.simulated;
  const bool all = simulated.extrapolated_steps == 0;
  std::string steps = fmt::format("{}{} steps", all ? "all " : "", count_text(simulated.steps));
  if (simulated.folded.simulated_nodes < result.nodes)
    steps += fmt::format(" of {} nodes, which stand for all {}", simulated.folded.simulated_nodes,
                         result.nodes);
  if (!all) steps += fmt::format(", {} extrapolated", count_text(simulated.extrapolated_steps));
  if (simulated.runs > 1) steps += fmt::format(", mean of {} runs", count_text(simulated.runs));
  steps += "; " + known_text(simulated);
  if (simulated.run_uncertainty > simulated.step_rate_uncertainty)
    steps += fmt::format("; one run may differ by {} %{}",
                         text_number(100 * simulated.run_uncertainty, 2),
                         simulated.store_shares ? ": readers' shares of the store" : "");
  return item("Simulated", steps);
}

/// "system.drive[ssd0].model.read_rate 31 kIOPS (was 900 kIOPS)".
std::string calibrated_text(const CalibratedValue& one) {
  return fmt::format("{} {}{}", one.key, one.value,
                     one.before.empty() ? "" : fmt::format(" (was {})", one.before));
}

std::string notes(const Result& result) {
  std::string out;
  if (!result.calibrated.empty()) {
    std::vector<std::string> changed;
    for (const auto& one : result.calibrated) changed.push_back(calibrated_text(one));
    out += item("Calibrated", some_of(changed, "; "));
  }
  if (result.range) out += range_rows(*result.range);
  if (!result.estimates.empty()) out += item("Rests on estimates", some_of(result.estimates, "; "));
  for (const auto& assumption : result.assumptions) out += item("Assumed", sentence(assumption));
  if (!result.defaults.empty())
    out += item("Defaults in use",
                "those of all keys not given (gpufeed check --defaults FILE lists them)");
  for (const auto& warning : result.warnings)
    if (&warning != memory_short(result) && &warning != other_length(result))
      out += item("Warning", sentence(warning));
  return out;
}

std::string training_text(const Result& result) {
  std::string out;
  for (const auto& [label, words] : training_rows(result)) out += told(label, words);
  return out;
}

}  // namespace

std::string to_text(const Result& result) {
  if (trains_nothing(result)) {
    const std::string end = notes(result);
    return head(result) + "\n" + text_without_training(result) + (end.empty() ? "" : "\n" + end);
  }
  return head(result) + "\n" + score(result) + rates(result) + times(result) +
         running_cost_rows(result) + training_text(result) + cache(result) + drive_cache(result) +
         density(result) + gpu_rows(result) + stage_rows(result) + reasons(result) + "\n" +
         steps_text(result) + notes(result);
}

}  // namespace gpufeed
