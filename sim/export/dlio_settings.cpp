// SPDX-License-Identifier: Apache-2.0
#include "sim/export/dlio_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/compute_time.h"

namespace gpufeed {
namespace {

/// Twelve digits are what a scenario's text keeps of a quantity.
constexpr double kSame = 1e-9;

bool near(double a, double b) {
  return std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b));
}

std::string number(double value) { return fmt::format("{:.12g}", value); }
/// Whole where a scenario's text, of twelve digits, lets it be.
std::string told(double bytes) {
  const bool whole = std::abs(bytes - std::round(bytes)) <= 1e-7 * bytes;
  return whole ? whole_bytes(bytes) : number(bytes);
}
std::string truth(bool yes) { return yes ? "True" : "False"; }

std::optional<std::string> format_of(const Dataset& dataset) {
  if (!dataset.decoder) return {};
  const std::string& decoder = dataset.decoder->name;
  for (const char* format : {"npz", "tfrecord", "jpeg"})
    if (decoder.starts_with(format)) return format;
  if (decoder == "nvjpeg") return "jpeg";
  return {};
}

class Reading {
 public:
  Reading(const ExportSource& source, ToolText& notes)
      : source_(source), scenario_(source.scenario), notes_(notes) {}

  DlioScenario read() {
    out_.accelerators = gpus_in_use(scenario_);
    out_.name = source_.name;
    const Workload& workload = scenario_.workload;
    if (workload.is<kind::Checkpointing>()) {
      read_checkpoints();
      return std::move(out_);
    }
    if (!workload.is<RunsEpochs>())
      refuse_kind(ExportTool::dlio, source_,
                  "it emulates training and checkpointing, of emulated, training, loader and "
                  "checkpointing jobs");
    read_dataset();
    read_loader();
    read_length();
    read_step();
    return std::move(out_);
  }

 private:
  Job& job() { return out_.workload.job; }
  void say(std::initializer_list<const char*> keys) {
    for (const char* key : keys) notes_.said.emplace_back(key);
  }
  void leave_out(std::string what) { notes_.left_out.push_back(std::move(what)); }

  void read_checkpoints() {
    out_.workload.checkpointed = scenario_.workload.get<kind::Checkpointing>().model;
    say({"workload.kind", "workload.model"});
  }

  void read_dataset() {
    const Workload& workload = scenario_.workload;
    auto dataset = std::make_shared<Dataset>(*workload.dataset());
    dataset->samples = dataset_samples(workload);
    out_.format = format_of(*dataset);
    if (scenario_.loader.decode != DecodeOn::cpu && scenario_.loader.decode != DecodeOn::none)
      leave_out("decoding on GPUs: DLIO's readers do it on cores");
    job().dataset.entry = std::move(dataset);
    say({"workload.kind", "workload.dataset", "workload.dataset_samples", "workload.job.dataset",
         "workload.job.accelerator", "workload.gpus", "loader.decode", "nodes"});
  }

  void read_loader() {
    const Loader& loader = scenario_.loader;
    job().style = loader.style;
    job().batch = scenario_.workload.get<RunsEpochs>().batch_per_gpu;
    job().read_threads = loader.workers_per_gpu;
    const bool pytorch = loader.style == LoaderStyle::pytorch;
    const auto* emulated = scenario_.workload.find<kind::Emulated>();
    job().prefetch = emulated && !loader.prefetch_batches.given
                         ? (*emulated->job)->prefetch
                         : loader.prefetch_batches *
                               (pytorch ? std::max<std::int64_t>(1, job().read_threads) : 1);
    out_.workload.order = loader.order;
    out_.workload.common_seed = loader.common_seed;
    read_mode();
    if (scenario_.data.path == ReadPath::host) say({"data.path"});
    say({"workload.batch_per_gpu", "workload.global_batch", "workload.job.batch",
         "workload.job.style", "workload.job.read_threads", "workload.job.prefetch", "loader.style",
         "loader.workers_per_gpu", "loader.prefetch_batches", "loader.order"});
    if (loader.common_seed || !pytorch) say({"loader.common_seed"});
    if (source_.given.contains("run.seed")) out_.workload.seed = scenario_.run.seed;
  }

  void read_mode() {
    const bool direct = scenario_.data.mode == ReadMode::direct;
    const bool takes = !out_.format || *out_.format == "npz";
    if (direct && takes) out_.workload.mode = ReadMode::direct;
    if (!direct || takes) return say({"data.mode"});
    leave_out(
        fmt::format("data.mode = \"direct\": DLIO reads around the page cache npz and npy "
                    "alone, not {}",
                    *out_.format));
    say({"data.mode"});
  }

  /// Epochs, or the steps that end the job within them.
  void read_length() {
    const auto& own = scenario_.workload.get<RunsEpochs>();
    const auto* emulated = scenario_.workload.find<kind::Emulated>();
    job().epochs = own.epochs.value_or(emulated ? (*emulated->job)->epochs : 1);
    say({"workload.samples", "workload.epochs", "workload.job.epochs"});
    if (!own.samples) return;
    const std::int64_t step = out_.accelerators * job().batch * batches_of_step(scenario_.workload);
    const auto samples = static_cast<double>(*own.samples);
    out_.workload.steps = static_cast<std::int64_t>(
        std::ceil(samples / static_cast<double>(std::max<std::int64_t>(1, step))));
    const double passes =
        std::ceil(samples / static_cast<double>(std::max<std::int64_t>(1, job().dataset->samples)));
    job().epochs = std::max(job().epochs, static_cast<std::int64_t>(passes));
    if (samples >= static_cast<double>(job().dataset->samples * job().epochs))
      out_.workload.steps.reset();
  }

  /// What an accelerator sleeps in each.
  void read_step() {
    if (const auto* emulated = scenario_.workload.find<kind::Emulated>())
      read_emulated_step(**emulated->job);
    else if (const auto* training = scenario_.workload.find<kind::Training>())
      read_computed_step(*training);
    else
      leave_out("GPUs: nothing is computed, and accelerators sleep 0 s");
  }

  void read_emulated_step(const Job& own) {
    job().compute_time = own.compute_time;
    job().threshold = own.threshold;
    say({"workload.job.compute_time", "workload.job.threshold", "workload.job.least_steps",
         "workload.job.memory_multiple", "workload.job.epoch_start", "workload.job.step_overhead",
         "workload.job.step_jitter"});
    if (!source_.given.contains("workload.job.compute_time")) say({"workload.job"});
    const auto time = [&](const char* what, Seconds value) {
      if (value.value > 0) leave_out(fmt::format("{} of the job: {}", what, text(value)));
    };
    time("step_overhead, the host's work in each step,", own.step_overhead);
    time("epoch_start", own.epoch_start);
    if (own.step_jitter.value > 0)
      leave_out(fmt::format("step_jitter of the job: {}", text(own.step_jitter)));
  }

  void read_computed_step(const kind::Training& own) {
    const auto& gpus = scenario_.system->gpus;
    const ComputeTime step = compute_time(own, gpus.front().model.name, job().batch);
    job().compute_time = step.step * static_cast<double>(own.accumulate);
    job().threshold = {0.9};
    say({"workload.model", "workload.framework", "workload.precision", "workload.compute",
         "workload.optimizer", "workload.accumulate", "workload.job"});
    leave_out(fmt::format("computing: accelerators sleep {}, a step of the {} ({})",
                          text(job().compute_time), gpus.front().model.name, name_of(step.basis)));
    if (!step.includes_exchange && out_.accelerators > 1)
      leave_out("the exchange of gradients: DLIO has none");
    notes_.chosen.emplace_back("metric.au = 0.9, the share of computing that a run must reach");
  }

  const ExportSource& source_;
  const Scenario& scenario_;
  ToolText& notes_;
  DlioScenario out_;
};

std::int64_t files_of(const Dataset& dataset) {
  return (dataset.samples + dataset.samples_per_file - 1) / dataset.samples_per_file;
}

class Settings {
 public:
  explicit Settings(const DlioScenario& of) : of_(of), own_(of.workload) {}

  std::vector<DlioSetting> all() {
    add("model", "name", of_.name, [](const DlioWorkload&) { return true; });
    add("", "framework", std::string(name_of(own_.job.style)), [](auto&) { return true; });
    add("workflow", "generate_data", "False", [](auto&) { return true; });
    add("workflow", "train", "True", [](auto& t) { return !t.checkpointed; });
    add("workflow", "checkpoint", "False", [](auto&) { return true; });
    add_dataset();
    add_reader();
    add_train();
    return std::move(out_);
  }

 private:
  using Same = std::function<bool(const DlioWorkload&)>;

  void add(const char* section, const char* key, std::string value, Same same) {
    out_.push_back({section, key, std::move(value), std::move(same)});
  }
  template <class T>
  void add_job(const char* section, const char* key, const std::string& value, T Job::*member) {
    const T now = own_.job.*member;
    add(section, key, value, [now, member](const DlioWorkload& t) { return t.job.*member == now; });
  }

  void add_dataset() {
    const Dataset& data = *own_.job.dataset;
    add("dataset", "data_folder", "data/" + of_.name + "/", [](auto&) { return true; });
    add("dataset", "format", of_.format.value_or("npz"),
        [format = of_.format](const DlioWorkload& t) {
          const auto theirs = format_of(*t.job.dataset);
          return !format || !theirs || theirs == format;
        });
    const std::int64_t samples = data.samples;
    const std::int64_t per_file = data.samples_per_file;
    add("dataset", "num_files_train", std::to_string(files_of(data)),
        [samples, per_file](const DlioWorkload& t) {
          return t.job.dataset->samples == samples && t.job.dataset->samples_per_file == per_file;
        });
    add("dataset", "num_samples_per_file", std::to_string(per_file),
        [per_file](const DlioWorkload& t) { return t.job.dataset->samples_per_file == per_file; });
    const Bytes size = data.sample_size;
    add("dataset", "record_length_bytes", number(size.value), [size](const DlioWorkload& t) {
      return near(t.job.dataset->sample_size.value, size.value);
    });
    const Bytes deviation = data.sample_size_deviation;
    add("dataset", "record_length_bytes_stdev", told(told_deviation(size, deviation).value),
        [deviation](const DlioWorkload& t) {
          return near(t.job.dataset->sample_size_deviation.value, deviation.value);
        });
  }

  void add_reader() {
    add_job("reader", "data_loader", std::string(name_of(own_.job.style)), &Job::style);
    add_job("reader", "batch_size", std::to_string(own_.job.batch), &Job::batch);
    add_job("reader", "read_threads", std::to_string(own_.job.read_threads), &Job::read_threads);
    add_job("reader", "prefetch_size", std::to_string(own_.job.prefetch), &Job::prefetch);
    const SampleOrder order = own_.order;
    const auto same_order = [order](const DlioWorkload& t) { return t.order == order; };
    add("reader", "file_shuffle", order == SampleOrder::sequential ? "off" : "seed", same_order);
    add("reader", "sample_shuffle", order == SampleOrder::permutation ? "seed" : "off", same_order);
    const ReadMode mode = own_.mode;
    add("reader", "odirect", truth(mode == ReadMode::direct),
        [mode](const DlioWorkload& t) { return t.mode == mode; });
  }

  void add_train() {
    add_job("train", "epochs", std::to_string(own_.job.epochs), &Job::epochs);
    const double time = own_.job.compute_time.value;
    add("train", "computation_time", number(time),
        [time](const DlioWorkload& t) { return near(t.job.compute_time.value, time); });
    if (own_.seed) {
      const auto seed = own_.seed;
      add("train", "seed", std::to_string(*seed),
          [seed](const DlioWorkload& t) { return t.seed == seed; });
    }
    add("train", "total_training_steps", std::to_string(own_.steps.value_or(-1)),
        [own = own_, accelerators = of_.accelerators](const DlioWorkload& t) {
          return same_steps(own, accelerators, t);
        });
    const double threshold = own_.job.threshold.value;
    add("metric", "au", number(threshold),
        [threshold](const DlioWorkload& t) { return near(t.job.threshold.value, threshold); });
  }

  /// Steps that are more than the epochs' end nothing.
  static bool same_steps(const DlioWorkload& own, std::int64_t accelerators,
                         const DlioWorkload& t) {
    if (t.steps == own.steps) return true;
    if (own.steps || !t.steps) return false;
    const Job& job = own.job;
    const double step = static_cast<double>(job.batch) * static_cast<double>(accelerators);
    return static_cast<double>(*t.steps) * step >=
           static_cast<double>(job.dataset->samples) * static_cast<double>(job.epochs);
  }

  const DlioScenario& of_;
  const DlioWorkload& own_;
  std::vector<DlioSetting> out_;
};

}  // namespace

DlioScenario dlio_scenario_of(const ExportSource& source, ToolText& notes) {
  return Reading(source, notes).read();
}

std::vector<DlioSetting> dlio_settings(const DlioScenario& scenario) {
  return Settings(scenario).all();
}

Bytes told_deviation(Bytes length, Bytes deviation) {
  // sqrt(2 m^2 s^2 + s^4) = d, solved for s^2
  const double m2 = length.value;
  const double d = deviation.value;
  const double s2 = d * d / (m2 + std::sqrt(m2 * m2 + d * d));
  return {2 * std::sqrt(m2 * s2)};
}

}  // namespace gpufeed
