// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/serving/beside.h"
#include "sim/serving/draws.h"
#include "sim/serving/make_case.h"
#include "sim/serving/outcomes.h"
#include "sim/serving/purchase.h"

namespace gpufeed::serving {
namespace {

constexpr double kHour = 3600;
constexpr double kMillion = 1e6;
constexpr double kKilo = 1000;

/// The least that at least this share does not exceed. \param values  in order
double seen(const std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

Latency latency_of(std::vector<double> values) {
  std::ranges::sort(values);
  double sum = 0;
  for (const double value : values) sum += value;
  const auto count = static_cast<double>(std::max<std::size_t>(values.size(), 1));
  return {sum / count, seen(values, 0.5), seen(values, 0.95), seen(values, 0.99)};
}

/// What a request may take at most.
struct Limits {
  double ttft = kNever, itl = kNever, e2e = kNever;
};
Limits limits_of(const Goal& goal) {
  const auto least = [](std::initializer_list<std::optional<Seconds>> all) {
    double out = kNever;
    for (const auto& one : all)
      if (one) out = std::min(out, one->value);
    return out;
  };
  return {least({goal.ttft_mean, goal.ttft_p50, goal.ttft_p95, goal.ttft_p99}),
          least({goal.itl_mean, goal.itl_p50, goal.itl_p95, goal.itl_p99}),
          least({goal.e2e_mean, goal.e2e_p50, goal.e2e_p95, goal.e2e_p99})};
}

double reached_in(const Answer& answer, GoalTime time) {
  static constexpr std::array kSpans{&Answer::ttft_s, &Answer::itl_s, &Answer::e2e_s};
  static constexpr std::array kFigures{&Latency::mean, &Latency::p50, &Latency::p95, &Latency::p99};
  return answer.*kSpans.at(static_cast<std::size_t>(span_of(time))).*
         kFigures.at(static_cast<std::size_t>(figure_of(time)));
}

std::vector<GoalTerm> terms_of(const Goal& goal, const Answer& answer) {
  struct Term {
    GoalTime time;
    std::optional<Seconds> Goal::*asked;
  };
  static constexpr std::array<Term, 12> kTerms{{{GoalTime::ttft_mean, &Goal::ttft_mean},
                                                {GoalTime::ttft_p50, &Goal::ttft_p50},
                                                {GoalTime::ttft_p95, &Goal::ttft_p95},
                                                {GoalTime::ttft_p99, &Goal::ttft_p99},
                                                {GoalTime::itl_mean, &Goal::itl_mean},
                                                {GoalTime::itl_p50, &Goal::itl_p50},
                                                {GoalTime::itl_p95, &Goal::itl_p95},
                                                {GoalTime::itl_p99, &Goal::itl_p99},
                                                {GoalTime::e2e_mean, &Goal::e2e_mean},
                                                {GoalTime::e2e_p50, &Goal::e2e_p50},
                                                {GoalTime::e2e_p95, &Goal::e2e_p95},
                                                {GoalTime::e2e_p99, &Goal::e2e_p99}}};
  std::vector<GoalTerm> out;
  for (const Term& one : kTerms) {
    const std::optional<Seconds>& asked = goal.*one.asked;
    if (!asked) continue;
    const double reached = reached_in(answer, one.time);
    const bool met = reached <= asked->value;
    out.push_back({one.time, asked->value, reached, met, met ? 1 : 0});
  }
  return out;
}

Bottleneck bottleneck_of(TierKind kind) {
  switch (kind) {
    case TierKind::memory:
      return Bottleneck::memory;
    case TierKind::volume:
      return Bottleneck::volume;
    case TierKind::store:
      break;
  }
  return Bottleneck::store;
}

class Told {
 public:
  Told(const Document& document, const Case& of, const Outcome& outcome, double first = 1)
      : document_(document), own_(document.serving), of_(of), outcome_(outcome), first_(first) {}

  Answer answer() {
    add_names();
    add_times();
    add_use();
    for (std::size_t i = 0; i < of_.tiers.size(); ++i) add_tier(i);
    add_bottleneck();
    add_cost();
    add_unmeasured();
    return std::move(out_);
  }

 private:
  void add_names() {
    out_.title = document_.title;
    out_.model = document_.workload.model.name;
    out_.gpu = own_.gpu->name;
    out_.precision = document_.workload.precision;
    out_.tensor = own_.tensor;
    out_.replicas = own_.replicas;
    out_.gpus = own_.tensor * own_.replicas;
  }

  void add_times() {
    std::vector<double> ttft, itl, e2e;
    const Limits limits = own_.goal ? limits_of(*own_.goal) : Limits{};
    double first = kNever, prompts = 0, answers = 0;
    std::int64_t good = 0;
    for (std::size_t i = 0; i < of_.requests.size(); ++i) {
      const Record& record = outcome_.requests[i];
      if (record.refused) {
        ++out_.refused;
        continue;
      }
      const Request& asked = of_.requests[i];
      longest_ = std::max<std::int64_t>(longest_, std::int64_t{asked.prompt} + asked.answer);
      first = std::min(first, record.arrival);
      prompts += asked.prompt;
      answers += asked.answer;
      const double to_first = (record.first - record.arrival + of_.api) * first_;
      const double to_end = record.end - record.arrival + of_.api;
      const double between =
          asked.answer > 1 ? (record.end - record.first) / (asked.answer - 1) : 0;
      ttft.push_back(to_first);
      e2e.push_back(to_end);
      if (asked.answer > 1) itl.push_back(between);
      if (to_first <= limits.ttft && between <= limits.itl && to_end <= limits.e2e) ++good;
    }
    out_.requests = std::ssize(ttft);
    const auto count = static_cast<double>(std::max<std::int64_t>(out_.requests, 1));
    out_.prompt_tokens_mean = prompts / count;
    out_.answer_tokens_mean = answers / count;
    out_.duration_s = std::max(outcome_.end - (first == kNever ? 0 : first), 1e-9);
    out_.overloaded = is_overloaded(ttft);
    out_.ttft_s = latency_of(std::move(ttft));
    out_.itl_s = latency_of(std::move(itl));
    out_.e2e_s = latency_of(std::move(e2e));
    out_.tokens_per_s = answers / out_.duration_s;
    out_.prompt_tokens_per_s = prompts / out_.duration_s;
    out_.requests_per_s = static_cast<double>(out_.requests) / out_.duration_s;
    out_.has_goal = own_.goal.has_value();
    out_.goodput_per_s = out_.requests_per_s;
    if (!own_.goal) return;
    out_.goal = terms_of(*own_.goal, out_);
    out_.goal_met = static_cast<double>(good) / count;
    out_.goodput_per_s = static_cast<double>(good) / out_.duration_s;
  }

  /// Whether those who come late wait much longer than those in the second quarter.
  bool is_overloaded(const std::vector<double>& ttft) const {
    constexpr double kLonger = 2, kLeast = 1, kBusy = 0.9;
    if (of_.clients > 0 || ttft.size() < 16) return false;
    const auto mean = [&](double from, double to) {
      const auto size = static_cast<double>(ttft.size());
      double sum = 0, count = 0;
      for (auto i = static_cast<std::size_t>(from * size); i < static_cast<std::size_t>(to * size);
           ++i, ++count)
        sum += ttft[i];
      return sum / std::max(count, 1.0);
    };
    const double late = mean(0.75, 1);
    return late > kLonger * mean(0.25, 0.5) && late > kLeast && busy() > kBusy;
  }

  double busy() const {
    return outcome_.busy / (out_.duration_s * static_cast<double>(of_.replicas));
  }

  void add_use() {
    const double steps = std::max(outcome_.busy, 1e-9);
    const double pool = std::max(static_cast<double>(of_.pool), 1.0);
    const double prompts = std::max(outcome_.prompt_tokens, 1.0);
    out_.gpu_busy = busy();
    out_.prefill_share = outcome_.prefill / steps;
    out_.mean_batch = outcome_.batch_seconds / steps;
    out_.kv_tokens = of_.pool * kBlock;
    out_.kv_mean = outcome_.kv_seconds / steps / pool;
    out_.kv_most = static_cast<double>(outcome_.kv_most) / pool;
    out_.kv_part_s = outcome_.kv.width();
    const double whole = outcome_.kv.width() * pool * static_cast<double>(of_.replicas);
    const auto parts = static_cast<std::size_t>(outcome_.end / outcome_.kv.width());
    for (std::size_t i = 0; i <= std::min(parts, Timeline::kParts - 1); ++i)
      out_.kv_over_time.push_back(std::min(outcome_.kv.sum(i) / whole, 1.0));
    out_.kv_blocked = outcome_.blocked / steps;
    out_.preemptions = outcome_.preemptions;
    out_.anew_tokens = outcome_.anew_tokens;
    out_.computed_tokens = outcome_.computed_tokens;
    out_.gpu_hit_share = outcome_.gpu_hit_tokens / prompts;
    out_.hit_share = out_.gpu_hit_share;
    for (const TierTotals& one : outcome_.tiers) out_.hit_share += one.hit_tokens / prompts;
  }

  void add_tier(std::size_t i) {
    const TierLaw& law = of_.tiers[i];
    const TierTotals& totals = outcome_.tiers[i];
    const double pools = law.shared ? 1 : static_cast<double>(of_.replicas);
    const double block_B = of_.kv_bytes * static_cast<double>(law.block);
    TierUse use;
    use.name = law.name;
    use.kind = law.kind;
    use.capacity_B = static_cast<double>(law.capacity) * block_B * pools;
    use.held_B = static_cast<double>(totals.most_held) * block_B;
    use.read_Bps = law.read_rate;
    use.write_Bps = law.write_rate;
    use.hit_blocks = totals.hit_blocks;
    use.hit_tokens = totals.hit_tokens;
    use.hit_share = totals.hit_tokens / std::max(outcome_.prompt_tokens, 1.0);
    use.left_blocks = totals.left;
    use.bytes_read_B = totals.read_B;
    use.bytes_written_B = totals.written_B;
    use.behind_B = std::min(totals.late * law.write_rate, totals.written_B);
    use.load = (totals.busy - totals.late) / (out_.duration_s * pools);
    use.mean_wait_s = totals.reads > 0 ? totals.waited / static_cast<double>(totals.reads) : 0;
    const double prompt = std::max(out_.prompt_tokens_mean, static_cast<double>(kBlock));
    use.break_even_Bps =
        of_.kv_bytes * prompt / of_.law.prefill(prompt, 0, static_cast<double>(of_.budget));
    use.worse_than_computing =
        law.read_rate * pools / static_cast<double>(of_.replicas) < use.break_even_Bps;
    out_.tiers.push_back(std::move(use));
  }

  /// Who waits for whom: a tier that is at work all the time, room for blocks, a full batch; else
  /// what steps go to.
  void add_bottleneck() {
    constexpr double kFull = 0.9, kOften = 0.2, kMost = 0.5;
    for (const TierUse& tier : out_.tiers)
      if (tier.load > kFull || tier.mean_wait_s > kMost * out_.ttft_s.mean) {
        out_.bottleneck = bottleneck_of(tier.kind);
        out_.bottleneck_tier = tier.name;
        return;
      }
    const double steps = std::max(outcome_.busy, 1e-9);
    if (out_.kv_blocked > kOften)
      out_.bottleneck = Bottleneck::kv_room;
    else if (outcome_.full / steps > kOften)
      out_.bottleneck = Bottleneck::sequences;
    else if (out_.prefill_share > 0.5)
      out_.bottleneck = Bottleneck::prefill;
    else
      out_.bottleneck = Bottleneck::decode;
  }

  void add_cost() {
    const Machines machines = machines_of(document_);
    out_.price_USD = machines.price_USD;
    out_.without_price = machines.without_price;
    out_.unpriced = machines.unpriced;
    out_.power_W = machines.power_W;
    out_.without_power = machines.without_power;
    const double tokens = out_.tokens_per_s * out_.duration_s;
    if (tokens <= 0) return;
    const double hours = out_.duration_s / kHour / tokens * kMillion;
    if (machines.usd_per_hour) out_.usd_per_mtokens = *machines.usd_per_hour * hours;
    if (machines.power_W)
      out_.kwh_per_mtokens =
          *machines.power_W * document_.cost.power_usage_effectiveness / kKilo * hours;
  }

  void add_unmeasured() {
    constexpr std::int64_t kLongestSeen = 32768;
    constexpr double kMixed = 0.2;
    const Gpu& gpu = **own_.gpu;
    const Architecture& architecture = *document_.workload.model->architecture;
    const auto add = [&](Unmeasured why, bool is_so) {
      if (is_so) out_.unmeasured.push_back(why);
    };
    const std::string& precision = document_.workload.precision;
    add(Unmeasured::generation, gpu.generation != (*own_.engine)->generation);
    add(Unmeasured::precision, (precision != "bf16" && precision != "fp16") || own_.kv_fp8);
    add(Unmeasured::experts, architecture.experts > 0);
    add(Unmeasured::window_attention, architecture.window > 0);
    add(Unmeasured::tiers, !of_.tiers.empty());
    add(Unmeasured::preemption, out_.preemptions > 0);
    add(Unmeasured::long_context, longest_ > kLongestSeen);
    add(Unmeasured::mixed_prefill, out_.prefill_share > kMixed);
  }

  const Document& document_;
  const ServingTable& own_;
  const Case& of_;
  const Outcome& outcome_;
  double first_;  ///< error of the time to the first token
  Answer out_;
  std::int64_t longest_ = 0;
};

/// What a log holds that is asked again, whatever the engine.
void add_reuse(Answer& answer, const Document& document, double kv_bytes) {
  for (const LoggedRequest& one : document.log) answer.blocks_of_log += std::ssize(one.blocks);
  answer.reuse = reuse_of(document.log, {1000, 10000, 100000, std::nullopt},
                          kv_bytes * static_cast<double>(document.serving.requests.log_block));
}

void slow_down(Case& of, double factor) {
  of.law.slower *= factor;
  of.api *= factor;
  for (TierLaw& tier : of.tiers) {
    tier.latency *= factor;
    tier.read_rate /= factor;
    tier.write_rate /= factor;
  }
}

/// Whether to simulate it some times more takes a moment only.
bool is_short(const Case& of) {
  constexpr std::size_t kRequests = 3000;
  constexpr std::int32_t kNames = 2000000;
  return of.requests.size() <= kRequests && of.names <= kNames;
}

}  // namespace

Answer one_draw(const Document& unsettled, const Errors& errors) {
  const Document document = with_training_beside(unsettled);
  Case of = make_case(document);
  slow_down(of, errors.whole);
  return Told(document, of, run(of), errors.first).answer();
}

Answer answer_of(const Document& unsettled, Repeats repeats) {
  const Document document = with_training_beside(unsettled);
  const Case of = make_case(document);
  Answer answer = Told(document, of, run(of)).answer();
  add_reuse(answer, document, of.kv_bytes);
  answer.beside = beside_of(document, answer);
  answer.is_drawn = is_drawn(document.serving.requests);
  const bool repeat = repeats == Repeats::all || repeats == Repeats::ranges ||
                      (repeats == Repeats::where_short && is_short(of));
  if (repeats != Repeats::none)
    add_ranges(answer, repeat ? outcomes_of(document, answer) : ends_of(document, answer));
  if (repeat && repeats != Repeats::ranges) answer.what_if = what_ifs_of(document, answer);
  return answer;
}

}  // namespace gpufeed::serving
