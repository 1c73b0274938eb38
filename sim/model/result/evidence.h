// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "sim/model/facts/limiters.h"

namespace gpufeed {

/// How it shows that something holds a job back; shares are of the time unless they say otherwise.
enum class EvidenceCode : std::uint8_t {
  // GPUs in training
  gpus_compute,
  gpus_compute_and_exchange,
  gpus_decode,
  gpus_exchange,
  largest_of_step,
  helped_by,
  wait_for_stages,
  wait_for_stragglers,
  wait_for_decoding,
  wait_for_copies,
  wait_for_data,
  wait_for_data_in_first_epoch,
  wait_hardly_for_data,
  wait_for_gradients_on_same_way,
  stand_still_for_checkpoints,
  cores_could_decode,
  // what feeds them
  delivers,
  delivers_between_steps,
  smt_gain,
  misses_cache,
  misses_drive_cache,
  fills_at_start,
  lost_to_slowest_batch,
  lost_between_stages,
  lost_by_empty_stock,
  lost_on_shared_links,
  lost_at_servers,
  close_to_limit,
  // work that trains nothing
  waits_per_job,
  drives_busy,
  reads_of_bytes,
  few_requests_under_way,
  few_requests_on_few_drives,
  request_rate,
  bandwidth,
  carries,
  drives_load,
  replay_behind,
  replay_keeps_up,
  busy,
  binds,
  others_bind,
  many_others_bind,
  bus_bandwidth,
  attains_of_peak,
  step_takes,
  copying_takes,
  overload,
  answers_share,
  phase_takes
};

template <>
struct FactForms<EvidenceCode> {
  using enum EvidenceCode;
  using enum FactUnit;
  using Form = FactForm<EvidenceCode>;
  static constexpr std::array all{
      Form{gpus_compute, "gpus_compute", {"share"}},
      Form{gpus_compute_and_exchange, "gpus_compute_and_exchange", {"share"}},
      Form{gpus_decode, "gpus_decode", {"share"}},
      Form{gpus_exchange, "gpus_exchange", {"share"}},
      Form{largest_of_step, "largest_of_step", {"share"}},
      Form{helped_by, "helped_by", {"setting", "gain"}},
      Form{wait_for_stages, "wait_for_stages", {"share"}},
      Form{wait_for_stragglers, "wait_for_stragglers", {"share"}},
      Form{wait_for_decoding, "wait_for_decoding", {"share"}},
      Form{wait_for_copies, "wait_for_copies", {"share"}},
      Form{wait_for_data, "wait_for_data", {"share"}},
      Form{wait_for_data_in_first_epoch, "wait_for_data_in_first_epoch", {"share"}},
      Form{wait_hardly_for_data, "wait_hardly_for_data"},
      Form{wait_for_gradients_on_same_way, "wait_for_gradients_on_same_way", {"share"}},
      Form{stand_still_for_checkpoints, "stand_still_for_checkpoints", {"share"}},
      Form{cores_could_decode, "cores_could_decode"},
      Form{delivers, "delivers", {"capacity_samples_per_s", "load"}},
      Form{delivers_between_steps, "delivers_between_steps", {"capacity_samples_per_s", "load"}},
      Form{smt_gain, "smt_gain", {"gain", "product", "basis"}},
      Form{misses_cache, "misses_cache", {"share_of_bytes"}},
      Form{misses_drive_cache, "misses_drive_cache", {"share_of_bytes"}},
      Form{fills_at_start, "fills_at_start", {"share"}},
      Form{lost_to_slowest_batch, "lost_to_slowest_batch", {"share"}},
      Form{lost_between_stages, "lost_between_stages", {"share"}},
      Form{lost_by_empty_stock, "lost_by_empty_stock", {"share", "batches"}},
      Form{lost_on_shared_links, "lost_on_shared_links", {"share"}},
      Form{lost_at_servers, "lost_at_servers", {"share"}},
      Form{close_to_limit, "close_to_limit", {"load"}},
      Form{waits_per_job, "waits_per_job", {"requests", Argument{"wait_s", seconds}}},
      Form{drives_busy, "drives_busy"},
      Form{reads_of_bytes, "reads_of_bytes", {"share_of_bytes"}},
      Form{few_requests_under_way,
           "few_requests_under_way",
           {"requests", Argument{"request_s", seconds}}},
      Form{few_requests_on_few_drives,
           "few_requests_on_few_drives",
           {"requests", "drives", Argument{"request_s", seconds}}},
      Form{request_rate, "request_rate", {"requests_per_s"}},
      Form{bandwidth, "bandwidth", {Argument{"bandwidth_Bps", bytes_per_s}}},
      Form{carries, "carries", {Argument{"bandwidth_Bps", bytes_per_s}}},
      Form{drives_load, "drives_load", {"load"}},
      Form{replay_behind, "replay_behind", {Argument{"late_s", seconds}}},
      Form{replay_keeps_up, "replay_keeps_up", {Argument{"late_s", seconds}}},
      Form{busy, "busy", {"share"}},
      Form{binds, "binds", {"rates", "of_rates"}},
      Form{others_bind, "others_bind", {"parts"}},
      Form{many_others_bind, "many_others_bind", {"parts", "more"}},
      Form{bus_bandwidth,
           "bus_bandwidth",
           {"operation", Argument{"size_B", bytes}, Argument{"bus_Bps", bytes_per_s}}},
      Form{attains_of_peak, "attains_of_peak", {"share_of_peak", "gpu"}},
      Form{step_takes, "step_takes", {"share"}},
      Form{copying_takes, "copying_takes", {"share"}},
      Form{overload, "overload", {"offered_per_s", "capacity_per_s"}},
      Form{answers_share, "answers_share", {"share_of_capacity", "capacity_per_s"}},
      Form{phase_takes,
           "phase_takes",
           {"direction", Argument{"slowest_s", seconds}, "ranks",
            Argument{"bandwidth_Bps", bytes_per_s}}}};
};
static_assert(has_all(FactForms<EvidenceCode>::all, EvidenceCode::phase_takes));
static_assert(units_fit(FactForms<EvidenceCode>::all));

/// One clause of it.
struct Evidence {
  Fact<EvidenceCode> shows;
  std::optional<Limiter> of;  ///< none: of the job

  bool operator==(const Evidence&) const = default;
};

/// `evidence_of<EvidenceCode::delivers>(limiter, rate, load)`
template <EvidenceCode code, class... Values>
Evidence evidence_of(Limiter of, Values&&... values) {
  return {fact<code>(std::forward<Values>(values)...), std::move(of)};
}
template <EvidenceCode code, class... Values>
Evidence evidence(Values&&... values) {
  return {fact<code>(std::forward<Values>(values)...), {}};
}

}  // namespace gpufeed
