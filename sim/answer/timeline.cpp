// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/timeline.h"

#include <algorithm>
#include <string>

#include "sim/answer/gpu_groups.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

class TimelineMaker {
 public:
  TimelineMaker(const Scenario& scenario, const Plan& plan) : scenario_(scenario), plan_(plan) {}

  void add(const std::string& name, const Record& record, const Spans& spans) {
    TimelineStretch stretch;
    stretch.name = name;
    bool first = true;
    for (std::size_t g = 0; g < spans.size(); ++g) {
      if (spans[g].empty()) continue;
      const Span& begin = spans[g].front();
      const Span& end = spans[g].back();
      stretch.first_step = first ? begin.step : std::min(stretch.first_step, begin.step);
      stretch.start_s = first ? begin.start_s : std::min(stretch.start_s, begin.start_s);
      stretch.end_s = std::max(stretch.end_s, end.end_s);
      stretch.steps = std::max(stretch.steps, end.step + 1 - stretch.first_step);
      first = false;
      stretch.gpus.push_back({gpu_name(scenario_, plan_, plan_.gpus[g]),
                              static_cast<std::int64_t>(plan_.gpus.size() / record.spent.size()),
                              intervals_of(spans[g])});
    }
    if (!first) stretches_.push_back(std::move(stretch));
  }

  std::vector<TimelineStretch> take() { return std::move(stretches_); }

 private:
  static std::vector<Interval> intervals_of(const std::vector<Span>& spans) {
    std::vector<Interval> out;
    out.reserve(spans.size());
    for (const Span& span : spans)
      out.push_back({span.step, std::string(name_of(span.activity)), span.start_s, span.end_s});
    return out;
  }

  const Scenario& scenario_;
  const Plan& plan_;
  std::vector<TimelineStretch> stretches_;
};

}  // namespace

std::vector<TimelineStretch> timeline_of(const Scenario& scenario, const Plan& plan,
                                         const Outcome& outcome) {
  TimelineMaker maker(scenario, plan);
  const Record& record = outcome.record;
  if (const auto& first = outcome.first_epoch) {
    maker.add("the first steps", *first, first->recorded.first);
    maker.add("later in the first epoch", *first, first->recorded.later);
    maker.add("the first steps of a later epoch", record, record.recorded.first);
    maker.add("later in such an epoch", record, record.recorded.later);
  } else {
    maker.add("the first steps", record, record.recorded.first);
    maker.add("later steps", record, record.recorded.later);
  }
  if (outcome.saved)
    maker.add("around a checkpoint", record,
              outcome.saved->later.around.empty() ? outcome.saved->first.around
                                                  : outcome.saved->later.around);
  return maker.take();
}

}  // namespace gpufeed
