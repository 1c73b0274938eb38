// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/io_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/answer/unseen.h"
#include "sim/answer/without_training.h"
#include "sim/answer/words.h"
#include "sim/kinds/io/io_plan.h"
#include "sim/kinds/io/io_replay.h"
#include "sim/kinds/io/request_cost.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/reading.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

using enum EvidenceCode;

/// Which limit of a drive is the lowest, and how high it lies.
/// \param law  of the direction, by which a request alone takes its time
Evidence limit_of(const Capacity& capacity, const DriveLaw& law, Bytes request, double outstanding,
                  double active, double all) {
  if (capacity.limit == StorageLimit::latency) {
    const Seconds alone = lone_request(law, request);
    return active < all ? evidence<few_requests_on_few_drives>(outstanding, active, alone)
                        : evidence<few_requests_under_way>(outstanding, alone);
  }
  if (capacity.limit == StorageLimit::requests) return evidence<request_rate>(law.request_rate);
  return evidence<bandwidth>(law.bandwidth);
}

class IoSimulation {
 public:
  explicit IoSimulation(const Scenario& scenario)
      : scenario_(scenario),
        system_(*scenario.system),
        io_(*scenario.workload.get<kind::Io>().io),
        plan_(make_io_plan(scenario)),
        rates_(steady_rates(plan_.limits, plan_.streams, scenario.run.engine)) {
    for (std::size_t i = 0; i < plan_.streams.size(); ++i)
      total_ += rates_.of_one[i] * static_cast<double>(plan_.streams[i].count);
  }

  Result run() {
    result_ = result_without_training(scenario_, plan_.graph, plan_.limits, rates_.load);
    result_.workload = workload_in_words();
    result_.storage = io_storage_in_words(scenario_, scenario_.data.at);
    lines();
    if (const Store* store = find_store(scenario_, scenario_.data.at))
      result_.steps = steps_of_store(*store);
    result_.bottleneck = bottleneck();
    result_.warnings = plan_.warnings;
    return std::move(result_);
  }

 private:
  /// In the words of fio's command line.
  std::string workload_in_words() const {
    const double reads = io_.read_share.value;
    std::string rw = reads == 1 ? "read" : reads == 0 ? "write" : "rw";
    if (io_.pattern == AccessPattern::random) rw = "rand" + rw;
    std::string mix;
    if (reads > 0 && reads < 1) mix = fmt::format(" --rwmixread={}", text_number(reads * 100, 4));
    return fmt::format(
        "fio --ioengine={} --rw={}{} --bs={:.0f} --iodepth={}{} --numjobs={} --direct={}",
        engine_in_words(io_.engine), rw, mix, io_.block_size.value, io_.queue_depth,
        io_.batch > 1 ? fmt::format(" --iodepth_batch_submit={}", io_.batch) : "", io_.jobs,
        io_.direct ? 1 : 0);
  }

  const Drive& drive(PartId part) const { return *find_drive(system_, part)->model; }

  void lines() {
    const double reads = io_.read_share.value;
    const double latency = plan_.under_way * io_.block_size.value / total_.value;
    const bool mixed = reads > 0 && reads < 1;
    const auto add = [&](const char* direction, double share, double mean, double lifetime) {
      const Bandwidth rate = total_ * share;
      result_.io.push_back({direction, (rate / io_.block_size).value, rate.value, mean, lifetime});
    };
    if (reads > 0) add("read", reads, mixed ? kUnknown : latency, kUnknown);
    if (reads < 1) add("write", 1 - reads, mixed ? kUnknown : latency, lifetime());
    if (mixed) add("mixed", 1, latency, kUnknown);
  }

  /// Until the first drive has taken what it is built for.
  double lifetime() const {
    double least = kUnknown;
    if (scenario_.data.at.is(PartKind::store)) return least;
    const bool together = plan_.streams.size() == 1;
    for (std::size_t i = 0; i < plan_.sources.size(); ++i) {
      const auto& endurance = drive(plan_.sources[i]).endurance;
      const double written =
          together ? total_.value * plan_.written / static_cast<double>(plan_.sources.size())
                   : rates_.of_one[i].value * plan_.written;
      if (endurance && written > 0) least = std::min(least, endurance->value / written);
    }
    return least;
  }

  /// The limits that are full, of the kind of the first.
  std::vector<LimitIndex> binding() const {
    const auto& first = rates_.limited_by.front();
    if (!first) return {};
    return full_like(plan_.limits, rates_, *first);
  }

  const std::string& kind(LimitIndex limit) const { return plan_.limits[limit].kind; }

  Bottleneck bottleneck() const {
    const auto full = binding();
    Bottleneck out;
    if (full.empty()) {
      out.resource = fact<LimiterCode::requests_under_way>();
      out.evidence = {evidence<waits_per_job>(io_.direct ? io_.queue_depth : 1, plan_.wait)};
    } else {
      out.resource = fact<LimiterCode::parts>(labels_of(plan_.limits, full));
      out.evidence = kind(full.front()) == name_of(ResourceKind::drive)
                         ? drive_evidence(full, *out.resource)
                         : link_evidence(full, *out.resource);
    }
    double next = 0;
    for (const LimitIndex i : plan_.limits.indices())
      if (rates_.load[i] < kFull && rates_.load[i] > next) {
        next = rates_.load[i];
        out.next = fact<LimiterCode::parts>(std::vector{plan_.limits[i].label});
      }
    if (next > 0) out.distance = 1 / next;
    return out;
  }

  std::vector<Evidence> drive_evidence(const std::vector<LimitIndex>& full,
                                       const Limiter& drives) const {
    const Limit& limit = plan_.limits[full.front()];
    const bool reading = limit.key->role == Role::read;
    const Drive& product = drive(limit.key->part);
    const auto& access = plan_.access;
    const DriveCapacities both = drive_capacities(product, access);
    const auto all = static_cast<double>(plan_.sources.size());
    std::vector<Evidence> out{evidence_of<drives_busy>(drives)};
    if (access.read_share > 0 && access.read_share < 1)
      out.push_back(evidence<reads_of_bytes>(access.read_share));
    out.push_back(reading ? limit_of(both.read, product.read_law(0, access.request), access.request,
                                     access.outstanding, plan_.active_drives, all)
                          : limit_of(both.write, product.write_law(),
                                     access.write_request.value_or(access.request),
                                     access.write_outstanding.value_or(access.outstanding),
                                     plan_.active_drives, all));
    return out;
  }

  std::vector<Evidence> link_evidence(const std::vector<LimitIndex>& full,
                                      const Limiter& links) const {
    double drives = 0;
    for (const LimitIndex i : plan_.limits.indices())
      if (kind(i) == name_of(ResourceKind::drive)) drives = std::max(drives, rates_.load[i]);
    std::vector<Evidence> out{evidence_of<carries>(links, plan_.limits[full.front()].capacity)};
    if (drives > 0) out.push_back(evidence<drives_load>(drives));
    return out;
  }

  const Scenario& scenario_;
  const System& system_;
  const IoJob& io_;
  const IoPlan plan_;
  const SteadyRates rates_;
  Bandwidth total_;
  Result result_;
};

}  // namespace

void check_kind(const kind::Io& keys, const Scenario& scenario) {
  if (keys.io->requests)
    check_replay(scenario);
  else
    make_io_plan(scenario);
}

Result simulate_kind(const kind::Io& keys, const Scenario& scenario) {
  return keys.io->requests ? replay_log(scenario) : IoSimulation(scenario).run();
}

}  // namespace gpufeed
