// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/runner.h"

#include <chrono>
#include <exception>
#include <utility>

#include "reports/writers/json.h"
#include "sim/base/fault.h"
#include "sim/cluster/answer.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/cluster/document.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/serving/document.h"
#include "sim/model/scenario.h"
#include "sim/range/intervals.h"
#include "sim/serving/answer.h"
#include "sim/simulate.h"
#include "ui/model/work/child.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// All but the range.
Result predict(const Scenario& scenario) {
  Scenario quick = scenario;
  quick.run.timeline = true;
  quick.run.range_samples = 0;
  Result result = simulate(quick);
  result.version = PROJECT_VERSION;
  result.scenario = to_toml(scenario);
  return result;
}

bool has_range(const Scenario& scenario) { return scenario.run.range_samples > 0; }

Result with_range(const Scenario& scenario, Result result) {
  add_intervals(scenario, result);
  return result;
}

}  // namespace

Runner::Runner(const Catalog& catalog, std::function<void()> wake)
    : catalog_(catalog.remembering()), wake_(std::move(wake)), thread_([this] { run(); }) {}

Runner::~Runner() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    ++serial_;
  }
  changed_.notify_all();
  thread_.join();
}

void Runner::submit(Request request) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(request);
    ++serial_;
  }
  changed_.notify_all();
}

void Runner::cancel() {
  {
    const std::lock_guard lock(mutex_);
    waiting_.reset();
    ++serial_;
  }
  changed_.notify_all();
}

std::vector<News> Runner::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

void Runner::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !busy_ && !waiting_; });
}

void Runner::run() {
  while (true) {
    Request request;
    {
      std::unique_lock lock(mutex_);
      busy_ = false;
      changed_.notify_all();
      changed_.wait(lock, [&] { return ending_ || waiting_; });
      if (ending_) return;
      request = std::move(*waiting_);
      waiting_.reset();
      running_ = serial_;
      busy_ = true;
    }
    serve(request);
  }
}

bool Runner::outdated(std::uint64_t serial) {
  const std::lock_guard lock(mutex_);
  return serial_ != serial;
}

void Runner::post(News news) {
  {
    const std::lock_guard lock(mutex_);
    if (serial_ != running_) return;
    news_.push_back(std::move(news));
  }
  if (wake_) wake_();
}

bool Runner::answer(News& news, const std::function<Result()>& work) {
  const auto end =
      run_in_child([&] { return to_json(work()); }, [&] { return outdated(running_); });
  if (!end) return false;
  if (end->good)
    news.result = std::make_shared<const Result>(result_from_json(end->text));
  else
    news.problems = end->problems;
  return true;
}

void Runner::simulate_scenario(const Request& request, News& news) {
  const auto start = Clock::now();
  news.scenario =
      std::make_shared<const Scenario>(parse_scenario(request.text, request.name, catalog_));
  post(news);
  if (!answer(news, [&] { return predict(*news.scenario); })) return;
  news.seconds = seconds_since(start);
  if (!news.result || !has_range(*news.scenario)) return;
  post(news);
  const auto quick = news.result;
  answer(news, [&] { return with_range(*news.scenario, *quick); });
}

/// It takes moments, so that no process of its own is worth its while.
void Runner::simulate_serving(const Request& request, News& news) {
  const auto start = Clock::now();
  const FaultsThrow guard;
  const serving::Document document = parse_serving(request.text, request.name, catalog_);
  const auto simulated = [&](serving::Repeats repeats) {
    news.served = std::make_shared<const serving::Answer>(serving::answer_of(document, repeats));
  };
  simulated(serving::Repeats::none);
  news.seconds = seconds_since(start);
  post(news);
  if (!outdated(running_)) simulated(serving::Repeats::where_short);
}

/// Of the first scheduler: first without its repeats, which take as long again each.
void Runner::simulate_cluster(const Request& request, News& news) {
  const auto start = Clock::now();
  const FaultsThrow guard;
  cluster::Document document = parse_cluster(request.text, request.name, catalog_);
  const auto simulated = [&](std::int64_t repeats) {
    cluster::Document some = document;
    some.cluster.repeats = std::min(repeats, document.cluster.repeats);
    news.shared = std::make_shared<const cluster::Answer>(
        cluster::answer_of(some, cluster::schedulers_of(some).front()));
  };
  simulated(0);
  news.seconds = seconds_since(start);
  post(news);
  if (!outdated(running_)) simulated(document.cluster.repeats);
}

void Runner::serve(const Request& request) {
  const auto start = Clock::now();
  News news;
  news.number = request.number;
  try {
    const auto kind = kind_of_text(request.text);
    if (kind == FileKind::serving)
      simulate_serving(request, news);
    else if (kind == FileKind::cluster)
      simulate_cluster(request, news);
    else
      simulate_scenario(request, news);
  } catch (const std::exception& error) {
    news.problems = problems_of(error);
  }
  if (!news.problems.empty())
    news.repairs = repairs_for(news.problems, request.text, request.name, catalog_);
  if (!news.result && !news.served && !news.shared) news.seconds = seconds_since(start);
  news.whole = true;
  post(std::move(news));
}

}  // namespace gpufeed::ui
