// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "sim/base/numbers/random.h"
#include "sim/serving/case.h"
#include "tests/support/draws.h"

namespace gpufeed::serving {
namespace {

struct PlainRequest {
  double at = 0, first = -1, end = -1;
  long prompt = 0, answer = 0, target = 0, kv = 0, got = 0, named = 0;
  std::vector<int> names = {};
  bool anew = false;
};

/// The rules of sim/serving/README.md once more, token by token and block by block: every request
/// is looked at in every step, and nothing is shared with the code under test but its law of steps.
struct PlainModel {
  const Case& of;
  std::vector<PlainRequest> all = {};
  std::vector<std::size_t> running = {};
  std::deque<std::size_t> queue = {};
  std::map<int, int> users = {};
  std::vector<int> idle = {};
  long own_blocks = 0, preemptions = 0;

  long used() const {
    return own_blocks + std::count_if(users.begin(), users.end(), [](auto& u) { return u.second; });
  }
  void make_room() {
    for (; used() + std::ssize(idle) > of.pool; idle.erase(idle.begin())) users.erase(idle.front());
  }
  void use(int name) {
    if (users[name]++ == 0) std::erase(idle, name);
  }
  void leave(PlainRequest& r) {
    own_blocks -= (r.kv + 15) / 16 - r.named;
    for (long i = r.named; i-- > 0;)
      if (--users[r.names[std::size_t(i)]] == 0) idle.push_back(r.names[std::size_t(i)]);
    r.named = 0;
  }
  void compute(PlainRequest& r, long done) {
    for (; r.named < std::min(done / 16, long(r.names.size())); ++r.named, --own_blocks)
      use(r.names[std::size_t(r.named)]);
  }
  void throw_out_last() {
    PlainRequest& r = all[running.back()];
    r.kv = r.kv < r.target ? r.target : r.kv;  // its prompt's blocks were reserved
    leave(r);
    r.target = r.prompt + r.got, r.kv = 0, r.anew = true, ++preemptions;
    queue.push_front(running.back());
    running.pop_back();
  }
  bool decodes(const PlainRequest& r) const { return r.kv >= r.target; }
  void run() {
    double now = 0, begun = -1;
    for (std::size_t next = 0, open = all.size(); open > 0;) {
      const auto listen = [&](double until) {
        while (next < all.size() && all[next].at <= until) queue.push_back(next++);
      };
      listen(of.async ? begun : now);
      if (running.empty() && queue.empty()) listen(now = std::max(now, all[next].at));
      for (std::size_t i = 0; i < running.size(); ++i) {
        if (!decodes(all[running[i]]) || all[running[i]].kv % 16 != 0) continue;
        const std::size_t self = running[i];
        while (used() == of.pool && i < running.size()) throw_out_last();
        if (i < running.size() && running[i] == self) ++own_blocks, make_room();
      }
      long budget = of.budget, sum = 0, tokens = 0, sequences = 0;
      double chunks = 0;
      for (const std::size_t i : running)
        if (decodes(all[i])) --budget, ++tokens, ++sequences, sum += ++all[i].kv;
      std::vector<std::pair<std::size_t, long>> work;
      const auto chunk = [&](std::size_t i) {
        PlainRequest& r = all[i];
        const long x = std::min(budget, r.target - r.kv);
        if (x <= 0) return;
        chunks += of.law.chunk(double(x), double(r.kv)), budget -= x, tokens += x, ++sequences;
        work.push_back({i, r.kv + x});
        compute(r, r.kv + x);
      };
      const std::vector<std::size_t> before = running;
      for (const std::size_t i : before)
        if (all[i].kv < all[i].target) chunk(i);
      while (budget > 0 && !queue.empty() && std::ssize(running) < of.sequences) {
        PlainRequest& r = all[queue.front()];
        long found = 0, sleeping = 0;
        for (; !r.anew && found < (r.prompt - 1) / 16 && found < std::ssize(r.names) &&
               users.count(r.names[std::size_t(found)]);
             ++found)
          sleeping += users[r.names[std::size_t(found)]] == 0;
        const long wanted = (r.target + 15) / 16 - found;
        if (used() + wanted + sleeping > of.pool) break;
        for (; r.named < found; ++r.named) use(r.names[std::size_t(r.named)]);
        own_blocks += wanted, r.kv = found * 16, make_room();
        running.push_back(queue.front()), queue.pop_front();
        chunk(running.back());
      }
      begun = now;
      now += of.law.seconds(double(tokens), double(sequences), double(sum), chunks);
      const auto token = [&](std::size_t i) {
        PlainRequest& r = all[i];
        if (r.first < 0) r.first = now;
        if (++r.got < r.answer) return;
        leave(r), r.end = now, --open, std::erase(running, i);
      };
      std::vector<std::size_t> decoded;
      for (const std::size_t i : before)
        if (decodes(all[i])) decoded.push_back(i);
      for (const std::size_t i : decoded) token(i);
      for (const auto& [i, kv] : work)
        if ((all[i].kv = kv) == all[i].target) token(i);
    }
  }
};

Case random_case(Random& random) {
  Case of;
  of.law.dense_read = 5e-3;
  of.law.product = 25e-6;
  of.law.kv_read = 40e-9;
  of.law.attention = 1e-9;
  of.law.attention_tokens = 512;
  of.law.fixed = 1.7e-3;
  of.law.sequence = 5e-6;
  of.pool = random.integer(8, 60);
  of.budget = random.integer(16, 300);
  of.sequences = random.integer(1, 12);
  of.async = random.integer(0, 1) == 1;
  const std::int64_t kinds = random.integer(1, 6);
  const double gap = random.uniform(0.001, 0.2);
  for (std::int64_t k = 0; k < kinds; ++k) {
    of.runs.push_back({of.names, static_cast<std::int32_t>(random.integer(0, 6))});
    of.names += of.runs.back().count;
  }
  double at = 0;
  for (std::int64_t i = random.integer(1, 60); i > 0; --i) {
    Request one;
    at += random.uniform(0, 2 * gap);
    one.arrival = at;
    const auto kind = static_cast<std::uint32_t>(random.integer(0, kinds - 1));
    const std::int64_t named = of.runs[kind].count * kBlock;
    const std::int64_t most = of.pool * kBlock - 1;
    one.prompt = static_cast<std::int32_t>(
        std::min(most, std::max<std::int64_t>(named, 1) + random.integer(0, 15)));
    if (one.prompt >= named) {
      one.first_run = kind;
      one.run_count = 1;
    }
    one.answer = static_cast<std::int32_t>(
        std::min<std::int64_t>(random.integer(1, 60), of.pool * kBlock - one.prompt));
    of.requests.push_back(one);
  }
  return of;
}

}  // namespace

TEST_CASE("a plain model of the same rules tells the same of random traces, request by request") {
  Random random(56);
  std::int64_t preemptions = 0;
  for (int i = 0; i < draws(300); ++i) {
    const Case of = random_case(random);
    PlainModel plain{of};
    for (const Request& one : of.requests) {
      PlainRequest r{one.arrival};
      r.prompt = r.target = one.prompt;
      r.answer = one.answer;
      if (one.run_count == 1)
        for (int k = 0; k < of.runs[one.first_run].count; ++k)
          r.names.push_back(of.runs[one.first_run].first + k);
      plain.all.push_back(r);
    }
    plain.run();
    const Outcome outcome = run(of);
    CAPTURE(i);
    CHECK(outcome.preemptions == plain.preemptions);
    preemptions += plain.preemptions;
    for (std::size_t k = 0; k < of.requests.size(); ++k) {
      CAPTURE(k);
      REQUIRE(outcome.requests[k].first == doctest::Approx(plain.all[k].first).epsilon(1e-9));
      REQUIRE(outcome.requests[k].end == doctest::Approx(plain.all[k].end).epsilon(1e-9));
    }
  }
  CHECK(preemptions > 100);
}

}  // namespace gpufeed::serving
