// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/readiness.h"

#include <algorithm>
#include <cmath>

#include "sim/model/catalog/layers.h"

namespace gpufeed {
namespace {

/// So much of all gradients is there when so much of the backward pass is done.
struct Corner {
  double there = 0;
  double done = 0;
};

struct Part {
  double parameters = 0;
  double time = 0;
};

std::vector<Part> parts_of_layers(const std::vector<Layer>& layers) {
  std::vector<Part> parts, late;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    const LayerCount count = count_layer(*layer);
    (count.late_parameters > 0 ? late : parts).push_back({count.parameters, count.multiply_adds});
  }
  parts.insert(parts.end(), late.begin(), late.end());
  return parts;
}

std::vector<Part> parts_of(const Model& model) {
  if (!model.layers.empty()) return parts_of_layers(model.layers);
  std::vector<Part> parts;
  for (const BackwardPart& part : model.backward)
    parts.push_back(
        {static_cast<double>(part.parameters), static_cast<double>(part.multiply_adds)});
  if (!parts.empty()) return parts;
  const auto late = static_cast<double>(model.late_parameters.value_or(0));
  return {{static_cast<double>(model.parameters) - late, 1}, {late, 0}};
}

/// From (0, 0) to (1, 1).
std::vector<Corner> corners_of(const Model& model) {
  const std::vector<Part> parts = parts_of(model);
  Part all;
  for (const Part& part : parts) all = {all.parameters + part.parameters, all.time + part.time};
  if (all.parameters <= 0 || all.time <= 0) return {{}, {1, 1}};
  std::vector<Corner> corners{{}};
  for (const Part& part : parts)
    corners.push_back({corners.back().there + part.parameters / all.parameters,
                       corners.back().done + part.time / all.time});
  corners.back() = {1, 1};
  return corners;
}

double ready_at(const std::vector<Corner>& corners, double share) {
  const auto next = std::ranges::lower_bound(corners, share, {}, &Corner::there);
  if (next == corners.begin()) return 0;
  if (next == corners.end()) return 1;
  const Corner before = *std::prev(next);
  return before.done +
         (next->done - before.done) * (share - before.there) / (next->there - before.there);
}

/// What was sent before one that leaves, and when it may.
std::vector<Corner> departures(const std::vector<Corner>& corners, const Bucketing& bucketing) {
  std::vector<Corner> out;
  if (!bucketing.bucket) {
    for (std::size_t i = 1; i < corners.size(); ++i)
      if (corners[i].there > corners[i - 1].there) out.push_back(corners[i - 1]);
    return out;
  }
  double sent = 0;
  const auto send = [&](double until) {
    out.push_back({sent, ready_at(corners, until)});
    sent = until;
  };
  if (bucketing.first && *bucketing.first < bucketing.gradients)
    send(*bucketing.first / bucketing.gradients);
  const double begun = sent;
  const double buckets =
      std::max(1.0, std::ceil(bucketing.gradients * (1 - begun) / *bucketing.bucket));
  for (double i = 1; i <= buckets; ++i) send(i < buckets ? begun + (1 - begun) * i / buckets : 1);
  return out;
}

/// Whether `middle` lies below the line from one to the other, or on it.
bool below(const Corner& left, const Corner& middle, const Corner& right) {
  constexpr double kRounding = 1e-12;
  return (middle.done - left.done) * (right.there - left.there) <=
         (right.done - left.done) * (middle.there - left.there) + kRounding;
}

}  // namespace

std::vector<GradientWave> gradient_waves(const Model& model, const Bucketing& bucketing) {
  std::vector<Corner> hull;
  for (const Corner& one : departures(corners_of(model), bucketing)) {
    while (hull.size() > 1 && below(hull[hull.size() - 2], hull.back(), one)) hull.pop_back();
    hull.push_back(one);
  }
  std::vector<GradientWave> waves;
  for (std::size_t i = 0; i < hull.size(); ++i)
    waves.push_back({(i + 1 < hull.size() ? hull[i + 1].there : 1) - hull[i].there, hull[i].done});
  return waves;
}

}  // namespace gpufeed
