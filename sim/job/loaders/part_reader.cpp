// SPDX-License-Identifier: Apache-2.0
#include "sim/job/loaders/part_reader.h"

#include <utility>

namespace gpufeed {

PartReader::PartReader(const Plan& plan, Engine& engine, const Declared& declared, Cores& cores,
                       std::uint64_t workers_per_gpu, Callback on_read)
    : plan_(plan),
      engine_(engine),
      declared_(declared),
      cores_(cores),
      workers_per_gpu_(workers_per_gpu),
      on_read_(on_read),
      readings_(plan.gpus.size() * workers_per_gpu) {
  untold_.reserve(readings_.size());
  told_.reserve(readings_.size());
  if (plan.whole_files)
    for (Reading& reading : readings_) reading.files.resize(plan.sources.size());
}

void PartReader::begin(std::uint64_t tag, const PartOfBatch& part) {
  Reading& reading = readings_[tag];
  reading.part = part;
  reading.left = 1;
  Seconds fetch = plan_.fetch * (part.size / plan_.sample_size);
  if (plan_.reads_through) fetch += plan_.pull * ((part.pulled + part.passed) / plan_.sample_size);
  if (plan_.fetch.value <= 0 && fetch.value <= 0) return;
  ++reading.left;
  cores_.start(gpu_plan(tag).pool, CoreWork::fetch, fetch,
               callback<&PartReader::on_fetched>(*this, tag));
}

void PartReader::read(std::uint64_t tag, Seconds wait) {
  engine_.after(wait, callback<&PartReader::start_flows>(*this, tag));
}

/// Starts the flows of a part: equal stripes, or the whole files of its first drives.
void PartReader::start_flows(std::uint64_t tag) {
  Reading& reading = readings_[tag];
  if (plan_.reads_through) {
    start_far(tag, gpu_plan(tag).pulls, reading.part.pulled);
    start_far(tag, gpu_plan(tag).passes, reading.part.passed);
  }
  if (plan_.whole_files) {
    // One reader takes them drive by drive, several readers as many drives at the same time.
    for (std::size_t i = 0; i < plan_.sources_at_once() && read_files(tag); ++i) ++reading.left;
    return end_one(tag);
  }
  const auto& reads = gpu_plan(tag).reads;
  const double flows = declared_.stripes_alike ? 1 : static_cast<double>(reads.size());
  const Bytes stripe = reading.part.size * (plan_.read_per_byte / flows);
  for (const RouteIndex route : reads) {
    if (stripe.value <= 0 || !declared_.in_use[route]) continue;
    ++reading.left;
    being_served_ += plan_.told_together;
    engine_.start_flow(declared_.routes[route], stripe,
                       plan_.told_together ? callback<&PartReader::on_served>(*this, tag)
                                           : callback<&PartReader::end_one>(*this, tag));
  }
  end_one(tag);
}

/// Starts the flows of what comes from the store that the drives are a cache of.
void PartReader::start_far(std::uint64_t tag, const std::vector<RouteIndex>& routes, Bytes size) {
  const auto flows = std::ranges::count_if(
      routes, [&](RouteIndex route) { return static_cast<bool>(declared_.in_use[route]); });
  const Bytes stripe = size * (plan_.pull_per_byte / static_cast<double>(flows));
  if (routes.empty() || stripe.value <= 0) return;
  for (const RouteIndex route : routes) {
    if (!declared_.in_use[route]) continue;
    ++readings_[tag].left;
    engine_.start_flow(declared_.routes[route], stripe, callback<&PartReader::end_one>(*this, tag));
  }
}

/// How many files of a part lie on each drive, and with which it begins.
void PartReader::lay_out_files(std::uint64_t tag, Draw files) {
  Reading& reading = readings_[tag];
  const std::size_t sources = reading.files.size();
  std::int64_t left = reading.part.samples;
  for (std::size_t i = 0; i < sources; ++i) {
    reading.files[i] = files.successes(left, 1.0 / static_cast<double>(sources - i));
    left -= reading.files[i];
  }
  reading.source =
      static_cast<std::size_t>(files.integer(0, static_cast<std::int64_t>(sources) - 1));
}

/// Starts to read the files of the next drive; false where none is left.
bool PartReader::read_files(std::uint64_t tag) {
  Reading& reading = readings_[tag];
  const std::size_t sources = reading.files.size();
  for (std::size_t tried = 0; tried < sources; ++tried) {
    const std::size_t source = (reading.source + tried) % sources;
    const std::int64_t files = std::exchange(reading.files[source], 0);
    if (files == 0) continue;
    reading.source = source;
    const double share = static_cast<double>(files) / static_cast<double>(reading.part.samples);
    engine_.start_flow(declared_.routes[gpu_plan(tag).reads[source]],
                       reading.part.size * (share * plan_.read_per_byte),
                       callback<&PartReader::on_files_read>(*this, tag));
    return true;
  }
  return false;
}

void PartReader::on_files_read(std::uint64_t tag) {
  if (!read_files(tag)) end_one(tag);
}

void PartReader::on_fetched(std::uint64_t tag) {
  cores_.end(gpu_plan(tag).pool, CoreWork::fetch);
  end_one(tag);
}

void PartReader::on_served(std::uint64_t tag) {
  untold_.push_back(tag);
  if (--being_served_ > 0) return;
  std::swap(untold_, told_);
  for (const std::uint64_t one : told_) end_one(one);
  told_.clear();
}

void PartReader::end_one(std::uint64_t tag) {
  if (--readings_[tag].left == 0) on_read_.call(on_read_.target, tag);
}

}  // namespace gpufeed
