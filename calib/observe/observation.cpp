// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/observation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/diagnostics.h"
#include "sim/base/units.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

template <class Counted>
SeenRate rate_of(const std::vector<Counters>& moments, const Counted& counted) {
  std::vector<double> parts;
  for (std::size_t i = 1; i < moments.size(); ++i) {
    const double passed = moments[i].time_s - moments[i - 1].time_s;
    // a process that nobody waits for takes its count with it
    const double more = std::invoke(counted, moments[i]) - std::invoke(counted, moments[i - 1]);
    parts.push_back(std::max(0.0, more) / passed);
  }
  return mean_of(parts);
}

template <class Q>
std::string line(const char* key, const SeenRate& rate, double least) {
  if (rate.value < least) return fmt::format("# {}: next to nothing was seen\n", key);
  return fmt::format("{} = {{ value = {}, spread = {} }}\n", key,
                     toml_string(text(Q{rate.value}, 4)), toml_string(text(Q{rate.spread}, 2)));
}

constexpr double kFewBytes = 1e5;  // a second, as those of a shell and its libraries
constexpr double kFewReads = 1;

/// What drives read for the job, and what is to be known of it.
std::string read_lines(const WatchedJob& seen) {
  const auto requests = line<Rate>("read_rate", seen.reads_per_s, kFewReads);
  if (!seen.own_Bps)
    return "# read: by all drives of the machine, for whomever: whose reads they are is not "
           "told\n" +
           line<Bandwidth>("read_bandwidth", seen.read_Bps, kFewBytes) + requests;
  const SeenRate& own = *seen.own_Bps;
  const auto out = line<Bandwidth>("read_bandwidth", own, kFewBytes);
  constexpr double kSame = 0.95;
  const double all = seen.read_Bps.value;
  const double least = std::min(own.value, all);
  const double most = std::max(own.value, all);
  if (most < kFewBytes || least >= kSame * most) return out + requests;
  const std::string drives = text(Bandwidth{all}, 4);
  const std::string job = text(Bandwidth{own.value}, 4);
  return out + (all > own.value
                    ? fmt::format("# read_rate: left out: drives count requests for everyone, and "
                                  "read {} in all, {} of it for the job\n",
                                  drives, job)
                    : fmt::format("# read_rate: left out: the job read {} and all drives {}: part "
                                  "of it probably came from a store\n",
                                  job, drives));
}

}  // namespace

SeenRate mean_of(const std::vector<double>& parts) {
  const auto count = static_cast<double>(parts.size());
  double sum = 0;
  for (const double part : parts) sum += part;
  SeenRate rate{sum / count, 0};
  double squares = 0;
  for (const double part : parts) squares += (part - rate.value) * (part - rate.value);
  constexpr double kLeast = 0.005;  // what clocks and counters are read to
  constexpr double kLone = 0.05;
  rate.spread = parts.size() == 1
                    ? kLone * rate.value
                    : std::max(kLeast * rate.value, std::sqrt(squares / (count - 1) / count));
  return rate;
}

WatchedJob observation_of(const std::vector<Counters>& moments) {
  constexpr std::size_t kFewest = 4;
  if (moments.size() < kFewest)
    throw InputError({Problem{
        {"observe", 0, 0},
        fmt::format("the job was watched for {} parts of --every, where three at least are "
                    "needed: watch for longer, or look more often",
                    moments.empty() ? 0 : moments.size() - 1)}});
  WatchedJob seen;
  seen.cores = rate_of(moments, &Counters::core_s);
  const auto known = [](const Counters& moment) { return moment.own_B.has_value(); };
  if (std::ranges::all_of(moments, known))
    seen.own_Bps = rate_of(moments, [](const Counters& moment) { return *moment.own_B; });
  seen.read_Bps = rate_of(moments, &Counters::read_B);
  seen.reads_per_s = rate_of(moments, &Counters::reads);
  seen.received_Bps = rate_of(moments, &Counters::received_B);
  std::vector<double> use;
  for (const Counters& moment : moments)
    if (moment.gpu_use) use.push_back(*moment.gpu_use);
  if (use.size() == moments.size()) seen.gpu_use = mean_of(use);
  seen.time_s = moments.back().time_s - moments.front().time_s;
  return seen;
}

std::string observed_toml(const WatchedJob& seen, const std::string& title) {
  std::string out = fmt::format("title = {}\n", toml_string(title));
  if (seen.gpu_use && seen.gpu_use->value > 0)
    out += line<Ratio>("gpu_utilization", *seen.gpu_use, 0);
  constexpr double kFewCores = 0.01;
  out += read_lines(seen);
  out += line<Bandwidth>("network_bandwidth", seen.received_Bps, kFewBytes);
  if (seen.cores.value < kFewCores) return out + "# cores_busy: next to nothing was seen\n";
  return out + fmt::format("cores_busy = {{ value = {:.4g}, spread = {:.2g} }}\n", seen.cores.value,
                           seen.cores.spread);
}

}  // namespace gpufeed
