// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_merge.h"

#include <map>
#include <memory>
#include <system_error>

#include "sim/base/files/write_whole.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

using Owned = std::vector<std::unique_ptr<SweepStore>>;
using Stores = std::vector<SweepStore*>;

Owned open_all(const std::vector<fs::path>& files, Diagnostics& out) {
  Owned stores;
  for (const auto& file : files) try {
      stores.push_back(std::make_unique<SweepStore>(file));
    } catch (const InputError& error) {
      out.add(error.problems());
    }
  return stores;
}

Stores all_of(const Owned& stores) {
  Stores out;
  for (const auto& store : stores) out.push_back(store.get());
  return out;
}

void refuse_mixtures(const Stores& stores, Diagnostics& out) {
  for (SweepStore* const store : stores) {
    if (const auto part = difference(stores.front()->head().parts, store->head().parts);
        !part.empty())
      out.error(ProblemCode::unusable_file, {store->name(), 0, 0},
                "does not belong with {}: {} differs", stores.front()->name(), part);
    else if (store->head().points != stores.front()->head().points ||
             store->columns() != stores.front()->columns())
      out.error(ProblemCode::unusable_file, {store->name(), 0, 0},
                "does not belong with {}: its points or columns differ", stores.front()->name());
    else if (store->has_digests() != stores.front()->has_digests())
      out.error(ProblemCode::unusable_file, {store->name(), 0, 0},
                "does not belong with {}: the rows of one of them have no digests; run its sweep "
                "again",
                stores.front()->name());
  }
}

void refuse_overlaps(const Stores& stores, Diagnostics& out) {
  std::map<std::int64_t, const SweepStore*> owner;
  for (SweepStore* const store : stores) {
    std::map<const SweepStore*, std::vector<std::int64_t>> doubled;
    for (const std::int64_t point : store->finished())
      if (const auto [it, fresh] = owner.try_emplace(point, store); !fresh)
        doubled[it->second].push_back(point);
    for (const auto& [other, points] : doubled)
      out.error({store->name(), 0, 0}, "has {} {} that {} has too, the first: {}", points.size(),
                points.size() == 1 ? "point" : "points", other->name(), points.front());
  }
}

MergeReport report_of(SweepStore& store) {
  MergeReport report{store.head().points, 0, {}};
  std::int64_t next = 0;
  const auto gap_before = [&](std::int64_t point) {
    if (point > next) report.gaps.push_back({next, point - 1});
    report.missing += point - next;
    next = point + 1;
  };
  for (const std::int64_t point : store.finished()) gap_before(point);
  gap_before(report.points);
  return report;
}

/// A store in the making, with what SQLite lays beside it.
class StoreInMaking {
 public:
  explicit StoreInMaking(const fs::path& file) : part_(file) {}
  ~StoreInMaking() {
    std::error_code gone;
    for (const auto& file : store_files(part_.path()))
      if (file != part_.path()) fs::remove(file, gone);
  }
  StoreInMaking(const StoreInMaking&) = delete;
  StoreInMaking& operator=(const StoreInMaking&) = delete;

  PartFile& part() { return part_; }

 private:
  PartFile part_;
};

/// All points of the shards, whole or not at all.
MergeReport merged_into(const fs::path& out, const Stores& stores) try {
  StoreInMaking making(out);
  MergeReport report;
  {
    StoreHead head = stores.front()->head();
    head.shard = {};
    SweepStore merged(making.part().path(), head, stores.front()->columns(),
                      stores.front()->has_digests());
    for (const SweepStore* const store : stores) merged.add_all(*store);
    report = report_of(merged);
  }
  making.part().sync();
  making.part().take_new_place();
  return report;
} catch (const std::system_error& error) {
  throw InputError({{{out.string(), 0, 0}, "cannot be made: " + error.code().message()}});
}

}  // namespace

MergeReport merge_sweeps(const fs::path& out, const std::vector<fs::path>& files) {
  Diagnostics problems;
  if (std::error_code unknown; fs::exists(out, unknown))
    problems.error({out.string(), 0, 0}, "{}", kExistsAlready);
  const Owned opened = open_all(files, problems);
  problems.throw_if_any();
  const Stores stores = all_of(opened);
  refuse_mixtures(stores, problems);
  problems.throw_if_any();
  refuse_overlaps(stores, problems);
  problems.throw_if_any();
  return merged_into(out, stores);
}

bool join_sweeps(const fs::path& out, SweepStore& own, const std::vector<fs::path>& others) try {
  Diagnostics problems;
  const Owned opened = open_all(others, problems);
  problems.throw_if_any();
  Stores stores = all_of(opened);
  stores.push_back(&own);
  refuse_mixtures(stores, problems);
  problems.throw_if_any();
  merged_into(out, stores);
  return true;
} catch (const InputError&) {
  if (std::error_code unknown; !fs::exists(out, unknown)) throw;
  return false;
}

}  // namespace gpufeed
