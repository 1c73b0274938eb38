// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "calib/observe/monitors/monitors.h"
#include "calib/observe/observation.h"
#include "calib/probes/child.h"
#include "calib/probes/raw.h"
#include "calib/probes/stopwatch.h"
#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/base/printable.h"
#include "ui/cli/output.h"
#include "ui/cli/quantity_option.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

struct Watching {
  Seconds every{1};
  std::optional<Seconds> at_most;
};

std::optional<pid_t> number_in(const std::string& text) {
  pid_t pid = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, pid);
  if (fault != std::errc{} || rest != end) return {};
  return pid;
}

void sleep_for(Seconds time) {
  constexpr double kMicro = 1e6;
  constexpr double kSlice = 0.1;  // so that Ctrl-C is heard
  const Stopwatch watch;
  for (double left = time.value; left > 0; left = time.value - watch.by_clock().value) {
    throw_if_interrupted();
    usleep(static_cast<useconds_t>(std::min(left, kSlice) * kMicro));
  }
}

/// Until it has ended, or for as long as asked.
std::vector<Counters> watch(pid_t process, const Watching& how) {
  std::vector<Counters> moments;
  const Stopwatch passed;
  while (const auto now = read_counters(process)) {
    moments.push_back(*now);
    if (how.at_most && passed.by_clock() >= *how.at_most) break;
    sleep_for(how.every);
  }
  return moments;
}

std::vector<Counters> watch_command(const std::string& command, const Watching& how) {
  Child child([&] {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    return 1;
  });
  auto moments = watch(child.pid(), how);
  if (read_counters(child.pid())) return moments;  // watched for long enough; it ends with us
  if (const int status = child.wait(); status != 0)
    throw InputError({Problem{
        {"observe", 0, 0},
        fmt::format("\"{}\" ended with status {}; nothing was written", command, status)}});
  return moments;
}

/// Written where that was asked for, else printed.
void hand_out(const std::string& toml, const std::optional<std::string>& output) {
  if (!output || *output == "-") return print(toml);
  try {
    write_new(*output, toml);
  } catch (const InputError&) {  // what was watched does not come again
    print(toml);
    throw;
  }
  print(fmt::format("{}: written; gpufeed simulate SCENARIO --observed {} takes it\n", *output,
                    *output));
}

void tell_left_out(const MonitoredJob& job) {
  if (job.left_out.empty()) return;
  std::string out = "Read, and not taken:\n";
  constexpr std::size_t kMost = 30;
  for (std::size_t i = 0; i < std::min(kMost, job.left_out.size()); ++i)
    out += labeled("  - ", printable(job.left_out[i]), 4);
  if (job.left_out.size() > kMost)
    out += fmt::format("  - and {} more\n", job.left_out.size() - kMost);
  complain(out);
}

/// What monitors saw of a job, instead of watching one here.
void observe_files(const std::vector<std::string>& files, std::optional<double> samples_per_step,
                   const std::optional<std::string>& output) {
  Diagnostics problems;
  std::vector<MonitorText> texts;
  for (const std::string& file : files)
    if (auto text = read_text_file(file, kLargestMonitor, problems))
      texts.push_back({file, std::move(*text)});
  problems.throw_if_any();
  const MonitoredJob job = read_monitors(texts);
  hand_out(monitored_toml(job, samples_per_step), output);
  tell_left_out(job);
}

/// \throws UsageError
std::optional<double> count_of(const std::optional<std::string>& given, const Options& options) {
  if (!given) return {};
  double value = 0;
  const char* const end = given->data() + given->size();
  const auto [rest, fault] = std::from_chars(given->data(), end, value);
  constexpr double kMost = 1e12;
  if (fault == std::errc{} && rest == end && value >= 1 && value <= kMost) return value;
  throw options.error(fmt::format(
      "--samples-per-step must be a number from 1, such as 2048; found \"{}\"", *given));
}

}  // namespace

int observe_verb(const Arguments& arguments) {
  Options options(
      "observe",
      "Watches a job that runs here: what its processes take of the cores and have drives read, "
      "what this machine's network cards receive, how busy its GPUs are (NVML, where there is "
      "one); or reads what monitors saw of one. Reads of another user's process cannot be told "
      "apart: then it is what all drives read. Writes what gpufeed simulate "
      "--observed takes. Never overwrites a file.",
      "gpufeed observe 'python3 train.py' --for 60s --output seen.toml\n"
      "  gpufeed observe --from dmon.txt iostat.txt --output seen.toml\n"
      "  gpufeed observe --from seen_node*.toml --output seen.toml\n"
      "  gpufeed simulate mine.toml --observed seen.toml");
  std::vector<std::string> targets;
  std::optional<std::string> output;
  std::optional<std::string> every;
  std::optional<std::string> at_most;
  std::vector<std::string> files;
  std::optional<std::string> samples;
  options.operands("JOB", targets,
                   "the number of a process that runs, or a command in quotes, which sh starts; "
                   "behind --from, further files");
  options.repeatable(
      "--from", "FILE", files,
      "instead of a JOB: what monitors wrote, of any nodes and ranks of one job: nvidia-smi dmon, "
      "nvidia-smi --query-gpu (CSV), dcgmi dmon, metrics of DCGM's and the node's exporters "
      "(Prometheus text, or JSON of query_range), iostat -x, sadf -j, nfsiostat, lctl get_param "
      "osc.*.stats, traces of PyTorch's profiler (JSON), CSV of steps (TensorBoard), or what "
      "observe wrote on each node (srun). Counters take two looks");
  options.value("--samples-per-step", "N", samples,
                "samples of all GPUs together in a step, where files tell steps");
  options.value("-o,--output", "FILE", output, "write what was seen; - prints it and nothing else");
  options.value("--every", "T", every, "how often to look; default: 1 s");
  options.value("--for", "T", at_most,
                "how long; then a command is ended. Default: until the job ends");
  if (!options.parse(arguments)) return kGood;
  if (!files.empty()) files.insert(files.end(), targets.begin(), targets.end());
  if (files.empty() && targets.size() > 1)
    throw options.error(fmt::format(
        "one job is watched at a time, a command in quotes; files are read by --from; found \"{}\"",
        targets[1]));
  const std::string target = targets.empty() ? "" : targets.front();
  if (target.empty() && files.empty())
    throw options.error("name the job to watch: a process, or a command; or files by --from");
  const auto samples_per_step = count_of(samples, options);
  if (!files.empty()) {
    if (output && *output != "-") check_new(*output);
    observe_files(files, samples_per_step, output);
    return kGood;
  }
  const Watching how{
      quantity_of(every, Seconds{1}, "--every", options),
      at_most ? std::optional(quantity_of(at_most, Seconds{60}, "--for", options)) : std::nullopt};
  constexpr double kParts = 3;
  constexpr double kRounding = 1e-9;
  if (how.at_most && how.at_most->value < kParts * how.every.value * (1 - kRounding))
    throw options.error(fmt::format("--for must be {} at least, three times --every; found \"{}\"",
                                    text(Seconds{kParts * how.every.value}), *at_most));
  if (output && *output != "-") check_new(*output);
  const auto pid = number_in(target);
  const std::string job = pid ? command_of(*pid) : target;
  if (pid && !read_counters(*pid))
    throw InputError({Problem{{"observe", 0, 0}, fmt::format("there is no process {}", *pid)}});
  const InterruptGuard guard;
  const WatchedJob seen = observation_of(pid ? watch(*pid, how) : watch_command(target, how));
  const std::string toml = observed_toml(
      seen, fmt::format("{}, watched for {:.0f} s on {}", job, seen.time_s, machine_in_words()));
  hand_out(toml, output);
  return kGood;
}

}  // namespace gpufeed::cli
