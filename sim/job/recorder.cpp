// SPDX-License-Identifier: Apache-2.0
#include "sim/job/recorder.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gpufeed {

namespace {

constexpr std::int64_t kHalf = Recorder::kSteps / 2;

}  // namespace

Recorder::Recorder(std::size_t gpus, std::int64_t epoch_steps)
    : middle_(epoch_steps / 2 + kHalf), recent_(std::min(gpus, kMostGpus)) {
  steps_.first.resize(recent_.size());
}

void Recorder::add(std::size_t g, const Span& span) {
  if (g >= recent_.size()) return;
  if (span.step < kSteps) steps_.first[g].push_back(span);
  auto& recent = recent_[g];
  recent.push_back(span);
  while (recent.front().step <= span.step - kSteps) recent.pop_front();
}

void Recorder::save_after(std::int64_t steps_before) {
  if (!saved_after_) saved_after_ = steps_before;
}

void Recorder::end_step(std::int64_t steps, bool pace_known) {
  if (pace_known || (!pace_known_ && steps == middle_)) steps_.later = recent(kSteps);
  pace_known_ = pace_known_ || pace_known;
  if (saved_after_ && steps == *saved_after_ + kHalf) steps_.at_checkpoint = recent(0);
}

RecordedSteps Recorder::end() {
  if (saved_after_ && steps_.at_checkpoint.empty()) steps_.at_checkpoint = recent(0);
  return std::move(steps_);
}

Spans Recorder::recent(std::int64_t step) const {
  Spans out(recent_.size());
  for (std::size_t g = 0; g < recent_.size(); ++g)
    std::ranges::copy_if(recent_[g], std::back_inserter(out[g]),
                         [step](const Span& span) { return span.step >= step; });
  return out;
}

}  // namespace gpufeed
