// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "sim/load/check/checks.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

class InferenceChecker {
 public:
  InferenceChecker(const Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario),
        workload_(scenario.workload.get<kind::Inference>()),
        system_(system),
        out_(out) {}

  void check() {
    if (workload_.serving) check_requests(*workload_.serving);
    if (scenario_.loader.decode == DecodeOn::gpu)
      out_.refuse(ProblemCode::conflict, "loader.decode", scenario_.loader.where,
                  ": inference decodes on cores; set it to \"cpu\", or to \"none\" "
                  "where inputs arrive ready for the GPU");
    if (!workload_.model) return;
    std::set<std::string> seen;
    const auto used = static_cast<std::size_t>(gpus_per_node(scenario_.workload, system_));
    for (std::size_t i = 0; i < std::min(used, system_.gpus.size()); ++i) {
      const auto& gpu = system_.gpus[i].model;
      if (!gpu || !seen.insert(gpu.name).second) continue;
      check_memory(*gpu);
      if (!workload_.forward.empty()) check_forward(gpu.name);
    }
  }

 private:
  void check_requests(const Serving& serving) {
    if (serving.request_rate && serving.clients)
      out_.refuse("workload.serving", serving.where,
                  ": request_rate and clients exclude each other; leave one out")
          .code = ProblemCode::conflict;
    if (!serving.request_rate && !serving.clients)
      out_.refuse(ProblemCode::missing_key, "workload.serving", serving.where,
                  ": how many requests come is missing; give request_rate, or "
                  "clients that wait for their answers");
    const bool past_memory = scenario_.data.path == ReadPath::gpudirect &&
                             serving.inputs == InputsFrom::storage &&
                             scenario_.loader.decode == DecodeOn::cpu;
    if (past_memory)
      out_.refuse(
          ProblemCode::conflict, "data.path",
          scenario_.data.at.where.line > 0 ? scenario_.data.at.where : serving.where,
          " = \"gpudirect\" reads inputs into GPUs, where no core can decode; set "
          "loader.decode = \"none\", or workload.serving.inputs = \"memory\" where only the "
          "model is read that way");
  }

  void check_memory(const Gpu& gpu) {
    const Bytes size = model_bytes(workload_);
    if (size > gpu.memory)
      out_.refuse(ProblemCode::too_large, "workload.model", workload_.model.where,
                  ": {} takes {} in {}, and {} holds {}; use another precision or GPU",
                  workload_.model.name, text(size, 3), workload_.precision, gpu.name,
                  text(gpu.memory, 3));
  }

  void check_forward(const std::string& gpu) {
    const auto rows = forward_rows(workload_, gpu);
    for (const auto& row : rows)
      if (!row.includes.empty())
        out_.refuse(ProblemCode::idle_key, "workload.forward", row.where,
                    ": includes says what else a training rate holds; a forward "
                    "pass holds nothing else, so leave it out");
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (rows[i].batch == rows[i - 1].batch)
        out_.refuse(ProblemCode::conflict, "workload.forward", rows[i].where,
                    ": two rates on {} in {} at batch {} are given; leave one out", gpu,
                    workload_.precision, rows[i].batch);
    if (!rows.empty()) return;
    out_.refuse(ProblemCode::missing_key, "workload.forward", workload_.forward.front().where,
                ": no rate on {} in {} is given; add a [[workload.forward]] table "
                "for it",
                gpu, workload_.precision);
  }

  const Scenario& scenario_;
  const kind::Inference& workload_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

void check_inference(const Scenario& scenario, const System& system, Diagnostics& out) {
  InferenceChecker(scenario, system, out).check();
}

}  // namespace gpufeed
