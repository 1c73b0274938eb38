// SPDX-License-Identifier: Apache-2.0
#include "sim/job/checkpoint_saver.h"

#include <utility>

namespace gpufeed {

void CheckpointSaver::save(Callback resume) {
  resume_ = resume;
  pause_start_ = engine_.now();
  waiting_ = writing();
  if (!waiting_) begin();
}

void CheckpointSaver::begin() {
  copies_left_ = checkpoint_.writers.size();
  writes_begun_ = false;
  for (std::size_t w = 0; w < checkpoint_.writers.size(); ++w) {
    pieces_left_ += writer(w).pieces.size();
    engine_.after(plan_.route(writer(w).copy).latency, callback<&CheckpointSaver::copy>(*this, w));
  }
}

void CheckpointSaver::copy(std::uint64_t tag) {
  engine_.start_flow(routes_[writer(tag).copy], writer(tag).size,
                     callback<&CheckpointSaver::on_copied>(*this, tag));
}

void CheckpointSaver::on_copied(std::uint64_t tag) {
  engine_.after(plan_.route(writer(tag).pieces.front().route).latency,
                callback<&CheckpointSaver::write>(*this, tag));
  if (--copies_left_ == 0 && checkpoint_.asynchronous) go_on();
}

void CheckpointSaver::write(std::uint64_t tag) {
  if (!std::exchange(writes_begun_, true)) write_start_ = engine_.now();
  for (const auto& piece : writer(tag).pieces)
    engine_.start_flow(routes_[piece.route], piece.size,
                       callback<&CheckpointSaver::on_written>(*this, tag));
}

void CheckpointSaver::on_written(std::uint64_t) {
  if (--pieces_left_ > 0) return;
  ++log_.written;
  log_.write += engine_.now() - write_start_;
  if (!checkpoint_.asynchronous) return go_on();
  if (std::exchange(waiting_, false)) begin();
}

void CheckpointSaver::go_on() {
  ++log_.saved;
  log_.pause += engine_.now() - pause_start_;
  resume_();
}

}  // namespace gpufeed
