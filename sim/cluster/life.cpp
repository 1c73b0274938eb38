// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/life.h"

#include <algorithm>
#include <cmath>

namespace gpufeed::cluster {
namespace {

constexpr double kRounding = 1e-12;

}  // namespace

void Life::begin(double now, const Ability& ability, JobRecord& record) {
  runs_ = true;
  start_ = now;
  can_ = ability;
  unsaved_busy_ = 0;
  if (record.attempts++ == 0) record.start = std::max(now, job_->arrival);
  smooth_ = record.attempts == 1;
  if (record.attempts > 1 && job_->restart_cost > 0) {
    phase_ = Phase::restart;
    io_ = 0;
    end_ = now + job_->restart_cost;
  } else {
    begin_work(now);
  }
}

void Life::begin_work(double now) {
  piece_ = std::min(job_->checkpoint_every, left_);
  worked_ = 0;
  smooth_since_ = now;
  begin_part(now);
}

/// The work that reads as its beginning does.
void Life::begin_part(double now) {
  phase_ = Phase::work;
  const double done = job_->work - left_ + worked_;
  const double cold_end = job_->staging + job_->cold;
  const double rest = piece_ - worked_;
  if (done < job_->staging)
    begin_rated(now, std::min(rest, job_->staging - done), job_->staging_io);
  else if (done < cold_end)
    begin_rated(now, std::min(rest, cold_end - done), job_->cold_io);
  else
    begin_rated(now, rest, job_->io);
}

void Life::begin_rated(double now, double length, double io) {
  part_ = length;
  io_ = io;
  rate_ = 0;
  since_ = now;
  end_ = part_ > 0 ? kNever : now;  // until it is given its rate
}

bool Life::stages() const { return job_->work - left_ + worked_ < job_->staging; }

void Life::count(double work, double time, JobRecord& record) {
  const double alone = io_ > 0 ? std::min(full_rate(), can_.limit / io_) : full_rate();
  if (held_by_ >= 0) {
    const double lost = time - work / alone;
    const auto known = std::ranges::find(record.held_by, held_by_, &HeldBy::resource);
    if (known != record.held_by.end())
      known->time += lost;
    else
      record.held_by.push_back({held_by_, lost});
  }
  if (phase_ == Phase::checkpoint) {
    record.written += work * io_;
    return;
  }
  record.bytes += work * io_;
  record.working += time;
  record.alone += work / alone;
  if (!stages()) {
    record.busy += work * can_.busy;
    record.energy += work * can_.energy;
    record.cost += work * can_.cost;
    unsaved_busy_ += work * can_.busy;
  }
  worked_ += work;
}

void Life::advance(double now, JobRecord& record) {
  if (!runs_ || phase_ == Phase::restart || now <= since_) return;
  const double work = std::min(part_, rate_ * (now - since_));
  count(work, now - since_, record);
  part_ -= work;
  since_ = now;
}

void Life::set_rate(double now, double rate, int held_by, JobRecord& record) {
  if (rate == rate_ && held_by == held_by_) return;
  advance(now, record);
  rate_ = rate;
  held_by_ = held_by;
  smooth_ = smooth_ && rate == 1;
  end_ = rate > 0 ? now + part_ / rate : kNever;
  if (!smooth_ || phase_ != Phase::work) return;
  // parts of a piece add up to it, and pieces to the job, to the last digit
  const bool last_part = worked_ + part_ >= piece_ * (1 - kRounding);
  if (last_part && piece_ >= left_ && job_->exact_length > 0)
    end_ = start_ + job_->exact_length;
  else if (last_part)
    end_ = smooth_since_ + piece_;
}

void Life::saved() {
  left_ -= piece_;
  unsaved_busy_ = 0;
}

bool Life::next(double now, JobRecord& record) {
  if (phase_ == Phase::restart) {
    begin_work(now);
    return false;
  }
  const double before = worked_;
  count(part_, now - since_, record);
  part_ = 0;
  held_by_ = -1;
  if (phase_ == Phase::work) {
    // the boundary between two parts is met by rounding at the best
    const double done = job_->work - left_ + worked_;
    const double cold_end = job_->staging + job_->cold;
    for (const double boundary : {job_->staging, cold_end})
      if (boundary > 0 && std::abs(done - boundary) <= kRounding * boundary)
        worked_ = boundary - (job_->work - left_);
    if (worked_ < piece_ * (1 - kRounding) && worked_ > before) {
      begin_part(now);
      return false;
    }
    if (piece_ >= left_) {
      runs_ = false;
      return true;
    }
    if (job_->checkpoint_cost > 0) {
      phase_ = Phase::checkpoint;
      if (job_->checkpoint_size > 0) {
        begin_rated(now, job_->checkpoint_cost, job_->checkpoint_size / job_->checkpoint_cost);
      } else {
        begin_rated(now, job_->checkpoint_cost, 0);
        rate_ = 1;
        end_ = now + job_->checkpoint_cost;
      }
      return false;
    }
  }
  saved();
  begin_work(now);
  return false;
}

void Life::stop(double now, JobRecord& record) {
  advance(now, record);
  record.lost += unsaved_busy_;
  unsaved_busy_ = 0;
  held_by_ = -1;
  runs_ = false;
  end_ = kNever;
}

}  // namespace gpufeed::cluster
