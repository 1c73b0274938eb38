// SPDX-License-Identifier: Apache-2.0
// How a GPU takes its next batch: off the loader, copied in, decoded by its engine where it has
// one.
#include "sim/job/job.h"

namespace gpufeed {
namespace {

/// Whether fixed-function engines of the GPU decode its batches.
bool has_engine(const GpuPlan& gpu) { return gpu.decode_by_engine.value > 0; }

}  // namespace

void TrainingJob::try_take(std::uint64_t g) {
  if (plan_.waits_for_gpus() && may_begin(gpus_[g]) && loaders_.taken(g) <= gpus_[g].computed &&
      !loaders_.next(g).decoded)
    loaders_.want(g);
  if (plan_.gpus[g].copy || has_engine(plan_.gpus[g])) return try_copy(g);
  Gpu& gpu = gpus_[g];
  Batch& next = loaders_.next(g);
  if (!may_begin(gpu) || loaders_.taken(g) > gpu.computed || !next.decoded) return;
  next.copy_end = next.gpu_decode_end = engine_.now();
  ++gpu.copied;
  ++gpu.decoded;
  loaders_.take_next(g);
  try_compute(g);
}

/// For one batch beside the one it computes on, and for one more where an engine decodes a copied
/// one meanwhile; in order, for that one only.
bool TrainingJob::has_room(std::uint64_t g) const {
  const Gpu& gpu = gpus_[g];
  const std::int64_t ahead = loaders_.taken(g) - gpu.computed;
  if (plan_.copies_in_order) return ahead < 1 && may_begin(gpu);
  return ahead < (plan_.gpus[g].copy && has_engine(plan_.gpus[g]) ? 3 : 2);
}

/// Takes the next batch off the loader when it is ready and the GPU has room for it.
void TrainingJob::try_copy(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  if (stopped_ || gpu.copying || !has_room(g)) return;
  if (!loaders_.next(g).decoded) return;
  if (!plan_.gpus[g].copy) {
    loaders_.take_next(g);
    arrived(g);
    return try_copy(g);
  }
  gpu.copying = true;
  loaders_.take_next(g);
  engine_.after(plan_.route(*plan_.gpus[g].copy).latency, callback<&TrainingJob::copy>(*this, g));
}

void TrainingJob::copy(std::uint64_t g) {
  engine_.start_flow(declared_.routes[*plan_.gpus[g].copy],
                     plan_.input_size * static_cast<double>(plan_.batch),
                     callback<&TrainingJob::on_copied>(*this, g));
}

void TrainingJob::on_copied(std::uint64_t g) {
  gpus_[g].copying = false;
  arrived(g);
  try_copy(g);
}

void TrainingJob::arrived(std::uint64_t g) {
  loaders_.batch(g, gpus_[g].copied++).copy_end = engine_.now();
  if (has_engine(plan_.gpus[g])) return try_decode(g);
  ready(g);
}

void TrainingJob::try_decode(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  if (gpu.decoding || gpu.decoded == gpu.copied) return;
  gpu.decoding = true;
  engine_.after(plan_.gpus[g].decode_by_engine, callback<&TrainingJob::on_decoded>(*this, g));
}

void TrainingJob::on_decoded(std::uint64_t g) {
  gpus_[g].decoding = false;
  ready(g);
  try_decode(g);
}

/// The GPU can compute on the next batch.
void TrainingJob::ready(std::uint64_t g) {
  loaders_.batch(g, gpus_[g].decoded++).gpu_decode_end = engine_.now();
  try_compute(g);
}

}  // namespace gpufeed
