// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/life.h"

#include <algorithm>

namespace gpufeed::cluster {

void Life::begin(double now, double full, double alone, double busy, JobRecord& record) {
  runs_ = true;
  start_ = now;
  full_ = full;
  alone_ = alone;
  busy_ = busy;
  if (record.attempts++ == 0) record.start = now;
  if (record.attempts > 1 && job_->restart_cost > 0) {
    phase_ = Phase::restart;
    end_ = now + job_->restart_cost;
  } else {
    begin_work(now);
  }
}

void Life::begin_work(double now) {
  phase_ = Phase::work;
  piece_ = undone_ = std::min(job_->checkpoint_every, left_);
  rate_ = 0;
  since_ = now;
  end_ = undone_ > 0 ? kNever : now;  // until it is given its rate
}

void Life::count(double work, double time, JobRecord& record) const {
  record.busy += work * busy_;
  record.bytes += work * job_->io;
  record.working += time;
  record.alone += work / alone_;
}

void Life::advance(double now, JobRecord& record) {
  if (!works() || now <= since_) return;
  const double work = std::min(undone_, rate_ * (now - since_));
  count(work, now - since_, record);
  undone_ -= work;
  since_ = now;
}

void Life::set_rate(double now, double rate, JobRecord& record) {
  if (rate == rate_) return;
  advance(now, record);
  rate_ = rate;
  end_ = now + undone_ / rate;
}

bool Life::next(double now, JobRecord& record) {
  if (phase_ == Phase::work) {
    count(undone_, now - since_, record);
    undone_ = 0;
    if (piece_ >= left_) {
      runs_ = false;
      return true;
    }
    if (job_->checkpoint_cost > 0) {
      phase_ = Phase::checkpoint;
      end_ = now + job_->checkpoint_cost;
      return false;
    }
  }
  if (phase_ != Phase::restart) saved();
  begin_work(now);
  return false;
}

void Life::stop(double now, JobRecord& record) {
  advance(now, record);
  if (phase_ != Phase::restart) record.lost += (piece_ - undone_) * busy_;
  runs_ = false;
  end_ = kNever;
}

}  // namespace gpufeed::cluster
