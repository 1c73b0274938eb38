// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_pytorch.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "calib/fit/findings.h"
#include "calib/fit/gpu_fit.h"
#include "calib/fit/raw_decoders.h"
#include "sim/base/diagnostics.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

/// A worker's batch takes a time of its own and that of its samples.
Seconds fit_batches(const Json& batches, const std::string& name, Findings& findings) {
  std::vector<Timed> times;
  for (const Json& point : batches) {
    const double samples = point.at("batch");
    times.push_back({samples, {samples * point.at("sample_s").get<double>()}});
  }
  const std::string path = "loader.batch_overhead";
  try {
    const LineFit line = fit_line(times, name + ", batches");
    findings.take({path, text(line.start, 4), line.deviation, line.residual, times.size(),
                   "PyTorch: a worker's time for a batch over its samples"});
    return line.start;
  } catch (const InputError& error) {
    findings.refuse(path, sentence(error.problems().front()));
    return {};
  }
}

/// The process that takes batches over: for each, and for its bytes.
void fit_taking(const Json& pytorch, const std::string& name, Findings& findings) {
  std::vector<Timed> times;
  for (const char* list : {"decode", "batches"})
    for (const Json& point : pytorch.at(list))
      times.push_back({point.at("decoded_batch_B"), {point.at("batch_taken_s")}});
  try {
    const LineFit line = fit_line(times, name + ", taking over");
    const std::string law = "PyTorch: what the taking process spends on a batch over its bytes";
    findings.take({"loader.take_over_time", text(line.start, 4), line.deviation, line.residual,
                   times.size(), law});
    findings.take({"loader.process_bandwidth", text(Bandwidth{line.rate}, 4), line.deviation,
                   line.residual, times.size(), law});
  } catch (const InputError& error) {
    findings.refuse("loader.take_over_time", sentence(error.problems().front()));
  }
}

/// What that process waits for beside: its worker's answers where cores are free, and where there
/// is a worker for each core also more than sharing one of them takes.
void fit_waiting(const Json& pytorch, Findings& findings) {
  std::vector<double> free;
  for (const Json& point : pytorch.value("taking", Json::array()))
    if (point.at("pause_s").get<double>() > 0) free.push_back(point.at("batch_waited_s"));
  if (free.empty() || !findings.take_repeated<Seconds>(
                          "loader.take_over_wait", free,
                          "PyTorch: a pausing process waits for a batch that is there"))
    return;
  std::vector<double> more;
  for (const Json& point : pytorch.at("taking")) {
    if (point.at("pause_s").get<double>() > 0) continue;
    const double beside = point.at("workers").get<double>() / point.at("cores").get<double>();
    more.push_back(point.at("batch_waited_s").get<double>() - median(free) -
                   beside * point.at("batch_taken_s").get<double>());
  }
  const std::string path = "loader.take_over_busy_wait";
  if (more.empty()) return;
  if (median(more) <= 0)
    return findings.refuse(path,
                           "sharing a core explains all that it waits for where all are busy");
  findings.take_repeated<Seconds>(
      path, more, "PyTorch: a worker on each core; beyond take_over_wait and sharing a core");
}

/// What workers lose whose malloc gives the memory of each batch back to the system.
void tell_memory_returned(const Json& pytorch, Findings& findings) {
  std::string words;
  for (const Json& slow : pytorch.value("memory_returned", Json::array()))
    for (const Json& point : pytorch.at("decode"))
      if (point.at("codec") == slow.at("codec") && point.at("width") == slow.at("width") &&
          point.at("detail") == slow.at("detail"))
        words += fmt::format(
            "{}{} {:.2f}", words.empty() ? "" : ", ", slow.at("codec").get<std::string>(),
            slow.at("sample_s").get<double>() / point.at("sample_s").get<double>());
  if (words.empty()) return;
  findings.tell(fmt::format(
      "pytorch: in a process that has freed nothing large yet (and in workers that are spawned) a "
      "sample takes so many times as long: {}; MALLOC_MMAP_THRESHOLD_=33554432 "
      "MALLOC_TRIM_THRESHOLD_=67108864 in its environment spares that",
      words));
}

}  // namespace

void fit_pytorch(const Json& pytorch, std::optional<Bandwidth> copy, const std::string& name,
                 Findings& findings) {
  findings.take_repeated<Seconds>("loader.worker_start",
                                  pytorch.at("worker_start_s").get<std::vector<double>>(),
                                  "PyTorch: epochs of nothing");
  const Seconds of_batch = fit_batches(pytorch.at("batches"), name, findings);
  fit_taking(pytorch, name, findings);
  fit_waiting(pytorch, findings);
  Json points = pytorch.at("decode");
  for (Json& point : points) {
    // which batch_overhead counts
    point["sample_s"] =
        point.at("sample_s").get<double>() - of_batch.value / point.at("batch").get<double>();
    if (copy) point["sample_read_s"] = point.at("stored_B").get<double>() / copy->value;
  }
  tell_memory_returned(pytorch, findings);
  fit_decoders(points, "pytorch-", "by Pillow in workers of PyTorch's DataLoader", name, findings);
}

}  // namespace gpufeed
