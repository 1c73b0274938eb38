// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/measured_replay.h"
#include "sim/base/labels/label_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "calib/probes/child.h"
#include "calib/probes/core_use.h"
#include "calib/probes/raw.h"
#include "calib/probes/written.h"
#include "calib/replay/as_replayed.h"
#include "reports/writers/layout.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "ui/cli/output.h"
#include "ui/cli/quantity_option.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// Of the epochs after the first, where there are any.
struct Measured {
  double samples_per_s = 0;
  double spread = 0;  ///< standard deviation of the epochs' rates over their mean
  double utilization = 0;
  double waited = 0;  ///< share of the time
  double taken = 0;
  double reading_s = 0;  ///< of a sample, in read calls
  double making_s = 0;   ///< of a core for a sample besides
  double read_first_B = 0;
  std::optional<double> read_later_B;  ///< of the mean one; none without later epochs
};

Measured measured_of(const std::vector<ReplayEpoch>& epochs) {
  const std::size_t from = epochs.size() > 1 ? 1 : 0;
  Measured out;
  double time = 0;
  double samples = 0;
  double read = 0;
  double squares = 0;
  double rates = 0;
  for (std::size_t i = from; i < epochs.size(); ++i) {
    time += epochs[i].time.value;
    samples += static_cast<double>(epochs[i].samples);
    out.utilization += epochs[i].computed.value;
    out.waited += epochs[i].waited.value;
    out.taken += epochs[i].taken.value;
    out.reading_s += epochs[i].reading.value;
    out.making_s += epochs[i].making.value;
    read += epochs[i].read.value;
    const double rate = static_cast<double>(epochs[i].samples) / epochs[i].time.value;
    rates += rate;
    squares += rate * rate;
  }
  const auto count = static_cast<double>(epochs.size() - from);
  const double mean = rates / count;
  if (count > 1)
    out.spread =
        std::sqrt(std::max(0.0, squares / count - mean * mean) * count / (count - 1)) / mean;
  out.samples_per_s = samples / time;
  out.utilization /= time;
  out.waited /= time;
  out.taken /= time;
  out.reading_s /= samples;
  out.making_s /= samples;
  out.read_first_B = epochs.front().read.value;
  if (from > 0) out.read_later_B = read / count;
  return out;
}

std::string row(const char* what, const std::string& measured, const std::string& predicted,
                const std::string& error) {
  return fmt::format("  {:<24}{:>16}{:>16}{:>10}\n", what, measured, predicted, error);
}

std::string off(double predicted, double measured) {
  return measured > 0 ? fmt::format("{:+.1f} %", 100 * (predicted / measured - 1)) : "";
}

/// What the predicted GPU does, of one kind.
double share_of(const Result& result, double GpuShare::*part) {
  return result.gpus.empty() ? 0 : result.gpus.front().share.*part;
}

std::string table(const Measured& here, const Result& result) {
  std::string out = row("", "measured", "predicted", "");
  out += row("samples/s", text_number(here.samples_per_s, 4),
             text_number(result.throughput_samples_per_s, 4),
             off(result.throughput_samples_per_s, here.samples_per_s));
  if (result.range)
    out += row("  P10 to P90 (80 %)", "",
               text_number(result.range->throughput_samples_per_s.p10, 4) + " to " +
                   text_number(result.range->throughput_samples_per_s.p90, 4),
               "");
  out += row("GPU busy (timer)", fmt::format("{:.1f} %", 100 * here.utilization),
             fmt::format("{:.1f} %", 100 * result.accelerator_utilization), "");
  out += row("waits, takes over", fmt::format("{:.1f} %", 100 * (here.waited + here.taken)),
             fmt::format("{:.1f} %", 100 * (share_of(result, &GpuShare::storage) +
                                            share_of(result, &GpuShare::decode))),
             "");
  out += row("read, first epoch", text(Bytes{here.read_first_B}, 4),
             text(Bytes{result.cache.read_first_epoch_B}, 4),
             off(result.cache.read_first_epoch_B, here.read_first_B));
  if (here.read_later_B)
    out += row("read, later epochs", text(Bytes{*here.read_later_B}, 4),
               text(Bytes{result.cache.read_later_epoch_B}, 4), "");
  out += fmt::format(
      "  of the time {:.1f} % went to taking batches over; a worker was {} of a sample in read "
      "calls "
      "and took {} of a core besides\n",
      100 * here.taken, text(Seconds{here.reading_s}, 3), text(Seconds{here.making_s}, 3));
  if (here.spread > 0)
    out += fmt::format("  epochs differ by {:.1f} % (standard deviation)\n", 100 * here.spread);
  return out;
}

/// "2 at a time of 4 KiB took 60 us each"; sizes in powers of two.
std::string in_words(const TimedReads& reads) {
  constexpr double kMi = 1 << 20;
  const double size = reads.by.block.value;
  const std::string block =
      size < kMi ? fmt::format("{:.4g} KiB", size / 1024) : fmt::format("{:.3g} MiB", size / kMi);
  return fmt::format("{} at a time of {} took {} each", reads.by.readers, block,
                     text(reads.each, 3));
}

/// Which reads were measured, and what the drive's law makes of them.
std::string in_words(const DriveNow& now) {
  std::vector<std::string> parts;
  if (now.latency)
    parts.push_back(fmt::format("{}, so predicted with a read_latency of {} ({} when calibrated)",
                                in_words(*now.reads.small), text(*now.latency, 3),
                                text(now.calibrated_latency, 3)));
  if (now.bandwidth)
    parts.push_back(
        fmt::format("{}, {}, so predicted with a read_bandwidth of {} ({} when calibrated)",
                    in_words(*now.reads.large), text(now.reads.large->bandwidth(), 3),
                    text(*now.bandwidth, 3), text(now.calibrated_bandwidth, 3)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// What the prediction was told of this program's own loader, and what disturbed the measurement.
/// \param others  share of the cores that they took meanwhile
std::string circumstances(const ReplayLoader& loader, const MachineNow& machine, Ratio drift,
                          double others) {
  constexpr double kMuch = 0.05;
  std::string out = fmt::format(
      "  predicted for this program's loader: {} to start a worker, {} to wake up for a batch and "
      "{} to take it over, between two steps{}; no inode is read\n",
      text(loader.worker_start, 2), text(loader.wake, 2), text(loader.take_over, 2),
      loader.place.value > 0
          ? fmt::format(", {} of a worker to copy what it read into a batch", text(loader.place, 2))
          : "");
  if (machine.drive)
    out += fmt::format("  and for the drive as it was meanwhile: reads, {}\n",
                       in_words(*machine.drive));
  if (machine.copy)
    out += fmt::format(
        "  and for the memory as it was meanwhile: a core copies {} out of the page cache ({} when "
        "calibrated)\n",
        text(machine.copy->now, 3), text(machine.copy->calibrated, 3));
  if (machine.decoder)
    out += fmt::format(
        "  and for the decoder as it was meanwhile: {} of a core for a sample, in the slowest "
        "worker\n",
        text(machine.decoder->of_sample, 3));
  if (const auto& pages = machine.full_cache.pages)
    out += fmt::format(
        "  and for a full page cache as it was before: {:.0f} % of its pages lie apart ({:.0f} % "
        "as stated)\n",
        100 * pages->now.value, 100 * pages->stated.value);
  if (const auto& refill = machine.full_cache.refill)
    out += fmt::format(
        "  and for what a full page cache took of a core before: it puts {} of missed bytes there, "
        "in the place of others ({} when calibrated)\n",
        text(refill->now, 3), text(refill->calibrated, 3));
  if (drift.value > 0)
    out += fmt::format(
        "  before, between epochs and after, these parts were up to {:.1f} % from their means{}\n",
        100 * drift.value,
        drift.value > kMuch ? "; such a machine cannot be told more closely" : "");
  return out + fmt::format("  {}\n", others_in_words(others));
}

/// All that the prediction was told beside the scenario, as `--set` has it.
std::vector<std::string> told(const std::vector<Override>& overrides, const Scenario& scenario,
                              const ReplayLoader& loader, const MachineNow& machine) {
  std::vector<std::string> out;
  out.reserve(overrides.size());
  for (const Override& one : overrides) out.push_back(text(one.path) + "=" + one.value);
  for (auto& set : replayed_sets(scenario, loader, machine)) out.push_back(std::move(set));
  return out;
}

/// What the replay kept to, and what disturbed it.
std::string kept_to(Bytes written, Bytes most, double others) {
  return fmt::format("{} of {} written, others took {:.0f} % of the cores", text(written, 3),
                     text(most, 3), 100 * others);
}

std::string case_text(const Scenario& scenario, const std::string& file,
                      const std::vector<std::string>& sets, const Measured& here,
                      const std::string& kept) {
  std::string out =
      fmt::format("title = {}\nsource = {}\nmechanism = \"replay\"\nscenario = {}\nset = [\n",
                  toml_string(scenario.title),
                  toml_string(fmt::format("gpufeed replay on {}; {}", machine_in_words(), kept)),
                  toml_string(fs::absolute(file).string()));
  for (const auto& set : sets) out += "  " + toml_string(set) + ",\n";
  return out + fmt::format(
                   "]\n\n[[measured]]\nkey = \"throughput_samples_per_s\"\nvalue = {:.6g}\n"
                   "unit = \"samples/s\"\nspread = {:.3g}\n",
                   here.samples_per_s, here.spread * here.samples_per_s);
}

/// What is written beside the data set, and read before.
std::string measuring(const Scenario& scenario, const ReplayPlan& plan) {
  const Bytes written = written_to_copy(scenario, plan.folder) + written_to_decode(scenario, plan);
  std::string out;
  if (written.value > 0)
    out = fmt::format("; {} in files that are gone afterwards, to see how cores are now",
                      text(written, 3));
  if (plan.overflows()) out += "; they are read before, too, to see what a full page cache takes";
  return out;
}

/// Where both are disks of this machine, the data set lies on the one that the scenario reads.
void check_disk(const Scenario& scenario, const std::string& file, const fs::path& data) {
  std::error_code error;
  fs::path folder = fs::absolute(data);
  while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  const std::string disk = disk_of(folder);
  const std::string& at = text_of(scenario.data.at.id);
  if (!disk.empty() && disk != at && fs::exists(fs::path("/sys/block") / at, error))
    throw InputError({Problem{{file, 0, 0},
                              fmt::format("the data lie on {} (data.at), and --data {} on {}", at,
                                          data.string(), disk)}});
}

/// The size of the samples that were made, where the scenario says another.
void check_size(Bytes made, const ReplayPlan& plan, const std::string& file) {
  constexpr double kNear = 0.03;
  if (std::abs(plan.file_size.value / made.value - 1) > kNear)
    throw InputError({Problem{
        {file, 0, 0},
        fmt::format("the samples came out with {} in the mean; write sample_size = \"{:.0f} B\" "
                    "instead of {}",
                    text(made, 4), made.value, text(plan.file_size, 4))}});
}

/// Before any is written.
void check_bytes(const Scenario& scenario, const ReplayPlan& plan, Bytes most,
                 const Options& options) {
  const Bytes needed = plan.file_size * static_cast<double>(plan.files) +
                       written_to_copy(scenario, plan.folder) + written_to_decode(scenario, plan);
  if (needed > most)
    throw options.error(fmt::format(
        "the data set and what is written beside it take {}, more than --max-bytes {}; fewer "
        "samples take less (workload.dataset.samples)",
        text(needed, 3), text(most, 3)));
}

}  // namespace

int replay_verb(const Arguments& arguments) {
  Options options(
      "replay",
      "Runs the loader of a scenario for real on this machine: worker processes read and decode "
      "a data set that it makes, a timer stands in the GPU's place; and prints what was measured "
      "beside what is predicted.",
      "gpufeed replay scenario.toml --params here.toml --data /scratch/set --case case.toml");
  ScenarioArguments scenarios;
  std::optional<std::string> folder;
  std::optional<std::string> case_file;
  std::optional<std::string> most_bytes;
  scenarios.add_to(options);
  options.value("--data", "DIR", folder,
                "the data set: made there once, and used again; interrupted, it goes on");
  options.value("--max-bytes", "B", most_bytes,
                "what may be written below DIR in all; default: 100 GB");
  options.value("--case", "FILE", case_file, "write what was measured as a validation case");
  if (!options.parse(arguments)) return kGood;
  if (scenarios.files.size() != 1) throw options.error("name one scenario file");
  if (!folder) throw options.error("--data DIR says where the data set lies");
  Loaded loaded = load_all(scenarios);
  loaded.problems.throw_if_any();
  const Scenario& scenario = *loaded.scenarios.front();
  const ReplayPlan plan = plan_replay(scenario, *folder);
  check_disk(scenario, scenarios.files.front(), *folder);
  const Bytes most = quantity_of(most_bytes, Bytes{100e9}, "--max-bytes", options);
  check_bytes(scenario, plan, most, options);
  if (case_file) check_new(*case_file);
  const InterruptGuard guard(
      "what lies in --data goes on where it stopped; nothing else was written");
  const double bytes = static_cast<double>(plan.files) * plan.file_size.value;
  complain(fmt::format("The data set: {} files, {}, below {}; {} epochs of {} steps{}\n",
                       plan.files, text(Bytes{bytes}, 3), *folder, plan.epochs, plan.steps(),
                       measuring(scenario, plan)));
  const Bytes before = written_so_far();
  check_size(make_dataset(plan), plan, scenarios.files.front());
  const MeasuredReplay replay = measure_replay(scenario, plan);
  const Measured here = measured_of(replay.epochs);
  const MeasuredParts parts = mean_of(replay.moments);
  const ReplayLoader& loader = *parts.loader;
  const MachineNow machine{drive_now(scenario, parts.drive), parts.copy, parts.decoder,
                           replay.full_cache};
  const Bytes written = written_so_far() - before;
  const Result result = simulate(as_replayed(scenario, loader, machine));
  print(scenario.title + "\n" + table(here, result) +
        circumstances(loader, machine, drift_of(replay.moments), replay.others));
  if (!case_file) return kGood;
  write_new(*case_file, case_text(scenario, scenarios.files.front(),
                                  told(overrides_of(scenarios), scenario, loader, machine), here,
                                  kept_to(written, most, replay.others)));
  std::string catalogs;  // of the entries that the case names
  std::set<std::string> named;
  for (const auto& one : catalog_folders(scenarios))
    if (named.insert(one).second) catalogs += " --catalog " + one;
  print(fmt::format("{0}: written; gpufeed validate {0}{1} takes it\n", *case_file, catalogs));
  return kGood;
}

}  // namespace gpufeed::cli
