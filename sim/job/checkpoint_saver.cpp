// SPDX-License-Identifier: Apache-2.0
#include "sim/job/checkpoint_saver.h"

#include <algorithm>
#include <utility>

namespace gpufeed {
namespace {

constexpr double kRounding = 1 + 1e-9;

/// What a drive writes next of a piece: what must be written before the GPUs go on, else a part, so
/// that the next checkpoint finds the background write at a boundary near by.
Bytes next_part(Bytes dirty, const CheckpointWriter::Piece& piece) {
  constexpr double kParts = 16;
  if (dirty > piece.room * kRounding) return dirty - piece.room;
  const Bytes part = std::min(piece.room, piece.size) / kParts;
  return dirty < part * 1.5 ? dirty : part;
}

}  // namespace

CheckpointSaver::CheckpointSaver(const Plan& plan, Engine& engine, const ByRoute<RouteId>& routes)
    : plan_(plan), checkpoint_(*plan.checkpoint), engine_(engine), routes_(routes) {
  uncopied_.resize(checkpoint_.writers.size());
  for (const CheckpointWriter& writer : checkpoint_.writers) {
    first_target_.push_back(targets_.size());
    for (const auto& piece : writer.pieces) {
      targets_.push_back({&piece, {}, {}, {}, {}, {}});
      size_ += piece.size;
    }
  }
}

SaveLog CheckpointSaver::log() const {
  SaveLog log = log_;
  log.unsaved = unsaved();
  return log;
}

Unsaved CheckpointSaver::unsaved() const {
  Unsaved out{{}, uncopied_};
  for (const Target& target : targets_) {
    const Bytes written = target.pace * (engine_.now() - target.begun);
    out.unwritten.push_back(target.waiting - std::min(target.in_flight, written));
  }
  return out;
}

void CheckpointSaver::save(Callback resume) {
  resume_ = resume;
  stopped_ = true;
  pause_start_ = engine_.now();
  waiting_ = !accepted();
  if (!waiting_) begin();
}

void CheckpointSaver::fill_cache() {
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    Target& target = targets_[t];
    target.dirty += target.piece->room;
    target.waiting += target.piece->room;
    written_ -= target.piece->room;
    write_more(t);
  }
}

bool CheckpointSaver::accepted() const {
  return writers_left_ == 0 && std::ranges::all_of(targets_, [](const Target& target) {
           return target.dirty <= target.piece->room * kRounding;
         });
}

void CheckpointSaver::begin() {
  copies_left_ = writers_left_ = checkpoint_.writers.size();
  issued_ += size_;
  unwritten_.push_back({{}, issued_});
  for (Target& target : targets_) target.waiting += target.piece->size;
  for (std::size_t w = 0; w < checkpoint_.writers.size(); ++w) {
    uncopied_[w] = writer(w).size;
    engine_.after(plan_.route(writer(w).copy).latency, callback<&CheckpointSaver::copy>(*this, w));
  }
}

void CheckpointSaver::copy(std::uint64_t tag) {
  engine_.start_flow(routes_[writer(tag).copy], writer(tag).size,
                     callback<&CheckpointSaver::on_copied>(*this, tag));
}

void CheckpointSaver::on_copied(std::uint64_t tag) {
  if (writer(tag).pieces.front().room.value > 0)
    write(tag);
  else
    engine_.after(plan_.route(writer(tag).pieces.front().route).latency,
                  callback<&CheckpointSaver::write>(*this, tag));
  if (--copies_left_ == 0 && checkpoint_.asynchronous) go_on();
}

void CheckpointSaver::write(std::uint64_t tag) {
  const CheckpointWriter& writer = this->writer(tag);
  if (!unwritten_.back().start) unwritten_.back().start = engine_.now();
  for (std::size_t p = 0; p < writer.pieces.size(); ++p) {
    targets_[first_target_[tag] + p].dirty += writer.pieces[p].size;
    write_more(first_target_[tag] + p);
  }
  engine_.start_flow(routes_[writer.by_software], writer.size,
                     callback<&CheckpointSaver::on_cached>(*this, tag));
}

void CheckpointSaver::write_more(std::uint64_t number) {
  Target& target = targets_[number];
  if (target.in_flight.value > 0 || target.dirty.value <= 0) return;
  target.in_flight = next_part(target.dirty, *target.piece);
  target.begun = engine_.now();
  engine_.start_flow(routes_[target.piece->route], target.in_flight,
                     callback<&CheckpointSaver::on_written>(*this, number));
}

void CheckpointSaver::on_written(std::uint64_t number) {
  Target& target = targets_[number];
  target.dirty -= target.in_flight;
  target.waiting -= target.in_flight;
  target.pace = target.in_flight / (engine_.now() - target.begun);
  written_ += std::exchange(target.in_flight, {});
  note_written();
  write_more(number);
  try_accept();
}

void CheckpointSaver::on_cached(std::uint64_t tag) {
  uncopied_[tag] = {};
  --writers_left_;
  try_accept();
}

/// Of bytes in the order of writing; what rounding leaves of a checkpoint is not waited for.
void CheckpointSaver::note_written() {
  while (!unwritten_.empty() && unwritten_.front().end - written_ < size_ * (kRounding - 1)) {
    ++log_.written;
    log_.write += engine_.now() - *unwritten_.front().start;
    unwritten_.pop_front();
  }
}

void CheckpointSaver::try_accept() {
  if (!accepted()) return;
  if (std::exchange(waiting_, false)) return begin();
  if (!checkpoint_.asynchronous && stopped_) go_on();
}

void CheckpointSaver::go_on() {
  stopped_ = false;
  ++log_.saved;
  log_.pause += engine_.now() - pause_start_;
  resume_();
}

}  // namespace gpufeed
