// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/load/check/checks.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

class TransfersChecker {
 public:
  TransfersChecker(const Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario),
        workload_(scenario.workload.get<kind::Transfers>()),
        system_(system),
        out_(out) {}

  void check() {
    Names ends;
    for (const auto& part : system_.sockets) ends.push_back(part.id);
    for (const auto& part : system_.gpus) ends.push_back(part.id);
    for (const auto& part : system_.drives) ends.push_back(part.id);
    for (const auto& part : system_.volumes) ends.push_back(part.id);
    for (const auto& [name, store] : scenario_.store) ends.push_back(name);
    Names gpus;
    for (const auto& part : system_.gpus) gpus.push_back(part.id);
    for (auto& copy : workload_.copies) {
      refer(copy.from, "from", ends);
      refer(copy.to, "to", ends);
      check_writable(scenario_, copy.to, "workload.copy.to", out_);
      if (!copy.via) continue;
      refer(*copy.via, "via", gpus);
      for (const PartRef* end : {&copy.from, &copy.to}) {
        if (end->id == copy.via->id)
          out_.error(end->where,
                     "workload.copy.via: \"{}\" is an end of the copy; name a third GPU", end->id);
        if (std::ranges::count(ends, end->id) && !std::ranges::count(gpus, end->id))
          out_.error(end->where, "workload.copy.via: \"{}\" is no GPU; only GPUs pass data on",
                     end->id);
      }
    }
    for (const auto& copy : workload_.copies)
      if (copy.from.id == copy.to.id && !copy.from.id.empty())
        out_.error(copy.where, "workload.copy: from and to are both \"{}\"; name two parts",
                   copy.from.id);
    if (!workload_.tests.empty() && system_.gpus.empty())
      out_.error(scenario_.workload.where, "workload.tests copy to and from GPUs, and {} has none",
                 scenario_.system.name);
  }

 private:
  void refer(const PartRef& part, std::string_view key, const Names& known) {
    if (part.id.empty() || std::ranges::count(known, part.id)) return;
    out_.error(part.where, "workload.copy.{}: there is no \"{}\"; {}", key, part.id,
               suggestion(part.id, known));
  }

  const Scenario& scenario_;
  const kind::Transfers& workload_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

void check_transfers(const Scenario& scenario, const System& system, Diagnostics& out) {
  TransfersChecker(scenario, system, out).check();
}

}  // namespace gpufeed
