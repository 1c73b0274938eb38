// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/printable.h"
#include "sim/import/dlio.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

template <class T>
void add(std::string& out, std::string_view key, const T& value) {
  out += fmt::format("{} = {}\n", key, toml_value(value));
}

void add_entry(std::string& out, const Entry& entry) {
  add(out, "title", entry.title);
  add(out, "source", entry.provenance.source);
  add(out, "basis", entry.provenance.basis);
}

/// [data], with what holds the data.
void add_place(std::string& out, const DlioTarget& target) {
  if (target.store) {
    out += "\n[store.storage]\n";
    add(out, "model", *target.store);
  }
  out += "\n[data]\n";
  if (target.store)
    add(out, "at", std::string("storage"));
  else if (target.at)
    add(out, "at", *target.at);
}

/// How many samples the steps are that end a job; nothing where its epochs end before.
std::optional<std::int64_t> samples_of_steps(const DlioWorkload& workload,
                                             const DlioTarget& target) {
  if (!workload.steps || target.mlperf_size) return {};
  const Job& job = workload.job;
  const double each = static_cast<double>(job.batch) *
                      static_cast<double>(target.accelerators.value_or(target.gpus_of_machine));
  const double samples = static_cast<double>(*workload.steps) * each;
  const double all = static_cast<double>(job.dataset->samples) * static_cast<double>(job.epochs);
  if (samples >= all || samples > 1e15) return {};
  return static_cast<std::int64_t>(samples);
}

}  // namespace

std::string dlio_scenario(const DlioWorkload& workload, const DlioTarget& target) {
  const Job& job = workload.job;
  std::string out =
      fmt::format("# {} as a scenario, by gpufeed import dlio.\n", printable(workload.file));
  if (!workload.not_modeled.empty())
    out += fmt::format("# Not modeled: {}\n",
                       printable(fmt::format("{}", fmt::join(workload.not_modeled, ", "))));
  out += "schema = 1\n";
  add(out, "title", job.title);
  add(out, "system", target.system);
  if (workload.checkpointed) {
    out += "\n[workload]\nkind = \"checkpointing\"\n";
    add(out, "model", *workload.checkpointed);
    add_place(out, target);
    return out;
  }
  const Dataset& dataset = *job.dataset;
  out += "\n[workload]\nkind = \"emulated\"\n";
  if (target.accelerators) add(out, "gpus", *target.accelerators);
  if (const auto samples = samples_of_steps(workload, target)) {
    out += fmt::format("# {} steps of {} on each accelerator end it\n", *workload.steps, job.batch);
    add(out, "samples", *samples);
  }
  out += "\n[workload.job]\n";
  add_entry(out, job);
  add(out, "accelerator", job.accelerator);
  add(out, "batch", job.batch);
  add(out, "compute_time", job.compute_time);
  add(out, "style", job.style);
  add(out, "read_threads", job.read_threads);
  add(out, "prefetch", job.prefetch);
  add(out, "epochs", job.epochs);
  add(out, "threshold", job.threshold);
  out +=
      "# step_overhead, the host's work in each step, and step_jitter, how much steps vary, are "
      "not "
      "in such a\n# file: 0 unless set here. gpufeed catalog list job names jobs with estimates.\n";
  if (target.mlperf_size)
    out +=
        "# The rules of MLPerf Storage, which replace the number of samples below.\n"
        "least_steps = 500\nmemory_multiple = 5\n";
  out += "\n[workload.job.dataset]\n";
  add_entry(out, dataset);
  add(out, "samples", dataset.samples);
  add(out, "sample_size", dataset.sample_size);
  if (dataset.sample_size_deviation.value > 0)
    add(out, "sample_size_deviation", dataset.sample_size_deviation);
  add(out, "samples_per_file", dataset.samples_per_file);
  if (dataset.decoder) add(out, "decoder", *dataset.decoder);
  add_place(out, target);
  add(out, "mode", workload.mode);
  out += "\n[loader]\n";
  add(out, "order", workload.order);
  if (!workload.common_seed) add(out, "common_seed", false);
  if (workload.decode != DecodeOn::cpu) add(out, "decode", workload.decode);
  if (workload.seed) {
    out += "\n[run]\n";
    add(out, "seed", *workload.seed);
  }
  return out;
}

}  // namespace gpufeed
