// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>

#include "calib/observe/monitors/monitors.h"
#include "sim/base/printable.h"
#include "sim/base/units.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

template <class Q>
std::string line(const char* key, const std::optional<SeenRate>& rate) {
  if (!rate) return "";
  if (!(rate->value > 0)) return fmt::format("# {}: next to nothing was seen\n", key);
  return fmt::format("{} = {{ value = {}, spread = {} }}\n", key,
                     toml_string(text(Q{rate->value}, 4)), toml_string(text(Q{rate->spread}, 2)));
}

}  // namespace

std::string monitored_toml(const MonitoredJob& job, std::optional<double> samples_per_step) {
  std::string title = fmt::format("{}", fmt::join(job.sources, "; "));
  if (job.time_s) title += fmt::format("; looked at for {:.4g} s", *job.time_s);
  std::string out = fmt::format("title = {}\n", toml_string(printable(title)));
  if (!job.time_s) out += "# for how long was looked is not told\n";
  if (job.gpu_use) {
    SeenRate use = *job.gpu_use;
    use.value = std::min(use.value, 1.0);
    out += line<Ratio>("gpu_utilization", use);
  }
  auto samples = job.samples_per_s;
  if (!samples && job.steps_per_s && samples_per_step)
    samples = SeenRate{job.steps_per_s->value * *samples_per_step,
                       job.steps_per_s->spread * *samples_per_step};
  out += line<Rate>("samples_per_s", samples);
  if (!samples && job.steps_per_s)
    out += fmt::format(
        "# samples_per_s: {:.4g} steps a second were seen; --samples-per-step N, of "
        "all GPUs together, makes samples of them\n",
        job.steps_per_s->value);
  out += line<Bandwidth>("read_bandwidth", job.read_Bps);
  out += line<Rate>("read_rate", job.reads_per_s);
  out += line<Bandwidth>("network_bandwidth", job.received_Bps);
  if (job.cores && job.cores->value > 0)
    out += fmt::format("cores_busy = {{ value = {:.4g}, spread = {:.2g} }}  # of all programs\n",
                       job.cores->value, job.cores->spread);
  for (const std::string& note : job.notes) out += fmt::format("# {}\n", printable(note));
  return out;
}

}  // namespace gpufeed
