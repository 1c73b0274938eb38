// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_merge.h"

#include <map>
#include <memory>

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

using Stores = std::vector<std::unique_ptr<SweepStore>>;

Stores open_all(const std::vector<fs::path>& files, Diagnostics& out) {
  Stores stores;
  for (const auto& file : files) try {
      stores.push_back(std::make_unique<SweepStore>(file));
    } catch (const InputError& error) {
      for (const auto& problem : error.problems()) out.error(problem.where, "{}", problem.message);
    }
  return stores;
}

void refuse_mixtures(const Stores& stores, Diagnostics& out) {
  for (const auto& store : stores)
    if (const auto part = difference(stores.front()->head().parts, store->head().parts);
        !part.empty())
      out.error({store->name(), 0, 0}, "does not belong with {}: {} differs",
                stores.front()->name(), part);
}

void refuse_overlaps(const Stores& stores, Diagnostics& out) {
  std::map<std::int64_t, const SweepStore*> owner;
  for (const auto& store : stores) {
    std::map<const SweepStore*, std::vector<std::int64_t>> doubled;
    for (const std::int64_t point : store->finished())
      if (const auto [it, fresh] = owner.try_emplace(point, store.get()); !fresh)
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

/// A file that goes away unless it is kept.
class Temporary {
 public:
  explicit Temporary(fs::path file) : file_(std::move(file)) { remove(); }
  ~Temporary() { remove(); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const fs::path& file() const { return file_; }
  void become(const fs::path& name) const { fs::rename(file_, name); }

 private:
  void remove() const {
    std::error_code gone;
    fs::remove(file_, gone);
  }
  fs::path file_;
};

}  // namespace

MergeReport merge_sweeps(const fs::path& out, const std::vector<fs::path>& files) {
  Diagnostics problems;
  if (std::error_code unknown; fs::exists(out, unknown))
    problems.error({out.string(), 0, 0}, "exists already, and is never overwritten");
  const Stores stores = open_all(files, problems);
  problems.throw_if_any();
  refuse_mixtures(stores, problems);
  problems.throw_if_any();
  refuse_overlaps(stores, problems);
  problems.throw_if_any();
  const Temporary temporary(out.string() + ".part");
  MergeReport report;
  {
    StoreHead head = stores.front()->head();
    head.shard = {};
    SweepStore merged(temporary.file(), head, stores.front()->columns());
    for (const auto& store : stores) merged.add_all(*store);
    report = report_of(merged);
  }
  temporary.become(out);
  return report;
}

}  // namespace gpufeed
