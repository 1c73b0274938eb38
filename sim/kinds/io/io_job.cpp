// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/io_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/answer/without_training.h"
#include "sim/answer/words.h"
#include "sim/kinds/io/io_plan.h"
#include "sim/kinds/io/io_replay.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/reading.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// Which roof of a drive is the lowest, as a clause.
/// \param law  of the direction, by which a request alone takes its time
std::string roof_of(const Capacity& capacity, const DriveLaw& law, Bytes request,
                    double outstanding, double active, double all) {
  if (capacity.roof == "latency")
    return fmt::format(
        "{} requests under way on each{} at {} a request: more requests under way would raise the "
        "rate (Little's law)",
        text_number(outstanding, 3),
        active < all ? fmt::format(" of the {} in use at a time", text_number(active, 3)) : "",
        text(lone_request(law, request), 3));
  if (capacity.roof == "requests")
    return fmt::format("the {} requests per second that one serves",
                       text_number(law.request_rate.value));
  return fmt::format("the {} of one", text(law.bandwidth, 3));
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
    return fmt::format("fio --rw={}{} --bs={:.0f} --iodepth={} --numjobs={} --direct={}", rw, mix,
                       io_.block_size.value, io_.queue_depth, io_.jobs, io_.direct ? 1 : 0);
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
      out.resource = "requests under way";
      out.why = fmt::format(
          "each job has {} requests under way and waits at least {} for one: more jobs or a deeper "
          "queue would raise the rate (Little's law)",
          io_.direct ? io_.queue_depth : 1, text(plan_.wait, 3));
    } else {
      out.resource = names_of(plan_.limits, full);
      out.why = kind(full.front()) == name_of(ResourceKind::drive) ? drive_evidence(full)
                                                                   : link_evidence(full);
    }
    double next = 0;
    for (const LimitIndex i : plan_.limits.indices())
      if (rates_.load[i] < kFull && rates_.load[i] > next) {
        next = rates_.load[i];
        out.next = plan_.limits[i].label;
      }
    if (next > 0) out.distance = 1 / next;
    return out;
  }

  std::string drive_evidence(const std::vector<LimitIndex>& full) const {
    const Limit& limit = plan_.limits[full.front()];
    const std::string ids = names_of(plan_.limits, full);
    const bool reading = limit.key->role == Role::read;
    const Drive& product = drive(limit.key->part);
    const auto& access = plan_.access;
    const DriveCapacities both = drive_capacities(product, access);
    const auto all = static_cast<double>(plan_.sources.size());
    const bool one_way = access.read_share <= 0 || access.read_share >= 1;
    std::string out = fmt::format("{} {} busy all the time", ids, one(full) ? "is" : "are");
    if (!one_way) out += fmt::format(", {} of the bytes reads", share_text(access.read_share));
    return out + "; the limit is " +
           (reading ? roof_of(both.read, product.read_law(), access.request, access.outstanding,
                              plan_.active_drives, all)
                    : roof_of(both.write, product.write_law(),
                              access.write_request.value_or(access.request),
                              access.write_outstanding.value_or(access.outstanding),
                              plan_.active_drives, all));
  }

  bool one(const std::vector<LimitIndex>& which) const {
    return names_of(plan_.limits, which) == names_of(plan_.limits, {which.front()});
  }

  std::string link_evidence(const std::vector<LimitIndex>& full) const {
    const Limit& limit = plan_.limits[full.front()];
    double drives = 0;
    for (const LimitIndex i : plan_.limits.indices())
      if (kind(i) == name_of(ResourceKind::drive)) drives = std::max(drives, rates_.load[i]);
    std::string out = fmt::format("{} {} all that {} can, {}{}", names_of(plan_.limits, full),
                                  one(full) ? "carries" : "carry", one(full) ? "it" : "they",
                                  text(limit.capacity, 3), one(full) ? "" : " each");
    if (drives > 0) out += fmt::format("; the drives run at {} load", share_text(drives));
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
