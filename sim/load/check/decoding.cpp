// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/checks.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

class DecodingChecker {
 public:
  DecodingChecker(const Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario),
        workload_(scenario.workload.get<ReadsDataset>()),
        system_(system),
        out_(out) {}

  void check() {
    const Dataset& dataset = *workload_.dataset;
    if (dataset.decoder && *dataset.decoder) check_engines(**dataset.decoder);
    const DecodeOn on = scenario_.loader.decode;
    if (on == DecodeOn::none) return;
    if (on == DecodeOn::cpu && dataset.decode_time) return;
    const bool known = dataset.decoder && *dataset.decoder;
    if (!known) {
      if (dataset.decoder) return;  // reported where it was not found
      out_.refuse(ProblemCode::conflict, "workload.dataset", workload_.dataset.where,
                  ": {} has no {}; add {}, or set loader.decode = \"none\" where "
                  "samples are stored ready for training",
                  workload_.dataset.name, on == DecodeOn::cpu ? "decode_time" : "decoder",
                  on == DecodeOn::cpu ? "it or a decoder" : "one that decodes on GPUs");
      return;
    }
    const Decoder& decoder = **dataset.decoder;
    if (decoder.reader_bandwidth && !decoder.decodes_while_reading)
      out_.refuse(ProblemCode::conflict, "workload.dataset", workload_.dataset.where,
                  ": decoder {} has a reader_bandwidth, but does not decode while "
                  "reading; add decodes_while_reading = true to it",
                  decoder.name);
    if (on == DecodeOn::gpu) {
      for (const auto& gpu : system_.gpus)
        need_cost(**dataset.decoder, dataset, {}, gpu.model.name);
      return;
    }
    for (const auto& socket : system_.sockets)
      need_cost(**dataset.decoder, dataset, socket.model.name, {});
  }

 private:
  void check_engines(const Decoder& decoder) {
    for (const auto& row : decoder.cost)
      if (row.engine && !row.gpu)
        out_.refuse(ProblemCode::conflict, "cost.engine", row.where,
                    ": {} is part of a GPU, and this cost of decoder {} is one of cores; "
                    "add the gpu, or leave engine out",
                    name_of(*row.engine), decoder.name);
  }

  void need_cost(const Decoder& decoder, const Dataset& dataset, const std::string& cpu,
                 const std::string& gpu) {
    const DecodeCost* cost = decode_cost(decoder, cpu, gpu);
    if (!cost)
      out_.refuse(ProblemCode::missing_key, "workload.dataset", workload_.dataset.where,
                  ": decoder {} has no cost on {}; add a [[cost]] table to it", decoder.name,
                  cpu.empty() ? gpu : cpu);
    else if (cost->pixel_rate && !dataset.pixels)
      out_.refuse(ProblemCode::missing_key, "workload.dataset", workload_.dataset.where,
                  ": decoder {} counts pixels, but {} does not say how many a "
                  "sample has; add pixels to it",
                  decoder.name, workload_.dataset.name);
  }

  const Scenario& scenario_;
  const ReadsDataset& workload_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

void check_decoding(const Scenario& scenario, const System& system, Diagnostics& out) {
  if (scenario.workload.dataset()) DecodingChecker(scenario, system, out).check();
}

}  // namespace gpufeed
