// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/hits_over_epochs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "sim/plan/cache/page_cache.h"

namespace gpufeed {
namespace {

/// Each file is replayed so often in the mean; by then a page cache has settled.
constexpr std::int64_t kMostPasses = 10;

/// The mean of epochs.
class Mean {
 public:
  void add(const HitCurve& curve, double epochs) {
    sum_.add(curve, epochs);
    epochs_ += epochs;
  }
  double epochs() const { return epochs_; }
  HitCurve curve() const {
    HitCurve mean;
    for (std::size_t i = 0; i < HitCurve::kSlices && epochs_ > 0; ++i)
      mean.slices[i] = sum_.slices[i] / epochs_;
    return mean;
  }

 private:
  HitCurve sum_;
  double epochs_ = 0;
};

CacheHits of_steady(CacheReplay replay, double epochs) {
  replay.epochs = std::clamp<std::int64_t>(std::llround(std::ceil(epochs)), 1, kMostPasses);
  if (replay.epochs == 1 && replay.readers == 1) return {};
  const auto curves = hit_curves(replay);
  Mean later;
  for (std::size_t epoch = 1; epoch < curves.size(); ++epoch) later.add(curves[epoch], 1);
  CacheHits hits{curves.front(), later.curve(), {}};
  // What stays for good lies anywhere in a random order; slices differ by chance alone.
  if (replay.policy == CachePolicy::pinned && replay.order != ReadOrder::sequential)
    hits.later = flat_hits(hits.later.mean());
  return hits;
}

/// Epochs are counted from 1.
class Filling {
 public:
  Filling(const CacheReplay& replay, double epochs)
      : replay_(replay),
        shares_(static_cast<double>(replay.shares) / static_cast<double>(replay.parts)),
        readers_(static_cast<double>(replay.readers)),
        epochs_(epochs),
        last_(std::llround(std::ceil(epochs))) {
    const double room =
        std::max(replay.cached_share * (1 - replay.active_share_at_start), replay.behind_share);
    while (kept_ < last_ && unread(kept_ + 2) >= 1 - room) ++kept_;
    // Ten passes do not fill it either.
    if (kept_ >= passes(kMostPasses)) kept_ = last_;
  }

  CacheHits hits() {
    CacheHits out;
    out.first = finding(1);
    add_kept();
    if (kept_ < last_) add_replayed(out.first);
    Mean mean;
    double least = 1, most = 0;
    for (const HitStretch& stretch : stretches_) {
      mean.add(stretch.hits, stretch.epochs);
      least = std::min(least, stretch.hits.mean());
      most = std::max(most, stretch.hits.mean());
    }
    out.later = mean.curve();
    constexpr double kAlike = 0.002;
    if (most - least > kAlike) out.filling = std::move(stretches_);
    return out;
  }

 private:
  /// Epochs in which the readers together read as much as the set has, so often.
  std::int64_t passes(std::int64_t count) const {
    return std::max(count, count * replay_.shares / (replay_.readers * replay_.parts));
  }

  /// The share of the set that nobody has read before that epoch.
  double unread(std::int64_t epoch) const {
    return std::pow(1 - 1 / shares_, readers_ * static_cast<double>(epoch - 1));
  }

  /// What an epoch finds of all that was read before it and in it.
  HitCurve finding(std::int64_t epoch) const {
    if (readers_ == 1) return flat_hits(1 - unread(epoch));
    HitCurve curve;
    const auto slices = static_cast<double>(HitCurve::kSlices);
    // What others have not read of it either, up to the part x of the epoch: its integral.
    const auto missed = [&](double x) {
      return -std::pow(1 - x / shares_, readers_) * shares_ / readers_;
    };
    for (std::size_t i = 0; i < HitCurve::kSlices; ++i) {
      const double from = static_cast<double>(i) / slices;
      const double mean = (missed(from + 1 / slices) - missed(from)) * slices;
      curve.slices[i] = 1 - unread(epoch) * mean;
    }
    return curve;
  }

  double part_of(std::int64_t epoch) const {
    return epoch == last_ ? epochs_ - static_cast<double>(last_ - 1) : 1;
  }

  void add(Mean& stretch) {
    if (stretch.epochs() > 0) stretches_.push_back({stretch.curve(), stretch.epochs()});
    stretch = {};
  }

  /// The second and the last epoch stand alone.
  void add_kept() {
    constexpr double kSteps = 20;
    const double step = (unread(2) - unread(kept_)) / kSteps;
    Mean stretch;
    double begun = unread(2);
    for (std::int64_t epoch = 2; epoch <= kept_; ++epoch) {
      if (epoch == 3 || epoch == last_ || begun - unread(epoch) > step) {
        add(stretch);
        begun = unread(epoch);
      }
      stretch.add(finding(epoch), part_of(epoch));
    }
    add(stretch);
  }

  void add_replayed(HitCurve& first) {
    CacheReplay replay = replay_;
    replay.epochs = std::min(last_, passes(kMostPasses));
    auto curves = hit_curves(replay);
    if (kept_ == 0) first = curves.front();
    const std::int64_t from = std::max<std::int64_t>(kept_, 1);
    make_flat(curves, from);
    const std::int64_t each = passes(1);
    Mean stretch, settled;
    for (std::int64_t epoch = from + 1; epoch <= replay.epochs; ++epoch) {
      const HitCurve& curve = curves[static_cast<std::size_t>(epoch - 1)];
      stretch.add(curve, part_of(epoch));
      if ((epoch - from) % each == 0) add(stretch);
      if (2 * epoch > replay.epochs) settled.add(curve, 1);
    }
    add(stretch);
    if (last_ > replay.epochs)
      stretches_.push_back({settled.curve(), epochs_ - static_cast<double>(replay.epochs)});
  }

  /// Where slices differ by chance alone in the mean of the epochs after the first `from`.
  void make_flat(std::vector<HitCurve>& curves, std::int64_t from) const {
    constexpr double kByChance = 45;  // square of 20 slices' deviations: 20, and four times 6.3
    Mean sum;
    for (auto curve = curves.begin() + from; curve < curves.end(); ++curve) sum.add(*curve, 1);
    const HitCurve mean = sum.curve();
    const double all = mean.mean();
    const double reads = static_cast<double>(items_replayed(replay_)) / shares_ * readers_ *
                         sum.epochs() / static_cast<double>(HitCurve::kSlices);
    double square = 0;
    for (const double slice : mean.slices) square += (slice - all) * (slice - all);
    const bool pinned = replay_.policy == CachePolicy::pinned;
    if (!pinned && square * reads > kByChance * all * (1 - all)) return;
    for (HitCurve& curve : curves) curve = flat_hits(curve.mean());
  }

  const CacheReplay& replay_;
  double shares_, readers_, epochs_;
  std::int64_t last_;      ///< epoch
  std::int64_t kept_ = 0;  ///< epochs until then lose nothing of what is read
  std::vector<HitStretch> stretches_;
};

CacheHits made(const CacheReplay& replay, double epochs) {
  const bool settles = replay.shares == replay.parts || replay.order == ReadOrder::sequential;
  const bool keeps = replay.policy != CachePolicy::none || replay.behind_share > 0;
  if (settles || !keeps) return of_steady(replay, epochs);
  return Filling(replay, epochs).hits();
}

}  // namespace

CacheHits hits_over_epochs(const CacheReplay& replay, double epochs) {
  constexpr std::size_t kRemembered = 4096;  // of a few kilobytes
  static std::mutex mutex;
  static std::map<std::pair<CacheReplay, double>, CacheHits> known;
  const std::pair key{replay, epochs};
  // Nobody waits: in a process that was forked while another thread was here, nobody would come.
  if (const std::unique_lock lock(mutex, std::try_to_lock); lock)
    if (const auto found = known.find(key); found != known.end()) return found->second;
  CacheHits hits = made(replay, epochs);
  if (const std::unique_lock lock(mutex, std::try_to_lock); lock) {
    if (known.size() >= kRemembered) known.clear();
    known.emplace(key, hits);
  }
  return hits;
}

}  // namespace gpufeed
