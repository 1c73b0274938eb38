// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "reports/writers/cost_text.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/pipeline_text.h"
#include "reports/writers/rates_text.h"
#include "reports/writers/serving_text.h"
#include "reports/writers/terms.h"
#include "reports/writers/text.h"
#include "reports/writers/without_training_text.h"
#include "sim/base/units.h"
#include "sim/model/workload.h"

namespace gpufeed {
namespace {

/// Results that share their columns.
struct Family {
  bool (*has)(const Result& result);
  std::string (*figures)(const Result& result);  ///< what stands between title and bottleneck
  std::string above;                             ///< the columns' names, in two lines
  std::string names;
};

std::string trained(std::string_view rate, std::string_view busy, std::string_view copy_in,
                    std::string_view first, std::string_view all) {
  return fmt::format("{:>11}{:>9}{:>10}{:>14}{:>10}  ", rate, busy, copy_in, first, all);
}

std::string figures_of_training(const Result& result) {
  return trained(text_number(result.job_samples_per_s), percent(result.job_gpu_utilization),
                 copy_in_time(result), first_result_time(result), total_time(result));
}

std::string asked(std::string_view iops, std::string_view read, std::string_view write,
                  std::string_view latency) {
  return fmt::format("{:>8}{:>12}{:>12}{:>10}  ", iops, read, write, latency);
}

/// In fio's forms.
std::string figures_of_io(const Result& result) {
  double iops = 0;
  double latency = 0;
  std::string read = "none";
  std::string write = "none";
  for (const auto& line : result.io) {
    iops = line.iops;
    latency = line.latency_mean_s;  // those of a mix are last
    if (line.direction == "read") read = fio_number(line.bandwidth_Bps, true) + "B/s";
    if (line.direction == "write") write = fio_number(line.bandwidth_Bps, true) + "B/s";
  }
  return asked(fio_number(iops, false), read, write, time_text(latency));
}

std::string copied(std::string_view slowest, std::string_view fastest) {
  return fmt::format("{:>13}{:>13}  ", slowest, fastest);
}

std::string figures_of_transfers(const Result& result) {
  std::vector<double> rates;
  for (const auto& matrix : result.transfers)
    for (const auto& row : matrix.bandwidth_Bps)
      std::ranges::copy_if(row, std::back_inserter(rates),
                           [](double r) { return std::isfinite(r); });
  for (const auto& copy : result.copies) rates.push_back(copy.bandwidth_Bps);
  if (rates.empty()) return copied("none", "none");
  const auto [least, most] = std::ranges::minmax(rates);
  return copied(text(Bandwidth{least}, 3), text(Bandwidth{most}, 3));
}

std::string figures_of_collective(const Result& result) {
  if (result.collectives.empty()) return copied("none", "none");
  const auto [least, most] = std::ranges::minmax(result.collectives, {}, &CollectiveTime::bus_Bps);
  return copied(text(Bandwidth{least.bus_Bps}, 3), text(Bandwidth{most.bus_Bps}, 3));
}

std::string figures_of_matmul(const Result& result) {
  if (result.products.empty()) return copied("none", "none");
  const auto [least, most] = std::ranges::minmax(result.products, {}, &ProductTime::flop_per_s);
  return copied(text(FlopRate{least.flop_per_s}, 3), text(FlopRate{most.flop_per_s}, 3));
}

std::string figures_of_checkpointing(const Result& result) {
  const CheckpointingSummary saved = result.checkpointing.value_or(CheckpointingSummary{});
  return copied(text(Bandwidth{saved.save.rank0_Bps}, 3), text(Bandwidth{saved.load.rank0_Bps}, 3));
}

std::string piped(std::string_view copying, std::string_view share, std::string_view first,
                  std::string_view all) {
  return fmt::format("{:>10}{:>10}{:>14}{:>10}  ", copying, share, first, all);
}

std::string figures_of_pipeline(const Result& result) {
  const double copying = result.pipeline ? result.pipeline->copy_s : 0;
  const double share = result.pipeline ? result.pipeline->copy_share : 0;
  return piped(copying > 0 ? time_text(copying, result.time_to_result_s) : "none", percent(share),
               first_stage_time(result), total_time(result));
}

std::string served(std::string_view rate, std::string_view busy, std::string_view cold,
                   std::string_view mean, std::string_view high) {
  return fmt::format("{:>11}{:>9}{:>11}{:>10}{:>10}  ", rate, busy, cold, mean, high);
}

std::string figures_of_inference(const Result& result) {
  const ServingSummary serving = result.serving.value_or(ServingSummary{});
  return served(text_number(result.throughput_samples_per_s),
                percent(result.accelerator_utilization), time_text(serving.cold_start_s),
                latency_text(serving.latency_mean_s), latency_text(serving.latency_p99_s));
}

std::vector<Family> families() {
  return {
      {[](const Result& r) { return !trains_nothing(r); }, figures_of_training,
       trained("", "GPU", "", "first step", "time to"),
       trained("samples/s", "util.", "copy-in", "after", "result")},
      {[](const Result& r) { return r.kind == kind_of<kind::Io>; }, figures_of_io,
       asked("", "", "", "mean"), asked("IOPS", "read", "write", "latency")},
      {[](const Result& r) { return r.kind == kind_of<kind::Transfers>; }, figures_of_transfers,
       copied("slowest", "fastest"), copied("copy", "copy")},
      {[](const Result& r) { return r.kind == kind_of<kind::Pipeline>; }, figures_of_pipeline,
       piped("", "of the", "first result", "time to"), piped("copying", "time", "after", "result")},
      {[](const Result& r) { return r.kind == kind_of<kind::Inference>; }, figures_of_inference,
       served("", "GPU", "cold", "mean", "99 %"),
       served("requests/s", "util.", "start", "latency", "within")},
      {[](const Result& r) { return r.kind == kind_of<kind::Collective>; }, figures_of_collective,
       copied("slowest", "fastest"), copied("bus", "bus")},
      {[](const Result& r) { return r.kind == kind_of<kind::Matmul>; }, figures_of_matmul,
       copied("slowest", "fastest"), copied("product", "product")},
      {[](const Result& r) { return r.kind == kind_of<kind::Checkpointing>; },
       figures_of_checkpointing, copied("save", "load"), copied("rank 0", "rank 0")}};
}

std::string trimmed(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// One row, as many lines as its longest cell needs.
std::string row(std::size_t number, std::size_t title_width, const std::string& middle,
                const Result& result) {
  const auto titles = lines_of(result.title, title_width);
  const auto reasons = lines_of(in_words(result.bottleneck.resource),
                                kScreenWidth - kNumbers - title_width - middle.size());
  std::string out;
  for (std::size_t i = 0; i < std::max(titles.size(), reasons.size()); ++i)
    out +=
        trimmed(fmt::format("{:>2}  {:<{}}{:<{}}{}", i == 0 ? std::to_string(number) : "",
                            i < titles.size() ? titles[i] : "", title_width, i == 0 ? middle : "",
                            middle.size(), i < reasons.size() ? reasons[i] : ""));
  return out;
}

/// The longest title's, if that leaves the bottlenecks enough.
std::size_t width_of_titles(const std::vector<Result>& results, const Family& family) {
  constexpr std::size_t kMostForBottlenecks = 20;
  std::size_t titles = std::string_view("Scenario").size();
  std::size_t bottlenecks = std::string_view("bottleneck").size();
  for (const auto& result : results) {
    if (!family.has(result)) continue;
    titles = std::max(titles, result.title.size());
    bottlenecks = std::max(bottlenecks, in_words(result.bottleneck.resource).size());
  }
  const std::size_t rest = kScreenWidth - kNumbers - family.names.size();
  return std::min(titles, rest - std::min(bottlenecks, kMostForBottlenecks));
}

std::string table_of(const std::vector<Result>& results, const Family& family) {
  const std::size_t title_width = width_of_titles(results, family);
  const std::string indent(kNumbers + title_width, ' ');
  std::string out = trimmed(indent + family.above);
  out += trimmed(fmt::format("{:<4}{:<{}}{}bottleneck", "", "Scenario", title_width, family.names));
  for (std::size_t i = 0; i < results.size(); ++i)
    if (family.has(results[i]))
      out += row(i + 1, title_width, family.figures(results[i]), results[i]);
  return out;
}

}  // namespace

std::string to_table(const std::vector<Result>& results) {
  std::string out;
  for (const Family& family : families()) {
    if (std::ranges::none_of(results, family.has)) continue;
    if (!out.empty()) out += "\n";
    out += table_of(results, family);
  }
  return out;
}

std::string to_reasons(const std::vector<Result>& results) {
  std::string out;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    std::string why = in_words(result.bottleneck.evidence);
    if (!trains_nothing(result)) why += fmt::format(". Data density: {}", density_text(result));
    if (const auto cost = cost_in_short(result); !cost.empty())
      why += fmt::format("{}{}", why.empty() ? "" : "; ", cost);
    out += labeled(fmt::format("{:>2}", i + 1), why, kNumbers);
  }
  return out;
}

}  // namespace gpufeed
