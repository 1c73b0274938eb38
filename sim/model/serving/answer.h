// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/serving/goal_time.h"

namespace gpufeed::serving {

/// What most of the time goes to, or what requests wait for.
enum class Bottleneck { prefill, decode, kv_room, sequences, memory, volume, store };
enum class TierKind { memory, volume, store };
/// Why an answer lies outside what was measured.
enum class Unmeasured {
  generation,
  precision,
  experts,
  tiers,
  preemption,
  long_context,
  window_attention,
  mixed_prefill
};

}  // namespace gpufeed::serving

namespace gpufeed {

template <>
struct EnumNames<serving::Bottleneck> {
  static constexpr std::array<std::string_view, 7> names{
      "prefill", "decode", "kv-room", "sequences", "memory", "volume", "store"};
};
template <>
struct EnumNames<serving::TierKind> {
  static constexpr std::array<std::string_view, 3> names{"memory", "volume", "store"};
};
template <>
struct EnumNames<serving::Unmeasured> {
  static constexpr std::array<std::string_view, 8> names{
      "generation", "precision",    "experts",          "tiers",
      "preemption", "long-context", "window-attention", "mixed-prefill"};
};

}  // namespace gpufeed

// What an engine did with its requests, as it is shown.
namespace gpufeed::serving {

/// Seconds over all requests.
struct Latency {
  double mean = 0;
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("mean", &Latency::mean, "of all"));
    visit(key("p50", &Latency::p50, "half are at most so long"));
    visit(key("p95", &Latency::p95, "95 % are at most so long"));
    visit(key("p99", &Latency::p99, "99 % are at most so long"));
  }
};

struct Interval {
  double low = 0;
  double high = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("low", &Interval::low, "the lower end"));
    visit(key("high", &Interval::high, "the upper end"));
  }
};

/// One time of the goal.
struct GoalTerm {
  GoalTime time = GoalTime::ttft_mean;
  double asked_s = 0;
  double reached_s = 0;
  bool met = false;
  std::int64_t draws_met = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using G = GoalTerm;
    visit(key("time", &G::time, "as the file has it"));
    visit(key("asked_s", &G::asked_s, "at most"));
    visit(key("reached_s", &G::reached_s, "simulated"));
    visit(key("met", &G::met, "whether that is no more"));
    visit(key("draws_met", &G::draws_met, "of the outcomes, those in which it is no more"));
  }
};

/// Outcomes of equal chance: requests of other seeds, where they are drawn, with all times off by
/// as much as measurements were.
struct Draws {
  std::int64_t count = 0;
  Interval ttft_p95_s;
  Interval goodput_per_s;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("count", &Draws::count, "so many were simulated"));
    visit(key("ttft_p95_s", &Draws::ttft_p95_s, "the least and the most of them").as_time());
    visit(key("goodput_per_s", &Draws::goodput_per_s, "the least and the most of them").as_rate());
  }
};

struct TierUse {
  std::string name;
  TierKind kind = TierKind::memory;
  double capacity_B = 0;
  double held_B = 0;
  double read_Bps = 0;
  double write_Bps = 0;
  std::int64_t hit_blocks = 0;
  double hit_tokens = 0;
  double hit_share = 0;
  std::int64_t left_blocks = 0;
  double bytes_read_B = 0;
  double bytes_written_B = 0;
  double behind_B = 0;
  double load = 0;
  double mean_wait_s = 0;
  double break_even_Bps = 0;
  bool worse_than_computing = false;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = TierUse;
    visit(key("name", &T::name, "as the file has it"));
    visit(key("kind", &T::kind, "memory, volume or store"));
    visit(key("capacity_B", &T::capacity_B, "of all replicas"));
    visit(key("held_B", &T::held_B, "the most that lay there, of all replicas"));
    visit(key("read_Bps", &T::read_Bps, "what it gives a replica, or all that share it"));
    visit(key("write_Bps", &T::write_Bps, "what it takes of a replica, or of all that share it"));
    visit(key("hit_blocks", &T::hit_blocks, "blocks of its own size that were read"));
    visit(key("hit_tokens", &T::hit_tokens, "of prompts, that were found there"));
    visit(key("hit_share", &T::hit_share, "of all tokens of prompts"));
    visit(key("left_blocks", &T::left_blocks, "found, but computed again, which was faster"));
    visit(key("bytes_read_B", &T::bytes_read_B, "in all"));
    visit(key("bytes_written_B", &T::bytes_written_B, "in all"));
    visit(key("behind_B", &T::behind_B, "of those, after the last answer: writes that piled up"));
    visit(key("load", &T::load, "part of the time that it was at work"));
    visit(key("mean_wait_s", &T::mean_wait_s, "of a read, in its queue"));
    visit(key("break_even_Bps", &T::break_even_Bps,
              "of a replica, below which computing a prompt of the mean length again is faster"));
    visit(key("worse_than_computing", &T::worse_than_computing,
              "whether its share for a replica is below that"));
  }
};

/// Training that reads one of the stores meanwhile.
struct Beside {
  std::string store;
  std::string training;
  double store_Bps = 0;
  double demand_Bps = 0;
  double served_Bps = 0;
  double alone_samples_per_s = 0;
  double samples_per_s = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using B = Beside;
    visit(key("store", &B::store, "that both read"));
    visit(key("training", &B::training, "its file"));
    visit(key("store_Bps", &B::store_Bps, "what the store gives to all"));
    visit(key("demand_Bps", &B::demand_Bps, "what GPUs that never wait would read of it"));
    visit(key("served_Bps", &B::served_Bps, "what KV caches read and write of it, on the mean"));
    visit(key("alone_samples_per_s", &B::alone_samples_per_s, "trained with the store alone"));
    visit(key("samples_per_s", &B::samples_per_s, "trained with what KV caches leave"));
  }
};

/// The same with something else.
struct WhatIf {
  std::string change;
  std::string set;  ///< as --set takes it
  double ttft_p95_s = 0;
  double itl_p95_s = 0;
  double tokens_per_s = 0;
  double goodput_per_s = 0;
  std::optional<double> usd_per_mtokens;
  std::optional<double> price_change_USD;
  std::optional<double> power_change_W;
  bool meets = false;
  std::optional<double> better;
  std::optional<double> meets_chance;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using W = WhatIf;
    visit(key("change", &W::change, "in words"));
    visit(key("set", &W::set, "for --set; empty: no one key says it"));
    visit(key("ttft_p95_s", &W::ttft_p95_s, "time to the first token then"));
    visit(key("itl_p95_s", &W::itl_p95_s, "between two tokens then"));
    visit(key("tokens_per_s", &W::tokens_per_s, "generated then"));
    visit(key("goodput_per_s", &W::goodput_per_s, "requests within the goal, or all, then"));
    visit(key("usd_per_mtokens", &W::usd_per_mtokens, "generated, then; null: no price is known"));
    visit(key("price_change_USD", &W::price_change_USD,
              "of what is bought; null: a price is missing that the other has, or all"));
    visit(key("power_change_W", &W::power_change_W, "at full load; null: likewise"));
    visit(key("meets", &W::meets, "whether all of the goal's times are met then"));
    visit(key("better", &W::better,
              "chance that goodput, without a goal the time to the first token of 95 %, is better "
              "by more than 1 %; null: not tried"));
    visit(key("meets_chance", &W::meets_chance,
              "that all of the goal's times are met; null: no goal, or not tried"));
  }
};

/// How many blocks of a log an LRU of some size would have found: a count without time.
struct Reuse {
  std::optional<std::int64_t> blocks;
  double bytes_B = 0;
  std::int64_t hits = 0;
  double share = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("blocks", &Reuse::blocks, "of the log, that it holds; null: all"));
    visit(key("bytes_B", &Reuse::bytes_B, "what these take"));
    visit(key("hits", &Reuse::hits, "leading blocks found"));
    visit(key("share", &Reuse::share, "of all blocks of prompts"));
  }
};

struct Answer {
  std::string title;
  std::string model;
  std::string gpu;
  std::string precision;
  std::int64_t gpus = 0;
  std::int64_t tensor = 1;
  std::int64_t replicas = 1;
  std::int64_t requests = 0;
  std::int64_t refused = 0;
  double prompt_tokens_mean = 0;
  double answer_tokens_mean = 0;
  double duration_s = 0;
  Latency ttft_s;
  Latency itl_s;
  Latency e2e_s;
  double tokens_per_s = 0;
  double prompt_tokens_per_s = 0;
  double requests_per_s = 0;
  std::vector<GoalTerm> goal;
  std::optional<double> goal_met;
  double goodput_per_s = 0;
  bool has_goal = false;
  double gpu_busy = 0;
  double prefill_share = 0;
  double mean_batch = 0;
  std::int64_t kv_tokens = 0;
  double kv_mean = 0;
  double kv_most = 0;
  double kv_part_s = 0;
  std::vector<double> kv_over_time;
  double kv_blocked = 0;
  std::int64_t preemptions = 0;
  double anew_tokens = 0;
  double computed_tokens = 0;
  double gpu_hit_share = 0;
  double hit_share = 0;
  std::vector<TierUse> tiers;
  std::vector<Beside> beside;
  Bottleneck bottleneck = Bottleneck::decode;
  std::string bottleneck_tier;
  bool overloaded = false;
  std::optional<double> price_USD;
  std::string without_price;
  std::int64_t unpriced = 0;
  std::optional<double> power_W;
  std::string without_power;
  std::optional<double> usd_per_mtokens;
  std::optional<double> kwh_per_mtokens;
  Interval e2e_mean_range_s;
  Interval ttft_mean_range_s;
  Interval ttft_p95_range_s;
  bool is_drawn = false;
  std::optional<Draws> draws;
  std::optional<double> meets_chance;
  std::vector<Unmeasured> unmeasured;
  std::int64_t blocks_of_log = 0;
  std::vector<Reuse> reuse;
  std::vector<WhatIf> what_if;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using A = Answer;
    visit(key("title", &A::title, "of the file"));
    visit(key("model", &A::model, "that is served"));
    visit(key("gpu", &A::gpu, "the product"));
    visit(key("precision", &A::precision, "of weights and products"));
    visit(key("gpus", &A::gpus, "of all replicas").foreseen(Foresight::exact));
    visit(key("tensor", &A::tensor, "GPUs of a replica"));
    visit(key("replicas", &A::replicas, "that have the whole model"));
    visit(key("requests", &A::requests, "that were answered"));
    visit(key("refused", &A::refused, "longer than the KV cache of a replica"));
    visit(key("prompt_tokens_mean", &A::prompt_tokens_mean, "of a request"));
    visit(key("answer_tokens_mean", &A::answer_tokens_mean, "of a request"));
    visit(key("duration_s", &A::duration_s, "from the first arrival to the last token").as_time());
    visit(key("ttft_s", &A::ttft_s, "from arrival to the first token").as_time());
    visit(key("itl_s", &A::itl_s, "between two tokens of an answer, its own mean").as_time());
    visit(key("e2e_s", &A::e2e_s, "from arrival to the last token").as_time());
    visit(key("tokens_per_s", &A::tokens_per_s, "generated").as_rate());
    visit(key("prompt_tokens_per_s", &A::prompt_tokens_per_s, "of prompts, found ones included")
              .as_rate());
    visit(key("requests_per_s", &A::requests_per_s, "answered").as_rate());
    visit(key("goal", &A::goal, "its times"));
    visit(key("goal_met", &A::goal_met, "part of requests within all of the goal's times"));
    visit(key("goodput_per_s", &A::goodput_per_s, "these a second; without a goal: all").as_rate());
    visit(key("has_goal", &A::has_goal, "whether the file has one"));
    visit(key("gpu_busy", &A::gpu_busy, "part of the time that replicas do steps"));
    visit(key("prefill_share", &A::prefill_share, "of that, for prompts"));
    visit(key("mean_batch", &A::mean_batch, "requests in a step"));
    visit(key("kv_tokens", &A::kv_tokens, "that a replica's KV cache holds"));
    visit(key("kv_mean", &A::kv_mean, "part of it in use while steps are done"));
    visit(key("kv_most", &A::kv_most, "the largest such part"));
    visit(key("kv_part_s", &A::kv_part_s, "length of a part of the time, from 0"));
    visit(key("kv_over_time", &A::kv_over_time,
              "part of all replicas' KV caches in use, on the mean of each such part"));
    visit(key("kv_blocked", &A::kv_blocked,
              "part of the steps' time while a prompt waited for room in it"));
    visit(key("preemptions", &A::preemptions, "requests that were thrown out for room"));
    visit(key("anew_tokens", &A::anew_tokens, "computed again for that"));
    visit(key("computed_tokens", &A::computed_tokens, "of prompts, and these"));
    visit(key("gpu_hit_share", &A::gpu_hit_share, "of tokens of prompts, found on GPUs"));
    visit(key("hit_share", &A::hit_share, "found there or in a tier"));
    visit(key("tiers", &A::tiers, "where KV blocks were kept below"));
    visit(key("beside", &A::beside, "training that reads one of the stores meanwhile"));
    visit(key("bottleneck", &A::bottleneck,
              "prefill, decode, kv-room, sequences, or the kind of a tier"));
    visit(key("bottleneck_tier", &A::bottleneck_tier, "its name; empty: no tier"));
    visit(key("overloaded", &A::overloaded,
              "whether more comes than is answered, so that waiting grows with time"));
    visit(key("price_USD", &A::price_USD,
              "of GPUs or machines, memory, drives and stores; null: none is known, or rented")
              .foreseen(Foresight::exact)
              .sums(SumOf::prices));
    visit(key("without_price", &A::without_price, "what is not counted in it"));
    visit(key("unpriced", &A::unpriced, "how many kinds of parts that are")
              .foreseen(Foresight::exact));
    visit(key("power_W", &A::power_W, "of the same at full load; null: none is known")
              .foreseen(Foresight::exact)
              .sums(SumOf::powers));
    visit(key("without_power", &A::without_power, "what is not counted in it"));
    visit(key("usd_per_mtokens", &A::usd_per_mtokens,
              "of 10^6 tokens generated; null: no price is known")
              .as_time()
              .sums(SumOf::prices));
    visit(key("kwh_per_mtokens", &A::kwh_per_mtokens, "the same; null: no power is known")
              .as_time()
              .sums(SumOf::powers));
    visit(key("e2e_mean_range_s", &A::e2e_mean_range_s, "four of five lie within").as_time());
    visit(key("ttft_mean_range_s", &A::ttft_mean_range_s, "four of five lie within").as_time());
    visit(key("ttft_p95_range_s", &A::ttft_p95_range_s, "four of five lie within").as_time());
    visit(key("is_drawn", &A::is_drawn, "whether another seed asks for something else"));
    visit(
        key("draws", &A::draws,
            "outcomes of equal chance; null: only all times as short and as long as in one of ten "
            "measurements"));
    visit(key("meets_chance", &A::meets_chance,
              "that all of the goal's times are met; null: no goal, or not tried"));
    visit(key("unmeasured", &A::unmeasured, "why that is extrapolated; empty: it is not"));
    visit(key("blocks_of_log", &A::blocks_of_log, "of all prompts; 0: no log names blocks"));
    visit(key("reuse", &A::reuse, "what caches of some sizes would find of the log"));
    visit(key("what_if", &A::what_if, "the same with more of something"));
  }
};

}  // namespace gpufeed::serving
