// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/replay_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/answer/without_training.h"
#include "sim/answer/words.h"
#include "sim/base/numbers/statistics.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/striping.h"

namespace gpufeed {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

class ReplayAnswer {
 public:
  ReplayAnswer(const Scenario& scenario, const ReplayOutcome& outcome)
      : scenario_(scenario),
        io_(*scenario.workload.get<kind::Io>().io),
        log_(*io_.requests),
        store_(find_store(scenario, scenario.data.at)),
        outcome_(outcome) {}

  Result make() const {
    Result result = result_without_training(scenario_, outcome_.graph, outcome_.load);
    result.engine = "fluid";
    result.workload = in_words();
    result.storage = io_storage_in_words(scenario_, scenario_.data.at);
    add_line(result, "read", false);
    add_line(result, "write", true);
    result.replay = summary();
    result.bottleneck = bottleneck(result);
    using enum WarningCode;
    if (!io_.direct && scenario_.loader.cache == CacheRule::linux_kernel)
      result.warnings.push_back(fact<replay_keeps_by_lru>());
    if (store_ && outcome_.written.value > 0)
      result.warnings.push_back(fact<replay_write_latency_unknown>(store_->model.name));
    if (outcome_.written.value > 0 &&
        parities(find_volume(*scenario_.system, scenario_.data.at)) > 0)
      result.warnings.push_back(fact<replay_without_parity_reads>());
    return result;
  }

 private:
  std::string in_words() const {
    double bytes = 0;
    for (const auto& request : log_.requests) bytes += static_cast<double>(request.bytes);
    return fmt::format("{} replayed: {} requests of {} to {} {} over {}, {}", io_.log->path,
                       text_number(static_cast<double>(log_.requests.size()), 15),
                       text(Bytes{bytes / static_cast<double>(log_.requests.size())}, 3),
                       text_number(log_.files, 15), log_.files == 1 ? "file" : "files",
                       text(Seconds{log_.requests.back().time_s}, 3),
                       io_.direct ? "around the page cache" : "through the page cache");
  }

  void add_line(Result& result, const char* direction, bool write) const {
    std::vector<double> took;
    double bytes = 0;
    double sum = 0;
    for (std::size_t i = 0; i < outcome_.took_s.size(); ++i) {
      if (log_.requests[i].write != write) continue;
      took.push_back(outcome_.took_s[i]);
      sum += outcome_.took_s[i];
      bytes += static_cast<double>(log_.requests[i].bytes);
    }
    if (took.empty()) return;
    const auto count = static_cast<double>(took.size());
    const double all = std::max(outcome_.end.value, kLeastTime_s);
    IoLine line{direction, count / all, bytes / all, sum / count, kUnknown};
    line.latency_p50_s = seen_quantile(took, 0.5);
    line.latency_p95_s = seen_quantile(took, 0.95);
    line.latency_p99_s = seen_quantile(took, 0.99);
    result.io.push_back(std::move(line));
  }

  LogReplaySummary summary() const {
    LogReplaySummary out;
    out.requests = static_cast<std::int64_t>(log_.requests.size());
    out.log_s = log_.requests.back().time_s;
    out.replay_s = outcome_.end.value;
    out.hit_rate = outcome_.hit_rate;
    out.read_B = outcome_.read.value;
    out.written_B = outcome_.written.value;
    return out;
  }

  Bottleneck bottleneck(const Result& result) const {
    Bottleneck out;
    const ResourceUse* busiest = nullptr;
    for (const auto& use : result.resources)
      if (!busiest || use.utilization > busiest->utilization) busiest = &use;
    const double log_s = log_.requests.back().time_s;
    const Seconds late = outcome_.end - Seconds{log_s};
    constexpr double kNoticed = 0.02;
    const bool behind = late.value > kNoticed * log_s;
    using enum EvidenceCode;
    out.evidence = {behind ? evidence<replay_behind>(late) : evidence<replay_keeps_up>(late)};
    if (busiest) {
      out.resource = fact<LimiterCode::parts>(std::vector{busiest->id});
      out.evidence.push_back(evidence_of<busy>(*out.resource, std::min(1.0, busiest->utilization)));
    }
    return out;
  }

  const Scenario& scenario_;
  const IoJob& io_;
  const AccessLog& log_;
  const Store* const store_;  ///< null: drives
  const ReplayOutcome& outcome_;
};

}  // namespace

Result replay_answer(const Scenario& scenario, const ReplayOutcome& outcome) {
  return ReplayAnswer(scenario, outcome).make();
}

}  // namespace gpufeed
