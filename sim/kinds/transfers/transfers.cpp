// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/transfers/transfers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/answer/without_training.h"
#include "sim/answer/words.h"
#include "sim/base/labels/label_text.h"
#include "sim/kinds/transfers/nvbandwidth.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/copy_streams.h"

namespace gpufeed {
namespace {

bool reads_drive(const System& system, const Copy& copy, std::size_t drive) {
  return std::ranges::count(drives_of(system, copy.from), drive) > 0;
}
bool writes_drive(const System& system, const Copy& copy, std::size_t drive) {
  return std::ranges::count(drives_of(system, copy.to), drive) > 0;
}

/// Large requests, as many as a drive likes; a drive that is read and written gives half its time
/// to each.
StorageAccess copy_access(const Scenario& scenario) {
  constexpr Bytes kLarge{1e9};
  StorageAccess access{.request = kLarge, .run = kInARow};
  const System& system = *scenario.system;
  const auto& copies = scenario.workload.get<kind::Transfers>().copies;
  for (std::size_t drive = 0; drive < system.drives.size(); ++drive) {
    const bool read = std::ranges::any_of(
        copies, [&](const Copy& copy) { return reads_drive(system, copy, drive); });
    const bool written = std::ranges::any_of(
        copies, [&](const Copy& copy) { return writes_drive(system, copy, drive); });
    if (read && written) access.read_share = 0.5;
  }
  return access;
}

class Transfers {
 public:
  explicit Transfers(const Scenario& scenario)
      : scenario_(scenario),
        access_(copy_access(scenario)),
        graph_(build_graph(scenario, access_)),
        meter_(graph_, scenario.run.engine) {}

  Result run() {
    auto tests = run_nvbandwidth(scenario_, graph_, meter_, blamed_);
    auto copies = run_copies();
    Result result = result_without_training(scenario_, graph_, meter_.limits(), meter_.loads());
    result.workload = workload_in_words();
    result.transfers = std::move(tests.matrices);
    result.copies = std::move(copies);
    result.bottleneck = bottleneck();
    using enum WarningCode;
    if (tests.bounced) result.warnings.push_back(fact<copies_by_host_memory>());
    if (access_.read_share < 1) result.warnings.push_back(fact<drives_halved>());
    return result;
  }

 private:
  std::vector<CopyRate> run_copies() {
    const auto& copies = scenario_.workload.get<kind::Transfers>().copies;
    if (copies.empty()) return {};
    CopyStreams maker(scenario_, graph_, meter_.limits());
    std::vector<Stream> streams;
    std::vector<std::optional<Limiter>> caps;
    for (const auto& copy : copies) {
      auto made = maker.of(copy);
      streams.push_back(std::move(made.stream));
      caps.push_back(std::move(made.cap));
    }
    maker.throw_if_any();
    const auto rates = meter_.measure(streams);
    std::vector<CopyRate> out;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const Binding by = meter_.binding(rates.limited_by[i], caps[i]);
      blamed_.add(by);
      out.push_back({text_of(copies[i].from.id), text_of(copies[i].to.id),
                     copies[i].via ? text_of(copies[i].via->id) : "", copies[i].streams,
                     rates.of_one[i].value * static_cast<double>(streams[i].count), by.limiter});
    }
    return out;
  }

  std::string workload_in_words() const {
    std::vector<std::string> tests;
    for (const auto test : scenario_.workload.get<kind::Transfers>().tests)
      tests.emplace_back(name_of(test));
    const auto copies = scenario_.workload.get<kind::Transfers>().copies.size();
    std::string out;
    if (!tests.empty()) out = fmt::format("nvbandwidth: {}", fmt::join(tests, ", "));
    if (copies > 0)
      out += fmt::format("{}{} {}", out.empty() ? "" : "; ", copies,
                         copies == 1 ? "copy" : "copies at once");
    return out;
  }

  Bottleneck bottleneck() {
    constexpr std::size_t kNamed = 5;
    using enum EvidenceCode;
    const auto blamed = blamed_.sorted();
    const Blame::Times& first = blamed.front();
    Bottleneck out;
    out.resource = first.by.limiter;
    out.evidence = {evidence_of<binds>(first.by.limiter, first.times, blamed_.all())};
    if (first.by.limit)
      out.evidence.push_back(
          evidence_of<carries>(first.by.limiter, meter_.limits()[*first.by.limit].capacity));
    std::vector<Label> rest;
    std::int64_t more = 0;
    for (std::size_t i = 1; i < blamed.size(); ++i) {
      const auto& limit = blamed[i].by.limit;
      if (!limit)
        out.evidence.push_back(
            evidence_of<binds>(blamed[i].by.limiter, blamed[i].times, blamed_.all()));
      else if (rest.size() < kNamed)
        rest.push_back(meter_.limits()[*limit].label);
      else
        ++more;
    }
    if (!rest.empty())
      out.evidence.push_back(more > 0 ? evidence<many_others_bind>(rest, more)
                                      : evidence<others_bind>(rest));
    return out;
  }

  const Scenario& scenario_;
  const StorageAccess access_;
  const Graph graph_;
  RateMeter meter_;
  Blame blamed_;
};

}  // namespace

Result simulate_kind(const kind::Transfers&, const Scenario& scenario) {
  return Transfers(scenario).run();
}

}  // namespace gpufeed
