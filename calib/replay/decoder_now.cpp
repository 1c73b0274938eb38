// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/decoder_now.h"

#include <cstdint>

#include "calib/probes/decode_probe.h"
#include "calib/probes/scratch.h"
#include "calib/replay/replay_plan.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// A data sheet's decoder, or a time that the scenario states, is to be tested as it is.
bool calibrated(const Dataset& dataset, const Ref<Cpu>& cpu) {
  if (dataset.decode_time || !dataset.decoder || !*dataset.decoder) return false;
  const DecodeCost* const cost = decode_cost(**dataset.decoder, cpu.name, {});
  return cost && cost->basis == Basis::calibrated;
}

/// More workers than cores share these by SMT, which the prediction counts by itself.
bool wants(const Scenario& scenario, const ReplayPlan& plan) {
  const auto& sockets = scenario.system->sockets;
  if (!plan.codec || sockets.empty() || !may_write(plan.folder)) return false;
  std::int64_t cores = 0;
  for (const Socket& socket : sockets) cores += socket.model->cores;
  return plan.workers <= cores && calibrated(*scenario.workload.dataset(), sockets.front().model);
}

}  // namespace

Bytes written_to_decode(const Scenario& scenario, const ReplayPlan& plan) {
  return wants(scenario, plan) ? plan.file_size * static_cast<double>(kDecodedFiles) : Bytes{};
}

std::optional<DecoderNow> decoder_now(const Scenario& scenario, const ReplayPlan& plan) {
  if (!wants(scenario, plan)) return {};
  DecodeTest test;
  test.codec = plan.codec;
  test.width = plan.width;
  test.height = plan.height;
  test.detail = kSampleDetail;
  test.workers = plan.workers;
  test.each = {1};
  const Scratch scratch(plan.folder, written_to_decode(scenario, plan));
  return DecoderNow{measure_decoding(test, scratch.path()).of_sample_slowest};
}

}  // namespace gpufeed
