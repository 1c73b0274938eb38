// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/tier.h"

#include <algorithm>
#include <list>
#include <unordered_map>

#include "sim/serving/answer.h"

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

TierTotals Tier::totals_at(double end) const {
  TierTotals out = totals;
  out.late = std::max(0.0, free_ - end);
  return out;
}

namespace {

std::int64_t hits_of(const std::vector<LoggedRequest>& log, std::optional<std::int64_t> size) {
  std::list<std::int64_t> order;  // touched longest ago first
  std::unordered_map<std::int64_t, std::list<std::int64_t>::iterator> place;
  std::int64_t hits = 0;
  for (const LoggedRequest& one : log) {
    for (const std::int64_t block : one.blocks) {
      if (!place.contains(block)) break;
      ++hits;
    }
    for (auto block = one.blocks.rbegin(); block != one.blocks.rend(); ++block) {
      if (const auto found = place.find(*block); found != place.end()) {
        order.splice(order.end(), order, found->second);
        continue;
      }
      place.emplace(*block, order.insert(order.end(), *block));
      if (size && std::ssize(place) > *size) {
        place.erase(order.front());
        order.pop_front();
      }
    }
  }
  return hits;
}

}  // namespace

std::vector<Reuse> reuse_of(const std::vector<LoggedRequest>& log,
                            const std::vector<std::optional<std::int64_t>>& sizes,
                            double block_bytes) {
  std::int64_t all = 0;
  std::unordered_map<std::int64_t, bool> different;
  for (const LoggedRequest& one : log) {
    all += std::ssize(one.blocks);
    for (const std::int64_t block : one.blocks) different[block] = true;
  }
  std::vector<Reuse> out;
  if (all == 0) return out;
  for (const auto& size : sizes) {
    Reuse one{size};
    one.bytes_B = static_cast<double>(size.value_or(std::ssize(different))) * block_bytes;
    one.hits = hits_of(log, size);
    one.share = static_cast<double>(one.hits) / static_cast<double>(all);
    out.push_back(one);
  }
  return out;
}

}  // namespace gpufeed::serving
