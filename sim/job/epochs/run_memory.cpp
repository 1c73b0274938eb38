// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/run_memory.h"

#include <utility>

namespace gpufeed {
namespace {

/// Routes, resources and GPUs of the runs that are kept: some 100 MB.
constexpr std::size_t kMostSize = 500'000;

thread_local RunMemory* memory_in_use = nullptr;

std::size_t size_of(const RunOrder& order) {
  const Plan& plan = order.plan.plan;
  return plan.routes.size() + plan.graph.resources.size() + plan.gpus.size();
}

/// Of some numbers in which orders mostly differ; the rest is compared.
std::size_t hash_of(const RunOrder& order) {
  const Plan& plan = order.plan.plan;
  std::size_t hash = size_of(order);
  const auto mix = [&](double value) {
    hash = (hash ^ std::hash<double>{}(value)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  for (const Resource& resource : plan.graph.resources) mix(resource.capacity.value);
  for (const double cores : plan.cores) mix(cores);
  for (const double hits : order.epochs.hits.slices) mix(hits);
  for (const double hits : order.epochs.hits.on_drives) mix(hits);
  if (!plan.gpus.empty()) mix(plan.gpus.front().compute.value);
  mix(plan.decode.value);
  mix(static_cast<double>(plan.batch));
  mix(static_cast<double>(plan.loader.batches_at_once));
  mix(static_cast<double>(order.epochs.steps));
  mix(static_cast<double>(order.seed));
  return hash;
}

}  // namespace

RunMemory::InUse::InUse(RunMemory& memory) : before_(std::exchange(memory_in_use, &memory)) {}
RunMemory::InUse::~InUse() { memory_in_use = before_; }

RunMemory* RunMemory::in_use() { return memory_in_use; }

std::optional<Record> RunMemory::find(std::size_t hash, const RunOrder& order) {
  const std::scoped_lock lock(mutex_);
  const auto [begin, end] = runs_.equal_range(hash);
  for (auto run = begin; run != end; ++run)
    if (run->second.order == order) {
      ++counts_.remembered;
      return run->second.record;
    }
  ++counts_.simulated;
  return {};
}

void RunMemory::add(std::size_t hash, Run run) {
  const std::scoped_lock lock(mutex_);
  size_ += run.size;
  oldest_.push_back(runs_.emplace(hash, std::move(run)));
  for (; size_ > kMostSize && oldest_.size() > 1; oldest_.pop_front()) {
    size_ -= oldest_.front()->second.size;
    runs_.erase(oldest_.front());
  }
}

Record RunMemory::of(RunOrder order, const std::function<Record()>& simulate) {
  const std::size_t hash = hash_of(order);
  if (auto found = find(hash, order)) return *std::move(found);
  Record record = simulate();
  const std::size_t size = size_of(order);
  add(hash, {std::move(order), record, size});
  return record;
}

RunMemory::Counts RunMemory::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

}  // namespace gpufeed
