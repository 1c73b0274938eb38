// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// What is still to be done of checkpoints at a time.
struct Unsaved {
  /// By piece, in the order of writers: for drives and stores; what is being copied to host memory
  /// is among it.
  std::vector<Bytes> unwritten;
  std::vector<Bytes> uncopied;  ///< by writer: for software
};

/// Sums over the checkpoints of a run so far.
struct SaveLog {
  std::int64_t saved = 0;  ///< after which the GPUs went on
  Seconds pause;
  std::int64_t written = 0;  ///< in full
  Seconds write;             ///< from the first byte of each to its last
  Unsaved unsaved;           ///< by now
};

/// Checkpoints of a running job as a state machine over its engine. While GPUs stand still, every
/// writer copies its part to host memory and then writes it, all pieces at the same time.
/// Synchronous: GPUs go on when all is accepted. Asynchronous: when the last part is copied; but
/// before copying they wait until the checkpoint before is accepted.
///
/// A synced checkpoint is accepted when its last byte is written. One that is not, when software
/// has copied it into the page cache and no more of it waits there than has room; drives write on
/// in the background. (The kernel begins that up to half a minute later, when dirty pages are old
/// or many enough; the drives have as much to write then.)
class CheckpointSaver {
 public:
  /// \param routes  of the plan, as declared to the engine. All must outlive the saver.
  CheckpointSaver(const Plan& plan, Engine& engine, const ByRoute<RouteId>& routes);

  /// The GPUs stand still from now until `resume` is called.
  void save(Callback resume);

  /// As if earlier checkpoints had left in the page cache all that has room there.
  void fill_cache();

  bool writing() const { return !unwritten_.empty(); }
  SaveLog log() const;
  Unsaved unsaved() const;

 private:
  /// A piece of a writer, of this checkpoint and of those before.
  struct Target {
    const CheckpointWriter::Piece* piece;
    Bytes waiting;    ///< to be written, or to be copied before
    Bytes dirty;      ///< of it in the page cache
    Bytes in_flight;  ///< of it, a flow
    Seconds begun;    ///< that
    Bandwidth pace;   ///< of the flow before
  };
  struct Unwritten {
    std::optional<Seconds> start;  ///< of its first byte
    Bytes end;                     ///< of all checkpoints' bytes, in the order of writing
  };

  const CheckpointWriter& writer(std::uint64_t tag) const { return checkpoint_.writers[tag]; }
  bool accepted() const;
  void begin();
  void copy(std::uint64_t tag);
  void on_copied(std::uint64_t tag);
  void write(std::uint64_t tag);
  void write_more(std::uint64_t target);
  void on_cached(std::uint64_t tag);
  void on_written(std::uint64_t target);
  void note_written();
  void try_accept();
  void go_on();

  const Plan& plan_;
  const CheckpointPlan& checkpoint_;
  Engine& engine_;
  const ByRoute<RouteId>& routes_;
  std::vector<std::size_t> first_target_;  ///< of each writer
  std::vector<Target> targets_;
  Callback resume_;
  bool stopped_ = false;  ///< GPUs stand still
  bool waiting_ = false;  ///< for the checkpoint before
  std::size_t copies_left_ = 0;
  std::vector<Bytes> uncopied_;   ///< by writer: what software copies
  std::size_t writers_left_ = 0;  ///< whose part has not yet been written or copied to the cache
  std::deque<Unwritten> unwritten_;
  Bytes size_;     ///< that one writes
  Bytes issued_;   ///< of all
  Bytes written_;  ///< of them; negative while drives write what was in the cache before
  Seconds pause_start_;
  SaveLog log_;
};

}  // namespace gpufeed
