// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/join_parts.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

constexpr std::initializer_list<PartKind> kEnds{PartKind::socket, PartKind::gpu, PartKind::drive,
                                                PartKind::volume, PartKind::store};

class TransfersChecker {
 public:
  TransfersChecker(Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario),
        workload_(scenario.workload.get<kind::Transfers>()),
        system_(system),
        out_(out) {}

  void check() {
    Names ends;
    for (const auto& part : system_.sockets) ends.push_back(text_of(part.id));
    for (const auto& part : system_.gpus) ends.push_back(text_of(part.id));
    for (const auto& part : system_.drives) ends.push_back(text_of(part.id));
    for (const auto& part : system_.volumes) ends.push_back(text_of(part.id));
    for (const auto& [name, store] : scenario_.store) ends.push_back(name);
    Names gpus;
    for (const auto& part : system_.gpus) gpus.push_back(text_of(part.id));
    for (auto& copy : workload_.copies) {
      refer(copy.from, "workload.copy.from", kEnds, ends);
      refer(copy.to, "workload.copy.to", kEnds, ends);
      check_writable(scenario_, copy.to, "workload.copy.to", out_);
      if (!copy.via) continue;
      refer(*copy.via, "workload.copy.via", {PartKind::gpu}, gpus);
      for (const PartRef* end : {&copy.from, &copy.to}) {
        if (end->id == copy.via->id)
          out_.refuse(ProblemCode::conflict, "workload.copy.via", end->where,
                      ": \"{}\" is an end of the copy; name a third GPU", text_of(end->id));
        if (end->part && !end->is(PartKind::gpu))
          out_.refuse(ProblemCode::unknown_part, "workload.copy.via", end->where,
                      ": \"{}\" is no GPU; only GPUs pass data on", text_of(end->id));
      }
    }
    for (const auto& copy : workload_.copies)
      if (copy.from.id == copy.to.id && copy.from.given())
        out_.refuse(ProblemCode::conflict, "workload.copy", copy.where,
                    ": from and to are both \"{}\"; name two parts", text_of(copy.from.id));
    if (!workload_.tests.empty() && system_.gpus.empty())
      out_.refuse(ProblemCode::unknown_part, "workload.tests", scenario_.workload.where,
                  " copy to and from GPUs, and {} has none", scenario_.system.name);
  }

 private:
  void refer(PartRef& part, std::string_view key, std::initializer_list<PartKind> kinds,
             const Names& known) {
    join_part(part, kinds, scenario_, system_);
    if (!part.given() || part.part) return;
    out_.error(ProblemCode::unknown_part, part.where, "{}: there is no \"{}\"; {}", key,
               text_of(part.id), suggestion(text_of(part.id), known));
  }

  const Scenario& scenario_;
  kind::Transfers& workload_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

void check_transfers(Scenario& scenario, const System& system, Diagnostics& out) {
  TransfersChecker(scenario, system, out).check();
}

}  // namespace gpufeed
