// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Sums over the checkpoints of a run so far.
struct SaveLog {
  std::int64_t saved = 0;  ///< after which the GPUs went on
  Seconds pause;
  std::int64_t written = 0;  ///< in full
  Seconds write;             ///< from the first byte of each to its last
};

/// Checkpoints of a running job as a state machine over its engine. While GPUs stand still, every
/// writer copies its part to host memory and then writes it, all pieces at the same time.
/// Synchronous: GPUs go on when the last byte is written. Asynchronous: when the last one is
/// copied; but before copying they wait until the checkpoint before is written.
class CheckpointSaver {
 public:
  /// \param routes  of the plan, as declared to the engine. All must outlive the saver.
  CheckpointSaver(const Plan& plan, Engine& engine, const ByRoute<RouteId>& routes)
      : plan_(plan), checkpoint_(*plan.checkpoint), engine_(engine), routes_(routes) {}

  /// The GPUs stand still from now until `resume` is called.
  void save(Callback resume);

  bool writing() const { return pieces_left_ > 0; }
  const SaveLog& log() const { return log_; }

 private:
  const CheckpointWriter& writer(std::uint64_t tag) const { return checkpoint_.writers[tag]; }
  void begin();
  void copy(std::uint64_t tag);
  void on_copied(std::uint64_t tag);
  void write(std::uint64_t tag);
  void on_written(std::uint64_t);
  void go_on();

  const Plan& plan_;
  const CheckpointPlan& checkpoint_;
  Engine& engine_;
  const ByRoute<RouteId>& routes_;
  Callback resume_;
  bool waiting_ = false;  ///< for the checkpoint before
  std::size_t copies_left_ = 0;
  std::size_t pieces_left_ = 0;
  bool writes_begun_ = false;
  Seconds pause_start_;
  Seconds write_start_;
  SaveLog log_;
};

}  // namespace gpufeed
