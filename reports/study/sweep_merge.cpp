// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_merge.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
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
  for (const auto& store : stores) {
    if (const auto part = difference(stores.front()->head().parts, store->head().parts);
        !part.empty())
      out.error({store->name(), 0, 0}, "does not belong with {}: {} differs",
                stores.front()->name(), part);
    else if (store->head().points != stores.front()->head().points ||
             store->columns() != stores.front()->columns())
      out.error({store->name(), 0, 0}, "does not belong with {}: its points or columns differ",
                stores.front()->name());
  }
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

/// A new file beside `file`, with a name that nobody else has; it goes away unless it is kept.
class Temporary {
 public:
  explicit Temporary(const fs::path& file) {
    std::string name = file.string() + ".XXXXXX";
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0)
      throw InputError(
          {{{file.string(), 0, 0}, "cannot be made: " + std::generic_category().message(errno)}});
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666U & ~mask);
    close(descriptor);
    file_ = name;
  }
  ~Temporary() {
    std::error_code gone;
    for (const auto& file : store_files(file_)) fs::remove(file, gone);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const fs::path& file() const { return file_; }
  void become(const fs::path& name) const { fs::rename(file_, name); }

 private:
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
  const Temporary temporary(out);
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
