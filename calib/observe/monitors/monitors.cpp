// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/monitors/monitors.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "calib/observe/monitors/series.h"
#include "sim/base/diagnostics.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

/// A part's rate over all the time that it was looked at.
SeenRate rate_of(const std::vector<Look>& looks) {
  std::vector<double> values;
  values.reserve(looks.size());
  for (const Look& look : looks) values.push_back(look.value);
  return mean_of(values);
}

/// Between looks at a counter: weighted by time, as what was counted over all of it.
std::optional<SeenRate> rate_of_counter(std::vector<Look> looks) {
  std::erase_if(looks, [](const Look& look) { return std::isnan(look.time_s); });
  std::ranges::sort(looks, {}, &Look::time_s);
  std::vector<double> rates;
  double counted = 0;
  double passed = 0;
  for (std::size_t i = 1; i < looks.size(); ++i) {
    const double time = looks[i].time_s - looks[i - 1].time_s;
    const double more = looks[i].value - looks[i - 1].value;
    if (!(time > 0) || more < 0) continue;  // counted anew: the machine was started
    rates.push_back(more / time);
    counted += more;
    passed += time;
  }
  if (rates.empty()) return {};
  SeenRate rate = mean_of(rates);
  rate.value = counted / passed;
  return rate;
}

class Combiner {
 public:
  explicit Combiner(MonitorFacts facts) : facts_(std::move(facts)) {}

  MonitoredJob combine() {
    for (const auto& [key, looks] : facts_.rates) {
      parts_[key] = rate_of(looks);
      span(looks);
    }
    std::set<std::string> lone;
    for (const auto& [key, looks] : facts_.counters) {
      const auto rate = rate_of_counter(looks);
      if (rate)
        parts_[key] = *rate;
      else
        lone.insert(facts_.told_by[key]);
      span(looks);
    }
    for (const std::string& file : lone)
      facts_.notes.push_back(
          fmt::format("{} is one look at counters, or has no times: two looks, as two files, give "
                      "a rate",
                      file));
    MonitoredJob job;
    job.gpu_use = mean_over_parts(Watched::computing);
    const auto of_monitors = mean_over_parts(Watched::gpu_use);
    if (job.gpu_use && of_monitors)
      facts_.left_out.push_back(
          fmt::format("use of GPUs as monitors tell it, {}: with kernels that wait for gradients; "
                      "the traces tell it without",
                      text(Ratio{of_monitors->value}, 3)));
    if (!job.gpu_use && of_monitors) {
      job.gpu_use = of_monitors;
      facts_.notes.emplace_back(
          "gpu_utilization is of any kernel: take off what waits for gradients, on several GPUs");
    }
    job.read_Bps = sum(Watched::read_Bps);
    job.reads_per_s = sum(Watched::reads_per_s);
    job.received_Bps = mean_of_nodes(Watched::received_Bps);
    job.cores = mean_of_nodes(Watched::cores);
    job.steps_per_s = mean_over_parts(Watched::steps_per_s);
    job.samples_per_s = sum(Watched::samples_per_s);
    job.time_s = facts_.time_s;
    job.sources = std::move(facts_.sources);
    job.notes = std::move(facts_.notes);
    job.left_out = std::move(facts_.left_out);
    return job;
  }

 private:
  void span(const std::vector<Look>& looks) {
    double first = INFINITY;
    double last = -INFINITY;
    for (const Look& look : looks)
      if (!std::isnan(look.time_s)) {
        first = std::min(first, look.time_s);
        last = std::max(last, look.time_s);
      }
    if (last > first) facts_.watched_for(last - first);
  }

  /// The parts of all nodes together; drives of sar, which are told as one, and of others once.
  std::optional<SeenRate> sum(Watched what) const {
    std::optional<SeenRate> all;
    for (const auto& [key, rate] : parts_) {
      if (key.what != what) continue;
      if (!all) all = SeenRate{};
      all->value += rate.value;
      all->spread = std::hypot(all->spread, rate.spread);
    }
    return all;
  }

  std::optional<SeenRate> mean_over_parts(Watched what) const {
    const auto count =
        std::ranges::count_if(parts_, [&](const auto& one) { return one.first.what == what; });
    auto all = sum(what);
    if (all) {
      all->value /= static_cast<double>(count);
      all->spread /= static_cast<double>(count);
    }
    return all;
  }

  std::optional<SeenRate> mean_of_nodes(Watched what) const {
    std::set<std::string> nodes;
    for (const auto& [key, rate] : parts_)
      if (key.what == what) nodes.insert(key.node);
    auto all = sum(what);
    if (all) {
      all->value /= static_cast<double>(nodes.size());
      all->spread /= static_cast<double>(nodes.size());
    }
    return all;
  }

  MonitorFacts facts_;
  std::map<SeriesKey, SeenRate> parts_;
};

void read_one(const MonitorText& text, MonitorFacts& facts) {
  if (text.text.starts_with("\x1f\x8b"))
    throw InputError(
        {{{text.name, 0, 0}, fmt::format("it is compressed: gunzip -k {} first", text.name)}});
  MonitorReader in(text, facts);
  using Read = bool (*)(MonitorReader&);
  constexpr std::array<Read, 3> kOfJson{read_trace, read_sysstat_json, read_range_query};
  constexpr std::array<Read, 6> kOfText{read_seen,   read_smi,   read_sysstat,
                                        read_stores, read_steps, read_prometheus};
  const auto reads = [&](const Read read) { return read(in); };
  if (in.lines().empty() ? std::ranges::any_of(kOfJson, reads)
                         : std::ranges::any_of(kOfText, reads))
    return;
  throw InputError(
      {{{text.name, 1, 1},
        "no monitor's output is known in it: it takes nvidia-smi dmon, nvidia-smi --query-gpu "
        "(CSV with its heading), dcgmi dmon, Prometheus (text, range query), iostat -x, sadf -j, "
        "nfsiostat, Lustre's stats, traces of PyTorch's profiler, CSV of steps, and what gpufeed "
        "observe wrote"}});
}

}  // namespace

MonitoredJob read_monitors(const std::vector<MonitorText>& texts) {
  MonitorFacts facts;
  Diagnostics problems;
  for (const MonitorText& text : texts) try {
      read_one(text, facts);
    } catch (const InputError& error) {
      problems.add(error.problems());
    }
  problems.throw_if_any();
  MonitoredJob job = Combiner(std::move(facts)).combine();
  const bool any = job.gpu_use || job.read_Bps || job.reads_per_s || job.received_Bps ||
                   job.cores || job.steps_per_s || job.samples_per_s;
  if (!any)
    throw InputError({{{texts.empty() ? "" : texts.front().name, 0, 0},
                       fmt::format("it tells nothing of what a job does{}{}",
                                   job.notes.empty() ? "" : ": ", fmt::join(job.notes, "; "))}});
  return job;
}

}  // namespace gpufeed
