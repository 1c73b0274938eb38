// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/tier.h"

#include <algorithm>

namespace gpufeed::serving {

void Tier::unlink(std::int32_t node) {
  nodes_[at(nodes_[at(node)].previous)].next = nodes_[at(node)].next;
  nodes_[at(nodes_[at(node)].next)].previous = nodes_[at(node)].previous;
}

void Tier::put_last(std::int32_t node) {
  const std::int32_t last = nodes_[0].previous;
  nodes_[at(node)].previous = last;
  nodes_[at(node)].next = 0;
  nodes_[at(last)].next = node;
  nodes_[0].previous = node;
}

bool Tier::put(std::int32_t name) {
  if (const auto found = place_.find(name); found != place_.end()) {
    unlink(found->second);
    put_last(found->second);
    return false;
  }
  if (law_.capacity < 1) return false;
  std::int32_t node;
  if (static_cast<std::int64_t>(place_.size()) < law_.capacity) {
    node = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({});
  } else {
    node = nodes_[0].next;
    unlink(node);
    place_.erase(nodes_[at(node)].name);
  }
  nodes_[at(node)].name = name;
  put_last(node);
  place_.emplace(name, node);
  totals.held = static_cast<std::int64_t>(place_.size());
  totals.most_held = std::max(totals.most_held, totals.held);
  return true;
}

double Tier::ready(double now, std::int64_t blocks) const {
  return std::max(now, free_) + law_.latency +
         static_cast<double>(blocks) * block_B_ / law_.read_rate;
}

double Tier::serve(double now, double bytes, double rate) {
  const double time = law_.latency + bytes / rate;
  totals.busy += time;
  return free_ = std::max(now, free_) + time;
}

double Tier::read(double now, std::int64_t blocks) {
  const double bytes = static_cast<double>(blocks) * block_B_;
  totals.read_B += bytes;
  totals.hit_blocks += blocks;
  ++totals.reads;
  totals.waited += std::max(0.0, free_ - now);
  return serve(now, bytes, law_.read_rate);
}

void Tier::write(double now, std::int64_t blocks) {
  if (blocks == 0) return;
  const double bytes = static_cast<double>(blocks) * block_B_;
  totals.written_B += bytes;
  serve(now, bytes, law_.write_rate);
}

}  // namespace gpufeed::serving
