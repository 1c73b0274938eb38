// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/sweeper.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "reports/writers/json.h"
#include "sim/base/files/start_threads.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "ui/model/work/child.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

/// What a chart and a table of points show.
Result in_short(Result result) {
  result.resources.clear();
  result.topology = {};
  result.timeline.clear();
  return result;
}

}  // namespace

std::size_t SweepJob::points() const {
  std::size_t count = axes.empty() ? 0 : 1;
  for (const SweepAxis& axis : axes) count *= axis.values.size();
  return count;
}

std::vector<std::size_t> SweepJob::at(std::size_t point) const {
  std::vector<std::size_t> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    values[i] = point % axes[i].values.size();
    point /= axes[i].values.size();
  }
  return values;
}

std::string SweepJob::text_at(std::size_t point) const {
  std::string out = text;
  const auto values = at(point);
  for (std::size_t i = 0; i < axes.size(); ++i)
    out = with_parameter(out, axes[i].parameter, axes[i].values[values[i]]);
  return out;
}

Sweeper::Sweeper(const Catalog& catalog, std::function<void()> wake)
    : catalog_(catalog), wake_(std::move(wake)) {}

Sweeper::~Sweeper() { cancel(); }

void Sweeper::start(SweepJob job) {
  for (std::size_t point = 0; point < job.points(); ++point) job.text_at(point);
  cancel();
  job_ = std::move(job);
  asked_.clear();
  points_.assign(job_.points(), {});
  finished_ = 0;
  canceled_ = false;
  running_ = !points_.empty();
  ++version_;
  next_ = 0;
  stopped_ = false;
  catalog_ = catalog_.remembering();
  // One core is the window's.
  const std::size_t cores = std::max(2U, std::thread::hardware_concurrency()) - 1;
  start_a_thread_at_least(threads_, std::min(cores, points_.size()), [this] { work(); });
}

void Sweeper::work() {
  for (std::size_t point = next_++; point < points_.size() && !stopped_; point = next_++) {
    SweptPoint swept = evaluate(point);
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      news_.push_back({point, std::move(swept)});
    }
    if (wake_) wake_();
  }
}

SweptPoint Sweeper::evaluate(std::size_t point) {
  SweptPoint swept;
  swept.state = SweptPoint::State::failed;
  try {
    const Scenario scenario = parse_scenario(job_.text_at(point), job_.name, catalog_);
    const auto end = run_in_child(
        [&] {
          Scenario quick = scenario;
          quick.run.range_samples = 0;  // which no chart shows
          Result result = in_short(simulate(quick));
          result.scenario = to_toml(scenario);
          return to_json(result);
        },
        [&] { return stopped_.load(); });
    if (!end) return swept;
    if (end->good) {
      swept.result = std::make_shared<const Result>(result_from_json(end->text));
      swept.state = SweptPoint::State::good;
    } else {
      swept.problems = end->problems;
    }
  } catch (const std::exception& error) {
    swept.problems = problems_of(error);
  }
  return swept;
}

bool Sweeper::is_old(const std::string& text) const {
  if (points_.empty() || text == job_.text) return false;
  if (text == asked_) return old_;
  asked_ = text;
  try {
    const SweepJob other{text, job_.name, job_.axes};
    old_ = other.text_at(0) != job_.text_at(0);
  } catch (const InputError&) {
    old_ = true;
  }
  return old_;
}

void Sweeper::join() {
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

void Sweeper::cancel() {
  if (!running_) return;
  poll();
  stopped_ = true;
  join();
  news_.clear();
  canceled_ = finished_ < points_.size();
  running_ = false;
  ++version_;
}

bool Sweeper::poll() {
  std::vector<News> news;
  {
    const std::lock_guard lock(mutex_);
    news.swap(news_);
  }
  for (News& one : news) {
    points_[one.point] = std::move(one.swept);
    ++finished_;
  }
  if (!news.empty()) ++version_;
  if (running_ && finished_ == points_.size()) {
    join();
    running_ = false;
    ++version_;
  }
  return !news.empty();
}

void Sweeper::finish() {
  join();
  poll();
}

}  // namespace gpufeed::ui
